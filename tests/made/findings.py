"""Small records with one defect of the evidence each → what a strict check or build reports of it.

The defects are those that the tests of the rules fire; here the command reads them from files.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from site_src.cli import CONTENT, DONE, main
from site_src.serial import json_text
from tests import test_findings, test_verify
from tests.made.reports import Entry, entries
from tests.records import REPORT, sound
from tests.test_derive import stated, with_relation

Fires = Callable[[Path], list[Entry]]
_CHECK: Final = ("check", "--strict")


def _reported(site: Path, command: tuple[str, ...] = _CHECK) -> list[Entry]:
    told = io.StringIO()
    with contextlib.redirect_stderr(told):
        code = main([*command, "--project", str(site)])
    assert code == CONTENT, f"{command} in {site} found nothing amiss"
    return list(entries(told.getvalue()))


def _written(folder: Path, data: dict[str, Any]) -> Path:
    (folder / "records").mkdir()
    (folder / "records" / "brook.json").write_text(json_text(data) + "\n", "utf-8")
    return folder


def _of_rule(change: Callable[[dict[str, Any]], None]) -> Fires:
    def fires(folder: Path) -> list[Entry]:
        data = sound()
        change(data)
        return _reported(_written(folder, data))

    return fires


def _of_receipt(row: dict[str, Any], source: dict[str, Any], served: str) -> Fires:
    def fires(folder: Path) -> list[Entry]:
        data = test_verify.record(**row)
        data["sources"][0] |= source
        site = test_verify.project(folder, data)
        (folder / "by-hash").mkdir()
        (folder / "by-hash" / data["sources"][0]["document_sha256"]).write_text(served, "utf-8")
        with contextlib.redirect_stderr(io.StringIO()):
            test_verify.run(site, "--snapshots", str(folder))
        return _reported(site)

    return fires


def _receipt_stale(folder: Path) -> list[Entry]:
    site = test_verify.project(folder, test_verify.record())
    assert test_verify.run(site, "--snapshots", str(folder / "documents")) == DONE
    path = site / "records" / "brook.json"
    path.write_text(path.read_text("utf-8").replace("12.50", "12.60"), "utf-8")
    return _reported(site)


def _relation_disagrees(folder: Path) -> list[Entry]:
    return _reported(_written(folder, with_relation(stated=stated("101.0"))))


def _submitted_as_running(folder: Path) -> list[Entry]:
    case = {"requests_submitted": Decimal(4), "running_requests": None, "source_url": REPORT}
    data = sound() | {"answer": "All four ran at once.", "long_context_cases": [case]}
    return _reported(_written(folder, data))


def _open_claims(folder: Path) -> list[Entry]:
    return _reported(_written(folder, sound() | {"answer": "It gave 12.50 replies/min."}))


def _image_hash(folder: Path) -> list[Entry]:
    image = {"url": "/assets/brook-hero.webp", "alt": "A card", "width": 1600, "height": 900, "sha256": "b" * 64}
    data = sound() | {"image": {k: Decimal(v) if isinstance(v, int) else v for k, v in image.items()}}
    return _reported(_written(folder, data), ("build", "--strict", "--jobs", "1"))


def _image_without_hash(folder: Path) -> list[Entry]:
    return _reported(_written(folder, sound() | {"body_markdown": "![A card.](/assets/brook-hero.webp)"}))


def _uncited(folder: Path) -> list[Entry]:
    annex = REPORT.replace("REPORT", "ANNEX")
    extra = {"document_id": "annex", "document_path": "ANNEX.md", "pinned_url": annex, "document_sha256": "c" * 64}
    return _reported(_written(folder, sound() | {"supplemental_sources": [sound()["sources"][0] | extra]}))


_OTHERS: Final[dict[str, Fires]] = {
    "receipt-stale": _receipt_stale,
    "relation-disagrees": _relation_disagrees,
    "submitted-as-running": _submitted_as_running,
    "open-claims": _open_claims,
    "image-hash-mismatch": _image_hash,
    "image-without-hash": _image_without_hash,
    "uncited-source": _uncited,
}


def _all() -> Iterator[tuple[str, Fires]]:
    for code, change, _ in test_findings.FIRES:
        yield code, _of_rule(change)
    for code, row, source, served, _ in test_verify.FIRES:
        yield code, _of_receipt(row, source, served)
    yield from _OTHERS.items()


def samples() -> dict[str, list[Entry]]:
    """Return every finding that the examples show, by code, in their order."""
    found: dict[str, list[Entry]] = {}
    for code, fires in _all():
        with tempfile.TemporaryDirectory() as folder:
            found.setdefault(code, []).extend(e for e in fires(Path(folder)) if e.code == code)
    return found
