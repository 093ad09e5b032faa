"""Remake the bundled Inter files from the npm package @fontsource/inter (SIL OFL 1.1).

Run once per Inter release, in a scratch folder:

    npm pack @fontsource/inter && tar xzf fontsource-inter-*.tgz
    .venv/bin/python assets/fonts/make.py package/files

Page fonts (inter-<weight>.woff2): Latin only, small, with `tnum` as a feature. Figure fonts
(Inter-<weight>-fig.ttf): Latin, Latin Extended, Greek and Cyrillic, with the tabular digits baked into the
cmap, because matplotlib 3.11 draws `tnum` but measures without it, which breaks right alignment.
"""

from __future__ import annotations

import sys
import tempfile
from itertools import combinations
from pathlib import Path
from typing import Any

from fontTools import subset
from fontTools.merge import Merger
from fontTools.misc.arrayTools import sectRect
from fontTools.pens.areaPen import AreaPen
from fontTools.pens.boundsPen import ControlBoundsPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import flagOverlapSimple

WEIGHTS = (400, 700)
SCRIPTS = ("latin", "latin-ext", "greek", "greek-ext", "cyrillic", "cyrillic-ext")
PAGE_CHARACTERS = frozenset(
    {
        *range(0x20, 0x7F),
        *range(0xC0, 0x100),
        0xA0,
        0xB0,
        0xB1,
        0xB5,
        0xB7,
        0xD7,
        0xF7,
        0x2009,
        0x2011,
        0x2013,
    }
    | {0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026, 0x202F, 0x2190, 0x2191, 0x2193, 0x2212}
)


def trimmed(source: Path, keep: frozenset[int], features: list[str], flavor: str | None) -> TTFont:
    """Cut one font file down to some characters and layout features, unhinted."""
    font = TTFont(source, recalcTimestamp=False)
    options = subset.Options()
    options.layout_features, options.hinting, options.flavor = features, False, flavor
    options.name_IDs, options.glyph_names, options.notdef_outline = ["*"], False, True
    worker = subset.Subsetter(options)
    worker.populate(unicodes=keep)
    worker.subset(font)
    font.flavor = flavor
    return font


def bake_tabular_digits(font: TTFont) -> None:
    """Point the digits' code points at the `tnum` glyphs."""
    swaps: dict[str, str] = {}
    table = font["GSUB"].table
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == "tnum":
            for index in record.Feature.LookupListIndex:
                for part in table.LookupList.Lookup[index].SubTable:
                    swaps.update(getattr(getattr(part, "ExtSubTable", part), "mapping", {}))
    for cmap in font["cmap"].tables:
        for code in range(0x30, 0x3A):
            if code in cmap.cmap:
                cmap.cmap[code] = swaps.get(cmap.cmap[code], cmap.cmap[code])


def mark_overlaps(font: TTFont) -> None:
    """Flag the outlines whose contours overlap, as the source does not.

    Without the flag FreeType adds up the coverage of both contours and leaves dark dots where they meet; with
    it a glyph takes four times as long, so only these glyphs have it. Contours of one direction whose boxes
    meet overlap; one of the other direction is a counter.
    """
    glyphs = font.getGlyphSet()
    for name in font.getGlyphOrder():
        glyph = font["glyf"][name]
        if glyph.numberOfContours > 1 and overlaps(contours(glyphs, name)):
            glyph.flags[0] |= flagOverlapSimple


def contours(glyphs: Any, name: str) -> list[tuple[float, Any]]:
    """Signed area and box of each contour of a glyph, font units."""
    recorded = RecordingPen()
    glyphs[name].draw(recorded)
    out: list[tuple[float, Any]] = []
    start = 0
    for at, (command, _) in enumerate(recorded.value):
        if command == "closePath":
            area, bounds = AreaPen(), ControlBoundsPen(None)
            piece = RecordingPen()
            piece.value = recorded.value[start : at + 1]
            piece.replay(area)
            piece.replay(bounds)
            out.append((area.value, bounds.bounds))
            start = at + 1
    return out


def overlaps(parts: list[tuple[float, Any]]) -> bool:
    """Whether two contours of one direction meet."""
    return any(
        (area > 0) == (other > 0) and sectRect(box, other_box)[0]
        for (area, box), (other, other_box) in combinations(parts, 2)
    )


def make_figure_font(sources: Path, weight: int, target: Path) -> None:
    """Merge the per-script files of one weight into one TTF for matplotlib."""
    seen: set[int] = set()
    parts: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        for script in SCRIPTS:
            source = sources / f"inter-{script}-{weight}-normal.woff2"
            font = TTFont(source, recalcTimestamp=False)
            if script == "latin":
                bake_tabular_digits(font)
            baked = Path(scratch) / f"{script}-baked.ttf"
            font.flavor = None
            font.save(baked)
            own = frozenset(font.getBestCmap()) - seen
            seen |= own
            part = Path(scratch) / f"{script}.ttf"
            trimmed(baked, own, ["kern", "mark", "mkmk", "ccmp"], None).save(part)
            parts.append(str(part))
        merged = Merger().merge(parts)
        merged["head"].created = merged["head"].modified = TTFont(parts[0])["head"].modified
        merged.recalcTimestamp = False
        mark_overlaps(merged)
        merged.save(target)


def make_page_font(sources: Path, weight: int, target: Path) -> None:
    """Cut the Latin file of one weight to the characters of the pages."""
    source = sources / f"inter-latin-{weight}-normal.woff2"
    trimmed(source, PAGE_CHARACTERS, ["kern", "tnum", "calt"], "woff2").save(target)


def main() -> None:
    """Write the four files beside this script from the folder given as the only argument."""
    sources, here = Path(sys.argv[1]), Path(__file__).parent
    for weight in WEIGHTS:
        make_figure_font(sources, weight, here / f"Inter-{weight}-fig.ttf")
        make_page_font(sources, weight, here / f"inter-{weight}.woff2")
    for path in sorted(here.glob("*.[tw][to]*")):
        print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
