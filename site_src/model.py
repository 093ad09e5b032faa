"""The record types: what a checked explainer holds. No I/O; the published JSON Schema is made from these.

Source: the record format 1.0.0 as its first published record uses it; 1.1 adds, and changes nothing. Unknown keys
are kept (`extra="allow"`) and shown on the page.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from pydantic import ConfigDict, Field

from .capacity import Claim, EnvelopeRow, NamedSource, Profile
from .evidence import Campaign, Change, Comparison, Evidence, KeyFigure, Printing, Relation
from .fields import Date, Free, Line, NullReason, Number, Part, Runs, Sha256, Step, Text, Version, Whole


class Source(Part):
    """The cited origin of numbers: one document at one revision."""

    document_id: Text | None = Field(None, description="Name by which results cite this document.")
    record_id: Text | None = Field(None, description="Id of the publisher's record that this document opens.")
    parent_record_id: Text | None = Field(None, description="Id of the record that this document supplements.")
    publisher: Text = Field(description="Who published the document.")
    repository: Text | None = Field(None, description="OWNER/NAME on its forge; null for a page without one.")
    platform: Text | None = Field(None, description="The forge, for instance github.")
    revision: Text = Field(description="Commit hash, or the name of a snapshot or comment.")
    document_path: Text = Field(description="Path in the repository, or in the address.")
    pinned_url: Text = Field(description="Address of the document at that revision.")
    document_sha256: Sha256 = Field(description="SHA-256 of the bytes that were read.")
    last_commit_at: Date | None = Field(None, description="When the document was last changed.")
    url: Text | None = Field(None, description="Address of the repository or publication.")
    report_url: Text | None = Field(None, description="Address of the report as first cited.")
    checked_on: Date = Field(description="When the bytes were read.")
    metadata_status: Text | None = Field(None, description="State of the metadata, as the editor keeps it.")
    public_URL_is_immutable: bool | None = Field(None, description="Whether the address always serves these bytes.")
    revision_kind: Text | None = Field(None, description="What kind of revision it is, in words.")


class Measurement(Part):
    """One reported value with its unit, statistic, conditions and evidence line."""

    label: Text = Field(description="Short name of the run, unique enough to tell rows apart.")
    metric: Text = Field(description="What was measured, for instance aggregate_output_rate.")
    value: Number | None = Field(description="The value with the digits of the source; null is not reported.")
    value_text: Text | None = Field(None, description="1.1: the value as printed, if digits cannot say it.")
    null_reason: NullReason | None = Field(None, description="1.1: not_reported, not_run_REASON or not_applicable.")
    unit: Text = Field(description="Unit as the source gives it; never converted.")
    statistic: Text = Field(description="What the value is: a single observation, the median of three.")
    uncertainty: Any = Field(None, description="Dispersion as reported; null means none was published.")
    n: Runs | None = Field(None, description="1.1: how many runs stand behind the value.")
    divided_by: Text | None = Field(None, description="1.1: what a rate was divided by.")
    conditions: Free = Field(default_factory=dict, description="Conditions of the run; null is not reported.")
    evidence_state: Text = Field(description="For instance source_reported.")
    site_reproduced: bool = Field(description="Whether this site measured the value again.")
    source_document_id: Text | None = Field(None, description="document_id of the cited source.")
    source_document_sha256: Sha256 | None = Field(None, description="SHA-256 of the cited source.")
    source_line: Line | None = Field(None, description="Line of the value in the cited source, from 1.")
    evidence_url: Text | None = Field(None, description="Stored address of that line.")
    source_record_id: Text | None = Field(None, description="Id of the publisher's record.")
    campaign: Text | None = Field(None, description="1.1: id of the campaign whose conditions this result shares.")
    resolution: Step | None = Field(None, description="1.1: smallest step of the printed value, in its unit.")
    null_reasons: dict[str, NullReason] = Field(default_factory=dict, description="1.1: the same, per null condition.")
    evidence: Evidence | None = Field(None, description="1.1: where the value stands; replaces the source_ fields.")
    condition_evidence: dict[str, Evidence] = Field(default_factory=dict, description="1.1: the same, per condition.")
    also_printed: tuple[Printing, ...] = Field((), description="1.1: other printings of this value.", strict=False)

    @property
    def denominator(self) -> str | None:
        """What a rate was divided by, in the words of the record."""
        value = self.divided_by or self.conditions.get("metric_denominator")
        return value if isinstance(value, str) else None

    @property
    def repetitions(self) -> Decimal | None:
        """How many runs stand behind the value: `n`, or `conditions.repetitions`."""
        value = self.conditions.get("repetitions") if self.n is None else Decimal(self.n)
        return value if isinstance(value, Decimal) else None


class Image(Part):
    """The page's title card."""

    url: Text = Field(description="Address in this site, /assets/NAME.")
    alt: Text = Field(description="What the image shows, for those who do not see it.")
    width: Whole = Field(description="Pixels.")
    height: Whole = Field(description="Pixels.")
    sha256: Sha256 | None = Field(None, description="SHA-256 of the image's bytes.")
    caption: Text | None = Field(None, description="Line under the image.")
    pixels_sha256: Sha256 | None = Field(None, description="1.1: SHA-256 of the decoded RGB pixels.")
    platform: Text | None = Field(None, description="1.1: system and processor on which the image was drawn.")


class Record(Part):
    """One explainer record, of format 1.0 or 1.1."""

    schema_version: Version = Field(description="Version of this format.")
    record_type: Text = Field(description="Kind of page, for instance source_backed_explainer.")
    id: Text = Field(description="Equals the file's name without its ending.")
    path: Text = Field(description="Address of the page in the site, /guides/NAME/.")
    lang: Text | None = Field(None, description="1.1: language of the record's prose, for instance en.")
    draft: bool = Field(False, description="Whether the page is left out of the published site.")
    title: Text = Field(description="Title of the page.")
    summary: Text = Field(description="One sentence for lists and search engines.")
    answer: Text = Field(description="The short answer, three sentences at most.")
    published_on: Date = Field(description="When the page was first published.")
    modified_on: Date = Field(description="When the page was last changed.")
    source_checked_on: Date = Field(description="When its sources were last read.")
    evidence_state: Text = Field(description="State of the evidence, for instance source_reported.")
    evaluator_relationship: Text | None = Field(None, description="1.1: who measured: author, third_party or site.")
    site_reproduced: bool = Field(description="Whether this site repeated the runs.")
    performance_ranking_allowed: bool = Field(description="Whether values may be ranked at all.")
    models: tuple[Text, ...] = Field((), description="1.1: models the page is about, for lists.", strict=False)
    hardware: tuple[Text, ...] = Field((), description="1.1: hardware it is about, for lists.", strict=False)
    sources: tuple[Source, ...] = Field(description="The documents the page rests on.", strict=False, min_length=1)
    supplemental_sources: tuple[Source, ...] = Field((), description="Further documents.", strict=False)
    campaigns: tuple[Campaign, ...] = Field((), description="1.1: conditions that results share.", strict=False)
    reported_results: tuple[Measurement, ...] = Field((), description="The measurements, in order.", strict=False)
    case_reports: tuple[Free, ...] = Field((), description="Matrices and failures as reported.", strict=False)
    memory_observations: tuple[Free, ...] = Field((), description="Memory readings outside results.", strict=False)
    long_context_cases: tuple[Free, ...] = Field((), description="Sustained and long-context runs.", strict=False)
    relations: tuple[Relation, ...] = Field((), description="1.1: declared arithmetic, recomputed.", strict=False)
    comparisons: tuple[Comparison, ...] = Field((), description="1.1: matched pairs of one matrix.", strict=False)
    key_figures: tuple[KeyFigure, ...] = Field((), description="1.1: what the head of the page shows.", strict=False)
    changelog: tuple[Change, ...] = Field((), description="1.1: what was changed on the page.", strict=False)
    aliases: tuple[Text, ...] = Field((), description="1.1: old addresses of the page; each leads to it.", strict=False)
    anchors: dict[str, Text] = Field(default_factory=dict, description="1.1: old heading id: id of the heading now.")
    decision: Text | None = Field(None, description="1.1: the decision a capacity interpretation supports.")
    scope: Text | None = Field(None, description="1.1: what a capacity interpretation covers.")
    result_card: dict[str, Any] = Field(default_factory=dict, description="1.1: short facts of a capacity page.")
    claims: tuple[Claim, ...] = Field((), description="1.1: kinds of claim that are kept apart.", strict=False)
    profiles: tuple[Profile, ...] = Field((), description="1.1: capacity profiles.", strict=False)
    envelope: tuple[EnvelopeRow, ...] = Field((), description="1.1: planning rows, computed.", strict=False)
    envelope_note: Text | None = Field(None, description="1.1: what the envelope is and is not.")
    evidence_boundary: tuple[Text, ...] = Field((), description="1.1: what the evidence does not cover.", strict=False)
    named_sources: tuple[NamedSource, ...] = Field((), description="1.1: named, not pinned here.", strict=False)
    facts: Any = Field((), description="Facts of this site's own; an empty list means none published.")
    metrics: Any = Field(None, description="Metrics of this site's own; null means none published.")
    conditions: Free = Field(default_factory=dict, description="Conditions of the page as a whole.")
    generation: Free = Field(default_factory=dict, description="How text and images were made.")
    image: Image | None = Field(None, description="The title card.")
    body_markdown: Text | None = Field(None, description="The body, unless it lies in ID.md.")

    @property
    def all_sources(self) -> tuple[Source, ...]:
        """Every cited document in the order in which the page numbers them."""
        return self.sources + self.supplemental_sources

    def result_at(self, pointer: str) -> Measurement | None:
        """Return the result that a JSON pointer leads to or into."""
        steps = pointer.split("/")
        if len(steps) > 2 and steps[1] == "reported_results" and steps[2].isdecimal():
            index = int(steps[2])
            return self.reported_results[index] if index < len(self.reported_results) else None
        return None


class Acknowledgement(Part):
    """One accepted finding of ID.audit.yml. `pointer` may hold * for one step."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    code: Text = Field(description="Code of the finding.")
    pointer: str = Field(description="JSON pointer of the finding; * stands for any one step.")
    reason: Text = Field(description="Why it stands; printed on the page.")
    date: Date = Field(description="When it was accepted.")


class Anchors(Part):
    """The heading ids that readers may have linked, ID.anchors.json, as `anchors` writes it."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    headings: tuple[Text, ...] = Field(
        description="Ids that headings of the page had when it was written.", strict=False
    )


class Settings(Part):
    """The site's settings, records/site.yml."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    title: Text = Field("Evidence notes", description="Name of the site.")
    description: Text = Field(
        "Benchmark results with a pinned source line behind each value.", description="One sentence."
    )
    language: Text = Field("en", description="Language of the interface, for instance en.")
    lexicon: tuple[Text, ...] = Field(
        (), description="Names that hold digits and are no numbers; patterns stand between slashes.", strict=False
    )
    site_url: Text | None = Field(None, description="Where the site is published; only for what must be absolute.")
    license: Text | None = Field(None, description="Address of the licence of the guides and their data.")
