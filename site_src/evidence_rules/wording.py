"""Findings about wording: what a draft left open; and in English only: ranks, own measurements, requests that ran."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..load import Document
from ..model import Record
from ..placeholders import is_left
from ..problems import Finding
from ..prose import Body
from .lengths import only_submitted
from .spoken import Sentence, sentences

# The fastest of three runs is a statistic.
_RUNS: Final = r" of (?:\w+ ){0,2}(?:runs|repeats|repetitions|samples|trials|rounds|attempts)\b"
_RANK: Final = re.compile(
    rf"\b(?:(?<!at )best(?![ -](?:of|effort|practices?|guess|known)\b)|(?:fastest|quickest|slowest|worst)(?!{_RUNS})"
    r"|winners?|wins?|winning"
    r"|won(?![’']t)|out-?performs?|out-?performed|out-?performing|beats?|beating|beaten|superior|champions?"
    r"|leader(?:board)?s?(?! (?:node|rank|worker|pod|election|process))|state[ -]of[ -]the[ -]art|sota"
    r"|top[ -]perform(?:ing|ers?)|(?:faster|slower|quicker|better|worse)(?: [\w-]+){0,3}? than)\b",
    re.I,
)
_WE: Final = r"(?:we|(?-i:I)|this (?:site|page|guide))"
_OWN: Final = re.compile(
    rf"\b(?:{_WE}(?: \w+){{0,2}} (?:measured|re-?ran|ran|tested|retested|benchmarked|observed|reproduced|timed)"
    rf"|{_WE}[’']ve (?:measured|run|tested|benchmarked|observed|reproduced)"
    r"|(?:our|my)(?: own)?(?: \w+)? (?:runs?|tests?|benchmarks?|measurements?|results|hardware|lab|rig|machines?"
    r"|cards?)"
    r"|(?:measured|tested|benchmarked|observed|reproduced) by (?:us|me|this (?:site|page|guide)))\b",
    re.I,
)
_WORDS_OF_NUMBERS: Final = re.findall(
    r"\w+",
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty",
)
_W: Final = r"(?:[^\W\d][\w’'-]*,? )"
_TOGETHER: Final = r"(?:concurrently|simultaneously|in parallel|at once|at the same time|together)"
_RAN: Final = r"(?:ran|run|running|executed|executing|decoded|decoding|processed|served|active)"
# Limits, plans and what was sent say nothing about what ran.
_NO_CLAIM: Final = re.compile(
    r"\b(?:limit|ceiling|at most|up to|maximum|max|admits?|allows?|accepts?|cap|configured|capacity|slots?|can|could"
    r"|may|might|would|should|if|planned|proposed)\b",
    re.I,
)
_NO_REQUEST: Final = re.compile(
    r"\b(?:submi\w+(?! (?:requests?|prompts?))"
    r"|sends?|sent|issu\w+|launch\w*|arriv\w+|queued|clients?|cards?|gpus?|servers?|nodes?|hosts?"
    r"|instances?|ranks?|replicas?|workers?|containers?|checkpoints?|rounds?|times?)\b",
    re.I,
)


def ranking_words(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A word that ranks, on a page that allows no ranking. Extremes of a series (peak, lowest) are statistics."""
    if record.performance_ranking_allowed:
        return
    for sentence in sentences(document, body):
        for match in _RANK.finditer(sentence.text):
            if not sentence.negates(match.start()):
                message = f"“{match[0]}” ranks: {sentence.shown(match.start())}"
                yield sentence.finding("ranking-words", message, "Give the numbers, or quote whoever ranked.")


def claims_own_measurement(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """The prose claims a measurement of this site's own, and the record says that none was made."""
    if record.site_reproduced or any(r.site_reproduced for r in record.reported_results):
        return
    for sentence in sentences(document, body):
        for match in _OWN.finditer(sentence.text):
            if not sentence.negates(match.end()) and not sentence.denies_after(match.end()):
                message = f"“{match[0]}”, yet nothing was reproduced: {sentence.shown(match.start())}"
                yield sentence.finding("claims-own-measurement", message, "Say who measured.")


def submitted_as_running(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """The prose says that so many requests ran together, and the record only says that they were submitted."""
    counts = only_submitted(record)
    for sentence in sentences(document, body) if counts else ():
        if sentence.is_negated or _NO_CLAIM.search(sentence.text):
            continue
        found = next((m for n in sorted(counts) if (m := _claim(n, sentence))), None)
        if found:
            message = f"“{found[0].strip()}”: submitted together, not known to run together"
            yield sentence.finding("submitted-as-running", message, "Say submitted.")


def _claim(count: int, sentence: Sentence) -> re.Match[str] | None:
    """Return the words that claim that `count` requests ran together, or None."""
    word = f"|{_WORDS_OF_NUMBERS[count]}" if count < len(_WORDS_OF_NUMBERS) else ""
    number = rf"(?<![\w.,])(?:{count}{word})(?![\w.,]*\d) "
    adjective = rf"{number}{_W}{{0,3}}(?:running|concurrent|simultaneous)\b(?! (?:submissions?|clients?|users?))"
    adverb = rf"{number}{_W}{{0,5}}{_RAN} {_W}{{0,3}}{_TOGETHER}\b"
    reverse = rf"\b{_RAN} {_W}{{0,2}}{number}{_W}{{0,3}}{_TOGETHER}\b"
    for pattern in (adjective, adverb, reverse):
        match = re.search(pattern, sentence.text, re.I)
        if match and not _NO_REQUEST.search(match[0]):
            return match
    return None


def left_unwritten(document: Document, record: Record, body: Body) -> Iterator[Finding]:
    """A page that is no draft still holds what `new` or `import` wrote for an editor to replace. In any language."""
    if record.draft:
        return
    found = dict.fromkeys((s.file, s.pointer, s.text) for s in sentences(document, body) if is_left(s.text))
    for file, pointer, text in found:
        field = pointer.removeprefix("/") or "the body"
        message = f"{field} was left unwritten: “{text}”"
        yield Finding(file, pointer, "left-unwritten", message, "Write it, or make the record a draft again.")
