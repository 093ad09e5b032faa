"""GenAI-Perf: profile_export_genai_perf.json or .csv, one run. Made from its public code.

Source: genai_perf/export_data/json_exporter.py and csv_exporter.py of triton-inference-server/perf_analyzer: the JSON
holds each metric with its unit and its statistics beside `input_config`; the CSV rounds to two decimals, groups
thousands with commas and leaves out the unit of token counts. genai_perf/metrics/statistics.py computes the deviation
with np.std, which divides by the count. `concurrency` is what the load generator keeps up.
"""

from __future__ import annotations

from typing import Any, Final

from .aiperf import DIVISORS, model_of
from .profile_export import metrics, row_quantities
from .result_file import Part, ResultFile
from .served import given
from .shape import Format, Imported, Run
from .tabular import csv_heads, csv_rows

_TOP: Final = {
    "endpoint_type": "endpoint_type",
    "service_kind": "service_kind",
    "streaming": "streaming",
    "concurrency": "concurrency_cap",
    "request_rate": "request_rate",
    "random_seed": "random_seed",
    "synthetic_input_tokens_mean": "input_tokens_asked_for_mean",
    "output_tokens_mean": "output_tokens_asked_for_mean",
    "tokenizer": "tokenizer",
    "backend": "backend",
}
# Files of early versions count no requests; their deviations are taken as those of more than one.
_SOME: Final = 2
_STIMULUS: Final = {"concurrency": "concurrency_cap", "request_rate": "request_rate"}


def recognise(file: ResultFile) -> bool:
    """Tell whether the file is a JSON export without a version of AIPerf, or a CSV one in the order of this tool."""
    if file.objects:
        data = file.objects[0].data
        own = {"request_throughput", "request_latency", "input_config"} <= data.keys()
        return len(file.objects) == 1 and own and "aiperf_version" not in data
    return csv_heads(file)[:5] == ("Metric", "avg", "min", "max", "p99")


def read_file(file: ResultFile) -> Imported:
    """Return the run. Raises Rejected where no request completed."""
    return _of_json(file.objects[0]) if file.objects else _of_csv(file)


def _of_json(part: Part) -> Imported:
    key = "request_count" if part.has("request_count") else "request_throughput"
    if not (part.number(key, "avg") or 0) > 0:
        message = f"/{key}/avg is not above 0: no request completed, so that nothing was measured"
        raise part.refuse((key, "avg"), "import-empty", message, "Import the export of another run.")
    conditions, spots = given(part.part("input_config"), _TOP)
    stimulus, where = given(part.part("input_config", "perf_analyzer", "stimulus"), _STIMULUS)
    model, at = model_of(part, "model_names")
    other, there = model_of(part, "model")
    conditions = {"model": None, **other, **model, **stimulus, **conditions}
    spots = {**there, **at, **where, **spots}
    label = f"{conditions['model']}, concurrency {conditions.get('concurrency_cap')}"
    requests = part.count("request_count", "avg") if part.has("request_count", "avg") else _SOME
    return Imported((Run(label, tuple(metrics(part, DIVISORS, requests)), conditions, spots),))


def _of_csv(file: ResultFile) -> Imported:
    rows = [row for row in csv_rows(file) if row.heads[0] == "Metric" and "GPU" not in row.heads]
    values = {row.cells[0].partition(" (")[0]: row for row in rows if row.has("Value")}
    told = values.get("Request Count") or values.get("Request Throughput")
    if told is None or not told.number("Value"):
        at = file.offset_of_line(told.line) if told else 0
        message = "the file tells of no completed request: Request Throughput is 0 or missing"
        raise file.refuse(at, "import-empty", message, "Import the export of a run that completed requests.")
    found = [q for row in rows for q in row_quantities(row, None, DIVISORS, "tokens")]
    conditions: dict[str, Any] = {"model": None, "concurrency_cap": None}
    note = "The CSV tells neither model nor settings; they are null. The JSON export of the run has them."
    return Imported((Run("GenAI-Perf run", tuple(found), conditions),), (note,))


FORMAT: Final = Format("genai-perf", "GenAI-Perf", recognise, read_file, writes_non_finite=True, is_json=False)
