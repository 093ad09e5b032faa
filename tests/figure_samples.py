"""Figure specs for the tests: one of each kind, with values no record has."""

from __future__ import annotations

from site_src.figures.fonts import Typeface, font_folder, typeface
from site_src.figures.spec import (
    Capacity,
    CapacityRow,
    Cell,
    Counted,
    Curve,
    CurvePoint,
    CurveSeries,
    FigureSpec,
    Gauge,
    Hero,
    HeroColumn,
    Incident,
    Matrix,
    Memory,
    Note,
    Panel,
    Plotted,
    RateGroup,
    RateRow,
    Rates,
    Reading,
    Step,
)
from site_src.interface import of_drawings

DRAWN = of_drawings("en")
SOURCE = "Source: example/bench, results.md at commit 0123abc, lines 7–9. Source-reported; not rerun."


def face() -> Typeface:
    return typeface(font_folder(), None)


def number(text: str) -> Plotted:
    return Plotted(text, float(text.replace(",", "")))


def row(label: str, value: str, series: int, note: str) -> RateRow:
    muted = note == "not reported"
    return RateRow(label, number(value), series, series == 1, (Note("1,000 ÷ 2.500 s"), Note(note, muted)))


RATES = FigureSpec(
    "x-rates",
    "rates",
    "Two groups, one rate per cell",
    "Tokens per second for the whole batch",
    SOURCE,
    "plain 367.127, quick 422.037, plain 0.5, quick 329.010",
    Rates(
        "tokens/s",
        (
            RateGroup("short prompts", (row("plain", "367.127", 0, "not reported"), row("quick", "422.037", 1, "3 s"))),
            RateGroup("", (row("plain", "0.5", 0, "not reported"), row("quick", "329.010", 1, "4 s"))),
        ),
        ("tokens ÷ seconds", "all at once"),
        "Hollow mark: one observation. Source order, not ranked.",
    ),
    DRAWN,
)
MEMORY = FigureSpec(
    "x-memory",
    "memory",
    "Three readings",
    "Read across",
    SOURCE,
    "three readings",
    Memory(
        ("Quantity", "Cards", "Unit"),
        (
            Reading("7.52", "GiB", "free", ("FREE memory", "one", "GiB")),
            Reading("1,897", "MiB", "free", ("FREE memory", "one", "MiB")),
            Reading("374,976", "MiB", "used", ("USED memory", "four, summed", "MiB")),
        ),
        ("Peak used memory", "Host memory"),
    ),
    DRAWN,
)
INCIDENT = FigureSpec(
    "x-incident",
    "incident",
    "The pool filled",
    "One dated failure",
    SOURCE,
    "steps",
    Incident(
        (Step("Before", ("usage 0.18",), False), Step("At failure", ("usage 1.00", "assertion"), True)),
        (
            Gauge("State slots", "51 configured", number("0.18"), number("1.00")),
            Gauge("Tokens", "", None, number("0.46")),
        ),
        (
            Counted("Running", number("2"), "limit", number("12")),
            Counted("Queued", number("1")),
            Counted("Seen", number("900"), "most", number("4,096")),
        ),
    ),
    DRAWN,
)
MATRIX = FigureSpec(
    "x-matrix",
    "matrix",
    "Three cells ran, one did not",
    "One cell per step",
    SOURCE,
    "cells",
    Matrix(
        "concurrency",
        ("C1", "C8", "C16"),
        (
            Panel("Rate", "tokens/s", (Cell(number("128.5")), Cell(number("505.0")), Cell(None, "not run: capacity"))),
            Panel("Wait", "s", (Cell(number("1.41")), Cell(number("2.02"), filled=True), Cell(None, "not reported"))),
        ),
        "Hollow mark: one reported cell.",
    ),
    DRAWN,
)
HERO = FigureSpec(
    "x-hero",
    "hero",
    "Submitted is not running",
    "",
    "",
    "card",
    Hero(
        "Some-Model-9B",
        "Evidence, sources checked 1 Jan 2026",
        (HeroColumn("Overlap", "24.850", "of 45.977 s"), HeroColumn("Memory", "374,976", "MiB used")),
        "Source-reported. Not rerun here.",
        "Site",
    ),
    DRAWN,
)
CAPACITY = FigureSpec(
    "x-capacity",
    "capacity",
    "A ceiling is not a pool",
    "Full windows",
    SOURCE,
    "profiles",
    Capacity(
        (
            CapacityRow("plain, 100K", "100,000 tokens", number("1.00"), number("1"), "1 × 70,000", 0.7, 1),
            CapacityRow("quick, 200K", "950,000 tokens", number("4.75"), number("16"), "2 × 90,000", 0.45, 2),
            CapacityRow("large, 100K", "900,000 tokens", number("9.00"), number("4"), "3 × 50,000", 0.5, 3),
        ),
        "full windows",
        "Windows are derived. A pool of tokens is not a number of requests.",
    ),
    DRAWN,
)


def curve_points(xs: str, values: str) -> tuple[CurvePoint, ...]:
    pairs = zip(xs.split(), values.split(), strict=True)
    return tuple(
        CurvePoint(number(x), None if v == "-" else number(v), "not run" if v == "-" else "") for x, v in pairs
    )


CURVE = FigureSpec(
    "x-curve",
    "curve",
    "The wait grows with the prompt",
    "Seconds to the first token",
    SOURCE,
    "points",
    Curve(
        "prompt tokens",
        "seconds",
        (
            CurveSeries("plain", curve_points("100,000 200,000 300,000 400,000", "90.5 210.25 - 700.0")),
            CurveSeries("quick", curve_points("100,000 200,000 300,000 400,000", "40.5 90.25 150.1 250.0")),
        ),
        "Hollow mark: one observation.",
    ),
    DRAWN,
)
ALL = (HERO, RATES, MEMORY, INCIDENT, MATRIX, CAPACITY, CURVE)
