"""`new`: a guide to be and a site to be are sound from the first moment."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from site_src.cli import CONTENT, DONE, SURROUNDINGS, USAGE, main
from site_src.project import RESOURCES
from site_src.schema import record_schema
from site_src.skeleton import scalar

LINK = "https://github.com/example-lab/runs/blob/3c9f2d1b7a6e5d4c3b2a19087f6e5d4c3b2a1908/RESULTS.md"


@pytest.fixture
def site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    folder = tmp_path / "notes"
    assert main(["new", "site", str(folder)]) == DONE
    assert "three invented examples" in capsys.readouterr().out
    return folder


def test_a_new_site_builds_strictly_at_once(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--strict", "--project", str(site)]) == DONE
    assert "3 records, 4 findings (4 acknowledged)" in capsys.readouterr().out
    page = (site / "_site" / "guides" / "example-memory" / "index.html").read_text("utf-8")
    assert "not reported" in page
    assert "21.30" in page
    assert "is an example, and nothing on it was measured" in page


def test_every_example_says_that_it_is_one(site: Path) -> None:
    records = [p for p in (site / "records").iterdir() if p.suffix in {".json", ".yml"} and p.name.count(".") == 1]
    shown = [p for p in records if p.stem != "site"]
    assert len(shown) == 3
    for path in shown:
        text = path.read_text("utf-8")
        data = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
        assert data["title"].startswith("Example: ")
        assert all("invented" in source["publisher"] for source in data["sources"])
        assert all(source["pinned_url"].startswith("https://example.org/invented/") for source in data["sources"])


def test_a_new_site_holds_what_editors_and_the_workflow_read(site: Path) -> None:
    schema = (site / "record.schema.json").read_text("utf-8")
    assert schema == record_schema()
    Draft202012Validator.check_schema(json.loads(schema))
    example = json.loads((site / "records" / "example-rates.json").read_text("utf-8"))
    assert (site / "records" / example["$schema"]).resolve() == site / "record.schema.json"
    for name in ("example-memory.yml", "example-failure.yml"):
        first = (site / "records" / name).read_text("utf-8").splitlines()[0]
        assert (site / "records" / first.partition("$schema=")[2]).resolve() == site / "record.schema.json"
    workflow = yaml.safe_load((site / ".github" / "workflows" / "pages.yml").read_text("utf-8"))
    runs = [step.get("run", "") for step in workflow["jobs"]["build"]["steps"]]
    assert "pinpress build --strict" in runs
    for run in runs:
        words = run.split()
        if words[:1] == ["pinpress"]:
            assert main([*words[1:], "--project", str(site)]) == DONE
    for name, jobs in _pipelines(site).items():
        for words in (run.split() for run in jobs if run.startswith("pinpress ")):
            assert main([*words[1:], "--project", str(site), "-q", *_inside(site, words)]) == DONE, (name, words)
    json.loads((site / ".vscode" / "settings.json").read_text("utf-8"))


def _pipelines(site: Path) -> dict[str, list[str]]:
    """Return the commands that other hosts run on a new site."""
    gitlab = yaml.safe_load((site / ".gitlab-ci.yml").read_text("utf-8"))
    netlify = tomllib.loads((site / "netlify.toml").read_text("utf-8"))
    assert gitlab["pages"]["artifacts"]["paths"] == ["public"]
    assert netlify["build"]["publish"] == "_site"
    return {
        "check": gitlab["check"]["script"],
        "pages": gitlab["pages"]["script"],
        "netlify": netlify["build"]["command"].split(" && "),
    }


def _inside(site: Path, words: list[str]) -> list[str]:
    """Return where a command writes, if it names a folder: hosts run it in the project."""
    return ["--out", str(site / words[words.index("--out") + 1])] if "--out" in words else []


def test_the_schema_accepts_the_examples_and_refuses_a_wrong_type(site: Path) -> None:
    validator = Draft202012Validator(json.loads(record_schema()))
    example = json.loads((site / "records" / "example-rates.json").read_text("utf-8"))
    assert list(validator.iter_errors(example)) == []
    assert list(validator.iter_errors({**example, "title": 7})) != []


def test_the_schema_hint_is_not_shown_on_the_page(site: Path) -> None:
    assert main(["build", "-q", "--project", str(site)]) == DONE
    page = (site / "_site" / "guides" / "example-rates" / "audit" / "index.html").read_text("utf-8")
    assert "schema.json" not in page.replace("schema/record.json", "")


def test_no_folder_with_files_is_written_into(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(site.rglob("*"))
    assert main(["new", "site", str(site)]) == SURROUNDINGS
    assert "not empty. Nothing was written." in capsys.readouterr().err
    assert sorted(site.rglob("*")) == before


def test_a_new_guide_is_a_sound_draft_that_cannot_be_published_unread(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begun = ["new", "guide", "heron", "--title", "Heron: a 3.10 title", "--project", str(site)]
    assert main([*begun, "--source", LINK, "--source", LINK.replace("RESULTS", "notes/RESULTS")]) == DONE
    record = site / "records" / "heron.yml"
    assert main(["fmt", "--check", "--project", str(site)]) == DONE
    assert main(["build", "--drafts", "--project", str(site)]) == DONE
    assert (site / "_site" / "guides" / "heron" / "index.html").is_file()
    assert "left out" not in capsys.readouterr().out
    assert main(["build", "--strict", "--project", str(site)]) == DONE
    assert "1 draft is left out: heron. Drafts are shown by preview" in capsys.readouterr().out
    assert not (site / "_site" / "guides" / "heron").exists()
    data = yaml.safe_load(record.read_text("utf-8"))
    assert data["title"] == "Heron: a 3.10 title"
    assert [s["document_id"] for s in data["sources"]] == sorted({s["document_id"] for s in data["sources"]})
    record.write_text(record.read_text("utf-8").replace("draft: true\n", ""))
    capsys.readouterr()
    assert main(["build", "--project", str(site)]) == CONTENT
    assert "the zeros stand for bytes that nobody has read  [malformed-sha256]" in capsys.readouterr().err


def test_what_nobody_has_written_is_told_at_its_place_and_stops_a_strict_build(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begun = ["new", "guide", "heron", "--title", "Heron", "--source", LINK, "--project", str(site)]
    assert main(begun) == DONE
    capsys.readouterr()
    assert main(["check", "--strict", "--project", str(site)]) == CONTENT
    assert "unwritten" not in capsys.readouterr().err, "a draft may be unfinished"
    record = site / "records" / "heron.yml"
    record.write_text(record.read_text("utf-8").replace("draft: true\n", "").replace("0" * 64, "0f" * 32))
    capsys.readouterr()
    assert main(["check", "-v", "--project", str(site)]) == DONE
    assert "records/heron.yml  left-unwritten: 2" in capsys.readouterr().out
    assert main(["build", "--strict", "--project", str(site)]) == CONTENT
    said = capsys.readouterr().err
    places = re.findall(r"^(records/heron\.\w+:\d+):\d+  (.+) was left unwritten: .+  \[left-unwritten\]$", said, re.M)
    lines = record.read_text("utf-8").splitlines()
    at = {key: n for n, line in enumerate(lines, 1) for key in ("summary", "answer") if line.startswith(f"{key}:")}
    assert dict(places) == {
        "records/heron.md:1": "the body",
        **{f"records/heron.yml:{line}": key for key, line in at.items()},
    }


def test_a_guide_is_never_written_over(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begun = ["new", "guide", "example-rates", "--title", "T", "--source", LINK, "--project", str(site)]
    assert main(begun) == SURROUNDINGS
    assert "records/example-rates.json is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["a.b", "--title", "T", "--source", LINK], USAGE, "a.b is no id"),
        (["../up", "--title", "T", "--source", LINK], USAGE, "../up is no id"),
        (["heron", "--source", LINK], USAGE, "needs a title and a source"),
        (["heron", "--title", "T"], USAGE, "needs a title and a source"),
        (["heron", "--title", "T", "--source", "no link"], CONTENT, "neither a web address"),
        (["heron", "--title", "T", "--source", LINK.replace("3c9f2d1b7a6e5d4c3b2a19087f6e5d4c3b2a1908", "main")],
         CONTENT, "'main' can move"),
    ],
)  # fmt: skip
def test_what_a_guide_cannot_be_made_from_is_told(site: Path, words: list[str], code: int, told: str) -> None:
    command = [sys.executable, str(RESOURCES / "build.py"), "new", "guide", *words, "--project", str(site)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert (done.returncode, told in done.stderr) == (code, True), done.stderr
    assert not list((site / "records").glob("heron*"))


@pytest.mark.parametrize("text", ["3.10", "no", "null", "a: b", "# x", "- a", "plain words", "", "a\nb", "Λ 'q' \"q\""])
def test_a_text_stays_that_text_in_yaml(text: str) -> None:
    from site_src.parse import yaml_data

    assert yaml_data(f"key: {scalar(text)}\n", "") == {"key": text}
