"""What `new` writes: the text of a guide to be, and the files of a site to be. Nothing is read or written here."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final

from .layout.form import canonical
from .parse import yaml_data
from .placeholders import TEXT
from .problems import Rejected
from .rules import UNREAD
from .schema import record_schema

SCHEMA_FILE: Final = "record.schema.json"
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")
_UNREAD: Final = "its bytes were not read yet: write what `sha256sum FILE` prints"
_RESULT: Final = """\
reported_results: []
# One result, to be copied below `reported_results:` in place of the brackets:
#  - label: Four prompts
#    metric: aggregate_output_rate
#    value: null             # the digits of the source, zeros kept; null is "not reported"
#    unit: tokens/s          # as the source prints it
#    statistic: single observation
#    n: null                 # how many runs stand behind the value
#    divided_by: wall time of the batch
#    conditions:
#      concurrency: null
#      power_limit_W: null
#    evidence_state: source_reported
#    site_reproduced: false
#    evidence: {document: DOCUMENT, line: null}
"""
_BODY: Final = f"""\
## What was measured

{TEXT} Numbers that stand here are bound to fields of the record with `pinpress bind`.

## What it cannot show

{TEXT}
"""


def fault_of_id(text: str) -> str:
    """Return why a text can be no id of a guide, or ""."""
    return "" if _ID.fullmatch(text) else f"{text} is no id: use letters, digits and -"


def scalar(value: Any) -> str:
    """Return a value in YAML; a text in quotes where it would be read as anything else than itself."""
    if not isinstance(value, str):
        return json.dumps(value)
    try:
        is_itself = "\n" not in value and yaml_data(f"{{k: {value}}}", "") == {"k": value}
    except Rejected:
        is_itself = False
    return value if is_itself else json.dumps(value, ensure_ascii=False)


def guide(record_id: str, title: str, sources: Sequence[Mapping[str, Any]], today: str, *, has_schema: bool) -> str:
    """Return a record as commented YAML: a draft with its sources and no value. `today` is an ISO date."""
    hint = f"# yaml-language-server: $schema=../{SCHEMA_FILE}\n" if has_schema else ""
    listed = "".join(f"  - {_source(source)}" for source in sources)
    document = scalar(sources[0].get("document_id", ""))
    text = f"""\
{hint}# A guide to be; its text lies in {record_id}.md. Every field: docs/records.md of pinpress.
schema_version: "1.1.0"
record_type: source_backed_explainer
id: {record_id}
path: /guides/{record_id}/
# Left out of the published site. Remove this line when the page is ready.
draft: true
title: {scalar(title)}
# One sentence, for lists and search engines.
summary: {TEXT}
# Three sentences at most, with no claim that the record does not hold.
answer: {TEXT}
published_on: {today}
modified_on: {today}
source_checked_on: {today}
evidence_state: source_reported
site_reproduced: false
performance_ranking_allowed: false
# Names that lists group the page by:
# models: []
# hardware: []
sources:
{listed}{_RESULT.replace("DOCUMENT", document)}"""
    return canonical(text, f"records/{record_id}.yml")


def body() -> str:
    """Return the text of a guide to be."""
    return _BODY


def _source(fields: Mapping[str, Any]) -> str:
    lines = [f"{key}: {scalar(value)}" for key, value in fields.items()]
    if fields["document_sha256"] == UNREAD:
        at = list(fields).index("document_sha256")
        lines[at] = f"# {_UNREAD}\n    {lines[at]}"
        # The comment stands before its key, and the list's dash before the first one.
    return "\n    ".join(lines) + "\n"


def site(starter: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a site to be: those of the starter, the JSON Schema, and the version that wrote them."""
    locked = f"# Where pinpress is not in your package index: pinpress @ git+https://HOST/OWNER/pinpress@COMMIT\npinpress=={version('pinpress')}\n"
    return {**starter, SCHEMA_FILE: record_schema().encode(), "requirements.txt": locked.encode()}
