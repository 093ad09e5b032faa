"""InferenceX, formerly InferenceMAX: aggregates of one run, and raw files of its decode experiments. Times in seconds.

Source: utils/process_result.py and utils/agentic/aggregation/request_metrics.py of SemiAnalysisAI/InferenceX.
`tput_per_gpu` divides input and output tokens together by the GPUs. `conc` is the cap of the client. Deviations are
statistics.pstdev or np.std, which divide by the count. `mean_qps` is the mean of completions in windows of one second,
no request throughput. Interactivity has been written in three ways:
- fixed lengths: 1 / TPOT of the same statistic, so that p99 is the slow tail, and `std_intvty` is no deviation;
- agentic, early: percentiles of the rate of each request, so that p99 is the fast tail;
- agentic, later: 1 / ITL of the same statistic, the slow tail again, with the deviation of the rates.
Which one a file follows shows in its numbers: a reciprocal agrees to nine digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from .result_file import Part, ResultFile
from .served import BOTH_KINDS, DURATION, LATENCIES, POPULATION, by_name, distribution, given, latencies, rates
from .served import require_completed as required
from .shape import Format, Imported, Quantity, Run

_SHORT: Final = r"(?P<of>ttft|tpot|itl|e2el|intvty|qps|input_tokens|output_tokens_actual)"
_STAT: Final = r"(?P<stat>mean|median|std|p\d+(?:\.\d+)?)"
# Both orders are in use: p99_ttft, and ttft_p99 of later files.
_ORDERS: Final = (re.compile(f"{_STAT}_{_SHORT}"), re.compile(f"{_SHORT}_{_STAT}"))
_PER_GPU: Final = f"{DURATION} and GPUs"
_RATES: Final = (
    ("input_tput_tps", "input_token_throughput", "tokens/s", DURATION),
    ("output_tput_tps", "output_token_throughput", "tokens/s", DURATION),
    ("total_tput_tps", "total_token_throughput", "tokens/s", BOTH_KINDS),
    (
        *("tput_per_gpu", "total_token_throughput_per_gpu", "tokens/s/GPU"),
        f"{_PER_GPU}; input and output tokens counted",
    ),
    ("output_tput_per_gpu", "output_token_throughput_per_gpu", "tokens/s/GPU", _PER_GPU),
    ("input_tput_per_gpu", "input_token_throughput_per_gpu", "tokens/s/GPU", _PER_GPU),
    ("duration_seconds", "benchmark_duration", "s", None),
    ("theoretical_cache_hit_rate", "theoretical_prefix_cache_hit_ratio", "1", None),
    ("server_gpu_cache_hit_rate", "server_GPU_prefix_cache_hit_ratio", "1", None),
    ("server_cpu_cache_hit_rate", "server_CPU_prefix_cache_hit_ratio", "1", None),
)
_EXPERIMENT: Final = (
    ("request_throughput", "request_throughput", "requests/s", DURATION),
    ("input_throughput", "input_token_throughput", "tokens/s", DURATION),
    ("output_throughput", "output_token_throughput", "tokens/s", DURATION),
    ("duration", "benchmark_duration", "s", None),
)
_FAMILIES: Final = (
    ("qps", "request_completions_per_window", "requests/s", "over windows of one second", "one second"),
    ("input_tokens", "input_sequence_length", "tokens", "over completed requests", None),
    ("output_tokens_actual", "output_sequence_length", "tokens", "over completed requests", None),
)
_NESTED: Final = (("qps",), ("tokens", "input"), ("tokens", "output_actual"))
_THROUGHPUT: Final = (
    ("input", "input_token_throughput", DURATION),
    ("output", "output_token_throughput", DURATION),
    ("total", "total_token_throughput", BOTH_KINDS),
)
_GIVEN: Final = {
    "model": "model",
    "model_id": "model",
    "hw": "hardware",
    "framework": "engine",
    "image": "image",
    "precision": "precision",
    "conc": "concurrency_cap",
    "max_concurrency": "concurrency_cap",
    "isl": "input_length_label",
    "osl": "output_length_label",
    "num_gpus": "gpus",
    "tp": "tp",
    "ep": "ep",
    "dp_attention": "dp_attention",
    "mtp": "mtp",
    "spec_decoding": "speculative_decoding",
    "disagg": "disaggregated",
    "is_multinode": "multinode",
    "scenario_type": "scenario",
    "offloading": "offloading",
    "date": "run_at",
    "request_rate": "request_rate",
    "burstiness": "burstiness",
    "num_prompts": "requests_submitted",
    "num_requests_total": "requests_submitted",
    "num_requests_successful": "requests_completed",
    "completed": "requests_completed",
    "total_prompt_tokens": "input_tokens_total",
    "total_generation_tokens": "output_tokens_total",
    "total_input_tokens": "input_tokens_total",
    "total_output_tokens": "output_tokens_total",
}
_RAW: Final = {"model_id", "num_prompts", "completed", "input_throughput", "output_throughput", "median_ttft"}
# An aggregate of fixed lengths counts no requests; its deviations are taken as those of more than one.
_SOME: Final = 2
_EQUAL: Final = Decimal("1e-9")


def recognise(file: ResultFile) -> bool:
    """Tell whether every object is an aggregate, or the raw file of an experiment whose keys name no milliseconds."""
    return bool(file.objects) and all(_is_own(part) for part in file.objects)


def _is_own(part: Part) -> bool:
    keys = part.data.keys()
    is_aggregate = keys >= {"hw", "conc", "model", "framework"} and bool({"tput_per_gpu", "request_metrics"} & keys)
    return is_aggregate or (keys >= _RAW and not any(key.endswith("_ms") for key in keys))


def _split(key: str) -> tuple[str, str] | None:
    match = next((m for order in _ORDERS if (m := order.fullmatch(key))), None)
    return (match["stat"], match["of"]) if match else None


def read_file(file: ResultFile) -> Imported:
    """Return the runs. Raises Rejected for one that tells of no completed request."""
    return Imported(tuple(_run(part) for part in file.objects))


def _run(part: Part) -> Run:
    conditions, spots = given(part, _GIVEN)
    of = [conditions.get(key) for key in ("model", "hardware", "engine") if conditions.get(key)]
    label = f"{', '.join(map(str, of))}, concurrency cap {conditions.get('concurrency_cap')}"
    return Run(label, tuple(_quantities(part, _completed(part))), conditions, spots)


def _completed(part: Part) -> int:
    """Return how many requests completed; an aggregate of fixed lengths does not tell, and its rate must do."""
    for key in ("num_requests_successful", "completed"):
        if part.has(key):
            return required(part, key)
    if not (part.number("tput_per_gpu") or 0) > 0:
        message = "/tput_per_gpu is not above 0: nothing was completed, so that nothing was measured"
        raise part.refuse(("tput_per_gpu",), "import-empty", message, "Import another run.")
    return _SOME


def _quantities(part: Part, completed: int) -> Iterator[Quantity]:
    yield from rates(part, _EXPERIMENT if part.has("input_throughput") else _RATES)
    yield from latencies(part, _split, "s", completed)
    known = by_name(part, _split)
    for short, metric, unit, over, divisor in _FAMILIES:
        samples = None if short == "qps" else completed
        told: dict[str, Any] = {"metric": metric, "unit": unit, "divided_by": divisor, "n": 1}
        yield from distribution(part, known.get(short, {}), POPULATION, over, samples, **told)
    of = {short: (part, known.get(short, {})) for short in ("tpot", "itl")}
    yield from interactivity(part, known.get("intvty", {}), of, completed)
    if isinstance(part.get("request_metrics"), dict):
        yield from _nested(part.part("request_metrics"), completed)


def _nested(part: Part, completed: int) -> Iterator[Quantity]:
    """Yield what later agentic aggregates nest: a distribution under the name of each quantity."""
    for short in ("ttft", "e2el", "itl", "tpot"):
        metric, over = LATENCIES[short]
        told: dict[str, Any] = {"metric": metric, "unit": "s", "n": 1}
        one, names = _at(part, "latency", short)
        yield from distribution(one, names, POPULATION, over, completed, **told)
    for (short, metric, unit, over, divisor), steps in zip(_FAMILIES, _NESTED, strict=True):
        told = {"metric": metric, "unit": unit, "divided_by": divisor, "n": 1}
        one, names = _at(part, *steps)
        yield from distribution(one, names, POPULATION, over, None if short == "qps" else completed, **told)
    for kind, metric, divisor in _THROUGHPUT:
        found = part.quantity(
            *("throughput", kind, "tokens_per_second"),
            metric=metric,
            unit="tokens/s",
            statistic="one run",
            divided_by=divisor,
            n=1,
        )
        if found:
            yield found
    one, names = _at(part, "latency", "intvty")
    yield from interactivity(one, names, {s: _at(part, "latency", s) for s in ("tpot", "itl")}, completed)


def _at(part: Part, *steps: str) -> tuple[Part, dict[str, str]]:
    """Return a nested distribution and its statistics, each under its own name; none where it is no object."""
    one = part.part(*steps)
    held = one.data if isinstance(one.data, dict) else {}
    return one, {key: key for key in held if re.fullmatch(_STAT, key)}


def interactivity(
    part: Part, names: Mapping[str, str], of: Mapping[str, tuple[Part, Mapping[str, str]]], completed: int
) -> Iterator[Quantity]:
    """Yield the output rate that one user sees, with the tail that its percentiles are of.

    `of` gives the latencies that a file may have it from, each with the keys of its statistics.
    """
    if not names:
        return
    source = next((s for s, (at, keys) in of.items() if _is_reciprocal(part, names, at, keys)), None)
    told: dict[str, Any] = {"metric": "interactivity", "unit": "tokens/s/user", "n": 1}
    if source:
        told["divided_by"] = f"{LATENCIES[source][0]} of the same statistic; a high percentile is the slow tail"
        # 1 / deviation of the latency, which is no deviation of anything.
        spread = {"std": names["std"]} if "std" in names else {}
        if spread and _is_reciprocal(part, spread, *of[source], least=0):
            names = {n: key for n, key in names.items() if n != "std"}
    elif _rises(part, names):
        told["divided_by"] = "inter-token latency of the request; a high percentile is the fast tail"
    else:
        told["divided_by"] = "a latency that the file does not tell; which tail a percentile is of cannot be told"
    yield from distribution(part, names, POPULATION, "over completed requests", completed, **told)


def _is_reciprocal(part: Part, names: Mapping[str, str], other: Part, keys: Mapping[str, str], least: int = 1) -> bool:
    """Tell whether each statistic, a deviation aside, is 1 / the same statistic of a latency, to nine digits."""
    wanted = [n for n in names if n != "std" or not least]
    pairs = [(part.number(names[n]), other.number(keys[n]) if n in keys else None) for n in wanted]
    held = [(a, b) for a, b in pairs if a and b]
    return bool(held) and len(held) == len(pairs) and all(abs(a * b - 1) < _EQUAL for a, b in held)


def _rises(part: Part, names: Mapping[str, str]) -> bool:
    """Tell whether higher percentiles are higher rates."""
    ranked = sorted((Decimal(n[1:]), part.number(key)) for n, key in names.items() if n[0] == "p")
    values = [value for _, value in ranked if value is not None]
    return len(values) > 1 and values == sorted(values) and values[0] < values[-1]


FORMAT: Final = Format("inferencex", "InferenceX / InferenceMAX", recognise, read_file, writes_non_finite=True)
