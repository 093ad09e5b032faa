"""The results explorer: which results share a table; pages, CSV, JSON, guides and records agree to the digit."""

from __future__ import annotations

import csv
import io
import json
import posixpath
import re
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser as Page
from selectolax.lexbor import LexborNode as Node

from site_src.check import Checked, Explainer, check
from site_src.explorer import facets, pages
from site_src.explorer.arrange import PER_PAGE, Arranged
from site_src.explorer.cohorts import Cohort, cohorts, measure, rows_of
from site_src.explorer.lists import ON_OVERVIEW
from site_src.hrefs import Hrefs
from site_src.load import Document, Loaded
from site_src.pipeline import Options, site_files
from site_src.places import places
from site_src.project import Project
from site_src.rules import fault_of_step
from site_src.serial import json_text
from tests.conftest import SITES
from tests.test_page import ROOT, read

Edit = Callable[[dict[str, Any]], None]
D = Decimal


def result(**changes: Any) -> dict[str, Any]:
    """Return a result that says all a comparison asks for; `changes` replace its fields."""
    conditions = {"prompt_tokens": D(4096), "concurrency": D(4), "output_tokens": D(256), "engine": "stove"}
    found = {"label": "a run", "metric": "output_rate", "value": D("12.50"), "unit": "tokens/s", "statistic": "one run"}
    found |= {"n": D(1), "divided_by": "wall time", "evidence_state": "logged", "site_reproduced": False}
    found |= {"conditions": conditions, "source_document_id": "report", "source_line": D(9)}
    return {**found, **changes}


def with_conditions(**changes: Any) -> dict[str, Any]:
    found = result()
    return {**found, "conditions": {**found["conditions"], **changes}}


def record(name: str, *results: dict[str, Any], **changes: Any) -> dict[str, Any]:
    from tests.records import sound

    data = sound()
    return {**data, "id": name, "path": f"/notes/{name}/", "reported_results": list(results), **changes}


def checked(*records: dict[str, Any]) -> Checked:
    documents = tuple(Document(f"records/{r['id']}.json", r["id"], r) for r in records)
    return check(Loaded(documents, None, None), frozenset())


def sorted_out(*records: dict[str, Any]) -> tuple[Cohort, ...]:
    return cohorts([row for e in checked(*records).explainers for row in rows_of(e)])


def sizes(*records: dict[str, Any]) -> list[int]:
    return [len(c.rows) for c in sorted_out(*records)]


# Which results share a table


def test_two_records_meet_where_both_say_everything() -> None:
    assert sizes(record("one", result()), record("two", with_conditions(engine="oven"))) == [2]


@pytest.mark.parametrize(
    "other",
    [
        result(metric="decode_rate"),
        result(unit="tok/s"),
        result(divided_by="time of decoding"),
        result(divided_by=None),
        result(statistic="median of 3"),
        with_conditions(prompt_tokens=D(8192)),
        with_conditions(prompt_tokens=D("4096.0")),
        with_conditions(concurrency=D(8)),
        with_conditions(output_tokens=None),
        with_conditions(tensor_parallel=D(2)),
        with_conditions(memory_scope="per card"),
        with_conditions(cache_state="cold"),
        with_conditions(lanes="128K"),
    ],
    ids=lambda r: str({k: v for k, v in r.items() if result().get(k) != v}),
)
def test_what_differs_in_measure_or_workload_is_apart(other: dict[str, Any]) -> None:
    assert sizes(record("one", result(), other)) == [1, 1]
    assert sizes(record("one", result()), record("two", other)) == [1, 1]


def test_rows_of_one_record_share_what_it_leaves_open_and_two_records_do_not() -> None:
    open_one = with_conditions(prompt_tokens=None)
    assert sizes(record("one", open_one, {**open_one, "label": "another"})) == [2]
    assert sizes(record("one", open_one), record("two", open_one)) == [1, 1]


def test_a_null_of_another_reason_is_another_condition() -> None:
    row = {**with_conditions(output_tokens=None), "null_reasons": {"output_tokens": "not_applicable"}}
    assert sizes(record("one", row, with_conditions(output_tokens=None))) == [1, 1]


@pytest.mark.parametrize("lacking", ["prompt_tokens", "concurrency"])
def test_two_records_that_do_not_tell_length_and_load_do_not_meet(lacking: str) -> None:
    silent = result()
    silent["conditions"] = {k: v for k, v in silent["conditions"].items() if k != lacking}
    assert sizes(record("one", silent), record("two", silent)) == [1, 1]


def test_an_option_nobody_knows_varies_within_a_record_only() -> None:
    first, second = with_conditions(throttle="open"), with_conditions(throttle="shut")
    assert sizes(record("one", first, second)) == [2]
    assert sizes(record("one", first), record("two", second)) == [1, 1]
    assert sizes(record("one", first), record("two", first)) == [2]


def test_an_unknown_number_keeps_rows_apart_unless_it_was_measured() -> None:
    assert sizes(record("one", with_conditions(ply=D(2)), with_conditions(ply=D(3)))) == [1, 1]
    assert sizes(record("one", with_conditions(drain=D("2.5")), with_conditions(drain=D("3.75")))) == [2]


def test_a_rate_without_a_denominator_meets_only_its_own_campaign() -> None:
    campaigns = [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]
    first, second = result(divided_by=None, campaign="a"), result(divided_by=None, campaign="b")
    assert sizes(record("one", first, first, campaigns=campaigns)) == [2]
    assert sizes(record("one", first, second, campaigns=campaigns)) == [1, 1]


def test_a_declared_matrix_may_vary_the_number_of_machines_and_no_workload() -> None:
    matrix = [{"id": "a", "label": "A", "factors": ["tensor_parallel", "concurrency"]}]
    one, two = with_conditions(tensor_parallel=D(1)), with_conditions(tensor_parallel=D(2))
    assert sizes(record("one", one, two)) == [1, 1]
    assert sizes(record("one", {**one, "campaign": "a"}, {**two, "campaign": "a"}, campaigns=matrix)) == [2]
    loaded = with_conditions(tensor_parallel=D(1), concurrency=D(8))
    assert sizes(record("one", {**one, "campaign": "a"}, {**loaded, "campaign": "a"}, campaigns=matrix)) == [1, 1]


def test_how_many_runs_a_mean_is_of_does_not_part_rows() -> None:
    several = [result(statistic="mean of 3", n=D(3)), result(statistic="mean of five", n=D(5))]
    assert sizes(record("one", *several)) == [2]


def test_a_cohort_keeps_its_name_when_another_record_joins() -> None:
    (alone,) = sorted_out(record("one", result()))
    (joined,) = sorted_out(record("one", result()), record("two", result()))
    assert alone.id == joined.id


VALUES = st.sampled_from([None, D(1), D("1.0"), D("0.5"), "open", "128K", True])
KEYS = st.sampled_from(["prompt_tokens", "concurrency", "engine", "throttle", "gpus", "wall_seconds", "κλειδί"])
RESULTS = st.builds(
    lambda metric, unit, divisor, conditions: result(
        metric=metric, unit=unit, divided_by=divisor, conditions=conditions
    ),
    st.sampled_from(["output_rate", "free_memory"]),
    st.sampled_from(["tokens/s", "GiB", "MiB"]),
    st.sampled_from([None, "wall time"]),
    st.dictionaries(KEYS, VALUES, max_size=4),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(RESULTS, min_size=1, max_size=8), st.lists(RESULTS, max_size=8))
def test_every_result_is_in_one_table(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> None:
    found = sorted_out(record("one", *first), record("two", *second))
    seen = Counter((r.explainer.record.id, r.number) for c in found for r in c.rows)
    assert seen == Counter(
        [*(("one", n + 1) for n in range(len(first))), *(("two", n + 1) for n in range(len(second)))]
    )
    assert len({c.id for c in found}) == len(found)
    for cohort in found:
        assert len({measure(r.result) for r in cohort.rows}) == 1
        assert len({json_text(dict(sorted(r.binding.items()))) for r in cohort.rows}) == 1
        assert [r.number for r in cohort.rows if r.explainer.record.id == "one"] == sorted(
            r.number for r in cohort.rows if r.explainer.record.id == "one"
        )


# Names and addresses


@pytest.mark.parametrize(
    ("own", "declared", "name"),
    [
        ("two X1, on PCIe", ("X1",), "X1"),
        ("X1", ("X1", "X1 Large"), "X1"),
        ("two X1 Large", ("X1",), "two X1 Large"),
        ("two X1 Large; air", ("X1", "X1 Large"), "X1 Large"),
        ("not X1", ("X1",), "not X1"),
        ("", ("X1",), "X1"),
        ("", ("X1", "X2"), ""),
        ("", (), ""),
    ],
)
def test_a_declared_name_stands_only_for_a_result_that_has_it(own: str, declared: tuple[str, ...], name: str) -> None:
    row = with_conditions(**({"hardware": own} if own else {}))
    (explainer,) = checked(record("one", row, hardware=list(declared))).explainers
    assert facets.names(explainer.record, explainer.record.reported_results[0]).get("hardware", "") == name


def test_names_that_differ_have_pages_that_differ() -> None:
    found = facets.slugs(["A/B", "a b", "12", "con", "", "…", "モデル", "x" * 200, "x" * 201])
    folded = [slug.casefold() for slug in found.values()]
    assert len(set(folded)) == len(folded)
    assert all(not slug.isdecimal() and fault_of_step(slug) is None for slug in folded)
    assert found["モデル"] == "モデル"


# The whole site


@pytest.fixture(scope="module", params=[ROOT, SITES / "other"], ids=["shipped", "other"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """Return a project and the files of its site."""
    files, _ = site_files(Project(request.param), Options(cache=tmp_path_factory.mktemp("cache")))
    return request.param, files


def records_of(root: Path) -> dict[str, dict[str, Any]]:
    """Read every record of a project without pinpress, by its id."""
    paths = [p for p in (root / "records").iterdir() if p.suffix in {".json", ".yml"} and p.name.count(".") == 1]
    found = [read(p) for p in paths if p.stem != "site"]
    return {r["id"]: r for r in found}


def literal(value: Decimal | None) -> str:
    return "" if value is None else format(value, "f")


def rows_of_page(files: dict[str, bytes], path: str) -> list[tuple[str, Node]]:
    """Return the rows of a page of the explorer, each with the address of its row on its guide."""
    page = Page(files[path].decode())
    rows = page.css("section[data-group] tbody")
    return [(target(path, row.css("th a")[0].attributes["href"] or ""), row) for row in rows]


def target(path: str, href: str) -> str:
    """Return where a link of the page at `path` leads, from the root of the site."""
    address, anchor = urldefrag(href)
    where = posixpath.normpath(posixpath.join("/" + posixpath.dirname(path), unquote(address))).rstrip("/")
    return f"{where}/#{anchor}"


def pages_of(files: dict[str, bytes], folder: str) -> list[str]:
    return sorted(p for p in files if p.startswith(f"results/{folder}/") and p.endswith(".html"))


def test_pages_csv_json_guides_and_records_agree_to_the_digit(site: tuple[Path, dict[str, bytes]]) -> None:
    root, files = site
    records = records_of(root)
    known = {(i, str(n)): r for i, d in records.items() for n, r in enumerate(d.get("reported_results", []), 1)}
    whole = list(csv.DictReader(io.StringIO(files["results/results.csv"].decode())))
    data = json.loads(files["results/results.json"], parse_float=str, parse_int=str)["results"]
    shown = dict(r for p in pages_of(files, "metrics") for r in rows_of_page(files, p))
    assert len(known) > 5
    assert {(r["guide"], r["row"]) for r in whole} == {(r["guide"], r["row"]) for r in data} == known.keys()
    assert len(whole) == len(data) == len(known) == len(shown)
    for row, told in zip(whole, data, strict=True):
        held = known[row["guide"], row["row"]]
        value = literal(held["value"])
        page, anchor = urldefrag(row["page"])
        on_guide = Page(files[page.lstrip("/") + "index.html"].decode()).css_first(f"#{anchor}")
        mine = shown[row["page"]]
        own = list(
            csv.DictReader(io.StringIO(files[records[row["guide"]]["path"].lstrip("/") + "results.csv"].decode()))
        )
        beside = own[int(row["row"]) - 1]
        table = list(csv.DictReader(io.StringIO(files[f"results/tables/{row['table']}.csv"].decode())))
        (in_table,) = [r for r in table if (r["guide"], r["row"]) == (row["guide"], row["row"])]
        apart = json.loads(files[f"results/tables/{row['table']}.json"], parse_float=str, parse_int=str)
        (in_json,) = [r for r in apart["rows"] if (r["guide"], r["row"]) == (row["guide"], row["row"])]
        cell = mine.css("td.n")[0]
        assert [n.attributes["value"] for n in cell.css("data")] == ([value] if value else [])
        assert on_guide is not None and (not value or f'value="{value}"' in (on_guide.html or ""))
        assert row["value"] == beside["value"] == in_table["value"] == value
        assert (told["value"] or "") == (in_json["value"] or "") == value
        assert bool(row["null_reason"]) == (not value) == bool(beside["null_reason"])
        assert row["unit"] == in_json["unit"] == held["unit"]
        assert held["unit"] in mine.parent.css_first("thead").text()  # type: ignore[union-attr]
        for key, condition in held["conditions"].items():
            if condition is None:
                assert in_table[f"conditions.{key}"] == beside[f"conditions.{key}"] == ""
                assert f"{key}: " in in_table["null_conditions"]
                assert told["conditions"][key] is None and told["null_reasons"][key]
            elif isinstance(condition, Decimal):
                assert in_table[f"conditions.{key}"] == beside[f"conditions.{key}"] == literal(condition)
                assert told["conditions"][key] == literal(condition)


def test_every_table_has_one_unit_one_denominator_n_state_and_evidence(site: tuple[Path, dict[str, bytes]]) -> None:
    root, files = site
    records = records_of(root)
    at = {
        f"{row['page']}": records[row["guide"]]["reported_results"][int(row["row"]) - 1]
        for row in csv.DictReader(io.StringIO(files["results/results.csv"].decode()))
    }
    tables = 0
    for path in [p for folder in ("metrics", "models", "hardware", "engines") for p in pages_of(files, folder)]:
        for table in Page(files[path].decode()).css("section[data-group] table"):
            tables += 1
            links = [target(path, a.attributes["href"] or "") for a in table.css("tbody th a")]
            held = [at[link] for link in links]
            assert (
                len(
                    {
                        (r["metric"], r["unit"], r.get("divided_by") or r["conditions"].get("metric_denominator"))
                        for r in held
                    }
                )
                == 1
            )
            numbers = [int(link.rpartition("-")[2]) for link in links]
            assert numbers == sorted(numbers) or len({link.partition("#")[0] for link in links}) > 1
            assert [h.text() for h in table.css("thead th")][2:] == ["n", "State", "Source"]
            for row, link in zip(table.css("tbody"), links, strict=True):
                state, n = row.css("td")[2].text(), row.css("td.n")[1].text()
                assert "not rerun" in state and at[link]["evidence_state"].replace("_", "-") in state.lower()
                count = at[link].get("n") or at[link]["conditions"].get("repetitions")
                assert n == (f"{count:,}" if count is not None else "no count given")
                line = at[link]["source_line"]
                assert line is None or f"line {line}" in row.css("td")[3].text()
    assert tables > 3


def test_facets_hold_each_result_that_names_them_once(site: tuple[Path, dict[str, bytes]]) -> None:
    _, files = site
    whole = list(csv.DictReader(io.StringIO(files["results/results.csv"].decode())))
    for folder, column in (("metrics", "metric"), ("models", "model"), ("hardware", "hardware"), ("engines", "engine")):
        named = [r["page"] for r in whole if r[column]]
        assert Counter(named) == Counter(r for p in pages_of(files, folder) for r, _ in rows_of_page(files, p))


def test_the_catalogue_names_files_and_pages_that_exist(site: tuple[Path, dict[str, bytes]]) -> None:
    root, files = site
    found = json.loads(files["results/catalogue.json"])
    assert [g["path"] for g in found["guides"]] == sorted(r["path"] for r in records_of(root).values())
    named = [f for g in found["guides"] for f in g["files"]] + found["files"]
    named += [t[kind] for t in found["tables"] for kind in ("csv", "json")]
    assert [f for f in named if f.lstrip("/") not in files] == []
    assert sum(t["rows"] for t in found["tables"]) == sum(g["results"] for g in found["guides"])
    assert len(found["tables"]) == sum(p.startswith("results/tables/") and p.endswith(".csv") for p in files)
    for table in found["tables"]:
        page, anchor = urldefrag(table["page"])
        assert f'id="{anchor}"' in files[page.lstrip("/") + "index.html"].decode()


def test_links_of_the_explorer_lead_somewhere(site: tuple[Path, dict[str, bytes]]) -> None:
    _, files = site
    seen = 0
    for path in [p for p in files if p.startswith("results/") and p.endswith(".html")]:
        for link in Page(files[path].decode()).css("main a[href]"):
            href = link.attributes["href"] or ""
            if href.startswith("http"):
                continue
            seen += 1
            address, anchor = urldefrag(href)
            where = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(address))).lstrip("./")
            file = f"{where}/index.html".lstrip("/") if href.partition("#")[0].endswith("/") else where
            assert file in files, (path, href)
            assert not anchor or f'id="{unquote(anchor)}"' in files[file].decode(), (path, href)
    assert seen > 20


def test_only_the_explorer_may_run_a_script(site: tuple[Path, dict[str, bytes]]) -> None:
    _, files = site
    (script,) = [p for p in files if re.fullmatch(r"assets/filter\.[0-9a-f]{10}\.js", p)]
    assert len(files[script]) < 3000
    assert not re.search(rb"\beval\b|new Function|innerHTML|fetch\(|import\(", files[script])
    for path in [p for p in files if p.endswith(".html") and p != "search/index.html"]:
        html, ours = files[path].decode(), path.startswith("results/")
        assert len(re.findall(r"<script[^>]* src=", html)) == ours
        assert ("script-src 'self'" in html) == ours
        assert ("one script" in html) == ours and ("no scripts" in html) != ours


# A large site


def arranged(explainers: tuple[Explainer, ...]) -> Arranged:
    """Return the results of explainers, whose guides stand at the root of a site."""
    return Arranged(explainers, Hrefs(), {e.record.id: places(e, Hrefs()) for e in explainers})


def bounded(count: int) -> Arranged:
    """Return the results of `count` records, each with a model and an engine of its own."""
    rows = [with_conditions(model=f"m{n}", engine=f"e{n % 130}") for n in range(count)]
    found = checked(*(record(f"r{n}", row, row, row) for n, row in enumerate(rows))).explainers
    return arranged(found)


def test_no_page_grows_with_the_site() -> None:
    results = bounded(130)
    found = list(pages.pages(results))
    assert len(results.cohorts) == 1
    assert max(sum(len(t.rows) for t in p.tables) for p in found) == PER_PAGE
    assert max(len(entries.entries) for p in found for entries in p.lists) <= PER_PAGE
    assert all(len(p.turns) <= 4 for p in found)
    overview = next(p for p in found if p.route == "/results/")
    models = next(x for x in overview.lists if x.id == "models")
    assert len(models.entries) == ON_OVERVIEW
    assert models.more is not None and models.more.text == "All 130 models"
    of_metric = [p for p in found if p.route.startswith("/results/metrics/output-rate/")]
    assert [sum(len(t.rows) for t in p.tables) for p in of_metric] == [100, 100, 100, 90]
    assert [r.text for r in of_metric[1].turns] == ["Previous, part 1", "Next, part 3", "Last, part 4"]
    rows = [row.run.href for p in of_metric for t in p.tables for row in t.rows]
    assert len(rows) == 390
    assert of_metric[1].tables[0].caption.endswith("100 of its 390 rows")


def test_headings_tell_tables_apart() -> None:
    results = arranged(checked(record("one", result(), with_conditions(prompt_tokens=D(8192)))).explainers)
    page = next(p for p in pages.pages(results) if p.tables)
    assert [t.heading for t in page.tables] == [
        "Output rate, tokens/s: prompt 4,096 tokens",
        "Output rate, tokens/s: prompt 8,192 tokens",
    ]
    assert [t.differs for t in page.tables] == ["", "Prompt 8,192 tokens (above 4,096 tokens)"]


def test_a_heading_says_no_word_twice() -> None:
    rows = [result(statistic="median of 3"), result(statistic="statistic not stated")]
    page = next(p for p in pages.pages(arranged(checked(record("one", *rows)).explainers)) if p.tables)
    told = [t.heading.removeprefix("Output rate, tokens/s: ") for t in page.tables]
    assert told == ["statistic median of 3", "statistic not stated"]


def test_a_site_without_results_says_so(copied: Callable[[str], Project]) -> None:
    project = copied("other")
    for path in project.records.glob("kestrel-burst*"):
        path.unlink()
    files, _ = site_files(project, Options(cache=project.cache))
    page = Page(files["results/index.html"].decode())
    assert "No result is published yet." in page.css("main")[0].text()
    assert page.css("form.filter") == []
    assert files["results/results.csv"].decode().count("\n") == 1
    assert json.loads(files["results/results.json"]) == {"results": []}


# Spreadsheets


def test_no_cell_of_a_csv_is_a_formula_and_numbers_are_left_alone() -> None:
    hostile = with_conditions(engine="=1+1", model="@x", throttle="\tx", drain=D("-2.5"), ply=None)
    hostile |= {"label": "-5", "value": D("-0.50"), "uncertainty": "+1"}
    results = arranged(checked(record("one", hostile)).explainers)
    for address, data in pages.files(results, "A site"):
        if not address.endswith(".csv"):
            continue
        (row,) = csv.DictReader(io.StringIO(data.decode()))
        assert (row["label"], row["value"], row["uncertainty"]) == ("'-5", "-0.50", "'+1")
        assert (row["engine"], row["model"]) == ("'=1+1", "'@x")
        assert row["null_conditions"] == "ply: not_reported"
        if "conditions.drain" in row:
            assert (row["conditions.drain"], row["conditions.ply"]) == ("-2.5", "")
            assert (row["conditions.engine"], row["conditions.throttle"]) == ("'=1+1", "'\tx")
        cells = [c for c in row.values() if c[:1] in "=+@\t\r" and c]
        assert cells == []


def test_a_null_is_empty_and_has_its_reason_beside_it() -> None:
    missing = result(value=None, null_reason="not_run_capacity", n=None, source_line=None)
    missing |= {"conditions": {"prompt_tokens": None}, "null_reasons": {"prompt_tokens": "not_applicable"}}
    results = arranged(checked(record("one", missing)).explainers)
    files = dict(pages.files(results, "A site"))
    (row,) = csv.DictReader(io.StringIO(files["/results/results.csv"].decode()))
    assert (row["value"], row["null_reason"], row["n"]) == ("", "not_run_capacity", "")
    assert row["null_conditions"] == "prompt_tokens: not_applicable"
    (told,) = json.loads(files["/results/results.json"])["results"]
    assert (told["value"], told["null_reason"], told["conditions"]) == (
        None,
        "not_run_capacity",
        {"prompt_tokens": None},
    )
    page = next(p for p in pages.pages(results) if p.tables)
    cell = page.tables[0].rows[0].value
    assert (cell.text, cell.null) == ("not run: capacity", True)
