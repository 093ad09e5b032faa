"""SGLang `bench_serving`: one JSON object a line, a line a run.

Source: python/sglang/bench_serving.py. Latencies are numpy statistics in milliseconds; np.std divides by the count.
`concurrency` is the sum of request latencies divided by the duration, so observed; `max_concurrency` is the cap.
`random_input_len` and `random_output_len` are upper bounds: with `random_range_ratio` below 1 lengths are drawn below
them. A run on ShareGPT writes them, too, and does not use them. `request_rate` is Infinity where all requests are sent
at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from .result_file import Part, ResultFile
from .served import BOTH_KINDS, DURATION, given, latencies, observed, rates, require_completed
from .shape import Format, Imported, Quantity, Run

_LATENCY: Final = re.compile(r"(mean|median|std|p\d+(?:\.\d+)?)_(ttft|tpot|itl|e2e_latency)_ms")
_RATES: Final = (
    ("request_throughput", "request_throughput", "requests/s", DURATION),
    ("input_throughput", "input_token_throughput", "tokens/s", DURATION),
    ("output_throughput", "output_token_throughput", "tokens/s", DURATION),
    ("total_throughput", "total_token_throughput", "tokens/s", BOTH_KINDS),
    ("max_output_tokens_per_s", "peak_output_token_throughput", "tokens/s", "one second"),
    ("duration", "benchmark_duration", "s", None),
)
_GIVEN: Final = {
    "backend": "engine",
    "tag": "run_label",
    "dataset_name": "dataset",
    "request_rate": "request_rate",
    "max_concurrency": "concurrency_cap",
    "completed": "requests_completed",
    "concurrency": "concurrency_observed_mean",
    "max_concurrent_requests": "concurrency_observed_peak_second",
    "random_input_len": "input_length_bound",
    "random_output_len": "output_length_bound",
    "random_range_ratio": "random_range_ratio",
    "sharegpt_output_len": "sharegpt_output_length",
    "total_input_tokens": "input_tokens_total",
    "total_output_tokens": "output_tokens_total",
    "total_output_tokens_retokenized": "output_tokens_total_retokenized",
}
# Defaults of another dataset, which bound nothing in a run on ShareGPT.
_OF_RANDOM: Final = ("random_input_len", "random_output_len", "random_range_ratio")
_ON_SHAREGPT: Final = {**_GIVEN, **{key: f"{key}_not_used" for key in _OF_RANDOM}}
_SERVER: Final = {
    "model_path": "model",
    "version": "engine_version",
    "dtype": "dtype",
    "quantization": "quantization",
    "kv_cache_dtype": "kv_cache_dtype",
    "context_length": "context_length_limit",
    "tp_size": "tp_size",
    "dp_size": "dp_size",
    "pp_size": "pp_size",
    "ep_size": "ep_size",
    "mem_fraction_static": "mem_fraction_static",
    "max_running_requests": "server_running_requests_cap",
    "chunked_prefill_size": "chunked_prefill_size",
    "speculative_algorithm": "speculative_algorithm",
    "disable_radix_cache": "disable_radix_cache",
    "attention_backend": "attention_backend",
}


def recognise(file: ResultFile) -> bool:
    """Tell whether every object has the keys that this tool alone writes together."""
    need = {"backend", "dataset_name", "request_rate", "completed", "output_throughput"}
    need_not = {"model_id", "num_prompts"}
    return bool(file.objects) and all(
        need <= part.data.keys()
        and not need_not & part.data.keys()
        and any(_LATENCY.fullmatch(key) for key in part.data)
        for part in file.objects
    )


def _split(key: str) -> tuple[str, str] | None:
    match = _LATENCY.fullmatch(key)
    return (match[1], match[2]) if match else None


def read_file(file: ResultFile) -> Imported:
    """Return the runs, a line each. Raises Rejected for one without a completed request."""
    parts = file.objects
    return Imported(tuple(_run(part, n, len(parts)) for n, part in enumerate(parts, 1)))


def _run(part: Part, number: int, of: int) -> Run:
    completed = require_completed(part, "completed")
    conditions, spots = given(part, _ON_SHAREGPT if part.get("dataset_name") == "sharegpt" else _GIVEN)
    if isinstance(part.get("server_info"), dict):
        more, places = given(part.part("server_info"), _SERVER)
        conditions, spots = {**more, **conditions}, {**places, **spots}
    lengths, errors = part.get("input_lens"), part.get("errors")
    if isinstance(lengths, list):
        conditions["requests_submitted"] = f"{len(lengths)}, counted at import from input_lens"
    if isinstance(errors, list):
        conditions["requests_failed"] = f"{sum(bool(e) for e in errors)}, counted at import from errors"
    for name, value in observed(part).items():
        conditions.setdefault(name, value)
    cap, rate = conditions.get("concurrency_cap"), conditions.get("request_rate")
    label = f"request rate {_said(rate)}, concurrency cap {_said(cap)}"
    return Run(f"Run {number}: {label}" if of > 1 else label, tuple(_quantities(part, completed)), conditions, spots)


def _said(value: Any) -> str:
    return "none" if value is None else format(value, "f") if isinstance(value, Decimal) else str(value)


def _quantities(part: Part, completed: int) -> Iterator[Quantity]:
    yield from rates(part, _RATES)
    if part.has("accept_length"):
        # Null where nothing speculates.
        reason = {"null_reason": "not_applicable"} if part.get("accept_length") is None else {}
        told = {"metric": "speculative_accept_length", "unit": "tokens", "statistic": "mean over verification steps"}
        if found := part.quantity("accept_length", **told, n=1, **reason):
            yield found
    yield from latencies(part, _split, "ms", completed)


FORMAT: Final = Format("sglang-serving", "SGLang bench_serving", recognise, read_file, writes_non_finite=True)
