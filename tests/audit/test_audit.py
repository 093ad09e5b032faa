"""Every page of the project's own site, looked at by axe, by vnu and by a browser with an open eye.

Each check is first shown to fail on a page that deserves it, and to pass on one that does not.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.audit.checks import (
    FILTER,
    LOOKS,
    Scheme,
    Vnu,
    axe_faults,
    kinds_of,
    markup_faults,
    opened,
    own_script,
    pages_of,
    sideways_faults,
    visit_faults,
    watched,
    weight_faults,
)
from tests.audit.project import CSS, SVG, Folder, expect_none, guide_paths
from tests.browser import Serve, program

pytestmark = pytest.mark.audit

FOREIGN = '<img src="https://foreign.invalid/x.png" alt="x">'
DARK_ON_DARK = "@media (prefers-color-scheme: dark) { body { color: #222; background: #111; } }"


# The site


def test_the_site_has_its_guides(site: Path) -> None:
    guides = guide_paths()
    assert guides
    assert set(guides) <= set(pages_of(site))


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_axe_finds_nothing(
    site: Path, base: str, chromium: Browser, serve: Serve, axe_source: str, width: int, scheme: Scheme
) -> None:
    origin = serve(site, base)
    faults: dict[str, list[str]] = {}
    for path in kinds_of(site):
        with opened(chromium, origin + path, width, scheme, bypass_csp=True) as page:
            faults[path] = axe_faults(page, axe_source)
    expect_none(faults)


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_pages_stay_at_home_keep_silent_and_fit(
    site: Path, base: str, chromium: Browser, serve: Serve, width: int, scheme: Scheme
) -> None:
    origin = serve(site, base)
    faults: dict[str, list[str]] = {}
    for path in kinds_of(site):
        with watched(chromium, origin + path, width, scheme) as (page, visit):
            faults[path] = sideways_faults(page) + visit_faults(visit)
    expect_none(faults)


@pytest.mark.parametrize("width", (1280, 360))
def test_guides_keep_their_budget(site: Path, base: str, chromium: Browser, serve: Serve, width: int) -> None:
    origin = serve(site, base)
    faults: dict[str, list[str]] = {}
    for path in guide_paths():
        with watched(chromium, origin + path, width, "light") as (_, visit):
            faults[path] = weight_faults(visit)
    expect_none(faults)


def test_pages_have_no_script_but_their_own_and_no_inline_style(site: Path) -> None:
    names = sorted(f.relative_to(site).as_posix() for f in site.rglob("*.html"))
    own = {name: own_script(name) for name in names}
    expect_none({name: markup_faults((site / name).read_text("utf-8"), own[name]) for name in names})


def test_vnu_finds_nothing(site: Path, base: str, vnu: Vnu) -> None:
    expect_none({"vnu": vnu.faults(site, base)})


# The checks themselves


def test_a_sound_page_passes_every_check(
    folder: Folder, chromium: Browser, serve: Serve, axe_source: str, vnu: Vnu
) -> None:
    sound = folder()
    url = serve(sound) + "/"
    with opened(chromium, url, 320, "dark", bypass_csp=True) as page:
        assert axe_faults(page, axe_source) == []
    with watched(chromium, url, 320, "dark") as (page, visit):
        assert sideways_faults(page) + visit_faults(visit) + weight_faults(visit) == []
    assert markup_faults((sound / "index.html").read_text("utf-8")) == []
    assert vnu.faults(sound) == []


def test_a_site_below_a_path_is_at_home_there_and_nowhere_else(
    folder: Folder, chromium: Browser, serve: Serve, vnu: Vnu
) -> None:
    name = "a-name-so-long-that-the-checker-cuts-it-before-it-is-at-its-end.svg"
    based = folder(f'<img src="/base/{name}" alt="x">')
    (based / name).write_text(SVG, "utf-8")
    with watched(chromium, serve(based, "/base/") + "/", 360, "light") as (_, visit):
        assert visit_faults(visit) == []
    with watched(chromium, serve(based) + "/", 360, "light") as (_, visit):
        assert f"/base/{name}" in "\n".join(visit_faults(visit))
    assert vnu.faults(based, "/base/") == []
    assert "img-src" in "\n".join(vnu.faults(based))


@pytest.mark.parametrize(
    ("body", "css", "rule"),
    [
        pytest.param('<img src="icon.svg">', CSS, "image-alt", id="image-alt"),
        pytest.param("<details><summary>x</summary><a href='#a'></a></details>", CSS, "link-name", id="folded"),
        pytest.param("<h5>Too deep</h5>", CSS, "heading-order", id="best-practice"),
        pytest.param("", CSS + DARK_ON_DARK, "color-contrast", id="dark"),
    ],
)
def test_axe_sees(
    folder: Folder, chromium: Browser, serve: Serve, axe_source: str, body: str, css: str, rule: str
) -> None:
    url = serve(folder(body, css)) + "/"
    with opened(chromium, url, 360, "dark", bypass_csp=True) as page:
        assert [fault.split(":")[0] for fault in axe_faults(page, axe_source)] == [f"axe {rule}"]


@pytest.mark.parametrize(
    ("body", "css", "svg", "said"),
    [
        pytest.param("<p><i><b>x</i></b></p>", CSS, SVG, "index.html: error", id="page-error"),
        pytest.param("<section><p>x</p></section>", CSS, SVG, "index.html: warning", id="page-warning"),
        pytest.param("", "p { colour: red; }", SVG, "style.css: error", id="style-sheet"),
        pytest.param("", CSS, SVG.replace("<circle", "<sircle"), "icon.svg: error", id="picture"),
        pytest.param(FOREIGN, CSS, SVG, "img-src", id="foreign"),
        pytest.param('<img src="nowhere.png" alt="x">', CSS, SVG, "img-src", id="no-such-file"),
        pytest.param('<img src="../../secret.png" alt="x">', CSS, SVG, "img-src", id="outside"),
    ],
)
def test_vnu_sees(folder: Folder, vnu: Vnu, body: str, css: str, svg: str, said: str) -> None:
    assert said in "\n".join(vnu.faults(folder(body, css, svg)))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        pytest.param(FOREIGN, "foreign request: https://foreign.invalid/x.png", id="foreign"),
        pytest.param(FOREIGN, "violates the following Content Security Policy", id="policy"),
        pytest.param('<img src="nowhere.png" alt="x" loading="lazy">', "404 http://127.0.0.1", id="lazy-404"),
        pytest.param("<script>let x</script>", "violates the following Content Security Policy", id="script"),
    ],
)
def test_a_visit_sees(folder: Folder, chromium: Browser, serve: Serve, body: str, said: str) -> None:
    with watched(chromium, serve(folder(body)) + "/", 360, "light") as (_, visit):
        assert said in "\n".join(visit_faults(visit))


def test_a_visit_sees_a_request_that_a_loose_policy_lets_through(
    folder: Folder, chromium: Browser, serve: Serve
) -> None:
    loose = folder(FOREIGN)
    page_file = loose / "index.html"
    page_file.write_text(page_file.read_text("utf-8").replace("Content-Security-Policy", "x-nothing"), "utf-8")
    with watched(chromium, serve(loose) + "/", 360, "light") as (_, visit):
        assert "foreign request: https://foreign.invalid/x.png" in visit_faults(visit)


def test_a_wide_element_in_closed_details_is_seen(folder: Folder, chromium: Browser, serve: Serve) -> None:
    wide = folder('<details><summary>x</summary><p class="w">x</p></details>', CSS + ".w { width: 500px; }")
    with opened(chromium, serve(wide) + "/", 360, "light") as page:
        assert "p.w" in sideways_faults(page)[0]


def test_each_budget_can_be_exceeded(folder: Folder, chromium: Browser, serve: Serve) -> None:
    noise = "".join(f"<!-- {n * n * 7919:x} -->" for n in range(8000))
    pictures = "".join(f'<img src="icon.svg?{n}" alt="x">' for n in range(14))
    heavy = folder(noise + pictures, f"/* {noise} */", f"{SVG}{noise}")
    with watched(chromium, serve(heavy) + "/", 360, "light") as (_, visit):
        faults = weight_faults(visit)
    assert [fault.split(" weighs ")[0] for fault in faults[:3]] == ["document", "stylesheet", "/icon.svg"]
    assert faults[-2].startswith("the whole page weighs")
    assert faults[-1].endswith("requests, at most 14")


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<p style='color: red'>", "line 1: <p> has style="),
        ("<p>\n<script src='x.js'></script>", "line 2: <script> is a script"),
        ("<body onload='x()'>", "line 1: <body> has onload="),
    ],
)
def test_markup_sees(html: str, said: str) -> None:
    assert markup_faults(html) == [said]


@pytest.mark.parametrize(
    ("ci", "outcome"), [("true", pytest.fail.Exception), ("", pytest.skip.Exception)], ids=["ci", "person"]
)
def test_a_missing_program_skips_for_a_person_and_fails_in_ci(
    monkeypatch: pytest.MonkeyPatch, ci: str, outcome: type[Exception]
) -> None:
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="Java is missing: apt-get install it"):
        program(("no-such-program",), "Java", "apt-get install it")


def test_markup_accepts_the_one_script_of_a_page_and_no_other() -> None:
    own = "<script src='../assets/filter.0123456789.js' defer></script>"
    assert markup_faults(own, FILTER) == []
    for other in (own, own.replace("filter", "other"), own.replace("../", "https://x.example/"), "<script>1</script>"):
        assert markup_faults(other, FILTER if other != own else "") == ["line 1: <script> is a script"]


def test_markup_accepts_structured_data() -> None:
    assert markup_faults('<script type="application/ld+json">{"a": "<p style=x>"}</script>') == []


def test_of_each_kind_of_page_the_heaviest_is_looked_at(tmp_path: Path) -> None:
    guides = [f"guides/{n}/{below}" for n in "ab" for below in ("", "claims/", "claims/2/", "claims/3/")]
    lists = ["", "by/model/", "by/question/", "with/model/x/", "with/model/y/", "sources/", "sources/2/", "sources/3/"]
    for size, path in enumerate([*guides, *lists]):
        (tmp_path / path).mkdir(parents=True, exist_ok=True)
        (tmp_path / path / "index.html").write_text("x" * size)
    for guide in "ab":
        (tmp_path / "guides" / guide / "record.json").write_text("{}")
    (tmp_path / "404.html").write_text("x")
    looked_at = ["/guides/a/", "/guides/b/", "/guides/b/claims/", "/guides/b/claims/3/", "/", "/by/model/"]
    looked_at += ["/by/question/", "/with/model/y/", "/sources/", "/sources/3/", "/404.html"]
    assert kinds_of(tmp_path) == sorted(looked_at)
    assert len(pages_of(tmp_path)) == len(guides) + len(lists) + 1
