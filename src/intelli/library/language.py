"""Which language a text is in, told from its first pages."""

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_SAMPLE_CHARS = 4000
_LEAST_LETTERS = 20
_LEAST_SURE = 0.6
_LETTER = re.compile(r"[^\W\d_]")


def find_language(text: str) -> str | None:
    """The language as ISO 639-1 has it; None when the text is too short or too mixed to say. Takes a moment of CPU."""
    sample = text[:_SAMPLE_CHARS]
    if len(_LETTER.findall(sample)) < _LEAST_LETTERS:
        return None
    language, sureness = _identifier().classify(sample)
    return str(language) if language and sureness >= _LEAST_SURE else None


@cache
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
