"""Fenced blocks of a body that place what is generated: `results` a table, `figure` a figure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Any, Final, Literal, TypeAlias

from markdown_it.token import Token
from pydantic import ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from .derive import Derivations
from .fields import Part, Text
from .figure_entries import Selection, selected
from .model import Measurement, Record
from .once import once
from .parse import yaml_data
from .problems import Problem, Rejected
from .prose import Body
from .prose import Text as Run

KINDS: Final = ("results", "figure")
MOST_METRICS: Final = 2
PARTS: Final = ("card", "claims", "profiles", "envelope")


class ResultsBlock(Part):
    """A generated table: results by selection, a comparison, relations, or a part of a capacity record."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    campaign: Text | None = Field(None, description="Campaign of the results.")
    metrics: tuple[Text, ...] = Field((), description="One or two metrics, a column each.", strict=False)
    where: dict[str, Any] = Field(default_factory=dict, description="Conditions and the value each must have.")
    labels: tuple[Text, ...] = Field((), description="Labels of the results.", strict=False)
    comparison: Text | None = Field(None, description="Id of a comparison.")
    relations: tuple[Text, ...] = Field((), description="Ids of relations.", strict=False)
    part: Literal["card", "claims", "profiles", "envelope"] | None = Field(None, description="Part of the record.")
    caption: Text | None = Field(None, description="Caption of the table.")

    @model_validator(mode="after")
    def _one_thing(self) -> ResultsBlock:
        asked = [bool(self.metrics), self.comparison is not None, bool(self.relations), self.part is not None]
        if sum(asked) != 1 or len(self.metrics) > MOST_METRICS:
            raise PydanticCustomError("bad-block", "name one or two metrics, a comparison, relations or a part")
        if not self.metrics and (self.campaign or self.where or self.labels):
            raise PydanticCustomError("bad-block", "campaign, where and labels select metrics; name metrics too")
        if self.caption and (self.part or self.comparison):
            raise PydanticCustomError("bad-block", "a part and a comparison bring their own caption")
        return self

    def selection(self, metric: str) -> Selection:
        """Return the selection of one column."""
        chosen = {"metric": metric, "campaign": self.campaign, "labels": self.labels, "where": self.where}
        return Selection.model_validate(chosen)


class FigureBlock(Part):
    """A figure at this place."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: Text = Field(description="Name of the image, as a figures sidecar or its ending tells it.")
    alt: Text = Field(description="What it shows, for those who do not see it.")
    caption: Text | None = Field(None, description="Line under it.")


Block: TypeAlias = ResultsBlock | FigureBlock


def is_fence(token: Token) -> bool:
    """Tell whether a token places something generated."""
    return token.type == "fence" and token.level == 0 and token.info.strip() in KINDS


def read(token: Token) -> Block | str:
    """Return the block of a fence, or what is wrong with it."""
    model = ResultsBlock if token.info.strip() == "results" else FigureBlock
    try:
        return model.model_validate(yaml_data(token.content, "") or {})
    except Rejected as rejected:
        return rejected.problems[0].message
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        return f"{where}: {first['msg']}" if where else first["msg"]


@once
def placed(body: Body) -> Iterator[tuple[int, Block | str]]:
    """Yield every block of a body with its offset."""
    starts = [0, *(m.end() for m in re.finditer("\n", body.source))]
    for run in body.blocks:
        for token in run.tokens if isinstance(run, Run) else ():
            if is_fence(token):
                yield (starts[token.map[0]] if token.map else 0), read(token)


def key(block: ResultsBlock) -> str:
    """Return a short name of what a block asks for, the same in every build."""
    return hashlib.sha256(block.model_dump_json().encode()).hexdigest()[:8]


def faults(body: Body, record: Record, derived: Derivations, place: tuple[str, str]) -> Iterator[Problem]:
    """Yield a problem for each block that cannot be read or that places nothing."""
    for offset, block in placed(body):
        if isinstance(block, str):
            remedy = "Write it as in docs/records.md."
            yield Problem(*place, offset, "bad-block", f"the block cannot be read: {block}", remedy)
        elif isinstance(block, ResultsBlock):
            for what in _empty(block, record, derived):
                yield Problem(*place, offset, "empty-block", f"{what}", "Name what the record holds.")


def _empty(block: ResultsBlock, record: Record, derived: Derivations) -> Iterator[str]:
    for metric in block.metrics:
        if not selected(record, block.selection(metric)):
            yield f"no result of {metric} fits the block"
    if block.comparison and not derived.pairs.get(block.comparison):
        yield f"no comparison has the id {block.comparison}"
    for relation in block.relations:
        if relation not in {r.id for r in record.relations}:
            yield f"no relation has the id {relation}"
    holds = {
        "card": record.result_card,
        "claims": record.claims,
        "profiles": record.profiles,
        "envelope": record.envelope,
    }
    if block.part and not holds[block.part]:
        yield f"the record has no {block.part}"


def placed_figures(body: Body) -> list[str]:
    """Return the names of figures that blocks of a body place."""
    return [block.name for _, block in placed(body) if isinstance(block, FigureBlock)]


def shown_results(body: Body, record: Record) -> set[int]:
    """Return the positions of results that the body's tables show; the rest stands under Reported results."""
    shown: set[int] = set()
    for _, block in placed(body):
        if isinstance(block, ResultsBlock):
            chosen: list[Measurement] = [r for m in block.metrics for r in selected(record, block.selection(m))]
            shown |= {i for i, r in enumerate(record.reported_results) if any(r is c for c in chosen)}
    return shown
