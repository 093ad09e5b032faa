"""vLLM `bench serve`: one JSON object a run, or one a line with --append-result.

Source: vllm/benchmarks/serve.py. Latencies are numpy statistics in milliseconds, over completed requests for TTFT,
TPOT and E2EL and over token gaps for ITL; np.std divides by the count. TPOT leaves the first token out. Rates divide
by `duration`, from the first request sent to the last answer. `max_concurrency` is a cap of the client,
`num_prompts` is what was submitted, `max_concurrent_requests` the most that one second saw.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from .result_file import Part, ResultFile
from .served import BOTH_KINDS, DURATION, given, latencies, observed, rates, require_completed
from .shape import Format, Imported, Quantity, Run

_LATENCY: Final = re.compile(r"(mean|median|std|p\d+(?:\.\d+)?)_(ttft|tpot|itl|e2el)_ms")
_RATES: Final = (
    ("request_throughput", "request_throughput", "requests/s", DURATION),
    ("input_throughput", "input_token_throughput", "tokens/s", DURATION),
    ("output_throughput", "output_token_throughput", "tokens/s", DURATION),
    ("total_token_throughput", "total_token_throughput", "tokens/s", BOTH_KINDS),
    ("max_output_tokens_per_s", "peak_output_token_throughput", "tokens/s", "one second"),
    ("duration", "benchmark_duration", "s", None),
)
_GIVEN: Final = {
    "model_id": "model",
    "tokenizer_id": "tokenizer",
    "backend": "engine",
    "endpoint_type": "endpoint_type",
    "label": "run_label",
    "date": "run_at",
    "num_prompts": "requests_submitted",
    "completed": "requests_completed",
    "failed": "requests_failed",
    "request_rate": "request_rate",
    "burstiness": "burstiness",
    "max_concurrency": "concurrency_cap",
    "max_concurrent_requests": "concurrency_observed_peak_second",
    "total_input_tokens": "input_tokens_total",
    "total_output_tokens": "output_tokens_total",
}
_KNOWN: Final = {*_GIVEN, *(r[0] for r in _RATES), "request_goodput", "request_goodput:"}


def recognise(file: ResultFile) -> bool:
    """Tell whether every object has the keys that this tool alone writes together."""
    need = {"model_id", "num_prompts", "completed", "output_throughput"}
    return bool(file.objects) and all(
        part.data.keys() >= need and any(_LATENCY.fullmatch(key) for key in part.data) for part in file.objects
    )


def _split(key: str) -> tuple[str, str] | None:
    match = _LATENCY.fullmatch(key)
    return (match[1], match[2]) if match else None


def read_file(file: ResultFile) -> Imported:
    """Return the runs. Raises Rejected for one without a completed request."""
    return Imported(tuple(_run(part) for part in file.objects))


def _run(part: Part) -> Run:
    completed = require_completed(part, "completed")
    conditions, spots = given(part, _GIVEN)
    # What --metadata KEY=VALUE adds lies beside the rest.
    extra = {k: k for k in part.data if k not in _KNOWN and not _LATENCY.fullmatch(k)}
    more, places = given(part, extra)
    for name, value in observed(part).items():
        conditions.setdefault(name, value)
    label = f"{conditions.get('model')}, concurrency cap {_or_none(conditions.get('concurrency_cap'))}"
    return Run(label, tuple(_quantities(part, completed)), {**more, **conditions}, {**places, **spots})


def _or_none(value: Any) -> str:
    return "none" if value is None else str(value)


def _quantities(part: Part, completed: int) -> Iterator[Quantity]:
    yield from rates(part, _RATES)
    for key in ("request_goodput", "request_goodput:"):
        # Null where no service level was asked for.
        reason = {"null_reason": "not_applicable"} if part.get(key) is None else {}
        told = {"metric": "request_goodput", "unit": "requests/s", "statistic": "one run", "divided_by": DURATION}
        if found := part.quantity(key, **told, n=1, **reason):
            yield found
    yield from latencies(part, _split, "ms", completed)


FORMAT: Final = Format("vllm-serve", "vLLM bench serve", recognise, read_file, writes_non_finite=True)
