"""The picture of a page that the README shows: `python -m tests.made.picture` builds the site and takes it.

Needs Chromium. The guide is the first that the index names; a picture depends on the browser's version, so a test
holds its size, and not its bytes.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import sync_playwright

from site_src.cli import DONE, main
from site_src.project import RESOURCES
from tests.browser import FLAGS, served

PICTURE: Final = RESOURCES / "docs" / "page.webp"
SIZE: Final = (1280, 900)
MOST_BYTES: Final = 150_000


def taken(site: Path, program: str) -> bytes:
    """Return a PNG of the head of the first guide that the index of a built site leads to, on a light screen."""
    with served(site) as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}, color_scheme="light")
        page.goto(f"{base}/")
        page.locator("main .list a").first.click()
        page.wait_for_load_state("networkidle")
        page.evaluate("document.fonts.ready")
        picture: bytes = page.screenshot()
        browser.close()
    return picture


def webp(png: bytes) -> bytes:
    """Return the same picture as WebP, without loss."""
    out = io.BytesIO()
    with Image.open(io.BytesIO(png)) as image:
        image.convert("RGB").save(out, "WEBP", lossless=True, method=6)
    return out.getvalue()


def run() -> int:
    """Build the site of this checkout into a folder of its own, and write the picture."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        print("Chromium is missing: apt-get install chromium", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        if (code := main(["build", "-q", "--project", str(RESOURCES), "--out", str(site)])) != DONE:
            return code
        data = webp(taken(site, program))
    if len(data) > MOST_BYTES:
        print(f"The picture has {len(data):,} bytes, at most {MOST_BYTES:,}. Nothing was written.", file=sys.stderr)
        return 1
    PICTURE.write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(run())
