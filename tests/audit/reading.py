"""A page as its reader sets it: more space between letters, larger text, two forced colours, no motion."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.audit.checks import sideways_faults

SPACING = """* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
p { margin-bottom: 2em !important }"""
"""The four distances of WCAG 2.2, 1.4.12."""

TEXT_TWICE = "html { font-size: 200% !important }"
"""Text of twice its size, as 1.4.4 asks for."""

_ADD_SHEET = """css => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
}"""

_CUT = """() => {
  const hides = value => value === 'hidden' || value === 'clip';
  const name = e => [e.tagName.toLowerCase(), ...e.classList].join('.') + ' '
    + JSON.stringify(e.textContent.trim().slice(0, 40));
  const speaks = e => [...e.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const faults = [];
  for (const e of document.body.querySelectorAll('*')) {
    const style = getComputedStyle(e);
    if (e.closest('.vh') || style.display === 'inline') continue;
    const wide = e.scrollWidth > e.clientWidth + 1, high = e.scrollHeight > e.clientHeight + 1;
    if (wide && hides(style.overflowX) || high && hides(style.overflowY)) faults.push(`cut off: ${name(e)}`);
    else if (wide && style.overflowX === 'visible' && speaks(e)) faults.push(`runs out of its box: ${name(e)}`);
  }
  return faults;
}"""

_UNFRAMED = """() => {
  const none = 'rgba(0, 0, 0, 0)', ground = getComputedStyle(document.body).backgroundColor;
  const drawn = (style, side) => style[`border${side}Style`] !== 'none'
    && parseFloat(style[`border${side}Width`]) >= 1
    && ![none, ground].includes(style[`border${side}Color`]);
  const framed = e => ['Top', 'Right', 'Bottom', 'Left'].every(side => drawn(getComputedStyle(e), side));
  return [...document.querySelectorAll('.badge, td.gap')].filter(e => !framed(e))
    .map(e => `no border: ${[e.tagName.toLowerCase(), ...e.classList].join('.')}`);
}"""

_MOVING = """() => {
  const still = value => value.split(',').every(part => parseFloat(part) === 0);
  const moves = s => s.scrollBehavior === 'smooth' || !still(s.transitionDuration) || s.animationName !== 'none';
  return [...document.querySelectorAll('*')].filter(e => moves(getComputedStyle(e)))
    .map(e => `moves: ${[e.tagName.toLowerCase(), ...e.classList].join('.')}`);
}"""


def set_style(page: Page, css: str) -> None:
    """Lay a reader's style sheet over the open page; the page's own policy has no say in it."""
    page.evaluate(_ADD_SHEET, css)


def fit_faults(page: Page) -> list[str]:
    """Return what scrolls sideways, is cut off or runs out of its box in the open page."""
    cut: list[str] = page.evaluate(_CUT)
    return sideways_faults(page) + cut


def frame_faults(page: Page) -> list[str]:
    """Return each badge and each not-run cell whose four borders cannot be seen."""
    found: list[str] = page.evaluate(_UNFRAMED)
    return found


def motion_faults(page: Page) -> list[str]:
    """Return each element that scrolls smoothly, changes gradually or is animated."""
    found: list[str] = page.evaluate(_MOVING)
    return found
