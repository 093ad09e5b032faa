"""The command line: exit codes, and the sentences a person reads."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from site_src.cli import CONTENT, DONE, INTERRUPTED, SURROUNDINGS, USAGE, main
from site_src.project import RESOURCES, Project
from site_src.serial import json_text
from tests.records import sound

BUILD = str(RESOURCES / "build.py")
# Figures enough to be stopped on the way.
_MANY = 24


@pytest.fixture
def one_record(tmp_path: Path) -> Path:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "brook.json").write_text(json_text(sound()))
    return tmp_path


def test_build_writes_the_site_and_says_so(one_record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--project", str(one_record)]) == DONE
    out = capsys.readouterr().out
    pages = len(list((one_record / "_site").rglob("*.html")))
    assert out.startswith(f"1 record, 0 findings, {pages} pages, 1 figures (1 drawn, 0 reused) in ")
    assert (one_record / "_site" / "notes" / "brook" / "index.html").is_file()
    assert main(["build", "-q", "--project", str(one_record)]) == DONE
    assert capsys.readouterr().out == ""


def test_check_writes_nothing(one_record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(one_record.rglob("*"))
    assert main(["check", "--strict", "--project", str(one_record)]) == DONE
    assert sorted(one_record.rglob("*")) == before
    assert "1 record, 0 findings checked" in capsys.readouterr().out


def test_strict_makes_findings_problems_and_check_lists_them(
    copied: Callable[[str], Project], capsys: pytest.CaptureFixture[str]
) -> None:
    root = str(copied("other").root)
    assert main(["check", "-v", "--project", root]) == DONE
    assert "records/kestrel-burst.yml  mutable-source: 1" in capsys.readouterr().out
    assert main(["check", "--strict", "--project", root]) == CONTENT
    err = capsys.readouterr().err
    assert "[mutable-source]" in err
    assert "4 problems in 2 files. Nothing was written" in err


def test_acknowledged_findings_pass_strict_and_stand_on_the_page(
    copied: Callable[[str], Project], tmp_path: Path
) -> None:
    root = copied("other").root
    reason = "The owner never keeps a fixed copy."
    for name, codes in {
        "kestrel-burst": ["duplicated-observation", "mutable-source"],
        "lanner": ["mutable-source"],
    }.items():
        places = {"duplicated-observation": "/memory_observations/*", "mutable-source": "/sources/*"}
        entries = [f"- code: {c}\n  pointer: {places[c]}\n  reason: {reason}\n  date: 2025-04-01\n" for c in codes]
        extra = "- {code: uncited-source, pointer: /sources/0, reason: A plan., date: 2025-04-01}\n"
        (root / "records" / f"{name}.audit.yml").write_text("".join(entries) + extra * (name == "lanner"))
    assert main(["build", "--strict", "--project", str(root), "--out", str(tmp_path / "out")]) == DONE
    page = (tmp_path / "out" / "boxes" / "kestrel-burst" / "index.html").read_text()
    assert page.count(reason) == 2
    assert "1 Apr 2025" in page


def test_drafts_are_left_out_unless_asked_for(one_record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draft = {**sound(), "id": "later", "path": "/notes/later/", "draft": True}
    (one_record / "records" / "later.json").write_text(json_text(draft))
    assert main(["build", "--project", str(one_record)]) == DONE
    assert not (one_record / "_site" / "notes" / "later").exists()
    assert "later" not in (one_record / "_site" / "index.html").read_text()
    assert main(["build", "--drafts", "--explain", "--project", str(one_record)]) == DONE
    assert (one_record / "_site" / "notes" / "later" / "index.html").is_file()
    out = capsys.readouterr().out
    assert "drawn   later-hero.webp: " in out
    assert "reused  brook-hero.webp: " in out


def test_a_missing_folder_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--project", str(tmp_path)]) == SURROUNDINGS
    assert "has no folder records/" in capsys.readouterr().err


def test_a_foreign_output_folder_is_refused(one_record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--project", str(one_record), "--out", str(one_record / "records")]) == SURROUNDINGS
    assert "no manifest of pinpress" in capsys.readouterr().err
    assert [p.name for p in (one_record / "records").iterdir()] == ["brook.json"]


@pytest.mark.parametrize(
    "argv", [[], ["bild"], ["build", "--jobs", "0"], ["build", "--jobs", "²"], ["check", "--format", "xml"]]
)
def test_usage_errors(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(argv)
    assert stopped.value.code == USAGE
    assert "usage:" in capsys.readouterr().err


def test_schema_is_the_published_one(one_record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == DONE
    printed = capsys.readouterr().out
    main(["build", "--project", str(one_record)])
    assert (one_record / "_site" / "schema" / "record.json").read_text() == printed
    schema = json.loads(printed)
    assert schema["properties"]["title"]["description"]
    described = [p for d in [schema, *schema["$defs"].values()] for p in d["properties"].values()]
    assert all("description" in p for p in described)


def test_figures_lists_the_hashes_of_the_built_images(one_record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figures", "--project", str(one_record)]) == DONE
    digest, record, name = capsys.readouterr().out.split()
    assert (record, name) == ("brook", "brook-hero.webp")
    main(["build", "--project", str(one_record)])
    manifest = json.loads((one_record / "_site" / "manifest.json").read_text())
    assert {"assets/brook-hero.webp": digest}.items() <= {e["path"]: e["sha256"] for e in manifest["outputs"]}.items()


def test_missing_packages_are_said_in_one_line(one_record: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-S", "-E", BUILD, "check", "--project", str(one_record)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == SURROUNDINGS
    assert run.stderr.count("\n") == 1
    assert "make setup" in run.stderr


def test_ctrl_c_is_130_and_keeps_the_last_site(one_record: Path) -> None:
    main(["build", "-q", "--project", str(one_record)])
    before = (one_record / "_site" / "manifest.json").read_bytes()
    subprocess.run(["rm", "-rf", str(one_record / ".cache")], check=True)
    code = (
        "import os, signal, sys, site_src.drawing as d\nfrom site_src.cli import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a parent may have left it ignored
        "d._draw = lambda *a: os.kill(os.getpid(), signal.SIGINT)\n"
        f"sys.exit(main(['build', '--project', {str(one_record)!r}]))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=RESOURCES, capture_output=True, text=True, check=False)
    assert run.returncode == INTERRUPTED
    assert "Stopped." in run.stderr
    assert "Traceback" not in run.stderr
    assert (one_record / "_site" / "manifest.json").read_bytes() == before
    assert signal.SIGINT in signal.Signals


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_loses_no_figure_that_is_drawn(one_record: Path, jobs: int) -> None:
    text = (one_record / "records" / "brook.json").read_text("utf-8")
    for number in range(1, _MANY):
        (one_record / "records" / f"brook{number}.json").write_text(text.replace("brook", f"brook{number}"), "utf-8")
    words = ["build", "--jobs", str(jobs), "--project", str(one_record)]
    code = (
        "import signal, sys\nfrom site_src.cli import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"sys.exit(main({words!r}))"
    )
    command = [sys.executable, "-c", code]
    # As a terminal does it: the signal goes to every process that draws, too.
    with subprocess.Popen(command, cwd=RESOURCES, stderr=subprocess.PIPE, text=True, start_new_session=True) as run:
        assert run.stderr is not None
        assert run.stderr.readline() == f"10 of {_MANY} records made, 10 figures drawn, 0 reused\n"
        os.killpg(run.pid, signal.SIGINT)
        said = run.stderr.read()
    assert run.returncode == INTERRUPTED, said
    assert said == "Stopped. The last site is as it was.\n"
    kept = len([*(one_record / ".cache" / "figures").iterdir()])
    assert 10 <= kept < _MANY
    again = subprocess.run([sys.executable, BUILD, *words], capture_output=True, text=True, check=True)
    assert f"{_MANY} figures ({_MANY - kept} drawn, {kept} reused)" in again.stdout


def test_a_closed_pipe_is_no_traceback(one_record: Path) -> None:
    command = f"{sys.executable} {BUILD} schema | head -c 1"
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, env=os.environ)
    assert run.stderr == ""


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_a_narrow_encoding_ends_no_report(form: str, tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "brook.json").write_text('{"title": "K\u00e4lte \U0001f989", nein}', "utf-8")
    run = subprocess.run(
        [sys.executable, BUILD, "check", "--format", form, "--project", str(tmp_path)],
        env={**os.environ, "PYTHONIOENCODING": "ascii:strict"},
        capture_output=True,
        check=False,
    )
    assert run.returncode == CONTENT, run.stderr
    assert b"broken-json" in run.stdout + run.stderr
    assert form not in {"json", "sarif"} or json.loads(run.stdout)
