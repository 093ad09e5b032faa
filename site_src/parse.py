"""JSON and YAML text → plain data: dict, list, str, bool, None and Decimal with its digits.

Both functions raise Rejected with located problems. Source of the number rule: docs/records.md, "Numbers".
"""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from typing import Any, Final

import yaml

from .locate import YAML_LOADER, first_deeper, json_tokens
from .problems import Problem, Rejected

MAX_DEPTH: Final = 64
MAX_DIGITS: Final = 100
_NUMBER: Final = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?", re.ASCII)
_WORDS: Final[dict[str, Any]] = {"": None, "null": None, "~": None, "true": True, "false": False}
_YAML_TAGS: Final = "tag:yaml.org,2002:"


def json_data(text: str, file: str) -> Any:
    """Parse JSON. A number with an exponent is kept as text unless it overflows, which is refused."""
    suspects: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            suspects.append("duplicate")
        return found

    def numeral(literal: str) -> Any:
        if len(literal) > MAX_DIGITS or _overflows(literal):
            suspects.append(literal[:MAX_DIGITS])
        return scalar(literal[:MAX_DIGITS], plain=True)

    def constant(name: str) -> None:
        suspects.append(name)

    try:
        data = json.loads(
            text, object_pairs_hook=pairs, parse_float=numeral, parse_int=numeral, parse_constant=constant
        )
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg[0].lower()}{error.msg[1:]}"
        remedy = "Mend the syntax at this place."
        raise Rejected([Problem(file, "", error.pos, "broken-json", message, remedy)]) from None
    except RecursionError:
        raise Rejected([_too_deep(file, first_deeper(text, MAX_DEPTH) or 0)]) from None
    if (deeper := first_deeper(text, MAX_DEPTH)) is not None:
        raise Rejected([_too_deep(file, deeper)])
    if suspects:
        raise Rejected(_json_faults(text, file))
    return data


def _json_faults(text: str, file: str) -> list[Problem]:
    """Find the places of duplicate keys and numbers that are not finite; a scan made only after a hint."""
    faults, seen = [], set()
    for token in json_tokens(text):
        if token.is_key and token.pointer in seen:
            message = f"the key {token.raw} stands twice in one object"
            faults.append(Problem(file, "", token.start, "duplicate-key", message, "Keep one of the two."))
        elif token.is_key:
            seen.add(token.pointer)
        elif token.raw in {"NaN", "Infinity", "-Infinity"} or _overflows(token.raw):
            message, remedy = f"{token.raw} is not a finite number", "Write the number in digits, or null."
            faults.append(Problem(file, "", token.start, "not-finite", message, remedy))
        elif len(token.raw) > MAX_DIGITS and token.raw[0] in "-0123456789":
            faults.append(_too_long(file, token.start))
    return faults


def _overflows(raw: str) -> bool:
    return raw[:1] in "-0123456789" and "e" in raw.lower() and math.isinf(float(raw))


def _too_long(file: str, offset: int) -> Problem:
    message = f"a number of more than {MAX_DIGITS} digits"
    remedy = "Shorten it, or write it as text in quotes; digits that `value` cannot hold go into `value_text`."
    return Problem(file, "", offset, "number-too-long", message, remedy)


def _too_deep(file: str, offset: int) -> Problem:
    message = f"nested deeper than {MAX_DEPTH} levels"
    return Problem(file, "", offset, "too-deep", message, "Flatten the record.")


def yaml_data(text: str, file: str) -> Any:
    """Parse one YAML document. Plain true, false and null are words; aliases, tags and merges are refused."""
    try:
        refused = _refused_events(text, file)
        if refused:
            raise Rejected(refused)
        node = yaml.compose(text, Loader=YAML_LOADER)
    except yaml.MarkedYAMLError as error:
        raise Rejected([_yaml_fault(error, file)]) from None
    except yaml.reader.ReaderError as error:
        message = f"not YAML: {error.reason}"
        raise Rejected([Problem(file, "", error.position, "broken-yaml", message, "Remove the character.")]) from None
    if node is None:
        return None
    reading = _YamlReading(file)
    data = reading.value(node)
    if reading.problems:
        raise Rejected(reading.problems)
    return data


def _refused_events(text: str, file: str) -> list[Problem]:
    """Find what a composed tree no longer shows, explicit tags and aliases, and nesting too deep to compose."""
    found: list[Problem] = []
    told: set[str | None] = set()
    depth = 0
    for event in yaml.parse(text, Loader=YAML_LOADER):
        at = event.start_mark.index if event.start_mark else 0
        if isinstance(event, yaml.AliasEvent) and event.anchor not in told:
            told.add(event.anchor)
            message, remedy = f"the alias *{event.anchor} is not read", "Write the value out where it is used."
            found.append(Problem(file, "", at, "yaml-alias", message, remedy))
        elif tag := str(getattr(event, "tag", None) or ""):
            shown = tag.replace(_YAML_TAGS, "!!", 1) if tag.startswith(_YAML_TAGS) else tag
            remedy = "Remove the tag; a number that is text goes in quotes."
            found.append(Problem(file, "", at, "yaml-tag", f"the tag {shown} is not read", remedy))
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            return [*found, _too_deep(file, at)]
    return found


def _yaml_fault(error: yaml.MarkedYAMLError, file: str) -> Problem:
    """Word a syntax error. What is never closed is shown where it opens: its end is the end of the file."""
    problem, context = error.problem or "", error.context or ""
    mark = error.problem_mark or error.context_mark
    if "nesting depth" in problem:
        # libyaml reads ahead, and meets its own limit before it hands out the first event.
        return _too_deep(file, mark.index if mark else 0)
    remedy = "Mend the syntax at this place."
    if "end of stream" in problem and error.context_mark:
        mark, remedy = error.context_mark, "Close what opens here."
    elif "mapping values are not allowed" in problem:
        remedy = "Put the text in quotes if it holds a colon and a blank, or mend the indent."
    return Problem(file, "", mark.index if mark else 0, "broken-yaml", f"not YAML: {problem or context}", remedy)


class _YamlReading:
    """One walk over a composed YAML tree."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []

    def value(self, node: yaml.Node) -> Any:
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item) for item in node.value]
        return self.scalar(node) if isinstance(node, yaml.ScalarNode) else None

    def scalar(self, node: yaml.ScalarNode) -> Any:
        if not node.style and len(node.value) > MAX_DIGITS and _NUMBER.fullmatch(node.value):
            self.problems.append(_too_long(self.file, node.start_mark.index))
            return None
        return scalar(node.value, plain=not node.style)

    def mapping(self, node: yaml.MappingNode) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, item in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self.refuse(key, "broken-yaml", "a key must be text", "Write a word as the key.")
            elif key.value in found:
                message = f"the key {key.value!r} stands twice in one mapping"
                self.refuse(key, "duplicate-key", message, "Keep one of the two.")
            elif key.value == "<<" and not key.style:
                self.refuse(key, "yaml-alias", "merge keys are not read", "Write the keys out.")
            else:
                found[key.value] = self.value(item)
        return found

    def refuse(self, node: yaml.Node, code: str, message: str, remedy: str) -> None:
        at = node.start_mark.index if node.start_mark else 0
        self.problems.append(Problem(self.file, "", at, code, message, remedy))


def scalar(text: str, *, plain: bool) -> Any:
    """Return what a YAML scalar means: quoted is text; plain is null, true, false, a number or text."""
    if not plain:
        return text
    if text in _WORDS:
        return _WORDS[text]
    return Decimal(text) if _NUMBER.fullmatch(text) else text


__all__ = ["MAX_DEPTH", "json_data", "scalar", "yaml_data"]
