"""AIPerf: profile_export_aiperf.json or .csv, one run.

Source: docs/metrics-reference.md and the exporters of ai-dynamo/aiperf. The file states each unit. The deviation over
requests divides by the count. Metrics with a `count` are statistics over observations; those without are taken over
time. The CSV rounds to two decimals and tells no model. `concurrency` of the load generator is a cap.
"""

from __future__ import annotations

from typing import Any, Final

from .profile_export import metrics, row_quantities
from .result_file import Part, ResultFile
from .served import DURATION, given, require_completed
from .shape import Format, Imported, Run, Spot
from .tabular import csv_heads, csv_rows

DIVISORS: Final = {
    "request_throughput": DURATION,
    "output_token_throughput": DURATION,
    "input_token_throughput": DURATION,
    "total_token_throughput": f"{DURATION}; input and output tokens counted",
    "output_token_throughput_per_user": "inter-token latency of the request",
    "e2e_output_token_throughput": "latency of the request",
    "prefill_throughput_per_user": "time to first token of the request",
}
_TOP: Final = {
    "aiperf_version": "tool_version",
    "benchmark_id": "benchmark_id",
    "start_time": "started_at",
    "end_time": "ended_at",
    "was_cancelled": "was_cancelled",
}
_INPUT: Final = (
    (("endpoint",), {"type": "endpoint_type", "streaming": "streaming"}),
    (("endpoint",), {"use_server_token_count": "server_token_count"}),
    (("input",), {"public_dataset": "dataset", "random_seed": "random_seed"}),
    (
        ("loadgen",),
        {
            "concurrency": "concurrency_cap",
            "prefill_concurrency": "prefill_concurrency_cap",
            "request_rate": "request_rate",
            "request_count": "requests_asked_for",
            "benchmark_duration": "benchmark_duration_asked_for_seconds",
            "warmup_request_count": "warmup_requests",
        },
    ),
    ((), {"scenario": "scenario"}),
)


def recognise(file: ResultFile) -> bool:
    """Tell whether the file is a JSON export with a version, or a CSV one with the sums that only this tool writes."""
    if file.objects:
        return len(file.objects) == 1 and {"aiperf_version", "request_count"} <= file.objects[0].data.keys()
    return csv_heads(file)[:5] == ("Metric", "avg", "min", "max", "sum")


def read_file(file: ResultFile) -> Imported:
    """Return the run. Raises Rejected where no request completed."""
    return _of_json(file.objects[0]) if file.objects else _of_csv(file)


def _of_json(part: Part) -> Imported:
    require_completed(part, "request_count", "avg")
    conditions, spots = given(part, _TOP)
    for steps, keys in _INPUT:
        more, places = given(part.part("input_config", *steps), keys)
        conditions, spots = {**conditions, **more}, {**spots, **places}
    model, where = model_of(part, "endpoint", "model_names")
    conditions, spots = {**model, **conditions}, {**where, **spots}
    conditions["requests_completed"] = part.number("request_count", "avg")
    spots["requests_completed"] = part.spot("request_count", "avg")
    invalid = part.get("was_cancelled") is True or part.get("metadata", "submission_valid") is False
    if part.has("metadata", "submission_valid"):
        conditions["submission_valid"] = part.get("metadata", "submission_valid")
        spots["submission_valid"] = part.spot("metadata", "submission_valid")
    label = f"{conditions.get('model')}, concurrency cap {conditions.get('concurrency_cap') or 'none'}"
    return Imported((Run(marked(label, invalid), tuple(metrics(part, DIVISORS)), conditions, spots),))


def marked(label: str, invalid: bool) -> str:
    """Return a label that says first that its run is invalid."""
    return f"INVALID: {label}" if invalid else label


def model_of(part: Part, *steps: str) -> tuple[dict[str, Any], dict[str, Spot]]:
    """Return the first of the model names below `input_config`, with its place."""
    names = part.get("input_config", *steps)
    if isinstance(names, list) and names and isinstance(names[0], str):
        return {"model": names[0]}, {"model": part.spot("input_config", *steps, 0, exact=names[0])}
    return {}, {}


def _of_csv(file: ResultFile) -> Imported:
    rows = [row for row in csv_rows(file) if row.heads[0] == "Metric"]
    counts = [row for row in rows if row.cells[0].startswith("Request Count") and row.has("Value")]
    count = counts[0].number("Value") if counts else None
    if not counts or not count:
        at = file.offset_of_line(counts[0].line) if counts else 0
        message = "the file tells of no completed request: Request Count is 0 or missing"
        raise file.refuse(at, "import-empty", message, "Import the export of a run that completed requests.")
    found = [q for row in rows for q in row_quantities(row, int(count), DIVISORS, "1")]
    conditions = {"requests_completed": count, "model": None, "concurrency_cap": None}
    run = Run("AIPerf run", tuple(found), conditions, {"requests_completed": counts[0].spot("Value")})
    note = "The CSV tells neither model nor settings; they are null. The JSON export of the run has them."
    return Imported((run,), (note,))


FORMAT: Final = Format("aiperf", "AIPerf", recognise, read_file, is_json=False)
