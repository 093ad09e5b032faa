"""The walls of the architecture, and that no record has left its values in the code."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from site_src.project import RESOURCES
from site_src.serial import json_text
from tests.records import sound

SOURCE = RESOURCES / "site_src"
MODULES = sorted(SOURCE.rglob("*.py"))
COMMANDS = {
    "anchors_cli",
    "cli",
    "claim_cli",
    "doctor_cli",
    "export_cli",
    "fmt_cli",
    "hosting_cli",
    "import_cli",
    "new_cli",
    "release_cli",
    "source_cli",
    "verify_cli",
}
EDGES = {*COMMANDS, "report", "preview", "serving", "watching", "recall", "cache", "terminal"}
MAY_IMPORT_EDGES = {*COMMANDS, "preview", "serving", "pipeline", "building", "drawing", "indexing", "__main__"}
MAY_PRINT = {*COMMANDS, "preview", "terminal"}
BANNED = {"utils", "helpers", "common", "manager", "data", "info", "process", "handle", "site"}
# The client, and what else of the standard library reaches another machine.
CLIENT = {"urllib3"}
NETWORK = {"socket", "ssl", "urllib.request", "http.client", "ftplib", "smtplib", "imaplib", "poplib", "xmlrpc.client"}
MAX_LINES = 250
MAX_FUNCTION = 50
# Words of the format and units of the field, which a record holds and the code must know.
KNOWN = frozenset(
    [
        "author",
        "source",
        "value",
        "results",
        "sources",
        "github",
        "index",
        "review",
        "figures",
        "image",
        "summary",
        "tokens",
        "tokens/s",
        "tok/s",
        "requests",
        "prompt tokens",
        "prompt_tokens",
        "true",
        "false",
        "configured",
        "reported",
        "not_reported",
        "source_reported",
        "source_backed_explainer",
        "1.1.0",
        "difference",
        "ratio",
        "percent_change",
    ]
)


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts)


def code_lines(text: str) -> int:
    """Count the lines that hold code: no blank line, comment or docstring."""
    told: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            told |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(bool(line.strip()) and not line.strip().startswith("#") and n not in told for n, line in lines)


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield f"{'.' * node.level}{node.module or ''}"
            if node.level and not node.module:
                yield from (f"{'.' * node.level}{alias.name}" for alias in node.names)


def modules_used(tree: ast.AST) -> Iterator[str]:
    """Yield the dotted names that absolute imports may load: `from a import b` may mean `a.b`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def reaches(tree: ast.AST, walled: set[str]) -> set[str]:
    """Return which of the walled modules a module imports, whole or in part."""
    used = set(modules_used(tree))
    return {w for w in walled if any(f"{name}.".startswith(f"{w}.") for name in used)}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_sources_and_preview_have_a_network(path: Path) -> None:
    name, tree = name_of(path), ast.parse(path.read_text("utf-8"))
    assert name == "sources.wire" or not reaches(tree, CLIENT), "one module holds the client"
    if not name.startswith("sources.") and name != "preview":
        assert not reaches(tree, NETWORK)


@pytest.mark.parametrize(
    "line",
    [
        "import socket",
        "import http.client as h",
        "from http import client",
        "from http.client import HTTPConnection",
        "from urllib import parse, request",
        "def f():\n from urllib.request import urlopen",
        "import urllib3.util",
    ],
)
def test_the_wall_sees_every_form_of_import(line: str) -> None:
    assert reaches(ast.parse(line), CLIENT | NETWORK)
    assert not reaches(ast.parse("from urllib.parse import urlsplit\nfrom . import socket"), CLIENT | NETWORK)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_walls(path: Path) -> None:
    name, tree = name_of(path), ast.parse(path.read_text("utf-8"))
    found = set(imports(tree))
    if name not in MAY_IMPORT_EDGES:
        assert not {i.lstrip(".") for i in found} & EDGES, "stages never import the edges"
    if not name.startswith("figures."):
        assert not any(i.split(".")[0] == "matplotlib" for i in found), "only figures/ draws"
    if not name.startswith("sources.") and name != "search.pagefind":
        assert "subprocess" not in found, "only sources/ and the search in prose start a program"
    printing = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "print"]
    assert not printing or name in MAY_PRINT
    assert not any(i.startswith("site_src") for i in found), "imports inside the package are relative"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_size_and_names(path: Path) -> None:
    text = path.read_text("utf-8")
    assert path.stem not in BANNED
    assert code_lines(text) <= MAX_LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < MAX_FUNCTION, f"{node.name} is too long"


def test_checking_and_help_import_neither_matplotlib_nor_more() -> None:
    code = (
        "import sys; from site_src.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "heavy = {'matplotlib', 'pydantic', 'jinja2', 'markdown_it', 'PIL', 'yaml', 'uvicorn', 'urllib3'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "import site_src.pipeline\nassert 'matplotlib' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=RESOURCES, check=True, capture_output=True)


def test_no_command_without_a_network_imports_the_client(tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "brook.json").write_text(json_text(sound()))
    code = (
        "import sys; from site_src.cli import main\n"
        "for words in (['check'], ['build']): assert main([*words, '--project', sys.argv[1]]) == 0, words\n"
        "import site_src.sources.fetch\n"
        "assert 'urllib3' not in sys.modules\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(command, cwd=RESOURCES, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def literals() -> Iterator[tuple[str, str]]:
    """Yield every text and number literal of the source, docstrings aside, and every word run of the templates."""
    for path in MODULES:
        tree = ast.parse(path.read_text("utf-8"))
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        docs = {id(doc) for n in ast.walk(tree) if isinstance(n, documented) for doc in _docstring(n)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and id(node) not in docs and not isinstance(node.value, bool | bytes):
                yield name_of(path), str(node.value)
    for path in sorted((RESOURCES / "templates").rglob("*.j2")):
        yield path.name, re.sub(r"\{[%#{].*?[%#}]\}", "", path.read_text("utf-8"), flags=re.S)


def _docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr]:
    if node.body and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant):
        yield node.body[0].value


def values(part: Any) -> Iterator[str]:
    if isinstance(part, dict | list):
        for item in part.values() if isinstance(part, dict) else part:
            yield from values(item)
    elif isinstance(part, str):
        yield part


def record_values() -> set[str]:
    """Return what records hold that is telling: numbers of five digits or more, and texts of five letters or more."""
    found: set[str] = set()
    records = [p for p in sorted((RESOURCES / "records").iterdir()) if p.suffix in {".json", ".yml"}]
    for path in records:
        if "." in path.stem or path.stem == "site":
            continue
        text = path.read_text("utf-8")
        found |= {n for n in re.findall(r"(?<![\w.])\d[\d.]*(?![\w.])", text) if len(n.replace(".", "")) >= 5}
        data = json.loads(text) if path.suffix == ".json" else yaml.load(text, yaml.BaseLoader)
        found |= {v for v in values(data) if len(v) > 4 and v not in KNOWN}
    return found


def test_no_value_of_a_record_stands_in_code_or_templates() -> None:
    known = record_values()
    assert len(known) > 100
    assert [(where, text) for where, text in literals() if text in known] == []
    templates = " ".join(text for where, text in literals() if where.endswith(".j2"))
    assert [v for v in known if len(v) > 12 and v in templates] == []
