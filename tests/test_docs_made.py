"""The pages of docs/ that are made from the code are what the code makes, and nothing is left out of them.

`make golden` rewrites them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from site_src.codes import FINDINGS, PROBLEMS
from site_src.schema import record_schema
from tests.made import errors, licences, reference
from tests.made.reports import Entry, entries


@pytest.mark.parametrize(
    ("path", "page"),
    [(errors.PAGE, errors.page), (reference.PAGE, reference.page), (licences.PAGE, licences.page)],
    ids=["errors", "reference", "licences"],
)
def test_a_made_page_is_what_the_code_makes(path: Path, page: Callable[[], str]) -> None:
    made = page()
    if os.environ.get("GOLDEN"):
        path.write_text(made, "utf-8")
    assert path.read_text("utf-8") == made, "rewrite it: make golden"


def test_every_code_has_cause_example_and_remedy() -> None:
    chapters = errors.PAGE.read_text("utf-8").split("\n### ")[1:]
    by_code = {chapter.partition("\n")[0]: chapter for chapter in chapters}
    assert list(by_code) == [*PROBLEMS, *FINDINGS]
    for code, chapter in by_code.items():
        cause, example, remedy = re.split(r"^`{3,4}(?:text)?$", chapter, flags=re.M)
        assert len(cause.split()) > 3, code
        assert f"  [{code}]\n" in example
        assert len(remedy.partition("**Remedy.** ")[2].split()) > 1, code


ENTRY = Entry("not-utf8", "records/a.md", ("records/a.md  x  [not-utf8]", "  Save it as UTF-8."))


@pytest.mark.parametrize(
    ("shown", "caused"), [({}, {"not-utf8": "x."}), ({"not-utf8": []}, {"not-utf8": "x."}), ({"not-utf8": [ENTRY]}, {})]
)
def test_a_code_without_example_or_cause_is_named(shown: dict[str, list[Entry]], caused: dict[str, str]) -> None:
    assert errors.missing(["not-utf8"], shown, caused) == ["not-utf8"]
    assert errors.missing(["not-utf8"], {"not-utf8": [ENTRY]}, {"not-utf8": "x."}) == []


def test_a_report_is_taken_apart() -> None:
    report = (errors.REJECTS / "malformed-revision--and-moving-pin" / "report.txt").read_text("utf-8")
    found = list(entries(report))
    assert {e.code for e in found} == {"malformed-revision", "moving-pin"}
    assert all(e.remedy and " · " not in e.remedy and e.lines[0].startswith(e.where) for e in found)


def test_every_field_has_a_description_and_a_row() -> None:
    page = reference.PAGE.read_text("utf-8")
    told = list(reference.fields())
    assert len(told) > 150
    assert [(part, name) for part, name, field in told if not field.get("description", "").strip()] == []
    chapters = {c.partition("\n")[0]: c for c in page.split("\n## ")[1:]}
    assert [name for part, name, _ in told if f"\n| `{name}` | " not in chapters[part]] == []


NULL_OR_COUNT = {"anyOf": [{"minimum": 0, "maximum": 12, "type": "integer"}, {"type": "null"}]}
SOURCES = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/Source"}}
REASONS = {"type": "object", "additionalProperties": {"pattern": "^(a|b)$", "type": "string"}}


@pytest.mark.parametrize(
    ("field", "kind", "allowed"),
    [
        ({"type": "string", "minLength": 1}, "string", "not empty"),
        (NULL_OR_COUNT, "integer or null", "from 0; to 12"),
        (SOURCES, "list of [Source](#source)", "at least 1 of them"),
        ({"enum": ["a", "b"], "type": "string"}, "string", "`a`, `b`"),
        (REASONS, "object of string", "each `^(a\\|b)$`"),
        ({}, "any", ""),
    ],
)
def test_types_and_bounds_in_words(field: dict[str, Any], kind: str, allowed: str) -> None:
    assert (reference.kind(field), reference.allowed(field)) == (kind, allowed)


def test_a_keyword_that_the_reference_does_not_tell_is_refused() -> None:
    with pytest.raises(ValueError, match="maxLength"):
        reference.allowed({"type": "string", "maxLength": 3})


def test_the_schema_says_its_bounds_in_words_of_json_schema() -> None:
    """A bound behind a validator is written as `ge`, which no editor knows."""
    schema = json.loads(record_schema())
    assert schema["$defs"]["Evidence"]["properties"]["line"]["anyOf"][0] == {"minimum": 1, "type": "integer"}
    assert "not_run" in schema["$defs"]["Measurement"]["properties"]["null_reason"]["anyOf"][0]["pattern"]
    assert "1" in schema["properties"]["schema_version"]["pattern"]
