"""Every format, and which one a file is of."""

from __future__ import annotations

from typing import Final

from ..result_json import NonFinite
from . import (
    aiperf,
    genai_perf,
    github_action_benchmark,
    inferencex,
    llama_bench,
    llama_benchy,
    llm_inference_bench,
    lm_eval,
    markdown_finding,
    mlperf_loadgen,
    sglang_serving,
    vllm_serve,
)
from .result_file import ResultFile
from .shape import Format, Imported

FORMATS: Final[tuple[Format, ...]] = (
    vllm_serve.FORMAT,
    sglang_serving.FORMAT,
    llama_bench.FORMAT,
    llama_benchy.FORMAT,
    aiperf.FORMAT,
    genai_perf.FORMAT,
    inferencex.FORMAT,
    mlperf_loadgen.FORMAT,
    llm_inference_bench.FORMAT,
    lm_eval.FORMAT,
    github_action_benchmark.FORMAT,
    markdown_finding.FORMAT,
)
_KNOWN: Final = "Known are " + ", ".join(f.name for f in FORMATS) + ". Name one with --from FORMAT."


def read(file: ResultFile, name: str | None = None) -> tuple[Format, Imported]:
    """Return the format of a file, as named or as recognised, and what the file holds. Raises Rejected."""
    found = _named(file, name) if name else _recognised(file)
    if found.is_json or file.trees:
        file.require_json()
        if not found.writes_non_finite:
            _refuse_non_finite(file)
    return found, found.read(file)


def _named(file: ResultFile, name: str) -> Format:
    found = next((f for f in FORMATS if f.name == name), None)
    if found is None:
        raise file.refuse(0, "import-format", f"{name} is no format that can be imported", _KNOWN)
    if not found.recognise(file):
        message = f"this is no file of {found.tool}: it lacks what that tool always writes"
        raise file.refuse(0, "import-format", message, "Leave --from out, and the format is recognised if it is known.")
    return found


def _recognised(file: ResultFile) -> Format:
    """Return the one format that knows the file. Markdown is asked last: any text may be in it."""
    found = [f for f in FORMATS if f is not markdown_finding.FORMAT and f.recognise(file)]
    found = found or [f for f in (markdown_finding.FORMAT,) if f.recognise(file)]
    if len(found) == 1:
        return found[0]
    if found:
        message = f"the file may be of {' or '.join(f.name for f in found)}"
        raise file.refuse(0, "import-format", message, "Say which with --from FORMAT.")
    if file.name.lower().endswith((".json", ".jsonl")):
        file.require_json()
    raise file.refuse(0, "import-format", "the file is of no format that can be imported", _KNOWN)


def _refuse_non_finite(file: ResultFile) -> None:
    for part in file.trees:
        if steps := _non_finite(part.data):
            message = f"{part.pointer(*steps)} is {part.get(*steps)}, which this tool is not known to write"
            raise part.refuse(steps, "not-finite", message, "Write the file anew with the tool.")


def _non_finite(value: object) -> tuple[object, ...] | None:
    """Return the steps to the first NaN or infinity, or None."""
    if isinstance(value, NonFinite):
        return ()
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        if (found := _non_finite(item)) is not None:
            return (key, *found)
    return None


__all__ = ["FORMATS", "read"]
