"""A checked guide with its files → the metadata of an RO-Crate 1.1, a folder that says in JSON-LD what it holds.

Every value is text with the digits of the record, because a number of JSON-LD loses its closing zeros. A null has no
`value`; its reason stands in `valueReference`, as in results.csv. Nothing here has a clock: dates are the record's.
Source: RO-Crate Metadata Specification 1.1, https://w3id.org/ro/crate/1.1. Version 1.2 recommends a ROR identifier and
a contact of every organization, which a record does not hold and nothing here makes up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final
from urllib.parse import quote

from .. import citations, serial, subject, words
from ..linked_data import MEDIA_TYPES
from ..model import Measurement, Record, Source
from . import documents

METADATA: Final = "ro-crate-metadata.json"
_SPECIFICATION: Final = "https://w3id.org/ro/crate/1.1"
# A term of schema.org that the context of RO-Crate 1.1 lacks.
_TERMS: Final = {"sha256": "http://schema.org/sha256"}
_MEDIA_TYPES: Final = {
    **MEDIA_TYPES,
    "svg": "image/svg+xml",
    "webp": "image/webp",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "yml": "application/yaml",
    "yaml": "application/yaml",
}
# What a measurement tells beside its value, under the names that results.csv gives it.
_BESIDE: Final = (
    "value_text", "null_reason", "statistic", "n", "denominator", "uncertainty", "evidence_state", "site_reproduced"
)  # fmt: skip

Entity = dict[str, Any]
_SITE: Final = "#site"


@dataclass(frozen=True)
class Held:
    """One file of the crate: its bytes, what it is in a sentence, whether pinpress made it or an editor keeps it."""

    data: bytes
    what: str
    is_made: bool = True


@dataclass(frozen=True)
class Publication:
    """Where the guide is published: by which site, the addresses of both ("" if not known), under which licence."""

    site: str
    site_url: str
    address: str
    licence: str


def metadata(record: Record, held: Mapping[str, Held], at: Publication, version: str) -> bytes:
    """Return ro-crate-metadata.json of a crate with these files, by path."""
    described = _Crate(record, held, at, version).entities()
    whole = {"@context": [f"{_SPECIFICATION}/context", _TERMS], "@graph": [*described]}
    return (serial.json_text(whole) + "\n").encode()


@dataclass(frozen=True)
class _Crate:
    record: Record
    held: Mapping[str, Held]
    at: Publication
    version: str

    def entities(self) -> Iterator[Entity]:
        """Yield every entity once: the crate, its files, then what they are about."""
        yield self._descriptor()
        yield self._root()
        for path, held in self.held.items():
            yield _file(path, held)
        yield {
            "@id": self.at.licence,
            "@type": "CreativeWork",
            "name": self.at.licence,
            "description": "The licence that the project names for its guides and their data.",
        }
        yield _kept({"@id": _SITE, "@type": "Organization", "name": self.at.site, "url": self.at.site_url})
        owners = {s.publisher: found for s in self.record.all_sources if (found := _owner(s))}
        numbers = {name: f"#publisher-{n}" for n, name in enumerate(owners, 1)}
        for name, number in numbers.items():
            yield {"@id": number, "@type": "Organization", "name": name, "url": owners[name]}
        for n, source in citations.numbered(self.record):
            yield _work(n, source, numbers.get(source.publisher))
        yield from self._measurements()
        yield from self._making()

    def _descriptor(self) -> Entity:
        return {
            "@id": METADATA, "@type": "CreativeWork", "about": {"@id": "./"}, "conformsTo": {"@id": _SPECIFICATION}
        }  # fmt: skip

    def _root(self) -> Entity:
        record = self.record
        return _kept({
            "@id": "./",
            "@type": "Dataset",
            "name": record.title,
            "description": f"{record.summary} {record.answer}",
            "identifier": record.id,
            "url": self.at.address,
            "datePublished": record.published_on,
            "dateModified": record.modified_on,
            "inLanguage": record.lang or "en",
            "creativeWorkStatus": "Draft" if record.draft else "",
            "keywords": [*subject.models(record), *subject.hardware(record)],
            "license": {"@id": self.at.licence},
            "publisher": {"@id": _SITE},
            "author": {"@id": _SITE},
            "hasPart": [{"@id": _id(path)} for path in self.held],
            "isBasedOn": [{"@id": f"#src-{n}"} for n, _ in citations.numbered(record)],
            "variableMeasured": [{"@id": f"#result-{n}"} for n in range(1, len(record.reported_results) + 1)],
            "mentions": {"@id": "#export"},
        })  # fmt: skip

    def _measurements(self) -> Iterator[Entity]:
        """Yield each measurement, then what they tell beside their values, once for all that tell the same."""
        told = dict[tuple[str, str], Entity]()
        for number, result in enumerate(self.record.reported_results, 1):
            facts = [*self._facts(result)]
            for key, value in facts:
                found = {"@type": "PropertyValue", "propertyID": key, "name": words.label(key), "value": value}
                told.setdefault((key, value), {"@id": f"#told-{len(told) + 1}", **found})
            beside = [{"@id": told[fact]["@id"]} for fact in facts]
            yield self._measurement(number, result, beside)
        yield from told.values()

    def _measurement(self, number: int, result: Measurement, beside: list[Entity]) -> Entity:
        cited = citations.of_result(self.record, result)
        return _kept({
            "@id": f"#result-{number}",
            "@type": "PropertyValue",
            "name": result.label,
            "propertyID": result.metric,
            "value": "" if result.value is None else words.literal(result.value),
            "unitText": result.unit,
            "url": cited.url if cited else "",
            "isBasedOn": {"@id": f"#src-{cited.number}"} if cited else "",
            "valueReference": beside,
        })  # fmt: skip

    def _facts(self, result: Measurement) -> Iterator[tuple[str, str]]:
        """Yield what is told beside a value, each under its name; of a null its reason, under REASON in the name."""
        cells = dict(zip(serial.MEASUREMENT, serial.measurement_cells(self.record, result), strict=True))
        for key in _BESIDE:
            if cells[key] is not None:
                yield key, _text(cells[key])
        reasons = serial.condition_reasons(result)
        for key, value in result.conditions.items():
            yield (f"null_reason.conditions.{key}", reasons[key]) if value is None else (
                f"conditions.{key}", _text(value)
            )  # fmt: skip

    def _making(self) -> Iterator[Entity]:
        """Yield the program, and that it made what it made of what the project holds."""
        yield {
            "@id": "#pinpress",
            "@type": "SoftwareApplication",
            "name": "pinpress",
            "description": "The program that checked the record and wrote this crate.",
            "softwareVersion": self.version,
        }
        yield _kept({
            "@id": "#export",
            "@type": "CreateAction",
            "name": f"export ro-crate {self.record.id}",
            "description": "Makes the files of a guide from its record.",
            "instrument": {"@id": "#pinpress"},
            "object": [{"@id": _id(path)} for path, held in self.held.items() if not held.is_made],
            "result": [{"@id": _id(path)} for path, held in self.held.items() if held.is_made],
        })  # fmt: skip


def _id(path: str) -> str:
    """Return the identifier of a file: its path as an address."""
    return quote(path)


def _file(path: str, held: Held) -> Entity:
    ending = path.rpartition(".")[2].lower()
    return _kept({
        "@id": _id(path),
        "@type": "File",
        "name": path.rpartition("/")[2],
        "description": held.what,
        "encodingFormat": _MEDIA_TYPES.get(ending, "application/octet-stream"),
        "contentSize": str(len(held.data)),
        "sha256": hashlib.sha256(held.data).hexdigest(),
    })  # fmt: skip


def _owner(source: Source) -> str:
    """Return the address of whoever keeps the repository of a source on its forge, "" for a page without one."""
    blob = citations.blob_of(source)
    owner = blob.repository.removeprefix("datasets/").removeprefix("spaces/").rpartition("/")[0] if blob else ""
    return f"https://{documents.host(blob)}/{quote(owner)}" if blob and owner else ""


def _work(number: int, source: Source, publisher: str | None) -> Entity:
    """Return a cited document, at its commit where it has one; its hash is that of the bytes that were read.

    `publisher` is the entity of who published it, None if it has none and is told by name alone.
    """
    blob = citations.blob_of(source)
    state = "Editable page; a copy was read" if citations.is_mutable(source) else "Fixed revision; read"
    licence = next((v for k in ("license", "licence") if isinstance(v := source.unknown.get(k), str)), "")
    return _kept({
        "@id": f"#src-{number}",
        "@type": "CreativeWork",
        "name": source.document_path,
        "description": f"{state} on {source.checked_on}.",
        "url": blob.url() if blob else source.pinned_url,
        "version": source.revision,
        "dateModified": source.last_commit_at or "",
        "license": licence,
        "publisher": {"@id": publisher} if publisher else source.publisher,
        "sha256": source.document_sha256,
    })  # fmt: skip


def _text(value: Any) -> str:
    """Return a value as text: numbers with their digits, lists and objects as JSON."""
    if isinstance(value, str):
        return value
    return words.literal(value) if isinstance(value, Decimal) else " ".join(serial.json_text(value).split())


def _kept(entity: Entity) -> Entity:
    """Return an entity without what is not known, and what is one value without its list. A zero is a text here."""
    alone = {key: value[0] if isinstance(value, list) and len(value) == 1 else value for key, value in entity.items()}
    return {key: value for key, value in alone.items() if value not in ("", [])}
