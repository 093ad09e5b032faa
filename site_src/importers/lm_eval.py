"""lm-evaluation-harness: results JSON of 0.3 and 0.4.

Source: lm_eval/evaluator.py. 0.3 has keys `acc` and `acc_stderr`; 0.4 has `acc,none`, metric and filter, and
`acc_stderr,none`, which is "N/A" where none was computed. A standard error is that of the mean over the documents of a
task, or a bootstrap one; neither is a deviation of runs. Scores are as the metric defines them; `acc` and its kin are
ratios. `n-samples` of 0.4 tells how many documents were asked, and so does `sample_len` of later ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from ..result_json import NonFinite
from .result_file import Part, ResultFile
from .served import given, place
from .shape import Format, Imported, Quantity, Run, Spot

_KEY: Final = re.compile(r"(?P<metric>[^,]+?)(?P<stderr>_stderr)?(?:,(?P<filter>.+))?")
_RATIOS: Final = frozenset(
    [
        *("acc", "acc_norm", "acc_mutual_info", "exact_match", "em", "f1", "mc1", "mc2", "brier_score", "pass@1"),
        *("inst_level_strict_acc", "inst_level_loose_acc", "prompt_level_strict_acc", "prompt_level_loose_acc"),
    ]
)
# How many documents stand behind the scores of a task; later releases of 0.4 write it between them.
_COUNTS: Final = frozenset({"samples", "sample_len"})
_UNITS: Final = {"bits_per_byte": "bits/byte"}
_CONFIG: Final = {
    "model": "model_type",
    "model_args": "model_args",
    "model_name": "model",
    "model_dtype": "dtype",
    "num_fewshot": "num_fewshot",
    "batch_size": "batch_size",
    "device": "device",
    "limit": "limit",
    "bootstrap_iters": "bootstrap_iterations",
    "random_seed": "random_seed",
}
_TOP: Final = {
    "model_name": "model",
    "lm_eval_version": "tool_version",
    "transformers_version": "transformers_version",
    "git_hash": "tool_commit",
    "date": "run_at",
}


def recognise(file: ResultFile) -> bool:
    """Tell whether the file has results by task with their versions, as both releases write them."""
    if len(file.objects) != 1:
        return False
    data = file.objects[0].data
    tasks = data.get("results")
    return isinstance(tasks, dict) and "versions" in data and ("config" in data or "configs" in data)


def read_file(file: ResultFile) -> Imported:
    """Return a run for each task. Raises Rejected where no task has a score."""
    whole = file.objects[0]
    top, places = given(whole, {k: v for k, v in _TOP.items() if whole.get(k) is not None})
    config, where = given(whole.part("config"), _CONFIG)
    shared, spots = {**config, **top}, {**where, **places}
    if isinstance(arguments := whole.get("config", "model_args"), dict):
        shared["model_args"], spots["model_args"] = arguments, whole.spot("config", "model_args")
    runs = []
    for task, held in whole.get("results").items():
        found = tuple(_quantities(whole.part("results", task))) if isinstance(held, dict) else ()
        own, at = _of_task(whole, task)
        if found:
            runs.append(Run(task, found, {**shared, "task": task, **own}, {**spots, **at}))
    if not any(q.value is not None for run in runs for q in run.quantities):
        message = "no task of the file has a score"
        raise whole.refuse(("results",), "import-empty", message, "Import the results of another run.")
    return Imported(tuple(runs))


def _of_task(whole: Part, task: str) -> tuple[dict[str, Any], dict[str, Spot]]:
    """Return the version of a task, its shots, and how many documents were asked."""
    conditions: dict[str, Any] = {}
    spots: dict[str, Spot] = {}
    for name, steps in (
        ("task_version", ("versions", task)),
        ("num_fewshot", ("n-shot", task)),
        ("documents_asked", ("results", task, "sample_len")),
        ("documents_asked", ("n-samples", task, "effective")),
        ("documents_of_the_task", ("n-samples", task, "original")),
    ):
        value = whole.get(*steps)
        if value is not None and not isinstance(value, dict | list):
            conditions[name] = value
            spots[name] = whole.spot(*steps, exact=value if isinstance(value, str) else None)
    return conditions, spots


def _quantities(part: Part) -> Iterator[Quantity]:
    for key, held in part.data.items():
        match = _KEY.fullmatch(key)
        if match is None or match["stderr"] or key in _COUNTS or isinstance(held, bool):
            continue
        if not (held is None or isinstance(held, NonFinite)) and isinstance(held, str | dict | list):
            continue  # the alias of the task, its samples
        metric = match["metric"]
        kept = match["filter"]
        error = f"{metric}_stderr" + (f",{kept}" if kept else "")
        conditions = {"filter": kept} if kept and kept != "none" else {}
        found = part.quantity(
            key,
            metric=metric,
            unit="1" if metric in _RATIOS else _UNITS.get(metric, "as the metric defines"),
            statistic="score over the documents of the task",
            n=1,
            uncertainty=_error(part, error),
            conditions=conditions,
        )
        if found:
            yield found


def _error(part: Part, key: str) -> dict[str, Any] | None:
    """Return the standard error under a key; None for "N/A", NaN and none at all."""
    if isinstance(part.get(key), str):
        return None
    value = part.number(key)
    return None if value is None else {"standard_error": value, **place(part.spot(key))}


FORMAT: Final = Format("lm-eval", "lm-evaluation-harness", recognise, read_file, writes_non_finite=True)
