"""The rules about wording: what they call out, and the near misses that say nothing wrong."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from site_src import findings, prose, shape
from site_src.load import Document
from site_src.model import Record
from site_src.problems import Finding
from tests.records import REPORT, sound


def said(text: str, changed: dict[str, Any] | None = None, figures: Any = None) -> tuple[Finding, ...]:
    """Return the findings of a sound record whose body says `text`."""
    data = {**sound(), **(changed or {}), "body_markdown": text}
    record = shape.record("records/brook.json", data)
    assert isinstance(record, Record), record
    document = Document("records/brook.json", "brook", data, figures_file="records/brook.figures.yml", figures=figures)
    return findings.audit(document, record, prose.parse(text, record.title))


def codes(text: str, changed: dict[str, Any] | None = None) -> list[str]:
    return [f.code for f in said(text, changed)]


@pytest.mark.parametrize(
    "text",
    [
        "The first box is best.",
        "It is the fastest of the three.",
        "The second box wins.",
        "Box one outperforms box two.",
        "Box one beats box two at 4 lanes.",
        "A superior box.",
        "State-of-the-art rates.",
        "Box one is faster than box two.",
        "Box one gives better first-token times than box two.",
        "It was not run twice, yet it is the fastest.",
        "# The winner",
        "| Box | Note |\n|---|---|\n| one | quickest |",
        "- the champion of the leaderboard",
    ],
)
def test_words_that_rank(text: str) -> None:
    assert set(codes(text)) == {"ranking-words"}


@pytest.mark.parametrize(
    "text",
    [
        "The peak, the lowest free sample, the least and the most, the maximum and the deepest prompt.",
        "The source calls it “the fastest box”.",
        'It says "box one wins" on line 9.',
        "The mode is named `fastest`.",
        "> Box one is the fastest.",
        "Nothing here is best, and no winner is named.",
        "This page does not say which is faster than which.",
        "Best of three runs, best-effort scheduling, at best ten replies.",
        "The fastest of three runs is given, under the best-known name of the box.",
        "None of these numbers says which of the two boxes is best.",
        "The leader node restarted; it won't start on Windows.",
        "More lanes print a higher rate, and a faster card was at hand.",
        "The rates are given rather than a winner.",
    ],
)
def test_words_that_do_not_rank(text: str) -> None:
    assert codes(text) == []


def test_titles_fields_and_captions_are_prose() -> None:
    (title,) = said("It ran.", figures={"a.webp": {"title": "The best box"}, "b.webp": {"title": "Two boxes"}})
    assert (title.file, title.pointer) == ("records/brook.figures.yml", "/a.webp/title")
    (summary,) = said("It ran.", {"summary": "One box beats the other."})
    assert (summary.file, summary.pointer) == ("records/brook.json", "/summary")
    caption = "![two boxes](/assets/a.webp)\n\n*The `fastest` box is the quickest.*"
    assert codes(caption) == ["ranking-words", "image-without-hash"]


def test_a_long_sentence_is_shown_around_the_word() -> None:
    (finding,) = said(f"{'Many words stand here. ' * 2}{'And so on ' * 12}the fastest box {'and more ' * 12}.")
    assert "“fastest” ranks: …" in finding.message
    assert finding.message.endswith("…")
    assert len(finding.message) < 120


@pytest.mark.parametrize(
    "text",
    [
        "We measured it.",
        "We then ran the batch again.",
        "I tested both boxes.",
        "Our long runs took an hour.",
        "The rate was measured by us.",
        "We’ve benchmarked it.",
        "This site measured the rate.",
        "In our tests it was slow.",
    ],
)
def test_claims_of_an_own_measurement(text: str) -> None:
    assert codes(text) == ["claims-own-measurement"]


@pytest.mark.parametrize(
    "text",
    [
        "We did not run it, and we have not measured it.",
        "None of our runs stand behind this.",
        "“We measured 12 replies”, says the log.",
        "The author ran it and measured the rate.",
        "We quote the log. Our page adds the lines.",
        "No request was sent for this page.",
        "This guide measured nothing. Our measurements: none.",
        "In table i ran is short for the range.",
    ],
)
def test_no_claim_of_an_own_measurement(text: str) -> None:
    assert codes(text) == []


def submitted(running: Any = None, count: int = 4) -> dict[str, Any]:
    case = {"requests_submitted": Decimal(count), "running_requests": running, "source_url": REPORT}
    return {"long_context_cases": [case]}


@pytest.mark.parametrize(
    "text",
    [
        "Four concurrent requests finished.",
        "There were 4 long requests running.",
        "All four ran at once.",
        "Four submitted requests were running.",
        "The four prompts were decoded simultaneously.",
        "The box ran four prompts in parallel.",
        "Four simultaneous requests took a minute on two cards.",
    ],
)
def test_submitted_requests_that_are_said_to_run(text: str) -> None:
    assert codes(text, submitted()) == ["submitted-not-running", "submitted-as-running"]
    assert codes(text, submitted(Decimal(4))) == []


@pytest.mark.parametrize(
    "text",
    [
        "Four requests were submitted together.",
        "Four requests were sent at the same time.",
        "That four ran at once is not reported.",
        "Whether four requests ran concurrently is unknown.",
        "The scheduler admits four concurrent requests.",
        "Four clients were running.",
        "Four cards running one server answered.",
        "Five concurrent requests finished.",
        "The log calls them “four concurrent requests”.",
        "There were 4.5 requests running on average.",
    ],
)
def test_submitted_requests_that_are_said_to_be_submitted(text: str) -> None:
    assert codes(text, submitted()) == ["submitted-not-running"]


def test_an_overlap_of_as_many_requests_settles_it() -> None:
    changed = submitted()
    row = sound()["reported_results"][0]
    row["conditions"] |= {"concurrency": Decimal(4), "all_overlap_seconds": Decimal("3.5")}
    changed["reported_results"] = [row]
    assert codes("All four ran at once.", changed) == ["submitted-not-running"]


def labelled(**conditions: Any) -> dict[str, Any]:
    row = sound()["reported_results"][0]
    row["conditions"] |= {"prompt_length_label": "128K", "prompt_tokens": None, **conditions}
    return {"reported_results": [row]}


@pytest.mark.parametrize(
    "text",
    ["Prompts of 128K tokens.", "A 128K-token prompt.", "It read 128k input tokens.", "Prompts of 131,072 tokens."],
)
def test_labels_that_are_called_tokens(text: str) -> None:
    assert codes(text, labelled()) == ["nominal-length", "label-as-length"]


@pytest.mark.parametrize(
    "text",
    [
        "Prompts labelled 128K.",
        "Prompts of nominally 128K tokens.",
        "A window of 128K tokens.",
        "The cache holds 128K tokens.",
        "The log says “128K tokens”.",
        "Prompts of 64K tokens.",
        "Prompts of 127,500 tokens.",
    ],
)
def test_labels_that_are_called_labels(text: str) -> None:
    assert codes(text, labelled()) == ["nominal-length"]


def test_a_number_of_the_record_is_no_label() -> None:
    assert codes("There were 131,072 tokens free.", labelled(free_tokens=Decimal(131072))) == ["nominal-length"]
    assert codes("Prompts of 128K tokens.", labelled(prompt_tokens=Decimal(128021))) == []
