"""An editor's session on a real terminal: questions, keys, reasons, and relations declared on the way."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml

from site_src import edit
from site_src.exits import CONTENT, DONE, INTERRUPTED
from site_src.project import RESOURCES, Project
from tests.claim_samples import LOCK, claims, codes, project, record

pytest.importorskip("termios")
TIMEOUT = 60
DIFFERENCE = "After the run 7.52 GiB of memory were free and 81.30 GiB were used, a gap of 73.78 GiB."


class Session:
    """A `bind` that runs on a pseudo-terminal; `said` is all it has written so far."""

    def __init__(self, root: Path, *argv: str) -> None:
        self.master, slave = os.openpty()
        code = (
            "import signal, sys\nfrom site_src.cli import main\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a parent may have left it ignored
            "sys.exit(main(sys.argv[1:]))"
        )
        command = [sys.executable, "-c", code, "bind", "--project", str(root), *argv]
        self.process = subprocess.Popen(command, cwd=RESOURCES, stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)
        self.said, self.at = "", 0

    def until(self, text: str) -> str:
        """Read until a text appears after the last one waited for; return what stood before it."""
        while (found := self.said.find(text, self.at)) < 0:
            assert self._read(), f"ended before “{text}”: {self.said}"
        before, self.at = self.said[self.at : found], found + len(text)
        return before

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def end(self) -> int:
        """Read to the end and return the exit code."""
        while self._read():
            pass
        return self.process.wait(TIMEOUT)

    def _read(self) -> bool:
        ready, _, _ = select.select([self.master], [], [], TIMEOUT)
        assert ready, f"nothing more was said after: {self.said}"
        try:
            data = os.read(self.master, 65536)
        except OSError:  # Linux says so when the other side is closed.
            return False
        self.said += data.decode().replace("\r\n", "\n")
        return bool(data)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)


@pytest.fixture
def sessions() -> Iterator[Any]:
    """Return what starts sessions; they are closed at the end."""
    started: list[Session] = []

    def start(root: Path, *argv: str) -> Session:
        started.append(Session(root, *argv))
        return started[-1]

    yield start
    for session in started:
        session.close()


def test_one_key_chooses_a_field(tmp_path: Path, sessions: Any) -> None:
    found = project(tmp_path, record("It was 4 of them. The first token came after 4.71 s."))
    session = sessions(tmp_path)
    session.until("records/tarn.json body   (1 of 1)\n  It was [4] of them.\n")
    shown = session.until("q stop\n")
    assert "1  4  /reported_results/0/conditions/concurrency\n" in shown
    assert "2  4  /reported_results/1/conditions/concurrency\n" in shown
    assert "drafting off; Repetitions: 3; Wall: 41.75 s\n" in shown
    session.press("x?2")  # Keys that answer nothing are passed over.
    assert session.end() == DONE
    assert f"{LOCK}: 2 of 2 numbers have a class, 0 open; written\n" in session.said
    four = claims(found)[0]
    assert (four["class"], four["pointer"], four["row"]) == (
        "claim",
        "/reported_results/1/conditions/concurrency",
        "drafting on",
    )
    assert codes(found) == []


def test_stopping_keeps_the_answers(tmp_path: Path, sessions: Any) -> None:
    found = project(tmp_path, record("It was 4 of them.\n\nThere were 12 more.\n\nAnd 13 at last."))
    session = sessions(tmp_path)
    session.until("(1 of 3)")
    session.until("q stop\n")
    session.press("1")
    session.until("(2 of 3)")
    session.until("q stop\n")
    session.press("q")
    assert session.end() == CONTENT
    assert "1 of 3 numbers have a class, 2 open; written" in session.said
    assert [line["class"] for line in claims(found)] == ["claim", "open", "open"]


def test_reasons_names_and_what_is_left_open(tmp_path: Path, sessions: Any) -> None:
    found = project(
        tmp_path, record("On page 12 it says so.\n\nWith 13 boxes.\n\nOn the QX9.\n\nIn room 14.\n\nBy 15.")
    )
    session = sessions(tmp_path)
    for keys, line in (("p", "a page of the paper\n"), ("c", "boxes in the photograph\n"), ("n", ""), ("p", "\n")):
        session.until("q stop\n")
        session.press(keys)
        if line:
            session.until("Why it needs no field: ")
            session.press(line)
    session.until("q stop\n")
    session.press("s")
    assert session.end() == CONTENT
    assert [(line["class"], line.get("reason")) for line in claims(found)] == [
        ("plain", "a page of the paper"),
        ("count", "boxes in the photograph"),
        ("name", None),
        ("open", None),
        ("open", None),
    ]
    # The name is not in the lexicon yet, and check says so.
    assert codes(found) == ["claim-class", "claim-open", "claim-open"]
    (tmp_path / "records" / "site.yml").write_text("lexicon: [QX9]\n")
    assert codes(found) == ["claim-open", "claim-open"]


def test_a_number_with_a_unit_is_offered_no_cheap_class(tmp_path: Path, sessions: Any) -> None:
    project(tmp_path, record("It took 99 s."))
    session = sessions(tmp_path)
    assert session.until("q stop\n").endswith("    s leave open · ")
    session.press("npcs")
    assert session.end() == CONTENT


def test_a_sentence_whose_words_changed_is_confirmed_by_one_key(tmp_path: Path, sessions: Any) -> None:
    body = "After the run 7.52 GiB of memory were free and 81.30 GiB were used."
    found = project(tmp_path, record(body))
    assert sessions(tmp_path).end() == DONE
    project(tmp_path, record(body.replace("After", "At the end of")))
    session = sessions(tmp_path)
    session.until("(1 of 1)\n  At the end of the run [7.52] GiB of memory were free and [81.30] GiB were used.\n")
    shown = session.until("q stop\n")
    assert "7.52  was bound to /reported_results/2/value  memory left\n" in shown
    assert "81.30  was bound to /reported_results/3/value  memory taken\n" in shown
    session.press("y")
    assert session.end() == DONE
    assert codes(found) == []


def test_each_number_of_a_changed_sentence_may_be_asked_for(tmp_path: Path, sessions: Any) -> None:
    body = "The batch of four had 4.71 s to wait for its first token."
    found = project(tmp_path, record(body))
    assert sessions(tmp_path).end() == DONE
    project(tmp_path, record(body.replace("had", "had, they say,")))
    session = sessions(tmp_path)
    session.until("q stop\n")
    session.press("e")
    assert "y keep /reported_results/0/conditions/concurrency" in session.until("q stop\n")
    session.press("1")
    assert "y keep /reported_results/4/value" in session.until("q stop\n")
    session.press("y")
    assert session.end() == DONE
    assert [line["pointer"] for line in claims(found)] == [
        "/reported_results/1/conditions/concurrency",
        "/reported_results/4/value",
    ]
    assert codes(found) == []


class _Dumper(yaml.SafeDumper):
    """Decimals as plain numbers."""


def _number(dumper: yaml.SafeDumper, value: Decimal) -> yaml.Node:
    written = format(value, "f")
    return dumper.represent_scalar(f"tag:yaml.org,2002:{'float' if '.' in written else 'int'}", written)


_Dumper.add_representer(Decimal, _number)


def as_yaml(found: Project) -> Path:
    """Turn the record of a project into YAML."""
    path = found.root / "records" / "tarn.json"
    data = json.loads(path.read_text("utf-8"), parse_float=Decimal, parse_int=Decimal)
    path.unlink()
    path = path.with_suffix(".yml")
    path.write_text(f"# kept\n{yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True)}", "utf-8")
    return path


@pytest.mark.parametrize("kind", ["json", "yaml"])
@pytest.mark.parametrize("declared", [True, False], ids=["beside others", "the first"])
def test_arithmetic_is_declared_in_the_record_and_proved(
    kind: str, declared: bool, tmp_path: Path, sessions: Any
) -> None:
    data = record(DIFFERENCE)
    if not declared:
        del data["relations"]
    found = project(tmp_path, data)
    path = as_yaml(found) if kind == "yaml" else tmp_path / "records" / "tarn.json"
    before = path.read_text("utf-8")
    session = sessions(tmp_path)
    session.until("[73.78] GiB.\n")
    shown = session.until("q stop\n")
    assert "a  declare a - b = 73.780 GiB with a = /reported_results/3/value (81.30 GiB)" in shown
    session.press("a")
    session.until("What the result is, in words: ")
    session.press("Used beyond free\n")
    assert session.end() == DONE
    at = f"/relations/{int(declared)}"
    line = claims(found)[2]
    assert (line["class"], line["pointer"], line["row"]) == ("derived", at, "Used beyond free")
    relation = {
        "id": "used-beyond-free",
        "label": "Used beyond free",
        "expr": "a - b",
        "inputs": {"a": {"pointer": "/reported_results/3/value"}, "b": {"pointer": "/reported_results/2/value"}},
        "unit": "GiB",
        "places": 2,
    }
    assert path.read_text("utf-8") == edit.append(before, kind, "relations", relation)
    assert codes(found) == []
    path.write_text(path.read_text("utf-8").replace("73.78", "73.81"), "utf-8")
    assert codes(found) == ["claim-differs"]


def test_ctrl_c_is_130_and_writes_nothing(tmp_path: Path, sessions: Any) -> None:
    project(tmp_path, record("It was 4 of them."))
    session = sessions(tmp_path)
    session.until("q stop\n")
    session.process.send_signal(signal.SIGINT)
    assert session.end() == INTERRUPTED
    assert not (tmp_path / LOCK).exists()
    assert "Traceback" not in session.said
