"""A site and what it was made from → an in-toto Statement v1 with the SLSA provenance of its files. No clock.

Sources: https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md and https://slsa.dev/spec/v1.1/provenance.
The statement is not signed; docs/release.md tells how to.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import PurePosixPath
from typing import Any, Final

from ..parse import json_data
from ..project import RESOURCES
from .listing import Listing

STATEMENT: Final = "https://in-toto.io/Statement/v1"
PROVENANCE: Final = "https://slsa.dev/provenance/v1"
BUILDER: Final = "pkg:generic/pinpress"
# A purl with a subpath: where the parameters of such a build are described.
BUILD_TYPE: Final = f"{BUILDER}#docs/release.md"
SOURCES: Final = "sources.json"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_ROLES: Final = {
    ".claims.json": "claim lock",
    ".verified.json": "receipt",
    ".anchors.json": "heading ids",
    ".audit.yml": "acknowledgements",
    ".figures.yml": "figures",
    ".md": "body",
}


def statement(site: Listing, sources: bytes, parameters: Mapping[str, bool]) -> bytes:
    """Return the statement: subjects are the outputs; the predicate names inputs, cited documents and packages.

    `sources` is the site's list of cited documents, `parameters` are the options of the build.
    """
    subjects = [{"name": path, "digest": {"sha256": s.sha256}} for path, s in sorted(site.outputs.items())]
    needed = [*_inputs(site.inputs), *_cited(sources), *_lock(), *_packages("pinpress"), _python()]
    name, _, number = site.generator.partition(" ")
    predicate = {
        "buildDefinition": {
            "buildType": BUILD_TYPE,
            "externalParameters": {"command": "build", **parameters},
            "resolvedDependencies": needed,
        },
        "runDetails": {"builder": {"id": BUILDER, "version": {name: number}}},
    }
    whole = {"_type": STATEMENT, "subject": subjects, "predicateType": PROVENANCE, "predicate": predicate}
    return (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode()


def _resource(role: str, **fields: Any) -> dict[str, Any]:
    return {**fields, "annotations": {"role": role}}


def _inputs(inputs: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for path, sha256 in sorted(inputs.items()):
        yield _resource(role_of(path), name=path, digest={"sha256": sha256})


def role_of(path: str) -> str:
    """Return what an input is: a record, a part of one, the settings, a template or an asset."""
    folder, name = PurePosixPath(path).parts[0], PurePosixPath(path).name
    if folder != "records":
        return folder.removesuffix("s")
    if path == "records/site.yml":
        return "settings"
    return next((role for ending, role in _ROLES.items() if name.endswith(ending)), "record")


def _cited(sources: bytes) -> Iterator[dict[str, Any]]:
    """Yield the cited documents; one whose bytes nobody hashed is named without a digest."""
    for document in json_data(sources.decode(), SOURCES)["documents"]:
        digest = {"digest": {"sha256": document["sha256"]}} if document.get("sha256") else {}
        uri = document.get("pinned_url") or document["url"]
        name = {"name": document["path"]} if document.get("path") else {}
        yield _resource("cited document", **name, uri=uri, **digest)


def _lock() -> Iterator[dict[str, Any]]:
    """Yield the lock of the packages; an installed pinpress has none."""
    lock = RESOURCES / "uv.lock"
    if lock.is_file():
        yield _resource("lock", name=lock.name, digest={"sha256": hashlib.sha256(lock.read_bytes()).hexdigest()})


def _packages(root: str) -> Iterator[dict[str, Any]]:
    """Yield every installed package that the generator needs, and what those need."""
    for name, installed in sorted(_needed([root]).items()):
        if name != root:
            yield _resource("package", name=name, uri=f"pkg:pypi/{name}@{installed}")


def _needed(names: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    left = [*names]
    while left:
        name = re.sub(r"[-_.]+", "-", left.pop()).lower()
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            # What is needed on other machines alone, or for an extra.
            continue
        plain = [r for r in requires(name) or [] if "extra ==" not in r]
        needed = [match.group() for r in plain if (match := _NAME.match(r))]
        left += [n for n in needed if re.sub(r"[-_.]+", "-", n).lower() not in found]
    return found


def _python() -> dict[str, Any]:
    running = platform.python_version()
    return _resource("interpreter", name=platform.python_implementation(), uri=f"pkg:generic/python@{running}")
