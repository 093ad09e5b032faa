"""llama-bench of llama.cpp: JSON, JSON lines, CSV or the Markdown table.

Source: tools/llama-bench/llama-bench.cpp. `avg_ts` is the mean over repetitions of tokens divided by the time of the
repetition, `stddev_ts` the sample deviation (n - 1), written as 0 for one repetition. JSON has a list of samples, so
their count; CSV and Markdown do not tell it, and a deviation of 0 there tells nothing. `model_size` is in bytes, times
are in nanoseconds. A test has prompt tokens (pp), generated tokens (tg), or both, after `n_depth` tokens of context.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, Final

from .result_file import Part, ResultFile
from .served import SAMPLE, given, place
from .shape import Format, Imported, Quantity, Run
from .tabular import Row, csv_heads, csv_rows, number_of, table_rows

_MEASURED: Final = {"avg_ns", "stddev_ns", "avg_ts", "stddev_ts", "samples_ns", "samples_ts"}
_SIZES: Final = {"n_prompt": "prompt_tokens", "n_gen": "generated_tokens", "n_depth": "depth_tokens"}
_NAMES: Final = {
    **{"model_size": "model_size_bytes", "model_n_params": "model_parameters", "backends": "backend"},
    **_SIZES,
}
_NUMERIC: Final = frozenset(
    [
        *("build_number", "model_size", "model_n_params", "n_batch", "n_ubatch", "n_threads", "n_gpu_layers"),
        *("main_gpu", "n_prompt", "n_gen", "n_depth", "poll", "n_cpu_moe"),
    ]
)
_NEED: Final = {"build_commit", "model_type", "n_prompt", "n_gen", "avg_ts", "stddev_ts"}
_TABLE: Final = {"model", "test", "t/s"}
_TEST: Final = re.compile(r"(pp(?P<pp>\d+))?\+?(tg(?P<tg>\d+))?( @ d(?P<depth>\d+))?")
_CELL: Final = re.compile(r"(\S+)(?: ± (\S+))?")
_MEAN: Final = "mean of repetitions"
_DIVISOR: Final = "time of the repetition"


def recognise(file: ResultFile) -> bool:
    """Tell whether the file has the keys, the heads or the table that this tool writes."""
    if file.objects:
        return all(part.data.keys() >= _NEED for part in file.objects)
    return set(csv_heads(file)) >= _NEED or any(_is_own(row) for row in table_rows(file))


def _is_own(row: Row) -> bool:
    return set(row.heads) >= _TABLE and not any(head.startswith("ttfr") for head in row.heads)


def read_file(file: ResultFile) -> Imported:
    """Return a run for each test."""
    if file.objects:
        return Imported(tuple(_run(part) for part in file.objects))
    if set(csv_heads(file)) >= _NEED:
        return Imported(tuple(_csv_run(row) for row in csv_rows(file)))
    return Imported(tuple(_table_run(row) for row in table_rows(file) if _is_own(row)))


def _metric(prompt: Any, generated: Any) -> str:
    """Return what a rate is of: prompt processing, text generation, or the two in one."""
    if prompt and generated:
        return "prompt_and_generation_throughput"
    return "prompt_processing_throughput" if prompt else "text_generation_throughput"


def _label(conditions: dict[str, Any], model: str) -> str:
    prompt, generated, depth = (conditions.get(k) for k in _SIZES.values())
    tests = [f"pp{prompt}" if prompt else "", f"tg{generated}" if generated else ""]
    return f"{model}, {'+'.join(filter(None, tests))}" + (f" at depth {depth}" if depth else "")


def _run(part: Part) -> Run:
    keys = {k: _NAMES.get(k, k) for k in part.data if k not in _MEASURED}
    conditions, spots = given(part, keys)
    samples = part.get("samples_ts")
    n = len(samples) if isinstance(samples, list) and samples else None
    conditions["repetitions_of_the_test"] = None if n is None else f"{n}, counted at import from samples_ts"
    found = _means(part, conditions, lambda _: (n or 0) > 1, n=n)
    return Run(_label(conditions, str(conditions.get("model_type"))), found, conditions, spots)


def _means(
    held: Part | Row, conditions: dict[str, Any], is_known: Callable[[Decimal], bool], **more: Any
) -> tuple[Quantity, ...]:
    """Return the mean rate and the mean time of a test; `is_known` tells whether a deviation says anything."""
    rate = _metric(conditions.get("prompt_tokens"), conditions.get("generated_tokens"))
    wanted = (("avg_ts", "stddev_ts", rate, "tokens/s", _DIVISOR), ("avg_ns", "stddev_ns", "test_duration", "ns", None))
    found = []
    for key, spread, metric, unit, divisor in wanted:
        value = held.number(spread)
        known = {SAMPLE: value, **place(held.spot(spread))} if value is not None and is_known(value) else None
        told: dict[str, Any] = {
            "metric": metric,
            "unit": unit,
            "statistic": _MEAN,
            "divided_by": divisor,
            "uncertainty": known,
            **more,
        }
        found.append(held.quantity(key, **told))
    return _held(found)


def _held(found: list[Quantity | None]) -> tuple[Quantity, ...]:
    return tuple(q for q in found if q)


def _csv_run(row: Row) -> Run:
    keys = [head for head in row.heads if head not in _MEASURED]
    conditions = {_NAMES.get(k, k): row.number(k) if k in _NUMERIC else row.get(k) or None for k in keys}
    spots = {_NAMES.get(k, k): row.spot(k) for k in keys if row.has(k)}
    found = _means(row, conditions, bool)
    return Run(_label(conditions, str(conditions.get("model_type"))), found, conditions, spots)


def _table_run(row: Row) -> Run:
    test = _TEST.fullmatch(row.get("test") or "")
    cell = _CELL.fullmatch(row.get("t/s") or "")
    value = number_of(cell[1]) if cell else None
    if test is None or cell is None or value is None or not (test["pp"] or test["tg"]):
        message = f"the row is no test of llama-bench: {row.get('test')!r:.40}, {row.get('t/s')!r:.40}"
        raise row.refuse("import-shape", message, "Give the table as the tool printed it.")
    sizes = {"prompt_tokens": test["pp"], "generated_tokens": test["tg"], "depth_tokens": test["depth"]}
    # What a test does not name it does not have: the tool leaves a depth of 0 out.
    conditions: dict[str, Any] = {k: Decimal(v) for k, v in sizes.items() if v} | dict(_conditions(row))
    deviation = number_of(cell[2]) if cell[2] else None
    known = {SAMPLE: deviation, **place(row.spot("t/s"))} if deviation else None
    found = Quantity(
        _metric(test["pp"], test["tg"]), "tokens/s", _MEAN, value, row.spot("t/s"), _DIVISOR, uncertainty=known
    )
    spots = {head: row.spot(head) for head, _ in _conditions(row)}
    return Run(_label({**conditions, **sizes}, row.get("model") or ""), (found,), conditions, spots)


def _conditions(row: Row) -> Iterator[tuple[str, Any]]:
    """Yield every other column as it stands: its head is the name of an option, its cell text or a number."""
    for head, cell in zip(row.heads, row.cells, strict=False):
        if head not in {"t/s", "test"} and cell:
            value = number_of(cell)
            yield head, cell if value is None else value


FORMAT: Final = Format("llama-bench", "llama-bench (llama.cpp)", recognise, read_file, is_json=False)
