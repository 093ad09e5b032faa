"""Budgets: a page over one is a problem that names its heaviest parts; what is packed keeps its words."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser as Page
from selectolax.lexbor import LexborNode as Node

from site_src import budget, serving
from site_src.compact import compact
from site_src.pipeline import Options, site_files
from site_src.preview import Preview
from site_src.problems import Problem, Rejected
from site_src.project import RESOURCES, Project
from site_src.rendering import Artifact
from site_src.serial import json_text
from tests.audit import checks
from tests.machine_samples import built, heron

GUIDE = "/notes/x/"
HERON = "/notes/heron/"
HEAD = '<!DOCTYPE html><link rel="stylesheet" href="../../assets/s.css"><link rel="icon" href="../../assets/i.svg">'


def noise(size: int, seed: str = "") -> str:
    """Return letters that hardly pack: of three bytes about two are left."""
    return "".join(hashlib.sha512(f"{seed}{n}".encode()).hexdigest() for n in range(size // 128 + 1))[:size]


def found(html: str, **files: bytes) -> list[Problem]:
    """Return the faults of a guide with this page and these files in assets/."""
    named = {"s.css": b"a{}", "i.svg": b"<svg/>", **{n.replace("_", "."): d for n, d in files.items()}}
    assets = [Artifact(f"assets/{n}", d, f"assets/{n}") for n, d in named.items()]
    page = Artifact("notes/x/index.html", html.encode(), "records/x.json")
    return list(budget.faults([page, *assets], frozenset({GUIDE})))


def test_a_light_guide_has_no_fault() -> None:
    assert found(f"{HEAD}<h1>x</h1>") == []


def test_a_heavy_page_names_its_heaviest_parts() -> None:
    light = f"<h2>Light</h2>{noise(300, 'l')}"
    parts = "".join(f"<h2 id=x>Part {n} &amp; more</h2>{noise(n * 5000, str(n))}" for n in (1, 3, 2, 4))
    (problem,) = found(f"{HEAD}<h1>x</h1>{parts}{light}")
    assert (problem.code, problem.file, problem.pointer) == ("over-budget", "records/x.json", "")
    assert re.findall(r"“Part (\d) & more” [\d,]+", problem.message) == ["4", "3", "2"]
    assert "at most 15,000" in problem.message
    assert "Light" not in problem.message
    assert problem.remedy


def test_a_page_is_judged_by_its_packed_bytes_to_the_byte() -> None:
    html = HEAD
    while len(gzip.compress(html.encode(), 6)) < budget.HTML:
        html += noise(40, str(len(html)))
    size = len(gzip.compress(html.encode(), 6))
    assert [f"{size:,}" in p.message for p in found(html)] == [True] * (size > budget.HTML)
    assert found(html[: -(size - budget.HTML) * 2 - 2]) == []


@pytest.mark.parametrize(
    ("html", "files", "said"),
    [
        ("", {"s_css": noise(20_000).encode()}, "the style sheet weighs"),
        ("", {"a_woff2": noise(30_000).encode(), "b_woff2": noise(40_000, "b").encode()}, "the set of fonts weighs"),
        ('<img src="../../assets/f.svg">', {"f_svg": noise(60_000).encode()}, "the figure f.svg weighs"),
        ('<source srcset="../../assets/n.svg">', {"n_svg": noise(60_000).encode()}, "the figure n.svg weighs"),
        ('<img src="../../assets/p.png">', {"p_png": noise(500_000).encode()}, "heaviest files are p.png"),
        (
            "".join(f'<img src="../../assets/{n}.png">' for n in range(12)),
            {f"{n}_png": b"x" for n in range(12)},
            "15 requests",
        ),
    ],
)
def test_what_a_guide_loads_is_weighed(html: str, files: dict[str, bytes], said: str) -> None:
    problems = found(f"{HEAD}<h1>x</h1>{html}", **files)
    assert [p.code for p in problems] == ["over-budget"]
    assert said in problems[0].message
    assert all(p.remedy for p in problems)


def test_pages_that_no_record_has_are_not_judged() -> None:
    page = Artifact("index.html", noise(90_000).encode(), "index")
    assert list(budget.faults([page], frozenset())) == []


def test_the_limits_are_those_of_the_audit() -> None:
    said = (budget.HTML, budget.CSS, budget.FONTS, budget.SVG)
    assert said == tuple(checks.BUDGET[k] for k in ("document", "stylesheet", "font", "image/svg+xml"))
    assert (budget.GUIDE, budget.REQUESTS) == (checks.TOTAL_BUDGET, checks.REQUEST_BUDGET)


@given(st.binary(max_size=4000), st.integers(0, 4000))
def test_the_quick_weight_never_hides_a_heavy_file(data: bytes, limit: int) -> None:
    whole = checks.weigh(data)
    assert (budget.weigh(data, limit) > limit) == (whole > limit)


# What is packed


def tree(node: Node | None) -> list[Any]:
    """Return a parsed page without the blanks that no browser shows."""
    assert node is not None
    return [node.tag, sorted(node.attributes.items(), key=str), *_inside(node)]


def _inside(node: Node) -> Iterator[Any]:
    for child in node.iter(include_text=True):
        if child.tag != "-text":
            yield tree(child)
        elif child.text_content and child.text_content.strip():
            yield " ".join(child.text_content.split()) if node.tag != "code" else child.text_content


LEAVES = st.sampled_from(
    ["a b", "&lt;/li&gt;", "<b>x</b> ", "<pre>a\n\n\nb &lt;/li&gt;\n\n</pre>", "<pre><code>\n\n</code></pre>"]
)
WRAPPED = {
    "ul": ("<ul>\n", "<li>{}</li> ", "\n</ul>"),
    "dl": ("<dl>\n", "<div><dt>{}</dt>\n\n<dd>{}</dd></div>", "</dl>\n\n"),
    "sum": ("<dl>", "<dt>x</dt><dd>{}</dd>\n", "</dl>"),
    "table": ("<table><tbody>", "<tr><th>x</th> <td>{}</td></tr>\n", "</tbody></table>"),
}


def wrapped(items: list[str], kind: str) -> str:
    start, each, end = WRAPPED[kind]
    return start + "".join(each.replace("{}", item) for item in items) + end


LISTS = st.recursive(
    LEAVES,
    lambda inner: st.builds(wrapped, st.lists(inner, max_size=3), st.sampled_from(sorted(WRAPPED))),
    max_leaves=12,
)


@settings(deadline=None)
@given(st.lists(LISTS, max_size=4))
def test_a_packed_page_is_the_same_page(parts: list[str]) -> None:
    html = f"<!DOCTYPE html><main>{'<p>x</p>'.join(parts)}</main>\n\n<footer>x</footer>"
    packed = compact(html)
    assert len(packed) <= len(html)
    assert tree(Page(packed).root) == tree(Page(html).root)


def test_blank_lines_of_code_stay(tmp_path: Path) -> None:
    data = heron(body_markdown="```\na\n\n\nb </li>\n```\n\n- one\n- two\n")
    page = Page(built(tmp_path, data)["notes/heron/index.html"].decode())
    assert page.css_first("pre").text() == "a\n\n\nb </li>\n"  # type: ignore[union-attr]
    assert [n.text().strip() for n in page.css("main > ul:not([class]) > li")][:2] == ["one", "two"]


# The whole way


def too_heavy() -> dict[str, Any]:
    cells = [{"note": noise(3000, str(n)), "streams": Decimal(n)} for n in range(12)]
    return {**heron(), "long_context_cases": [{"title": f"case {n}", **cell} for n, cell in enumerate(cells)]}


def test_a_preview_shows_what_is_too_heavy_and_tells_so(tmp_path: Path) -> None:
    path = tmp_path / "records" / "heron.json"
    path.parent.mkdir()
    path.write_text(json_text(heron()))
    preview = Preview(Project(tmp_path), jobs=1)
    assert "too heavy" not in preview.rebuild().line
    assert serving.marks(preview.edition, HERON)["heavy"] == []
    path.write_text(json_text(too_heavy()))
    outcome = preview.rebuild([str(path)])
    assert outcome.problems == ()
    assert outcome.line.endswith("; too heavy to be published")
    assert preview.edition is not None
    assert b"Case 11" in preview.edition.files[f"{HERON[1:]}index.html"]
    assert {p.code for p in preview.edition.heavy} == {"over-budget"}
    told = serving.marks(preview.edition, HERON)["heavy"]
    assert len(told) == len(preview.edition.heavy)
    assert json.loads(preview.news())["heavy"] == len(told)
    path.write_text(json_text(heron()))
    assert "too heavy" not in preview.rebuild([str(path)]).line
    assert serving.marks(preview.edition, HERON)["heavy"] == []


def test_a_guide_over_budget_is_refused(tmp_path: Path) -> None:
    data = too_heavy()
    with pytest.raises(Rejected) as caught:
        built(tmp_path, data)
    (problem,) = {p for p in caught.value.problems if "index.md" not in p.message}
    assert problem.code == "over-budget"
    assert problem.file == "records/heron.json"
    assert "“Case" in problem.message


def test_the_shipped_guides_fit_on_a_german_site_too(tmp_path: Path) -> None:
    shutil.copytree(RESOURCES / "records", tmp_path / "records")
    shutil.copytree(RESOURCES / "assets", tmp_path / "assets")
    site = tmp_path / "records" / "site.yml"
    site.write_text(re.sub("(?m)^language: en$", "language: de", site.read_text("utf-8")), "utf-8")
    files, _ = site_files(Project(tmp_path), Options(cache=tmp_path / "cache"))  # refuses what is over
    pages = {p: d for p, d in files.items() if re.fullmatch(r"guides/[^/]+/index\.html", p)}
    assert len(pages) == 3 and all(b'<html lang="de">' in d for d in pages.values())
    assert all(len(gzip.compress(d, 6)) <= budget.HTML for d in pages.values())
