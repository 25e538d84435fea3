"""Which language a text is in, told from its first pages."""

import re
from functools import cache
from mmap import mmap
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier
    from typing_extensions import Buffer

_SAMPLE_CHARS = 4000
# Most texts are told from four glances at them; one that is not is looked at as a whole.
_GLANCES, _GLANCE_CHARS = 4, 160
_LEAST_SURE, _SURE = 0.6, 0.99
_SOME_LETTERS = re.compile(r"(?:[\W\d_]*[^\W\d_]){20}")


def find_language(text: str) -> str | None:
    """The language as ISO 639-1 has it; None when the text is too short or too mixed to say. Takes a moment of CPU."""
    sample = text[:_SAMPLE_CHARS]
    if not _SOME_LETTERS.match(sample):
        return None
    language, sureness = _identifier().classify(_glances(sample))
    if sureness < _SURE:
        language, sureness = _identifier().classify(sample)
    return str(language) if language and sureness >= _LEAST_SURE else None


def _glances(sample: str) -> str:
    step = max(len(sample) // _GLANCES, _GLANCE_CHARS)
    return " ".join(sample[at : at + _GLANCE_CHARS] for at in range(0, len(sample), step))


@cache
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier
    from py3langid.modelio import load_model

    weights, priors, languages, moves, rows, output = load_model(MODEL_DIR / MODEL_FILE)
    # The model comes in half floats, which would be made whole again for each text.
    whole = np.frombuffer(_shared(weights.astype("float32")), "float32").reshape(weights.shape)
    walked = memoryview(_shared(moves)).cast(moves.typecode)
    return LanguageIdentifier(whole, priors, languages, walked, output, norm_probs=True, tk_row=rows)


def _shared(numbers: "Buffer") -> mmap:
    """A copy in memory that a fork need not account for page by page: it is most of what a child would inherit."""
    packed = memoryview(numbers).cast("B")
    memory = mmap(-1, len(packed))
    memory.write(packed)
    return memory
