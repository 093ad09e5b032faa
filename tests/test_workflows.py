"""The workflows of this project and of a new site: pull requests are checked and shown, main is published."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from site_src.project import RESOURCES

OWN = RESOURCES / ".github" / "workflows" / "pages.yml"
STARTER = RESOURCES / "site_src" / "starter" / "github" / "workflows" / "pages.yml"
ON_MAIN = "github.event_name == 'push' && github.ref == 'refs/heads/main'"
ON_PULL_REQUEST = "github.event_name == 'pull_request'"


def read(path: Path) -> dict[str, Any]:
    # YAML 1.1 reads the key `on` as true.
    return {("on" if k is True else str(k)): v for k, v in yaml.safe_load(path.read_text("utf-8")).items()}


@pytest.mark.parametrize("path", [OWN, STARTER], ids=["own", "starter"])
def test_a_pull_request_is_annotated_and_shown_and_main_is_published(path: Path) -> None:
    workflow = read(path)
    assert set(workflow["on"]) == {"push", "pull_request"}
    assert workflow["permissions"] == {"contents": "read"}
    steps = [(job, s) for name, job in workflow["jobs"].items() if name != "deploy" for s in job["steps"]]
    checks = [job for job, s in steps if "check --strict --format github" in s.get("run", "")]
    assert len(checks) == 1
    assert checks[0].get("if", ON_PULL_REQUEST) == ON_PULL_REQUEST
    assert any("anchors --check --format github" in s.get("run", "") for _, s in steps)
    uses = {s["uses"].partition("@")[0]: s for _, s in steps if "uses" in s}
    assert uses["actions/upload-artifact"]["if"] == ON_PULL_REQUEST
    assert uses["actions/upload-artifact"]["with"]["path"] == "_site/"
    assert uses["actions/upload-pages-artifact"]["if"] == ON_MAIN
    deploy = workflow["jobs"]["deploy"]
    assert deploy["if"] == ON_MAIN
    assert deploy["needs"] in workflow["jobs"]
    assert deploy["permissions"] == {"pages": "write", "id-token": "write"}
