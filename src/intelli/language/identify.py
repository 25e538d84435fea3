"""Language detection by letters, for whole documents: about a hundred languages, and no answer where it is unsure.

A sentence or a question is too short for it: `words.find_language` tells those by their little words, among the
languages that we have word lists of.
"""

import re
from functools import cache
from mmap import mmap
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier
    from typing_extensions import Buffer

_SAMPLE_CHARS = 4000
# Four short samples identify most texts; the whole beginning is only classified when they do not.
_SAMPLES, _SAMPLED_CHARS = 4, 160
_LEAST_SURE, _SURE = 0.6, 0.99
_SOME_LETTERS = re.compile(r"(?:[\W\d_]*[^\W\d_]){20}")


def find_language(text: str) -> str | None:
    """Return the ISO 639-1 code of a document's language; None when it is too short or too mixed. CPU-bound."""
    sample = text[:_SAMPLE_CHARS]
    if not _SOME_LETTERS.match(sample):
        return None
    language, sureness = _identifier().classify(_short_samples(sample))
    if sureness < _SURE:
        language, sureness = _identifier().classify(sample)
    return str(language) if language and sureness >= _LEAST_SURE else None


def _short_samples(sample: str) -> str:
    step = max(len(sample) // _SAMPLES, _SAMPLED_CHARS)
    return " ".join(sample[at : at + _SAMPLED_CHARS] for at in range(0, len(sample), step))


@cache
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier
    from py3langid.modelio import load_model

    weights, priors, languages, moves, rows, output = load_model(MODEL_DIR / MODEL_FILE)
    # The model comes in half floats, which would be converted to floats again for each text.
    whole = np.frombuffer(_shared(weights.astype("float32")), "float32").reshape(weights.shape)
    walked = memoryview(_shared(moves)).cast(moves.typecode)
    return LanguageIdentifier(whole, priors, languages, walked, output, norm_probs=True, tk_row=rows)


def _shared(numbers: "Buffer") -> mmap:
    """Copy numbers to anonymous shared memory: most of what a child inherits, and a fork need not track its pages."""
    packed = memoryview(numbers).cast("B")
    memory = mmap(-1, len(packed))
    memory.write(packed)
    return memory
