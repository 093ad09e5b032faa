"""A body: any Markdown → the HTML of a page, which holds nothing but the elements and addresses of prose."""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from site_src import markup, prose
from site_src.check import check
from site_src.load import Document, Loaded, parsed
from site_src.problems import Rejected
from tests.claim_samples import record
from tests.fuzz.target import of_bytes, told
from tests.machine_samples import BODY

FILE, BODY_FILE = "records/tarn.json", "records/tarn.md"
ELEMENTS: Final = frozenset(
    re.findall(
        r"\S+",
        "a b blockquote body br code dd div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 head hr html img li ol p"
        " picture pre s section source span strong sup table tbody td th thead tr ul",
    )
)
ATTRIBUTES: Final = frozenset(
    re.findall(
        r"\S+", "alt aria-describedby aria-hidden aria-label class dir href id role scope src start tabindex title"
    )
)


def inert(html: str) -> None:
    """Assert that HTML made of prose can do nothing."""
    for node in LexborHTMLParser(f"<body>{html}").css("*"):
        assert node.tag in ELEMENTS, node.tag
        assert ATTRIBUTES.issuperset(node.attributes), node.attributes
        for name in ("href", "src"):
            bare = re.sub(r"[\x00-\x20]", "", node.attributes.get(name) or "").lower()
            assert not re.match(r"[a-z][a-z0-9+.-]*:", bare) or bare.startswith(("http:", "https:", "mailto:")), bare


def _one(raw: bytes) -> None:
    text, problems, _ = parsed(BODY_FILE, raw)
    told(problems, BODY_FILE, raw)
    if problems:
        return
    data = {k: v for k, v in record().items() if k != "body_markdown"}
    try:
        check(Loaded((Document(FILE, "tarn", data, BODY_FILE, text),), None, None), frozenset(), claims_proved=False)
    except Rejected as rejected:
        told([p for p in rejected.problems if p.file == BODY_FILE], BODY_FILE, raw)
        return
    for block in prose.parse(text, "Tarn").blocks:
        tokens = block.tokens if isinstance(block, prose.Text) else block.caption
        if isinstance(block, prose.Text):
            inert(markup.html(tokens, lambda href: href))


TARGET = of_bytes(
    _one,
    BODY.replace("/notes/heron/", "/notes/tarn/").replace("brook", "tarn").encode(),
    b'<script>alert(1)</script> [x](javascript&#58;alert(1)) <https://example.org/> ![a](/assets/x "t")'
    b"\n\n[y]: data:,x",
    b"> - 1. # a\n\n***_`[[x](/a)](/b)`_***\n\nT[^1] ^[x]\n\n[^1]: [^1]"
    b"\n\n```results\nmetrics: [a]\n```\n\n~~~figure\nx: y\n",
)
