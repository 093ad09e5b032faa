"""A page without a mouse: every stop of the Tab key, in order, each of them seen."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

_STOPS = """() => {
  const wanted = 'a[href], summary, [tabindex="0"], button, input, select, textarea';
  window.mark = e => (s => [s.outlineStyle, s.outlineWidth, s.outlineColor, s.boxShadow].join())(getComputedStyle(e));
  window.stops = [...document.querySelectorAll(wanted)].filter(e => e.checkVisibility());
  window.unmarked = new Map(window.stops.map(e => [e, window.mark(e)]));
  return window.stops.length;
}"""

_HERE = """() => {
  const e = document.activeElement, s = getComputedStyle(e), box = e.getBoundingClientRect();
  const none = 'rgba(0, 0, 0, 0)';
  const lined = s.outlineStyle === 'auto'
    || s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2 && s.outlineColor !== none;
  const within = box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight
    && box.right > 0 && box.left < innerWidth;
  return {
    index: window.stops.indexOf(e),
    left: e === document.body,
    name: [e.tagName.toLowerCase(), ...e.classList].join('.') + ' ' + JSON.stringify(e.textContent.trim().slice(0, 40)),
    marked: (lined || s.boxShadow !== 'none') && window.unmarked.get(e) !== window.mark(e),
    within,
  };
}"""

_NAME = """index => {
  const e = window.stops[index];
  return [e.tagName.toLowerCase(), ...e.classList].join('.') + ' ' + JSON.stringify(e.textContent.trim().slice(0, 40));
}"""

_IN_MAIN = "() => document.activeElement === document.querySelector('main')"
_BELOW_MAIN = "() => document.querySelector('main').contains(document.activeElement)"


def tab_faults(page: Page) -> list[str]:
    """Press Tab from the top of the open page to its end; return what was missed, unseen or a trap.

    A stop that nobody asked for is none of the faults: a browser lets the keyboard scroll any box that scrolls.
    """
    count: int = page.evaluate(_STOPS)
    faults: list[str] = []
    reached: list[int] = []
    for _ in range(2 * count + 10):
        page.keyboard.press("Tab")
        here: dict[str, Any] = page.evaluate(_HERE)
        if here["left"]:
            break
        reached.append(here["index"])
        if not here["marked"]:
            faults.append(f"focus cannot be seen: {here['name']}")
        if not here["within"]:
            faults.append(f"focus is off the screen: {here['name']}")
    else:
        faults.append("the end of the page is never reached")
    known = [index for index in reached if index >= 0]
    missed = sorted(set(range(count)) - set(known))
    faults += [f"no stop: {page.evaluate(_NAME, index)}" for index in missed]
    if known != sorted(known):
        faults.append("stops do not follow the order of the page")
    return faults


def skip_faults(page: Page) -> list[str]:
    """Press Tab once and Enter on a page just opened; return what keeps the reader from its main part."""
    page.keyboard.press("Tab")
    name, target = page.evaluate("[document.activeElement.className, document.activeElement.getAttribute('href')]")
    if name != "skip":
        return [f"the first stop is no skip link but {name!r} {target}"]
    page.keyboard.press("Enter")
    if not page.evaluate(_IN_MAIN):
        return [f"Enter on the skip link does not move to main ({target})"]
    page.keyboard.press("Tab")
    return [] if page.evaluate(_BELOW_MAIN) else ["the stop after the skip link is not in main"]
