"""A corpus of N records exactly in the schema, for timing and weighing a site of many guides.

Same N, same bytes. Every guide has prose of its own from a vocabulary in which few words are frequent and most are
rare, as in writing; 24 results in four metrics, conditions that rows share and that differ, a case, three sources.
"""

from __future__ import annotations

import hashlib
import random
from bisect import bisect
from decimal import Decimal
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from site_src.serial import json_text

VOCABULARY: Final = 6_000
RESULTS: Final = 24
SECTIONS: Final = 8
_METRICS: Final = (
    ("aggregate_output_rate", "tokens/s", 3),
    ("decode_rate", "tokens/s", 2),
    ("ttft", "s", 3),
    ("used_memory", "MiB", 0),
)
_ENGINES: Final = ("Lark", "Millrace", "Tern", "Halyard", "Quoin")
_MODELS: Final = ("Basalt", "Fennel", "Orrery", "Juniper", "Marram", "Osier", "Teasel")
_CARDS: Final = ("one 96 GB card", "two 48 GB cards", "four 80 GB cards", "eight 24 GB cards")
_FORMATS: Final = ("fp8_e4m3", "fp8_e5m2", "bf16", "int4_awq", "nvfp4")
_CONSONANTS: Final = ["b", "c", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t", "tr", "v", "w"]
_VOWELS: Final = ["a", "e", "i", "o", "u", "ai", "ea", "ou"]


def _vocabulary() -> tuple[list[str], list[float]]:
    """Return words of one to four syllables and the running sums of their frequency, the n-th one 1/n."""
    chance = random.Random("vocabulary")
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        syllables = chance.choice((1, 2, 2, 3, 3, 4))
        words["".join(chance.choice(_CONSONANTS) + chance.choice(_VOWELS) for _ in range(syllables))] = None
    return list(words), list(accumulate(1 / n for n in range(1, VOCABULARY + 1)))


_WORDS, _SUMS = _vocabulary()


def _sentence(chance: random.Random, values: list[str]) -> str:
    words = [_WORDS[bisect(_SUMS, chance.random() * _SUMS[-1])] for _ in range(chance.randrange(9, 22))]
    if chance.random() < 0.4:
        words.insert(chance.randrange(3, 8), chance.choice(values))
    return " ".join(words).capitalize() + "."


def record(number: int) -> dict[str, Any]:
    """Return the record of one guide."""
    chance = random.Random(f"guide-{number}")
    model = f"{chance.choice(_MODELS)}-{chance.randrange(1, 400)}B"
    sources = [_source(chance, f"report-{n}") for n in range(3)]
    results = [_result(chance, n, sources) for n in range(RESULTS)]
    values = [f"{r['value']:,} {r['unit']}" for r in results]
    return {
        "schema_version": "1.1.0",
        "record_type": "source_backed_explainer",
        "id": f"guide-{number:05}",
        "path": f"/guides/guide-{number:05}/",
        "title": f"{model}: {_sentence(chance, values).removesuffix('.')[:60].strip()} {number}",
        "summary": _sentence(chance, values),
        "answer": " ".join(_sentence(chance, values) for _ in range(3)),
        "published_on": "2026-10-18",
        "modified_on": "2026-10-18",
        "source_checked_on": f"2026-10-{chance.randrange(1, 29):02}",
        "evidence_state": "source_reported",
        "site_reproduced": False,
        "performance_ranking_allowed": False,
        "models": [model],
        "hardware": [chance.choice(_CARDS)],
        "sources": sources,
        "reported_results": results,
        "case_reports": [_case(chance, sources[0])],
        "body_markdown": _body(chance, values),
    }


def _hex(chance: random.Random, length: int) -> str:
    return f"{chance.getrandbits(length * 4):0{length}x}"


def _source(chance: random.Random, name: str) -> dict[str, Any]:
    owner, revision = chance.choice(_WORDS[500:900]), _hex(chance, 40)
    repository, path = f"{owner}/{chance.choice(_WORDS[900:1400])}", f"docs/{chance.choice(_WORDS[1400:])}.md"
    return {
        "document_id": name,
        "publisher": owner.capitalize(),
        "repository": repository,
        "revision": revision,
        "document_path": path,
        "pinned_url": f"https://github.com/{repository}/blob/{revision}/{path}",
        "document_sha256": hashlib.sha256(revision.encode()).hexdigest(),
        "checked_on": "2026-10-18",
        "public_URL_is_immutable": True,
    }


def _result(chance: random.Random, n: int, sources: list[dict[str, Any]]) -> dict[str, Any]:
    metric, unit, places = _METRICS[n // (RESULTS // len(_METRICS))]
    value = Decimal(chance.randrange(1000, 900_000)).scaleb(-places)
    lanes, tokens = 2 ** (n % 6), 1024 * chance.randrange(4, 400)
    shared = random.Random(sources[0]["revision"])
    return {
        "label": f"C{lanes}, {tokens:,} prompt tokens, run {n + 1}",
        "metric": metric,
        "value": value,
        "unit": unit,
        "statistic": "single observation",
        "uncertainty": None,
        "conditions": {
            "concurrency": Decimal(lanes),
            "prompt_tokens": Decimal(tokens),
            "engine": f"{shared.choice(_ENGINES)} 0.{shared.randrange(30)}.{shared.randrange(9)}",
            "engine_revision": _hex(shared, 40),
            "weight_format": shared.choice(_FORMATS),
            "kv_dtype": shared.choice(_FORMATS),
            **{f"setting_{key}": Decimal(shared.randrange(1, 99_999)) for key in "abcdefghij"},
            "temperature": None,
            "driver": None,
            "repetitions": Decimal(1),
            **({"metric_denominator": "wall time of the batch"} if "/" in unit else {}),
        },
        "evidence_state": "source_reported",
        "site_reproduced": False,
        "source_document_id": sources[n % 3]["document_id"],
        "source_line": Decimal(n * 7 + 3),
    }


def _case(chance: random.Random, source: dict[str, Any]) -> dict[str, Any]:
    return {
        "title": "A scheduler failure",
        "source_document_id": source["document_id"],
        "error": _sentence(chance, ["assertion"]),
        "observed_running_requests": Decimal(chance.randrange(1, 64)),
        "pool_usage": Decimal(chance.randrange(100)).scaleb(-2),
        "engine_build": f"0.{chance.randrange(9)}.dev{chance.randrange(9999)}+g{_hex(chance, 9)}",
    }


def _body(chance: random.Random, values: list[str]) -> str:
    parts = []
    for section in range(SECTIONS):
        parts.append(f"## {_sentence(chance, values).removesuffix('.')[:50].strip()} {section + 1}")
        parts += [" ".join(_sentence(chance, values) for _ in range(5)) for _ in range(2)]
    return "\n\n".join(parts) + "\n"


def write(root: Path, count: int) -> Path:
    """Write a project of `count` records into `root`; return `root`."""
    (root / "records").mkdir(parents=True)
    for number in range(count):
        made = record(number)
        (root / "records" / f"{made['id']}.json").write_text(json_text(made), "utf-8")
    return root
