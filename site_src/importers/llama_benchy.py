"""llama-benchy: one JSON report of several runs.

Source: its schemas/benchmark_report_schema.json (what each metric is, times in milliseconds) and
src/llama_benchy/results.py: np.std divides by the count; `pp_throughput` and `tg_throughput` are of all requests of a
batch together, `*_req_throughput` of each request. `concurrency` requests are sent together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from .result_file import Part, ResultFile
from .served import POPULATION, given, place
from .shape import Format, Imported, Quantity, Run

_BATCH: Final = "mean of runs"
_REQUEST: Final = "mean over requests"
_METRICS: Final = (
    (
        "pp_throughput",
        "prompt_throughput_total",
        "tokens/s",
        _BATCH,
        "time from first request sent to last first token",
    ),
    ("pp_req_throughput", "prompt_throughput_per_request", "tokens/s", _REQUEST, "est_ppt of the request"),
    ("tg_throughput", "generation_throughput_total", "tokens/s", _BATCH, "time from earliest first token to last end"),
    ("tg_req_throughput", "generation_throughput_per_request", "tokens/s", _REQUEST, "time after the first token"),
    ("peak_throughput", "peak_generation_throughput_total", "tokens/s", _BATCH, "a window that the file does not tell"),
    (
        *("peak_req_throughput", "peak_generation_throughput_per_request", "tokens/s", _REQUEST),
        "a window that the file does not tell",
    ),
    ("ttfr", "time_to_first_response", "ms", _REQUEST, None),
    ("est_ppt", "estimated_prompt_time", "ms", _REQUEST, None),
    ("e2e_ttft", "time_to_first_token", "ms", _REQUEST, None),
)
_REPORT: Final = {
    "model": "model",
    "version": "tool_version",
    "timestamp": "run_at",
    "latency_mode": "latency_mode",
    "latency_ms": "latency_taken_off_ms",
    "prefix_caching_enabled": "prefix_caching_enabled",
}
_RUN: Final = {
    "concurrency": "requests_submitted_together",
    "context_size": "context_tokens",
    "prompt_size": "prompt_tokens",
    "response_size": "response_tokens_asked_for",
    "is_context_prefill_phase": "context_prefill_phase",
}


def recognise(file: ResultFile) -> bool:
    """Tell whether the file is one report with the keys that its schema requires."""
    need = {"version", "latency_mode", "latency_ms", "model", "prefix_caching_enabled", "benchmarks"}
    return len(file.objects) == 1 and need <= file.objects[0].data.keys()


def read_file(file: ResultFile) -> Imported:
    """Return a run for each benchmark. Raises Rejected for one that measured nothing."""
    report = file.objects[0]
    conditions, spots = given(report, _REPORT)
    runs = []
    for part in report.items("benchmarks"):
        own, places = given(part, _RUN) if isinstance(part.data, dict) else ({}, {})
        found = tuple(_quantities(part)) if isinstance(part.data, dict) else ()
        if not any(q.value is not None for q in found):
            raise part.refuse((), "import-empty", "the benchmark holds no value", "Import a report of another run.")
        runs.append(Run(_label(own), found, {**conditions, **own}, {**spots, **places}))
    return Imported(tuple(runs))


def _label(own: dict[str, Any]) -> str:
    together, prompt, response = (own.get(_RUN[k]) for k in ("concurrency", "prompt_size", "response_size"))
    phase = ", context prefill" if own.get("context_prefill_phase") is True else ""
    return f"{together} together, context {own.get('context_tokens')}, pp{prompt} tg{response}{phase}"


def _quantities(part: Part) -> Iterator[Quantity]:
    batches = next((len(v) for k in ("pp_throughput", "tg_throughput") if (v := _values(part, k))), None)
    for key, metric, unit, statistic, divisor in _METRICS:
        told: dict[str, Any] = {"metric": metric, "unit": unit, "statistic": statistic, "divided_by": divisor}
        if part.has(key) and not isinstance(part.get(key), dict):
            found = part.quantity(key, **told)
        else:
            values, deviation = _values(part, key), part.number(key, "std")
            known = len(values) > 1 and deviation is not None
            spread = {POPULATION: deviation, **place(part.spot(key, "std"))} if known else None
            found = part.quantity(key, "mean", **told, uncertainty=spread, n=batches) if part.has(key) else None
        if found:
            yield found


def _values(part: Part, key: str) -> list[Any]:
    values = part.get(key, "values")
    return values if isinstance(values, list) else []


FORMAT: Final = Format("llama-benchy", "llama-benchy", recognise, read_file)
