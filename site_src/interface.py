"""The words, numbers and dates of the interface in one language, from `languages/LANGUAGE.yml`.

English is the language of everything that programs read and of all reports; `words` holds its forms. A page takes the
language of its guide, or of the site. Digits are never changed: a language decides what stands between them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from string import Formatter
from typing import Any, Final

import yaml

from . import words
from .codes import FINDINGS
from .locate import YAML_LOADER
from .model import Settings

FOLDER: Final = Path(__file__).parent / "languages"

# Reasons for a missing value that the format of records names.
_REASONS: Final = frozenset({"not_reported", "not_applicable", "none_published"})
_NUMBER: Final = re.compile(r"[−+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")


class LanguageError(ValueError):
    """A file of words that lacks a text, has one too many, or leaves out what is filled in. It is ours to mend."""


@dataclass(frozen=True, eq=False)
class Words:
    """The words of one language. `tag` is its own, for instance de; `asked` is the language that a page is in."""

    tag: str
    asked: str
    texts: Mapping[str, str]

    def __call__(self, key: str, /, **values: object) -> str:
        """Return a text, its fields filled in. Raises KeyError for a text that no file has."""
        return self.texts[key].format(**values)

    @property
    def decimal(self) -> str:
        """What stands before the decimals of a number."""
        return self("form.decimal")

    @property
    def is_missing(self) -> bool:
        """Whether a page has to do with English, since its own language has no file."""
        return _primary(self.asked) != self.tag

    def count(self, n: int, noun: str, family: str = "count") -> str:
        """Return a counted noun: 1 value, 16 values. `noun` names a text with one and other."""
        return self.texts[f"{family}.{noun}.{'one' if n == 1 else 'other'}"].format(n=self.integer(n))

    def section(self, name: str) -> str:
        """Return the texts of a section by their keys as JSON, for a script that fills their fields in."""
        own = {key.removeprefix(f"{name}."): text for key, text in self.texts.items() if key.startswith(f"{name}.")}
        return json.dumps(own, ensure_ascii=False, separators=(",", ":"))

    def integer(self, n: int) -> str:
        """Return a whole number, thousands grouped."""
        return self.digits(f"{n:,}")

    def number(self, value: Decimal) -> str:
        """Return the digits as written: 17235.90 → 17,235.90 in English, 17 235,90 in German."""
        return self.digits(words.number(value))

    def digits(self, text: str) -> str:
        """Return a number that is printed in English as this language prints it; another text as it is."""
        if not _NUMBER.fullmatch(text):
            return text
        between = {",": self.texts["form.group"], ".": self.decimal}
        return "".join(between.get(c, c) for c in text)

    def date(self, text: str) -> str:
        """Return an ISO date or datetime as a reader reads it: 18 Oct 2026, 18. Oktober 2026."""
        year, month, day = text[:10].split("-")
        name = self.texts["form.months"].split()[int(month) - 1]
        return self("form.date", day=int(day), month=name, year=year)

    def listed(self, items: Sequence[str]) -> str:
        """Join words as a sentence does: a, b and c."""
        if len(items) < 2:
            return "".join(items)
        return self("form.and", items=", ".join(items[:-1]), last=items[-1])

    def plain(self, value: object, key: str = "") -> str:
        """Return any record value in words: null is "not reported", true is "yes"; nothing is blank."""
        if value is None or isinstance(value, bool):
            return self("word.not_reported" if value is None else "word.yes" if value else "word.no")
        if isinstance(value, Decimal):
            return self.number(value)
        if isinstance(value, str):
            return value if value.strip() else self("word.empty")
        if isinstance(value, Mapping):
            return "; ".join("{}: {}".format(*self.field(str(k), v)) for k, v in value.items()) or self.none_published
        if isinstance(value, Sequence):
            if words.is_range(key, value):
                return self("form.range", low=self.plain(value[0]), high=self.plain(value[1]))
            return ", ".join(self.plain(v) for v in value) or self.none_published
        return str(value)

    @property
    def none_published(self) -> str:
        """What stands for an empty list."""
        return self("word.none_published")

    def field(self, key: str, value: object) -> tuple[str, str]:
        """Return a field's label and its value in words, the unit of the key moved beside a number."""
        base = key.removesuffix("_range") if words.is_range(key, value) else key
        stem, unit = words.split_unit(base)
        if unit and (isinstance(value, Decimal) or words.is_range(key, value)):
            return words.label(stem), f"{self.plain(value, key)} {self.unit(unit)}"
        return words.label(base), self.plain(value, key)

    def unit(self, unit: str) -> str:
        """Return a unit that is a word in this language; any other as it is."""
        return self.texts.get(f"unit.{unit}", unit)

    def state(self, code: str) -> str:
        """Return an evidence state as its badge prints it: one_thing → One-thing, where no file names it."""
        return self.texts.get(f"state.{code}") or words.label(code).replace(" ", "-")

    def status(self, code: object) -> str:
        """Return why a cell has no value, from its status: not_run_REASON → not run: REASON."""
        text = str(code or "not_reported").replace("_", " ").strip()
        if text.startswith("not run"):
            reason = text.removeprefix("not run").strip()
            return self("word.not_run_because", reason=reason) if reason else self("word.not_run")
        code = text.replace(" ", "_")
        return self(f"word.{code}") if code in _REASONS else text


def _primary(tag: str) -> str:
    return tag.partition("-")[0].casefold()


@lru_cache(maxsize=64)
def of(language: str) -> Words:
    """Return the words for a page in the language of a BCP 47 tag; English where that has no file."""
    tag = _primary(language)
    shipped = tag.isascii() and tag.isalpha() and (FOLDER / f"{tag}.yml").is_file()
    return Words(tag if shipped else "en", language, _texts(tag if shipped else "en"))


@lru_cache
def of_drawings(tag: str) -> Words:
    """Return the words that the drawing of a figure writes by itself, with what prints a number."""
    return Words(tag, tag, {key: text for key, text in _texts(tag).items() if key.startswith(("drawn.", "form."))})


@lru_cache
def _texts(tag: str) -> Mapping[str, str]:
    found = read((FOLDER / f"{tag}.yml").read_text(encoding="utf-8"))
    if tag != "en":
        compare(_texts("en"), found)
        return found
    return found | {f"finding.{code}": title for code, title in FINDINGS.items()}


def read(text: str) -> dict[str, str]:
    """Return the texts of a file by their whole key: section.name, and .one and .other of a counted one."""
    flat: dict[str, str] = {}
    _flatten("", yaml.load(text, Loader=YAML_LOADER), flat)
    return flat


def _flatten(name: str, held: Any, flat: dict[str, str]) -> None:
    if isinstance(held, str):
        flat[name] = held
    elif isinstance(held, dict):
        for key, value in held.items():
            _flatten(f"{name}.{key}".lstrip("."), value, flat)
    else:
        raise LanguageError(f"{name} is no text")


def compare(english: Mapping[str, str], other: Mapping[str, str]) -> None:
    """Raise LanguageError where a language has other keys than English, or fills in other fields."""
    lacking, extra = sorted(english.keys() - other.keys()), sorted(other.keys() - english.keys())
    if lacking or extra:
        raise LanguageError(f"lacks {', '.join(lacking) or 'nothing'}; has unknown {', '.join(extra) or 'nothing'}")
    for key, text in english.items():
        if fields(text) != fields(other[key]):
            raise LanguageError(f"{key} fills in {sorted(fields(other[key]))}, in English {sorted(fields(text))}")


def fields(text: str) -> frozenset[str]:
    """Return the names in braces of a text."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


ENGLISH: Final = of("en")
"""The language of programs and of reports."""


def site_description(settings: Settings) -> str:
    """Return what the site says of itself: what its settings say, else a sentence in its language."""
    if "description" in settings.model_fields_set:
        return settings.description
    return of(settings.language)("index.description")
