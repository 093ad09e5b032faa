"""The documentation agrees with the code: commands, fields, limits, codes and every example."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final, get_args

import pytest

from site_src import binding, capacity, codes, evidence, fences, figure_entries, model, places, prose, shape, words
from site_src.binding import binder_of
from site_src.check import Checked, check
from site_src.claims import lock
from site_src.claims.dialogue import STOP
from site_src.claims.lexicon import Lexicon
from site_src.cli import main
from site_src.expression import UNIT_FACTORS
from site_src.fields import Part
from site_src.figures import select, style
from site_src.figures.select_cases import MOST_COLUMNS, MOST_PANELS
from site_src.figures.select_memory import MOST_READINGS
from site_src.figures.select_rates import MOST_ROWS
from site_src.load import Document, Loaded
from site_src.parse import MAX_DEPTH, MAX_DIGITS, yaml_data
from site_src.project import RESOURCES, Project
from site_src.sources import receipt
from tests.bench import document
from tests.records import sound

DOCS: Final = RESOURCES / "docs"
RECORDS, FIGURES, VERIFY = DOCS / "records.md", DOCS / "figures.md", DOCS / "verify.md"
README: Final = RESOURCES / "README.md"
MODULES: Final[tuple[ModuleType, ...]] = (model, evidence, capacity, figure_entries, fences, lock, receipt)
TABLE: Final = re.compile(r"(<!-- fields: (\w+) -->\n)(.*?)(<!-- end -->)", re.S)
YAML_BLOCK: Final = re.compile(r"^```yaml\n(.*?)^```$", re.M | re.S)
MARKDOWN_BLOCK: Final = re.compile(r"^````markdown\n(.*?)^````$", re.M | re.S)
ID: Final = "brook"


def text_of(path: Path) -> str:
    return path.read_text("utf-8")


def models() -> dict[str, type[Part]]:
    found = (c for m in MODULES for _, c in inspect.getmembers(m, inspect.isclass) if c.__module__ == m.__name__)
    return {c.__name__: c for c in found if issubclass(c, Part)}


def field_table(of: type[Part]) -> str:
    """Return the table of a model's fields as the documentation holds it."""
    rows = []
    for name, field in of.model_fields.items():
        said = (field.description or "").replace("|", "\\|")
        rows.append(f"| `{name}` | {'yes' if field.is_required() else ''} | {said} |\n")
    return "| Field | Needed | Meaning |\n|---|---|---|\n" + "".join(rows)


@pytest.mark.parametrize("path", [RECORDS, FIGURES, VERIFY], ids=lambda p: str(p.name))
def test_field_tables_are_those_of_the_models(path: Path) -> None:
    """GOLDEN=1 rewrites them."""
    known = models()
    written = text_of(path)
    made = TABLE.sub(lambda m: f"{m[1]}\n{field_table(known[m[2]])}\n{m[4]}", written)
    if os.environ.get("GOLDEN"):
        path.write_text(made, "utf-8")
    else:
        assert written == made, "rewrite the tables: GOLDEN=1 .venv/bin/python -m pytest tests/test_docs.py"


def test_every_model_has_its_table_once() -> None:
    named = [m[2] for path in (RECORDS, FIGURES, VERIFY) for m in TABLE.finditer(text_of(path))]
    assert sorted(named) == sorted(models())


def help_of(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    with pytest.raises(SystemExit):
        main([*command, "--help"])
    return capsys.readouterr().out


def test_the_readme_names_every_command_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    readme = text_of(README)
    commands = re.findall(r"^    (\w+) ", help_of(capsys), re.M)
    assert {"build", "check", "preview", "figures", "bind", "schema"} <= set(commands)
    for command in commands:
        options = set(re.findall(r"(?<![\w-])--[a-z-]+", help_of(capsys, command))) - {"--help"}
        lacking = [o for o in sorted(options) if not re.search(rf"{o}(?![\w-])", readme)]
        assert f"`{command}`" in readme
        assert not lacking, f"README.md does not name {lacking} of {command}"


def test_the_readme_names_every_make_target() -> None:
    targets = re.findall(r"^([a-z]+):.*## ", text_of(RESOURCES / "Makefile"), re.M)
    assert len(targets) > 5
    assert [t for t in targets if f"`make {t}`" not in text_of(README)] == []


def test_links_between_the_documents_lead_somewhere() -> None:
    for path in (README, *sorted(DOCS.glob("*.md"))):
        for href in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```", "", text_of(path), flags=re.M | re.S)):
            name, _, anchor = href.partition("#")
            target = (path.parent / name) if name else path
            if href.startswith(("http", "/assets/")):
                continue
            assert target.is_file(), href
            assert not anchor or anchor in {prose.slug(h) for h in re.findall(r"^#+ (.+)$", text_of(target), re.M)}


def examples(path: Path, kind: str) -> list[str]:
    """Return the YAML examples whose first line is a comment that begins with `kind`."""
    return [m[1] for m in YAML_BLOCK.finditer(text_of(path)) if m[1].startswith(f"# {kind}")]


def part_of(example: str) -> tuple[str, dict[str, Any]]:
    data = yaml_data(example, "docs/records.md")
    assert isinstance(data, dict)
    return example.partition("\n")[0].removeprefix("# record part: "), data


@pytest.mark.parametrize("example", examples(RECORDS, "record part: "), ids=lambda e: part_of(e)[0])
def test_each_example_is_a_sound_part_of_a_record(example: str) -> None:
    key, data = part_of(example)
    assert key in data
    checked = shape.record("docs/records.md", {**sound(), **data})
    assert isinstance(checked, model.Record), checked
    assert not checked.unknown


def whole_record() -> dict[str, Any]:
    """Return the examples put together; lists of one name follow one another."""
    whole: dict[str, Any] = {}
    for _, data in map(part_of, examples(RECORDS, "record part: ")):
        for key, value in data.items():
            whole[key] = [*whole.get(key, []), *value] if isinstance(value, list) else value
    return whole


def checked_examples() -> Checked:
    """Return the examples as one checked record."""
    (audit,), (figures,) = examples(RECORDS, "records/brook.audit.yml"), examples(FIGURES, "records/brook.figures.yml")
    body = "\n".join(m[1] for m in MARKDOWN_BLOCK.finditer(text_of(RECORDS)))
    document = Document(
        "records/brook.yml",
        ID,
        whole_record(),
        "records/brook.md",
        body,
        "records/brook.audit.yml",
        yaml_data(audit, ""),
        "records/brook.figures.yml",
        yaml_data(figures, ""),
    )
    return check(Loaded((document,), None, None), frozenset())


def test_the_examples_together_are_one_sound_record() -> None:
    (explainer,) = checked_examples().explainers
    assert len(list(fences.placed(explainer.body))) == 5
    assert {d.relation.id: d.verdict for d in explainer.derivations.values.values()} == {
        "rate-again": "agrees",
        "forum-rate": "not comparable",
        "windows-two-cards": "computed here",
        "four-combined": "computed here",
        "four-remaining": "computed here",
    }
    assert explainer.derivations.values["four-remaining"].text.startswith("−")
    unsettled = {f.code for f in explainer.findings if f.reason is None}
    assert unsettled == {"image-without-hash", "open-claims"}


def test_the_lines_of_a_lock_are_what_bind_writes() -> None:
    checked = checked_examples()
    (explainer,) = checked.explainers
    drafts = binder_of(explainer, checked.settings).drafts(explainer.claims.spots, None)
    written = lock.text(d.entry for d in drafts if d.why is None).splitlines()
    (block,) = re.findall(r"^```json\n(.*?)^```$", text_of(RECORDS), re.M | re.S)
    lines = block.splitlines()
    assert len(lines) == 2
    assert set(lines) <= {line.rstrip(",") for line in written}


def test_the_lexicon_of_the_example_knows_its_names() -> None:
    (example,) = examples(RECORDS, "records/site.yml")
    settings = shape.settings("records/site.yml", yaml_data(example, "records/site.yml"))
    assert isinstance(settings, model.Settings)
    own = Lexicon(settings.lexicon)
    assert all(own.knows(name) for name in ("EXL3", "vLLM/B12X", "ACME-300b", "ACME300"))
    assert not own.knows("ACME-30")
    told = text_of(RECORDS).partition("### Lexicon")[2].partition("A site adds")[0]
    names = re.findall(r"\(([\w-]+(?:, [\w-]+)*)\)", told)
    assert len(names) == 5
    assert all(Lexicon().knows(name) for group in names for name in group.split(", "))


def test_classes_and_codes_of_the_lock_are_all_told() -> None:
    assert [cells[0].strip("`") for cells in rows(RECORDS, "Class")] == list(get_args(lock.Class))
    chapter = text_of(RECORDS).partition("### What is proved")[2].partition("### Lexicon")[0]
    told = set(re.findall(r"^\| `(claim-\w+)` \|", chapter, re.M))
    assert told == {code for code in codes.PROBLEMS if code.startswith("claim-")}


def test_keys_of_the_dialogue_are_all_told() -> None:
    keys = {key for cells in rows(RECORDS, "Key") for key in re.findall(r"`(\w)`", cells[0])}
    assert keys >= {STOP, *"senpcy", "1", "9"}


def rows(path: Path, head: str) -> Iterator[list[str]]:
    """Yield the cells of every table row under a header that begins with `head`."""
    for table in re.findall(rf"^\| {head} \|.*\n\|[-|]+\n((?:\|.*\n)+)", text_of(path), re.M):
        for line in table.splitlines():
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def test_endings_of_keys_carry_the_units_that_are_said() -> None:
    told = 0
    for endings, units in rows(RECORDS, "Ending"):
        names = re.findall(r"`(_\w+)`", endings)
        said = units.split(", ") * (len(names) if "," not in units else 1)
        for ending, unit in zip(names, said, strict=True):
            assert words.split_unit(f"depth{ending}") == ("depth", unit)
            told += 1
    assert told == 22


def test_limits_are_those_of_the_code() -> None:
    large = text_of(RECORDS).partition("## Large records")[2].partition("\n## ")[0]
    assert f"up to {places.MOST_RESULTS} results" in large
    assert f"more than {places.MOST_RELATIONS} relations" in large
    assert f"{places.PER_PAGE} rows" in large
    assert f"{places.GUIDE_WEIGHT:,} bytes" in large
    assert f"{places.PAGE_WEIGHT:,} such bytes" in large
    numbers = text_of(RECORDS).partition("## Numbers")[2].partition("\n## ")[0]
    assert f"more than {MAX_DIGITS}" in numbers.replace("\n", " ")
    assert f"more than {MAX_DEPTH} levels" in numbers
    factors = re.search(r"FACTOR is ([\d, or]+);", text_of(RECORDS))
    assert factors
    assert set(re.findall(r"\d+", factors[1])) == UNIT_FACTORS
    figures = text_of(FIGURES)
    assert f"More than {MOST_ROWS} values" in figures
    assert f"{MOST_READINGS} readings" in figures
    assert f"{MOST_PANELS} quantities or {MOST_COLUMNS} cells" in figures
    floors = (style.FLOOR_WIDE, style.FLOOR_NARROW, style.FLOOR_HERO, style.MIN_GAP)
    assert all(f"{floor:g} px" in figures for floor in floors)
    assert f"contrast under {style.MIN_CONTRAST:g}" in figures
    assert "{} × {}".format(*style.RASTER_SIZE) in figures


def test_kinds_of_figures_and_their_endings() -> None:
    told = {cells[0].strip("`"): cells[1].strip("`") for cells in rows(FIGURES, "Kind")}
    assert set(told) == set(select.KINDS)
    assert {kind: ending for kind, ending in told.items() if ending != "none"} == {
        kind: ending for ending, kind in select.ENDINGS.items()
    }


def test_codes_that_are_named_exist() -> None:
    known = codes.PROBLEMS.keys() | codes.FINDINGS.keys()
    for path in (RECORDS, FIGURES):
        named = {*re.findall(r"\(`([a-z0-9]+(?:-[a-z0-9]+)+)`", text_of(path))}
        named |= {*re.findall(r"(?:finding|problem|as|reports) `([a-z0-9-]+)`", text_of(path))}
        named |= {cells[0].strip("`") for cells in rows(path, "Code")}
        assert named
        assert named <= known, named - known


def test_every_finding_is_documented() -> None:
    assert [cells[0].strip("`") for cells in rows(RECORDS, "Code")] == sorted(codes.FINDINGS)


def test_every_outcome_of_verify_is_documented() -> None:
    told = [cells[0].strip("`") for cells in rows(VERIFY, "Outcome")]
    assert sorted(told) == sorted(get_args(receipt.Outcome))


def test_the_slips_that_are_told_are_those_of_the_locks() -> None:
    """`make bench` rewrites them."""
    found = binding.bindings(Project(RESOURCES), [])
    counted = {b.explainer.record.id: b.explainer.claims.mutated for b in found}
    assert document.slips({name: counts for name, counts in counted.items() if counts}) in document.held("slips")
    assert all(counted.values())


def test_numbers_are_read_as_the_table_says() -> None:
    for written, read in rows(RECORDS, "Written without quotes in YAML"):
        for literal in re.findall(r"`([^`]+)`", written):
            value = yaml_data(f"key: {literal}\n", "")["key"]
            assert isinstance(value, str) == (read == "text"), literal
