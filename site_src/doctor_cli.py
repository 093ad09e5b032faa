"""The commands about the program itself: doctor and completion. An edge: it prints and looks at the machine."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Any, Final

from .elapsed import begin, since
from .exits import DONE, SURROUNDINGS
from .project import RESOURCES

_OLDEST: Final = (3, 11)
_FONTS: Final = ("fonts/inter-400.woff2", "fonts/inter-700.woff2", "fonts/OFL-Inter.txt")
# Programs by the names they go by, and what stands still without one.
_PROGRAMS: Final = (
    (("git",), "pin and verify --clone"),
    (("chromium", "chromium-browser"), "make audit"),
    (("java",), "make audit"),
    (("npm",), "make audit"),
)


@dataclass(frozen=True)
class Look:
    """One thing looked at: its name, what was found, what to do where it is amiss, whether a build needs it."""

    name: str
    found: str
    remedy: str = ""
    needed: bool = True


def add_commands(commands: Any, common: argparse.ArgumentParser, parser: Callable[[], argparse.ArgumentParser]) -> None:
    """Add the commands to the parser of all, which `parser` makes anew."""
    import_free = {"without_project": True}
    doctor = commands.add_parser("doctor", parents=[common], help="tell what is installed, locked and missing")
    doctor.add_argument("--json", action="store_true", help="print JSON")
    doctor.set_defaults(command=_doctor, **import_free)
    completion = commands.add_parser("completion", parents=[common], help="print the completion of a shell")
    completion.add_argument("shell", choices=("bash", "zsh", "tcsh"), help="the shell")
    completion.set_defaults(command=_completion, parser=parser, **import_free)


def looks() -> Iterator[Look]:
    """Yield what there is and what is amiss, what a build needs first."""
    running = ".".join(map(str, sys.version_info[:3]))
    is_old = sys.version_info < _OLDEST
    yield Look("Python", running, f"Python {_OLDEST[0]}.{_OLDEST[1]} or newer is needed." if is_old else "")
    yield from packages(_needed(), _locked())
    lacking = [name for name in _FONTS if not (RESOURCES / "assets" / name).is_file()]
    remedy = "Restore them from the repository, or install pinpress anew." if lacking else ""
    yield Look("fonts", f"missing: {', '.join(lacking)}" if lacking else f"{len(_FONTS)} files", remedy)
    for names, purpose in _PROGRAMS:
        path = next(filter(None, map(shutil.which, names)), None)
        remedy = "" if path else f"Only {purpose} needs it."
        yield Look(names[0], path or "missing", remedy, needed=False)


def packages(names: Iterable[str], locked: Mapping[str, str]) -> Iterator[Look]:
    """Yield what is installed under each name, held against the locked versions where there are any."""
    for name in sorted(names):
        wanted = locked.get(name)
        try:
            installed = version(name)
        except PackageNotFoundError:
            yield Look(name, "missing", "Run make setup.")
            continue
        if wanted and wanted != installed:
            yield Look(name, f"{installed}, locked is {wanted}", "Run make setup: figures depend on it.")
        else:
            yield Look(name, f"{installed}, as locked" if wanted else f"{installed}, no lock beside it")


def _needed() -> set[str]:
    """Return the names of the packages that pinpress declares; its own where it is not installed at all."""
    try:
        declared = requires("pinpress") or ()
    except PackageNotFoundError:
        return {"pinpress"}
    return {_name(line) for line in declared if "extra ==" not in line}


def _name(requirement: str) -> str:
    """Return the name at the head of a requirement, in the one spelling that locks use."""
    end = next((n for n, c in enumerate(requirement) if not (c.isalnum() or c in "-_.")), len(requirement))
    return requirement[:end].lower().replace("_", "-").replace(".", "-")


def _locked() -> dict[str, str]:
    """Return the versions that uv.lock names; an installed pinpress has none beside it."""
    lock = RESOURCES / "uv.lock"
    if not lock.is_file():
        return {}
    return {p["name"]: p["version"] for p in tomllib.loads(lock.read_text("utf-8"))["package"]}


def _doctor(options: argparse.Namespace) -> int:
    started = begin()
    found = list(looks())
    amiss = [look for look in found if look.remedy and look.needed]
    if options.json:
        print(json.dumps([asdict(look) for look in found], indent=1))
        return SURROUNDINGS if amiss else DONE
    width = max(len(look.name) for look in found)
    for look in found:
        if not options.quiet or look.remedy:
            print(f"{look.name:{width}}  {look.found}" + (f". {look.remedy}" if look.remedy else ""))
    optional = sum(bool(look.remedy) for look in found) - len(amiss)
    if not options.quiet:
        counted = f"{len(amiss)} amiss, {optional} missing that a build does without"
        print(f"{len(found)} things looked at in {since(started)}: {counted}")
    return SURROUNDINGS if amiss else DONE


def _completion(options: argparse.Namespace) -> int:
    import shtab

    print(shtab.complete(options.parser(), shell=options.shell))
    return DONE
