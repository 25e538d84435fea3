"""Font sizes of a page: as the file says, unless it scales its text in ways that only the boxes tell."""

import numpy as np

from intelli.library.extraction.pdf.glyph_style import GlyphStyle
from intelli.library.extraction.pdf.words import _sizes


def _boxes(*heights: float) -> np.ndarray:
    return np.array([(0.0, 0.0, 5.0, height) for height in heights])


def test_boxes_as_high_as_their_letters_are_no_sign_of_scaling():
    letters = [GlyphStyle(size=11.0)] * 4
    assert _sizes(letters, _boxes(7.3, 5.2, 7.6, 5.3)) == [11.0] * 4


def test_text_that_is_drawn_smaller_than_its_font_says_has_the_size_of_its_boxes():
    assert _sizes([GlyphStyle(size=100.0)] * 2, _boxes(12.0, 12.0)) == [10.0, 10.0]
    assert _sizes([GlyphStyle(size=1.0)], _boxes(12.0)) == [10.0]
