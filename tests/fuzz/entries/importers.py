"""Importers: any file, read by every format that may know it → measurements, or what is wrong with the file."""

from __future__ import annotations

from site_src.importers import formats, record_parts
from site_src.importers.result_file import ResultFile
from site_src.importing import refuse_control_characters
from site_src.problems import Rejected
from site_src.serial import json_text
from tests.fuzz.target import of_bytes, told
from tests.result_files import FILES

NAMES = ("run.json", "run.jsonl", "run.csv", "run.txt", "run.md")


def _one(raw: bytes) -> None:
    for name in NAMES:
        _read(name, raw, None)
    for form in formats.FORMATS:
        _read("run.json", raw, form.name)


def _read(name: str, raw: bytes, form: str | None) -> None:
    file = ResultFile(name, raw)
    try:
        found, imported = formats.read(file, form)
        refuse_control_characters(file, imported)
        json_text([record_parts.campaign(imported, found, "x", "x"), *record_parts.results(imported, "x")])
    except Rejected as rejected:
        told(rejected.problems, name, raw)


TARGET = of_bytes(_one, *(raw for _, raw in FILES.values()))
