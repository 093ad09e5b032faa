"""Campaigns merged into their results: downstream every result carries all its conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from .evidence import Campaign
from .interface import ENGLISH
from .load import Document
from .model import Measurement, Record
from .pointers import escape
from .problems import Problem
from .rules import Rule


def merged(record: Record) -> Record:
    """Return the record with each campaign's conditions in its results; a result's own conditions come first."""
    if not record.campaigns:
        return record
    campaigns = {c.id: c for c in record.campaigns}
    results = tuple(_with_campaign(r, campaigns.get(r.campaign or "")) for r in record.reported_results)
    return record.model_copy(update={"reported_results": results})


def _with_campaign(result: Measurement, campaign: Campaign | None) -> Measurement:
    if campaign is None:
        return result
    conditions = {**result.conditions, **{k: v for k, v in campaign.conditions.items() if k not in result.conditions}}
    return result.model_copy(update={"conditions": conditions})


def merged_data(data: dict[str, Any], record: Record) -> dict[str, Any]:
    """Return the record's plain data with the merged conditions, for pointers to lead into."""
    if not record.campaigns:
        return data
    results = [
        {**plain, "conditions": result.conditions}
        for plain, result in zip(data.get("reported_results", []), record.reported_results, strict=True)
    ]
    return {**data, "reported_results": results}


def campaigns_fit(document: Document, record: Record) -> Iterator[Problem]:
    """Results name campaigns that exist, and do not contradict them."""
    campaigns = {c.id: c for c in record.campaigns}
    if len(campaigns) < len(record.campaigns):
        message = "two campaigns share an id"
        yield Problem(document.file, "/campaigns", None, "dangling-campaign", message, "Give each its own.")
    for index, result in enumerate(record.reported_results):
        at = f"/reported_results/{index}"
        campaign = campaigns.get(result.campaign or "")
        if result.campaign and campaign is None:
            message = f"no campaign has the id {result.campaign}"
            yield Problem(document.file, f"{at}/campaign", None, "dangling-campaign", message, "Declare it.")
        for key, value in (campaign.conditions if campaign else {}).items():
            own = result.conditions.get(key, value)
            if ENGLISH.plain(own) != ENGLISH.plain(value):
                message = f"{key} is {ENGLISH.plain(own)} here and {ENGLISH.plain(value)} in its campaign"
                where = f"{at}/conditions/{key}"
                yield Problem(document.file, where, None, "campaign-conflict", message, "Keep it in one place.")


def reasons_belong_to_nulls(document: Document, record: Record) -> Iterator[Problem]:
    """A reason for a null stands beside a null."""
    for index, result in enumerate(record.reported_results):
        at = f"/reported_results/{index}"
        if result.null_reason and result.value is not None:
            message = "the value is not null"
            yield Problem(document.file, f"{at}/null_reason", None, "null-reason", message, "Remove the reason.")
        for key in result.null_reasons:
            if result.conditions.get(key, 0) is not None:
                message = f"the condition {key} is not null here"
                where = f"{at}/null_reasons/{escape(key)}"
                yield Problem(document.file, where, None, "null-reason", message, "Remove the reason.")


def evidence_leads_somewhere(document: Document, record: Record) -> Iterator[Problem]:
    """Every 1.1 evidence names a source of the record."""
    known = {s.document_id for s in record.all_sources}
    for pointer, name in _named_documents(document.data, ""):
        if name not in known:
            message = f"no source has the document_id {name}"
            remedy = "Name a source of this record."
            yield Problem(document.file, pointer, None, "dangling-evidence", message, remedy)


def _named_documents(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """Yield the document of every object under a key that ends in `evidence`."""
    if isinstance(value, dict):
        for key, item in value.items():
            at = f"{pointer}/{escape(key)}"
            if key == "evidence" and isinstance(item, dict) and isinstance(item.get("document"), str):
                yield f"{at}/document", item["document"]
            elif key == "condition_evidence" and isinstance(item, dict):
                for name, entry in item.items():
                    yield f"{at}/{escape(name)}/document", str(entry["document"])
            else:
                yield from _named_documents(item, at)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _named_documents(item, f"{pointer}/{index}")


RULES: Final[tuple[Rule, ...]] = (campaigns_fit, evidence_leads_somewhere, reasons_belong_to_nulls)
