"""A guide → what schema.org calls it: a TechArticle on the page, the Dataset of its results in a file beside it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from . import citations, serial, subject, words
from .figures.select_hero import states
from .hrefs import Hrefs
from .interface import ENGLISH
from .links import DATASET
from .model import Record, Source

CONTEXT: Final = "https://schema.org"
MEDIA_TYPES: Final = {
    "json": "application/json",
    "csv": "text/csv",
    "md": "text/markdown",
    "bib": "application/x-bibtex",
    "jsonld": "application/ld+json",
}


def article(record: Record, site: str, image: str) -> str:
    """Return the page as a TechArticle, JSON-LD on one line that may stand inside a script element.

    `image` is the public address of its title card, "" where the site's own is not known. The dataset is only
    named here; its description lies beside the page.
    """
    said = {
        "@context": CONTEXT,
        "@type": "TechArticle",
        "headline": record.title,
        "datePublished": record.published_on,
        "dateModified": record.modified_on,
        "publisher": {"@type": "Organization", "name": site},
        **({"image": image} if image else {}),
        "about": {"@type": "Dataset", "@id": DATASET},
    }
    line = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    return line.replace("<", "\\u003c")


def dataset(record: Record, site: str, hrefs: Hrefs, files: Mapping[str, bytes]) -> bytes:
    """Return the results of a guide as a Dataset. `files` are the data beside the page, by address."""
    whole = {
        "@context": CONTEXT,
        "@type": "Dataset",
        "@id": _address(record, hrefs, record.path + DATASET),
        "name": f"Results and conditions: {record.title}",
        "description": " ".join([record.summary, record.answer, *(f"{s}." for s in states(ENGLISH, record))]),
        "identifier": record.id,
        "url": _address(record, hrefs, record.path),
        "inLanguage": record.lang or "en",
        "datePublished": record.published_on,
        "dateModified": record.modified_on,
        "publisher": {"@type": "Organization", "name": site},
        "keywords": [*subject.models(record), *subject.hardware(record)],
        "variableMeasured": [*_variables(record)],
        "measurementTechnique": [*dict.fromkeys(r.statistic for r in record.reported_results)],
        "distribution": [_download(record, hrefs, path, raw) for path, raw in files.items()],
        "isBasedOn": [_work(source) for source in record.all_sources],
        "subjectOf": {"@type": "TechArticle", "headline": record.title, "url": _address(record, hrefs, record.path)},
    }
    kept = {k: v for k, v in whole.items() if v not in ([], "")}
    return (serial.json_text(kept) + "\n").encode()


def _address(record: Record, hrefs: Hrefs, there: str) -> str:
    """Return the public address, or the one relative to the file, which is how JSON-LD reads it."""
    return hrefs.absolute(there) or hrefs.to(record.path + DATASET, there)


def _variables(record: Record) -> Iterator[dict[str, Any]]:
    """Yield each metric once with each unit in which it is reported."""
    for metric, unit in dict.fromkeys((r.metric, r.unit) for r in record.reported_results):
        yield {"@type": "PropertyValue", "name": words.label(metric), "propertyID": metric, "unitText": unit}


def _download(record: Record, hrefs: Hrefs, path: str, raw: bytes) -> dict[str, Any]:
    return {
        "@type": "DataDownload",
        "name": path.rpartition("/")[2],
        "contentUrl": _address(record, hrefs, path),
        "encodingFormat": MEDIA_TYPES[path.rpartition(".")[2]],
        "contentSize": f"{len(raw)} B",
        "sha256": hashlib.sha256(raw).hexdigest(),
    }


def _work(source: Source) -> dict[str, Any]:
    """Return a cited document; its hash is that of the bytes that were read."""
    blob = citations.blob_of(source)
    digest = {"@type": "PropertyValue", "propertyID": "sha256", "value": source.document_sha256}
    dated = {"dateModified": source.last_commit_at} if source.last_commit_at else {}
    return {
        "@type": "CreativeWork",
        "name": source.document_path,
        "url": blob.url() if blob else source.pinned_url,
        "version": source.revision,
        **dated,
        "publisher": {"@type": "Organization", "name": source.publisher},
        "identifier": digest,
    }
