"""The record types → the JSON Schema that editors and other programs check against."""

from __future__ import annotations

import json

from .model import Record


def record_schema() -> str:
    """Return the JSON Schema (draft 2020-12) of a record, made from the models that check it."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Record.model_json_schema()}
    schema["title"] = "Explainer record"
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
