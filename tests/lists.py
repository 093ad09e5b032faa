"""A site with more guides and sources than one page of a list holds, to be built where a test wants it."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

from site_src.pipeline import Options, site_files
from site_src.project import Project
from site_src.serial import json_text
from tests.records import COMMIT, sound

SOURCES = 130
GUIDES = 14


def document(number: int, **changes: Any) -> dict[str, Any]:
    """Return a pinned source, told from the others by its number."""
    path = f"RUN-{number}.md"
    source = dict(sound()["sources"][0])
    source |= {"document_id": f"run-{number}", "document_path": path, "document_sha256": f"{number + 1:064x}"}
    return {**source, "pinned_url": f"https://github.com/brook-labs/runs/blob/{COMMIT}/{path}", **changes}


def page(number: int = 0, **changes: Any) -> dict[str, Any]:
    """Return the text of an editable page as a source."""
    url = f"https://forum.example.org/t/{number}"
    editable = {"repository": None, "revision": "saved copy", "public_URL_is_immutable": False}
    named = {"document_id": f"page-{number}", "document_path": f"t/{number}", "publisher": "Brook users"}
    return {**document(number), **editable, **named, "pinned_url": url, **changes}


def guide(name: str, **changes: Any) -> dict[str, Any]:
    """Return a sound record of another name."""
    return {**sound(), "id": name, "path": f"/notes/{name}/", "title": f"Brook {name}", **changes}


def arabic(name: str, **changes: Any) -> dict[str, Any]:
    """Return a record whose prose runs from the right; its labels and units run from the left, one value is below 0."""
    table = "| التشغيل | القيمة |\n|---|---|\n| الأول | 12.50 |\n"
    body = f"طبع المصدر 12.50 ردا.\n\n## ماذا قيس؟\n\n- نسخة v2.5.0\n\n{table}"
    record = guide(name, lang="ar", summary="سرعة واحدة من مصدر واحد.", body_markdown=body, **changes)
    first = record["reported_results"][0]
    other = {"label": "الثاني", "metric": "memory_change", "value": Decimal("-3.10"), "unit": "GiB"}
    bare = {"conditions": {"repetitions": Decimal(1)}}
    record["reported_results"] = [first, {**first, **other, **bare}, {**first, "label": "الثالث", "value": None}]
    return record


def many() -> list[dict[str, Any]]:
    """Return records whose lists need pages: many guides, many sources, one of them old, some editable."""
    old = document(0, checked_on="2024-01-01", last_commit_at="2024-02-01")
    sources = [*(document(n) for n in range(1, SOURCES)), old, *(page(n, checked_on="2025-02-01") for n in range(3))]
    first = guide("a-0", sources=[*sound()["sources"], *sources])
    first["body_markdown"] = "It ran.\n\n## Why did it run?\n\nIt had to.\n"
    first["case_reports"] = [{"id": "soak", "source_document_id": "run-1", "hours": Decimal(4)}]
    first["changelog"] = [{"date": "2025-03-01", "what": f"Change {n}.", "why": "It was wrong."} for n in range(60)]
    rest = [
        guide(f"b-{n}", models=["Brook 12B" if n % 2 else "نهر 7B"], hardware=[f"Box {n}"], source_checked_on=_day(n))
        for n in range(1, GUIDES)
    ]
    rest[1] = arabic("b-2", models=rest[1]["models"], hardware=["Box 2"], source_checked_on=_day(2))
    return [first, *rest]


def _day(number: int) -> str:
    return f"2025-02-{number:02d}"


def written(root: Path, records: list[dict[str, Any]], settings: str = "") -> Project:
    """Write records and settings into a folder as a project."""
    (root / "records").mkdir(parents=True)
    for record in records:
        (root / "records" / f"{record['id']}.json").write_text(json_text(record), "utf-8")
    if settings:
        (root / "records" / "site.yml").write_text(settings, "utf-8")
    return Project(root)


def files_of(project: Project, cache: Path, *, offline: bool = False) -> dict[str, bytes]:
    """Return the files of a project's site."""
    return site_files(project, Options(cache=cache, offline=offline))[0]
