"""llm-inference-bench (llm_decode_bench.py): one JSON of a matrix, concurrency against context length.

Source: README.md, "Measurement Methodology", and the `methodology` of the file. Times are in seconds. A cell of
sustained decode runs for a set time, and its rate is output tokens over that time; the ones in flight at its end do not
complete, and their latencies stand as 0.0 in the file, which measures nothing. `concurrency` was asked for;
`avg_running_reqs` is what the server ran.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from .result_file import Part, ResultFile
from .served import given, rates, statistic
from .shape import Format, Imported, Quantity, Run, Spot

_REQUESTS: Final = "over requests of the cell"
_FAMILIES: Final = (
    ("ttft", "time_to_first_token", "s", None),
    ("time_to_second_token", "time_to_second_token", "s", None),
    ("request_latency", "end_to_end_latency", "s", None),
    ("inter_token_latency", "inter_token_latency", "s", None),
    ("chunk_inter_token_latency", "inter_chunk_latency", "s", None),
    ("output_tps_per_user", "output_token_throughput_per_user", "tokens/s", "time after the first token"),
    ("e2e_output_tps_per_user", "end_to_end_output_throughput_per_user", "tokens/s", "latency of the request"),
)
_RATES: Final = (
    ("aggregate_tps", "output_token_throughput", "tokens/s", "measured window of the cell"),
    ("per_request_avg_tps", "output_rate_per_request", "tokens/s", "measured window of the cell"),
    ("server_gen_throughput", "server_generation_throughput", "tokens/s", "as the server's metrics tell"),
)
_BURST: Final = tuple(
    (key, metric, unit, divisor.replace("measured window of the cell", "wall time of the burst"))
    for key, metric, unit, divisor in _RATES
)
_OF_COMPLETED: Final = frozenset({"request_latency", "e2e_output_tps_per_user"})
_CELL: Final = {
    "concurrency": "concurrency_asked_for",
    "context_tokens": "context_tokens_asked_for",
    "benchmark_mode": "benchmark_mode",
    "aggregate_source": "rate_counted_from",
    "num_completed": "streams_counted",
    "completed_request_count": "requests_completed",
    "num_errors": "requests_failed",
    "avg_running_reqs": "requests_running_mean",
    "max_running_reqs": "requests_running_peak",
    "effective_concurrency": "effective_concurrency",
    "avg_queue_reqs": "requests_queued_mean",
    "max_queue_reqs": "requests_queued_peak",
    "measurement_seconds": "measured_seconds",
    "wall_time": "wall_time_seconds",
    "total_tokens": "output_tokens_total",
}
_FILE: Final = {
    "model": "model",
    "engine": "engine",
    "version": "tool_version",
    "timestamp": "run_at",
    "duration_per_test": "duration_asked_for_seconds",
    "max_tokens": "max_tokens",
    "ignore_eos": "ignore_eos",
    "max_total_tokens": "kv_budget_tokens",
    "dcp_size": "dcp_size",
    "decode_mode": "decode_mode",
}


def recognise(file: ResultFile) -> bool:
    """Tell whether the file is a matrix with the metadata and the cells that this tool writes."""
    if len(file.objects) != 1 or not {"metadata", "results", "summary_table"} <= file.objects[0].data.keys():
        return False
    cells = list(file.objects[0].items("results"))
    return bool(cells) and all({"concurrency", "context_tokens", "aggregate_tps"} <= {*_keys(c)} for c in cells)


def _keys(part: Part) -> list[str]:
    return list(part.data) if isinstance(part.data, dict) else []


def read_file(file: ResultFile) -> Imported:
    """Return a run for each cell that counted tokens, and one for the prefill rows. Raises Rejected if none did."""
    whole = file.objects[0]
    shared, places = given(whole.part("metadata"), _FILE)
    notes = []
    runs = [run for run in (_prefill(whole.part("prefill"), key, shared, places) for key in _rows(whole)) if run]
    bursts = [(cell, True) for cell in whole.items("burst_results") if isinstance(cell.data, dict)]
    for cell, is_burst in [*((cell, False) for cell in whole.items("results")), *bursts]:
        own, spots = given(cell, _CELL)
        label = f"concurrency {own.get('concurrency_asked_for')}, context {own.get('context_tokens_asked_for')}"
        label = f"burst, {label}" if is_burst else label
        if not (cell.number("aggregate_tps") or 0) > 0 or cell.count("num_completed") == 0:
            notes.append(f"The cell {label} measured nothing and was left out.")
            continue
        found = tuple(_quantities(cell, _BURST if is_burst else _RATES))
        runs.append(Run(label, found, {**shared, **own}, {**places, **spots}))
    if not runs:
        message = "no cell of the matrix measured anything"
        raise whole.refuse(("results",), "import-empty", message, "Import the file of another run.")
    return Imported(tuple(runs), tuple(notes))


def _rows(whole: Part) -> list[str]:
    held = whole.get("prefill")
    return list(held) if isinstance(held, dict) else []


def _prefill(part: Part, key: str, shared: dict[str, Any], places: dict[str, Spot]) -> Run | None:
    """Return the run of one prompt length, whose rate is prompt tokens over time to first token."""
    if not isinstance(part.get(key), dict):
        return None
    one = part.part(key)
    found = [
        one.quantity("ttft_seconds", metric="time_to_first_token", unit="s", statistic="one observation"),
        one.quantity(
            *("tok_per_sec",),
            metric="prompt_processing_throughput",
            unit="tokens/s",
            statistic="one observation",
            divided_by="time to first token",
        ),
    ]
    held = tuple(q for q in found if q)
    return Run(f"prefill, {key} tokens", held, {**shared, "prompt_length_label": key}, places) if held else None


def _quantities(cell: Part, table: tuple[tuple[str, str, str, str], ...]) -> Iterator[Quantity]:
    yield from rates(cell, table)
    none_completed = cell.count("completed_request_count") == 0
    for short, metric, unit, divisor in _FAMILIES:
        for name in ("avg", "min", "max", *(f"p{n}" for n in (50, 75, 90, 95, 99))):
            told: dict[str, Any] = {"metric": metric, "unit": unit, "divided_by": divisor, "n": 1}
            value = cell.quantity(f"{short}_{name}", statistic=statistic(name, _REQUESTS) or name, **told)
            if value and none_completed and short in _OF_COMPLETED and value.value == 0:
                value = _nothing(cell, f"{short}_{name}", value)
            if value:
                yield value


def _nothing(cell: Part, key: str, found: Quantity) -> Quantity:
    """Return a quantity without its 0.0, which stands for requests that none completed."""
    said = getattr(found.value, "written", str(found.value))
    return replace(found, value=None, spot=cell.spot(key, exact=said), null_reason="not_reported", in_file=said)


FORMAT: Final = Format("llm-inference-bench", "llm-inference-bench", recognise, read_file, writes_non_finite=True)
