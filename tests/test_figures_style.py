"""Colour tokens: the WCAG formula and what the tokens promise."""

import pytest

from site_src.figures import style


def test_contrast_of_black_and_white_is_21_both_ways() -> None:
    assert style.contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert style.contrast("#ffffff", "#000000") == pytest.approx(21.0)
    assert style.contrast("#475362", "#475362") == 1.0


@pytest.mark.parametrize("tokens", [style.LIGHT, style.DARK])
@pytest.mark.parametrize("ground", ["page", "panel"])
def test_texts_and_outlines_reach_their_contrast(tokens: dict[str, str], ground: str) -> None:
    for token in ("ink", "ink2", "a", "b"):
        assert style.contrast(tokens[token], tokens[ground]) >= style.MIN_CONTRAST
    assert style.contrast(tokens["edge"], tokens[ground]) >= 3


def test_the_themes_name_the_same_tokens_and_light_values_are_unique() -> None:
    # the theme switch selects by light value, so two tokens must not share one
    assert style.LIGHT.keys() == style.DARK.keys()
    assert len(set(style.LIGHT.values())) == len(style.LIGHT)


def test_series_differ_by_shape_and_never_run_out() -> None:
    looks = [style.series_look(n) for n in range(4)]
    assert len({shape for _, shape in looks}) == 4
    assert [hue for hue, _ in looks] == ["a", "b", "ink", "ink"]
    assert style.series_look(99) == style.series_look(3)
