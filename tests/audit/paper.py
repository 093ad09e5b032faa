"""A page on paper: the PDF a browser with a dark preference prints, looked at as pixels and as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import pypdfium2 as pdfium
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize

from tests.audit.checks import opened, sideways_faults

PAGE_LIMIT = 39

FOOT = 18 * 72 / 25.4
"""Points of margin below, where the page number stands; `@page` in style.css has it."""

_SHEET: ViewportSize = {"width": 680, "height": 1000}
"""CSS pixels between the margins of A4: 180 mm."""

_FOLD = "for (const d of document.querySelectorAll('details')) d.open = false"
_UNFOLD = "for (const d of document.querySelectorAll('details')) d.open = true"

_WORDS = """() => {
  const words = [];
  const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.data.trim(), parent = walk.currentNode.parentElement;
    if (text && !parent.closest('.vh') && parent.checkVisibility()) words.push(text);
  }
  for (const link of document.querySelectorAll('.refs > li > div > a[href^=http]')) words.push(link.href);
  return words;
}"""

_OWED = """() => {
  const texts = (selector, of) => [...document.querySelectorAll(selector)].map(of);
  return [
    ...texts('caption', e => e.firstChild.data),
    ...texts('main h1, main h2:not(.vh), .refs > li > div > a:first-child', e => e.textContent),
    ...texts('.refs > li > div > a[href^=http]:first-child', e => e.href),
  ].map(text => text.trim());
}"""

_SCREEN_ONLY = """() => {
  const file = a => a.origin === location.origin && /\\.(?!html$)[a-z0-9]+$/.test(a.pathname);
  const name = e => [e.tagName.toLowerCase(), ...e.classList].join('.') + ' ' + JSON.stringify(e.textContent.trim());
  const links = [...document.querySelectorAll('a[href]')].filter(file);
  return [...document.querySelectorAll('nav, .skip'), ...links]
    .filter(e => e.checkVisibility()).map(e => name(e).slice(0, 80));
}"""


@dataclass(frozen=True)
class Sheet:
    """One printed page: how it looks, and its text but for the page number.

    A browser prints no glyph that stands in the margin, so text that is cut off is missing here.
    """

    picture: Image.Image
    text: str


def paper_faults(browser: Browser, url: str) -> list[str]:
    """Print `url` from a light and from a dark profile, all `<details>` closed; return what is wrong with the paper."""
    with opened(browser, url, 1280, "light") as page:
        light = [sheet.picture for sheet in _sheets(_printed(page))]
    with opened(browser, url, 1280, "dark") as page:
        dark = list(_sheets(_printed(page)))
        faults = _layout_faults(page) + _text_faults(page, "".join(sheet.text for sheet in dark))
    if not 0 < len(dark) <= PAGE_LIMIT:
        faults.append(f"prints {len(dark)} pages, at most {PAGE_LIMIT}")
    if len(light) != len(dark):
        faults.append(f"prints {len(dark)} pages for who prefers dark and {len(light)} for others")
    for number, (sheet, other) in enumerate(zip(dark, light, strict=False), 1):
        faults += [f"page {number} {fault}" for fault in _sheet_faults(sheet, other)]
    return faults


def _printed(page: Page) -> bytes:
    page.evaluate(_FOLD)
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    page.evaluate(_UNFOLD)
    return pdf


def _sheet_faults(sheet: Sheet, light: Image.Image) -> Iterator[str]:
    if sheet.picture != light:
        yield "looks different to who prefers dark"
    if _share_of_white(sheet.picture) < 0.5:
        yield "has a dark ground"
    if not sheet.text:
        yield "is empty"


def _share_of_white(picture: Image.Image) -> float:
    counts = picture.convert("L").histogram()
    return sum(counts[250:]) / sum(counts)


def _layout_faults(page: Page) -> list[str]:
    """Lay the open page out as paper as wide as A4; return what does not fit and what belongs on a screen."""
    page.emulate_media(media="print")
    page.set_viewport_size(_SHEET)
    wide = [f"on A4 {fault}" for fault in sideways_faults(page)]
    return wide + [f"prints {found}" for found in page.evaluate(_SCREEN_ONLY)]


def _text_faults(page: Page, text: str) -> list[str]:
    """Return every piece of text that paper owes or shows, and that is not in the text of the PDF."""
    pieces = dict.fromkeys(page.evaluate(_OWED) + page.evaluate(_WORDS))
    return [f"does not print {piece!r}" for piece in pieces if _bare(piece) not in text]


def _bare(text: str) -> str:
    """Return `text` without what a line break may add or take: blanks, hyphens, control characters."""
    return re.sub(r"[\s\x00-\x1f\u00ad\u200b\ufffe-]+", "", text)


def _sheets(pdf: bytes) -> Iterator[Sheet]:
    with closing(pdfium.PdfDocument(pdf)) as document:
        for number in range(len(document)):
            with closing(document[number]) as page, closing(page.get_textpage()) as text:
                with closing(page.render(scale=0.75)) as bitmap:
                    picture = bitmap.to_pil().copy()
                yield Sheet(picture, _bare(text.get_text_bounded(0, FOOT, *page.get_size())))
