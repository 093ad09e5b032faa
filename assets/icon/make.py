"""Remake favicon.ico from icon.svg, for clients that ask for /favicon.ico and read no SVG.

Run after a change of icon.svg, with Debian's Chromium:

    .venv/bin/python assets/icon/make.py
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ASSETS = Path(__file__).resolve().parent.parent
SIZES = (16, 32, 48)


def drawn(svg: str, size: int) -> Image.Image:
    """Return the drawing as pixels, its ground left clear."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": size, "height": size})
        page.set_content(f"<style>body{{margin:0}}svg{{display:block;width:{size}px}}</style>{svg}")
        shot = page.screenshot(omit_background=True)
        browser.close()
    return Image.open(io.BytesIO(shot)).convert("RGBA")


def main() -> None:
    """Write favicon.ico."""
    svg = (ASSETS / "icon.svg").read_text("utf-8")
    images = [drawn(svg, size) for size in SIZES]
    sizes = [(size, size) for size in SIZES]
    images[-1].save(ASSETS / "favicon.ico", sizes=sizes, append_images=images[:-1])


if __name__ == "__main__":
    main()
