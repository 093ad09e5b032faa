"""Make draft records from the tables of two third-party findings.

Usage: python build_drafts.py SOURCES OUT

SOURCES holds documents as OWNER/REPOSITORY/REVISION/PATH. OUT receives ID.json and ID.md for each document: the
tables become `reported_results`, mechanically; the prose, without its tables, becomes the body.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

CHECKED_ON = "2026-11-30"
FINDINGS = "docs/findings"


class Literal(str):
    """A JSON number with the digits of the document."""


@dataclass(frozen=True)
class Document:
    id: str
    owner: str
    repository: str
    revision: str
    path: str
    title: str
    summary: str
    answer: str


DOCUMENTS = (
    Document(
        id="anvil-matrix",
        owner="fakoli",
        repository="anvil-serving",
        revision="5f4c76308896922678dadc064f7033a775b594d5",
        path=f"{FINDINGS}/2026-08-14-qwen38-27b-tp-mtp-context-matrix.md",
        title="Sharding, drafting and context length in a matrix",
        summary="Rates and first-token times of a model over sharding, drafting and configured context.",
        answer="Drafting raises the decode rate of short requests; sharding shortens a long prefill.",
    ),
    Document(
        id="anvil-capacity",
        owner="fakoli",
        repository="anvil-serving",
        revision="3fe82086592830ac1707ceaa8184428d2622ac7e",
        path=f"{FINDINGS}/2026-09-03-glm53-concurrency-capacity-interpretation.md",
        title="Scheduler ceilings and token pools of several profiles",
        summary="What the profiles admit, what their pools hold, and how deep the measured requests were.",
        answer="A scheduler ceiling says how many requests are admitted. How deep they may be is another question.",
    ),
)

NUMBER = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?")
FRACTION = re.compile(r"(\d+)/\d+(?!\S)")
STATISTICS = re.compile(r"\b(p\d+(?: / p\d+)*)$")
UNIT_WORD = re.compile(r"(?<![\w/])(?:tok/s|ms|s|tokens?|windows?)(?![\w/])")
LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")
HEAD_UNITS = {"Pool remaining": "tokens"}
CARD_WIDTH = 2


@dataclass
class Table:
    section: str
    head: list[str]
    rows: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Cell:
    """A cell that begins with a number: the number, its unit, and what else it says."""

    digits: str
    text: str | None
    unit: str | None
    note: str | None


def slug(text: str, joint: str) -> str:
    return re.sub(r"[^a-z0-9]+", joint, text.lower()).strip(joint)


def plain(cell: str) -> str:
    return LINK.sub(r"\1", cell).replace("**", "").replace("`", "").strip()


def split_row(line: str) -> list[str]:
    return [plain(cell) for cell in line.strip().strip("|").split("|")]


def read(text: str) -> tuple[list[Table], list[str]]:
    """The tables of a document, and its other lines without HTML comments."""
    tables: list[Table] = []
    prose: list[str] = []
    section = ""
    current: Table | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            current = None
            if line.startswith("#"):
                section = line.lstrip("#").strip()
            if not re.fullmatch(r"<!--.*-->", line.strip()):
                prose.append(line)
        elif current is None:
            current = Table(section, split_row(line))
            tables.append(current)
        elif not re.fullmatch(r"[|:\- ]+", line):
            current.rows.append(split_row(line))
            current.lines.append(number)
    return tables, prose


def body(prose: list[str], document: Document) -> str:
    """The prose with one blank line between blocks; relative links lead to the pinned revision."""
    folder = PurePosixPath(document.path).parent
    base = f"https://github.com/{document.owner}/{document.repository}/blob/{document.revision}/{folder}/"
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(prose)).strip() + "\n"
    return LINK.sub(lambda m: m[0] if "://" in m[2] else f"[{m[1]}]({base}{m[2]})", text)


def number_of(digits: str) -> Literal:
    return Literal(digits.replace(",", ""))


def scalar(cell: str) -> Literal | str | None:
    if not cell:
        return None
    return number_of(cell) if NUMBER.fullmatch(cell) else cell


def measured(cell: str) -> Cell | None:
    """The cell as a number with a unit; None if it is text."""
    fraction = FRACTION.match(cell)
    if fraction:
        return Cell(fraction[1], fraction[0], "requests", cell[fraction.end() :].strip() or None)
    start = NUMBER.match(cell)
    if not start:
        return None
    tail, _, after = cell[start.end() :].partition(", ")
    if tail and (not tail.startswith(" ") or re.search(r"\d", tail)):
        return None
    tail = tail.strip()
    is_unit = UNIT_WORD.search(tail) is not None
    notes = [part for part in ("" if is_unit else tail, after.strip()) if part]
    return Cell(start[0], None, tail if is_unit else None, ", ".join(notes) or None)


def parts(head: str, cell: str) -> list[tuple[str, Cell]] | None:
    """The statistics and values of a cell; a head that names two statistics has two values in each cell."""
    found = STATISTICS.search(head)
    statistics = found[1].split(" / ") if found else ["as the table gives it"]
    pieces = cell.split(" / ")
    if len(pieces) != len(statistics):
        return None
    unit = NUMBER.sub("", pieces[-1]).strip()
    cells = [measured(piece if NUMBER.sub("", piece).strip() else f"{piece} {unit}".strip()) for piece in pieces]
    values = [one for one in cells if one is not None]
    return list(zip(statistics, values, strict=True)) if len(values) == len(cells) else None


def is_result(table: Table, column: int) -> bool:
    """A column of numbers that do not repeat over the rows; everything else is a condition."""
    cells = [row[column] for row in table.rows]
    if any(parts(table.head[column], cell) is None for cell in cells):
        return False
    return len(cells) < 4 or len(set(cells)) * 2 > len(cells)


def unit_of(head: str, cell: Cell) -> str:
    in_head = UNIT_WORD.search(head)
    return cell.unit or HEAD_UNITS.get(head) or (in_head[0] if in_head else "1")


def results(table: Table, campaign: str) -> list[dict[str, Any]]:
    measured_columns = [i for i in range(len(table.head)) if is_result(table, i)]
    first = [row[0] for row in table.rows]
    named = len(set(first)) == len(first)
    constant = {i for i in range(len(table.head)) if len({row[i] for row in table.rows}) == 1}
    condition_columns = [i for i in range(1 if named else 0, len(table.head)) if i not in measured_columns]
    out: list[dict[str, Any]] = []
    for row, line in zip(table.rows, table.lines, strict=True):
        conditions = {slug(table.head[i], "_"): scalar(row[i]) for i in condition_columns}
        label = (
            row[0] if named else ", ".join(f"{table.head[i]} {row[i]}" for i in condition_columns if i not in constant)
        )
        for i in measured_columns:
            head = table.head[i]
            metric = slug(STATISTICS.sub("", head), "_")
            for statistic, cell in parts(head, row[i]) or []:
                result: dict[str, Any] = {
                    "label": label,
                    "metric": metric,
                    "value": number_of(cell.digits),
                    "unit": unit_of(head, cell),
                    "statistic": statistic,
                    "uncertainty": None,
                    "campaign": campaign,
                    "conditions": conditions | ({f"{metric}_note": cell.note} if cell.note else {}),
                    "evidence_state": "source_reported",
                    "site_reproduced": False,
                    "evidence": {"document": "finding", "line": line, "exact": row[i]},
                }
                if cell.text:
                    result["value_text"] = cell.text
                out.append(result)
    return out


def record(document: Document, tables: list[Table], digest: str) -> dict[str, Any]:
    name = f"{document.owner}/{document.repository}"
    made: dict[str, Any] = {
        "schema_version": "1.1.0",
        "record_type": "source_backed_explainer",
        "id": document.id,
        "path": f"/guides/{document.id}/",
        "draft": True,
        "title": document.title,
        "summary": document.summary,
        "answer": document.answer,
        "published_on": CHECKED_ON,
        "modified_on": CHECKED_ON,
        "source_checked_on": CHECKED_ON,
        "evidence_state": "source_reported",
        "site_reproduced": False,
        "performance_ranking_allowed": False,
        "evaluator_relationship": "author",
        "sources": [
            {
                "document_id": "finding",
                "publisher": document.owner,
                "repository": name,
                "platform": "github",
                "revision": document.revision,
                "document_path": document.path,
                "pinned_url": f"https://github.com/{name}/blob/{document.revision}/{document.path}",
                "document_sha256": digest,
                "checked_on": CHECKED_ON,
                "public_URL_is_immutable": True,
            }
        ],
        "campaigns": [],
        "reported_results": [],
    }
    for table in tables:
        if not any(is_result(table, i) for i in range(len(table.head))):
            if len(table.head) == CARD_WIDTH:
                made["result_card"] = {row[0]: row[1] for row in table.rows}
            continue
        campaign = slug(f"{table.section} {table.head[0]}", "-")
        label = f"{table.section}: {table.head[0]}"
        made["campaigns"].append({"id": campaign, "label": label})
        made["reported_results"] += results(table, campaign)
    return made


def dumps(value: object, indent: str = "") -> str:
    """JSON with the literals of the numbers."""
    deeper = indent + "  "
    if isinstance(value, Literal):
        return str(value)
    if isinstance(value, dict):
        inner = [f"{deeper}{json.dumps(key, ensure_ascii=False)}: {dumps(item, deeper)}" for key, item in value.items()]
        return "{\n" + ",\n".join(inner) + f"\n{indent}}}" if inner else "{}"
    if isinstance(value, list):
        inner = [deeper + dumps(item, deeper) for item in value]
        return "[\n" + ",\n".join(inner) + f"\n{indent}]" if inner else "[]"
    return json.dumps(value, ensure_ascii=False)


def build(sources: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for document in DOCUMENTS:
        data = (sources / document.owner / document.repository / document.revision / document.path).read_bytes()
        tables, prose = read(data.decode())
        made = record(document, tables, hashlib.sha256(data).hexdigest())
        (out / f"{document.id}.json").write_text(dumps(made) + "\n", encoding="utf-8")
        (out / f"{document.id}.md").write_text(body(prose, document), encoding="utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
