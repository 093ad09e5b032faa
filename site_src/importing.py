"""Result files → a record with their measurements: a new draft, or an existing record that gains only what it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from . import edit, parse, placeholders, shape, yaml_layout
from .edited import replace_text
from .importers import formats, record_parts
from .importers.result_file import ResultFile
from .importers.shape import Format, Imported
from .layout.form import canonical, still
from .load import CONTROL
from .problems import Rejected, Surroundings
from .project import Project
from .sources.cloned import Clones
from .sources.pin import NoAddress, SourceEntry, as_it_stands, entry

_ENDINGS: Final = {".json": "json", ".yml": "yaml", ".yaml": "yaml"}
_LISTS: Final = ("sources", "campaigns", "reported_results")
_IDS: Final = {"sources": "document_id", "campaigns": "id"}
_BOM: Final = "\ufeff"
_FOR_REVIEW: Final = "# Made by import, for review: title, summary, answer and text are to be written.\n"


@dataclass(frozen=True)
class Given:
    """What the editor tells of one file: where it is published, and who published it."""

    path: Path
    url: str | None = None
    publisher: str | None = None


@dataclass(frozen=True)
class Wish:
    """What the editor asks for: the format, the metrics (all if empty), and the day on which the files are read."""

    today: date
    format: str | None = None
    metrics: tuple[str, ...] = ()
    clones: Clones = field(default_factory=lambda: Clones(()))


@dataclass(frozen=True)
class Taken:
    """One file as read: what it holds, and the source entry it becomes."""

    file: ResultFile
    format: Format
    imported: Imported
    source: dict[str, Any]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """What an import came to: the record's file and text, and what was added to it."""

    file: str
    text: str
    is_new: bool
    added: dict[str, int]
    notes: tuple[str, ...]

    @property
    def is_changed(self) -> bool:
        """Whether the text differs from what lies there."""
        return self.is_new or any(self.added.values())


def run(project: Project, record_id: str, given: Sequence[Given], wish: Wish) -> Outcome:
    """Return the record that an import makes; nothing is written. Raises Rejected and Surroundings."""
    taken = [_taken(project, one, wish) for one in given]
    path = _path(project, record_id)
    if path is None:
        return _new(record_id, taken, wish)
    return _extended(project, path, taken)


def write(project: Project, outcome: Outcome) -> None:
    """Write a record, the whole file or none of it. Raises Surroundings."""
    replace_text(project.root / outcome.file, outcome.text)


def record_id_of(path: Path) -> str:
    """Return the id of a draft named after a file; a dot before the ending may part one version from the next."""
    return _slug(path.stem) or "draft"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _path(project: Project, record_id: str) -> Path | None:
    found = sorted(p for p in project.records.rglob(f"{record_id}.*") if p.name in {record_id + e for e in _ENDINGS})
    return found[0] if found else None


def _taken(project: Project, given: Given, wish: Wish) -> Taken:
    try:
        raw = given.path.read_bytes()
    except OSError as error:
        raise Surroundings(f"{given.path} cannot be read: {error.strerror}") from None
    whole = given.path.resolve()
    inside = whole.is_relative_to(project.root)
    file = ResultFile(project.name(whole) if inside else given.path.as_posix(), raw)
    try:
        found, imported = formats.read(file, wish.format)
        imported = _wanted(file, imported, wish.metrics)
        refuse_control_characters(file, imported)
        source, notes = _source(file, given, wish)
    except Rejected as rejected:
        texts = {file.name: rejected.texts.get(file.name, raw.decode("utf-8", "replace"))}
        raise Rejected(rejected.problems, texts) from None
    return Taken(file, found, imported, source, (*imported.notes, *notes))


def _wanted(file: ResultFile, imported: Imported, metrics: Sequence[str]) -> Imported:
    """Return what a file holds with the metrics that were asked for alone. Raises Rejected for one it lacks."""
    if not metrics:
        return imported
    known = dict.fromkeys(q.metric for run in imported.runs for q in run.quantities)
    for metric in metrics:
        if metric not in known:
            remedy = f"It has {', '.join(known) or 'none'}."
            raise file.refuse(0, "import-empty", f"the file has no metric {metric}", remedy)
    runs = [replace(r, quantities=tuple(q for q in r.quantities if q.metric in metrics)) for r in imported.runs]
    return replace(imported, runs=tuple(r for r in runs if r.quantities))


def refuse_control_characters(file: ResultFile, imported: Imported) -> None:
    """Raise Rejected where a text that would go into the record holds what no page can show."""
    parts = [record_parts.campaign(imported, formats.FORMATS[0], "x", "x"), *record_parts.results(imported, "x")]
    for text in _texts([*parts, imported.title, imported.body]):
        if match := CONTROL.search(text):
            message = f"a name or setting in the file holds the control character U+{ord(match.group()):04X}"
            raise file.refuse(0, "control-character", message, "A page cannot show it. Write the file anew without it.")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for held in value.values():
            yield from _texts(held)
    elif isinstance(value, list | tuple):
        for held in value:
            yield from _texts(held)


def _source(file: ResultFile, given: Given, wish: Wish) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the source entry of a file. Nothing is made up: what the link does not tell is asked for."""
    if given.url is None:
        message = "a file does not tell where it is published, at which commit and by whom"
        remedy = "Name its address at a commit: --source-url https://github.com/OWNER/REPO/blob/COMMIT/PATH."
        raise file.refuse(0, "import-source", message, remedy)
    name = Path(file.name).name
    url = f"{given.url}{name}" if given.url.endswith("/") else given.url
    settle = wish.clones.settle if wish.clones.folders else as_it_stands
    try:
        found = entry(url, lambda _: file.raw, read_on=wish.today, settle=settle, changed_at=wish.clones.changed_at)
    except NoAddress as error:
        raise file.refuse(0, "import-source", str(error), "Name its address at a commit: --source-url URL.") from None
    fields = dict(found.fields) | ({"publisher": given.publisher} if given.publisher else {})
    # The bytes are at hand and a date may be missing: only a link that names no fixed place lacks these two.
    missing = [key for key in found.missing if key not in {*fields, "document_sha256", "last_commit_at"}]
    missing = missing or [key for key in found.missing if key == "document_sha256"]
    if missing:
        message = f"{url} does not tell {', '.join(missing)}"
        raise file.refuse(0, "import-source", message, " ".join(found.notes) or "Name the address at a commit.")
    _refuse_other_bytes(file, found, wish.clones)
    return fields, found.notes


def _refuse_other_bytes(file: ResultFile, found: SourceEntry, clones: Clones) -> None:
    """Raise Rejected where a clone at hand holds other bytes under the address than the file has."""
    raw = found.fields.get("pinned_url")
    if not clones.folders or not isinstance(raw, str):
        return
    from .permalinks import parse as parse_link

    link = parse_link(raw)
    try:
        held = clones.obtain(link.place.raw) if link and link.place.raw else None
    except Surroundings as failure:
        raise file.refuse(0, "import-source", str(failure), "Fetch it into the clone, or name another link.") from None
    if held is not None and held != file.raw:
        message = "the clone holds other bytes under that address than this file has"
        raise file.refuse(0, "import-source", message, "Import the file as it was committed.")


# --- a new draft


def _new(record_id: str, taken: Sequence[Taken], wish: Wish) -> Outcome:
    data: dict[str, Any] = _head(record_id, taken, wish)
    data |= {key: [] for key in _LISTS}
    body = next((t.imported.body for t in taken if t.imported.body), None)
    added = _add(data, taken)
    data = {key: value for key, value in data.items() if value or key not in {"campaigns", "reported_results"}}
    data["body_markdown"] = body or f"{placeholders.TEXT}\n"
    file = f"records/{record_id}.yml"
    text = f"{_FOR_REVIEW}{yaml_layout.block(data)}"
    _require_sound(file, text, "yaml")
    text = canonical(text, file)
    return Outcome(file, text, True, added, tuple(n for t in taken for n in t.notes))


def _head(record_id: str, taken: Sequence[Taken], wish: Wish) -> dict[str, Any]:
    day = wish.today.isoformat()
    tools = ", ".join(dict.fromkeys(t.format.tool for t in taken))
    title = next((t.imported.title for t in taken if t.imported.title), None)
    return {
        "schema_version": "1.1.0",
        "record_type": "source_backed_explainer",
        "id": record_id,
        "path": f"/guides/{record_id}/",
        "draft": True,
        "title": title or placeholders.title(tools),
        "summary": placeholders.summary(tools),
        "answer": placeholders.TEXT,
        "published_on": day,
        "modified_on": day,
        "source_checked_on": day,
        "evidence_state": "source_reported",
        "site_reproduced": False,
        "performance_ranking_allowed": False,
    }


# --- an existing record


def _extended(project: Project, path: Path, taken: Sequence[Taken]) -> Outcome:
    file, kind = project.name(path), _ENDINGS[path.suffix]
    try:
        text = path.read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        raise Surroundings(f"{file} cannot be read. Mend it first: check tells what is wrong.") from None
    mark, text = (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)
    data = parse.json_data(text, file) if kind == "json" else parse.yaml_data(text, file)
    if not isinstance(data, dict) or any(not isinstance(data.get(key, []), list) for key in _LISTS):
        raise Surroundings(f"{file} is no sound record. Mend it first: check tells what is wrong.")
    before, found = {key: len(data.get(key, [])) for key in _LISTS}, text
    added = _add(data, taken)
    for key in _LISTS:
        text = edit.extend(text, kind, key, data.get(key, [])[before[key] :])
    if any(added.values()):
        _require_sound(file, text, kind)
        text = still(found, text, file)
    notes = [n for t in taken for n in t.notes]
    if any(t.imported.body for t in taken):
        notes.append("The text of the finding was not taken: the record has a body of its own.")
    return Outcome(file, mark + text, False, added, tuple(notes))


def _require_sound(file: str, text: str, kind: str) -> None:
    """Raise Rejected where the made record is not one: what a file holds can be more than a record can."""
    try:
        data = parse.json_data(text, file) if kind == "json" else parse.yaml_data(text, file)
        checked = shape.record(file, data)
    except Rejected as rejected:
        raise Rejected(rejected.problems, {file: text}) from None
    if isinstance(checked, list):
        raise Rejected(checked, {file: text})


def _add(data: dict[str, Any], taken: Sequence[Taken]) -> dict[str, int]:
    """Add to a record's data what it lacks of the files; return how much, by list."""
    added = dict.fromkeys(_LISTS, 0)
    for one in taken:
        document = _document(data, one)
        source = {**one.source, "document_id": document}
        if not any(_cited(s) == document for s in _sources(data)):
            _append(data, "sources", {k: source[k] for k in dict.fromkeys(["document_id", *source])}, added)
        campaign = record_parts.campaign(one.imported, one.format, document, Path(one.file.name).name)
        if one.imported.runs and document not in {
            c.get("id") for c in data.get("campaigns", []) if isinstance(c, dict)
        }:
            _append(data, "campaigns", campaign, added)
        known = {_place(r) for r in data.get("reported_results", []) if isinstance(r, dict)}
        for result in record_parts.results(one.imported, document):
            if _place(result) not in known:
                _append(data, "reported_results", result, added)
    return added


def _append(data: dict[str, Any], key: str, item: dict[str, Any], added: dict[str, int]) -> None:
    data.setdefault(key, []).append(item)
    added[key] += 1


def _sources(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [s for k in ("sources", "supplemental_sources") for s in data.get(k) or () if isinstance(s, dict)]


def _cited(source: dict[str, Any]) -> str | None:
    return source.get("document_id")


def _place(result: dict[str, Any]) -> tuple[Any, ...]:
    """Return where a result stands in its document: no two stand in one place."""
    evidence = result.get("evidence")
    held = evidence if isinstance(evidence, dict) else {}
    line = held.get("line")
    at = int(line) if isinstance(line, Decimal) else None
    return held.get("document"), at, held.get("pointer"), held.get("column"), None if held else id(result)


def _document(data: dict[str, Any], one: Taken) -> str:
    """Return the document_id of a file: that of the source with its bytes and address, else a free one."""
    wanted = str(one.source["document_id"])
    held = _sources(data)
    for source in held:
        same = source.get("document_sha256") == one.source["document_sha256"]
        if same and source.get("pinned_url") == one.source["pinned_url"] and _cited(source):
            return str(source["document_id"])
    taken = {_cited(s) for s in held} | {c.get("id") for c in data.get("campaigns") or () if isinstance(c, dict)}
    numbered = (f"{wanted}-{n}" for n in range(2, len(taken) + 3))
    return wanted if wanted not in taken else next(name for name in numbered if name not in taken)
