"""What the program tells of itself and of the machine, and the formats that other programs read."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator

from site_src import doctor_cli
from site_src.cli import CONTENT, DONE, main
from site_src.project import RESOURCES
from site_src.serial import json_text
from tests.records import sound

SARIF = RESOURCES / "tests" / "schemas" / "sarif-2.1.0-rtm.5.json"


def test_everything_a_build_needs_is_here_as_locked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == DONE
    out = capsys.readouterr().out
    assert "0 amiss" in out
    for name in ("Python", "jinja2", "matplotlib", "fonts", "git", "chromium", "java", "npm"):
        assert f"\n{name} " in f"\n{out}"
    assert main(["doctor", "--json"]) == DONE
    assert {look["name"] for look in json.loads(capsys.readouterr().out)} >= {"Python", "jinja2"}


def test_a_package_of_another_version_or_none_is_amiss() -> None:
    told = {look.name: look for look in doctor_cli.packages({"jinja2", "no-such-package"}, {"jinja2": "0.1"})}
    assert told["jinja2"].found.endswith(", locked is 0.1")
    assert told["no-such-package"].found == "missing"
    assert all(look.remedy and look.needed for look in told.values())
    (unlocked,) = doctor_cli.packages({"jinja2"}, {})
    assert (unlocked.remedy, unlocked.found.endswith(", no lock beside it")) == ("", True)


def test_a_build_without_a_program_is_a_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    looks = {look.name: look for look in doctor_cli.looks()}
    assert looks["git"].found == "missing"
    assert not looks["git"].needed
    assert main(["doctor", "-q"]) == DONE


def test_what_is_amiss_ends_with_4(tmp_path: Path) -> None:
    """A copy of the program whose lock names another version, and which has no fonts."""
    shutil.copytree(RESOURCES / "site_src", tmp_path / "site_src", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "uv.lock").write_text('[[package]]\nname = "jinja2"\nversion = "0.1"\n')
    command = [sys.executable, "-m", "site_src", "doctor"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 4, done.stderr
    assert "locked is 0.1. Run make setup" in done.stdout
    assert "missing: fonts/inter-400.woff2" in done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_shells_complete_commands_and_options(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == DONE
    out = capsys.readouterr().out
    assert all(word in out for word in ("preview", "strict", "verify", "doctor"))
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=out, text=True, check=True)


def faults(log: Any) -> list[str]:
    return [error.message for error in Draft4Validator(json.loads(SARIF.read_text("utf-8"))).iter_errors(log)]


@pytest.mark.parametrize("is_sound", [True, False])
def test_sarif_is_what_the_standard_asks_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, is_sound: bool
) -> None:
    (tmp_path / "records").mkdir()
    text = json_text({**sound(), "path": "/notes/brook/" if is_sound else "notes"})
    (tmp_path / "records" / "brook.json").write_text(text)
    (tmp_path / "records" / "a b%.txt").write_text("x") if not is_sound else None
    code = main(["check", "--format", "sarif", "--project", str(tmp_path)])
    captured = capsys.readouterr()
    log = json.loads(captured.out)
    assert code == (DONE if is_sound else CONTENT)
    assert faults(log) == []
    assert bool(log["runs"][0]["results"]) is not is_sound
    if is_sound:
        assert "1 record" in captured.err


def test_the_schema_of_sarif_refuses_what_is_none() -> None:
    assert faults({"version": "2.1.0"}) != []
    assert faults({"version": "2.1.0", "runs": [{"tool": {}}]}) != []


def test_the_hook_of_pre_commit_is_one() -> None:
    hooks = RESOURCES / ".pre-commit-hooks.yaml"
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(hooks)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_hook_without_an_entry_is_none(tmp_path: Path) -> None:
    (tmp_path / "hooks.yaml").write_text("- id: x\n  name: x\n  language: python\n")
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(tmp_path / "hooks.yaml")]
    assert subprocess.run(command, capture_output=True, check=False).returncode != 0


def test_every_field_of_the_schema_has_a_description() -> None:
    from site_src.schema import record_schema

    schema = json.loads(record_schema())
    parts = {"Record": schema, **schema["$defs"]}
    fields = [(part, name, field) for part, held in parts.items() for name, field in held.get("properties", {}).items()]
    assert len(fields) > 100
    assert [(part, name) for part, name, field in fields if not field.get("description")] == []


@pytest.mark.parametrize(
    "variables", [{"NO_COLOR": "1"}, {"PYTHONIOENCODING": "ascii"}, {"COLUMNS": "20", "LC_ALL": "C"}]
)
def test_any_terminal_is_good_enough(tmp_path: Path, variables: dict[str, str]) -> None:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "brook.json").write_text(json_text({**sound(), "path": "Λάννερ"}), "utf-8")
    command = [sys.executable, str(RESOURCES / "build.py"), "check", "--project", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, env={"PATH": "/usr/bin", **variables}, check=False)
    assert done.returncode == CONTENT
    assert b"\x1b" not in done.stdout + done.stderr
    assert b"1 problem in 1 file" in done.stderr
