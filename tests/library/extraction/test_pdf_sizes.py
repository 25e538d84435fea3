"""Font sizes of a page: as the file says, unless it scales its text in ways that only the boxes tell."""

import numpy as np

from intelli.library.extraction.pdf.traits import Traits
from intelli.library.extraction.pdf.words import _sizes


def _boxes(*heights: float) -> np.ndarray:
    return np.array([(0.0, 0.0, 5.0, height) for height in heights])


def test_boxes_as_high_as_their_letters_are_no_sign_of_scaling():
    letters = [Traits(size=11.0)] * 4
    assert _sizes(letters, _boxes(7.3, 5.2, 7.6, 5.3)) == [11.0] * 4


def test_text_that_is_drawn_smaller_than_its_font_says_has_the_size_of_its_boxes():
    assert _sizes([Traits(size=100.0)] * 2, _boxes(12.0, 12.0)) == [10.0, 10.0]
    assert _sizes([Traits(size=1.0)], _boxes(12.0)) == [10.0]
