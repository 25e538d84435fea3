"""Choice of the stemmer of a word: by its script, and by the language of the text where several share a script."""

from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache

# Scripts written without spaces, and Hangul, whose words include particles: pairs of characters are the terms.
UNSPACED = (
    "\u0e00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
)
UNSPACED_LANGUAGES = {"bo", "dz", "ja", "km", "ko", "lo", "my", "th", "wuu", "yue", "zh"}
_LATIN = {
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hu": "hungarian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "sv": "swedish",
    "tr": "turkish",
}
# First code point of a script, the stemmer of its words, and the languages that have another.
_SCRIPTS: tuple[tuple[int, str | None, Mapping[str, str]], ...] = (
    (0x0000, "english", _LATIN),
    (0x0370, "greek", {}),
    (0x0400, "russian", {"sr": "serbian"}),
    (0x0530, "armenian", {}),
    (0x0590, None, {"yi": "yiddish"}),
    (0x0600, "arabic", {"fa": "persian"}),
    (0x0700, None, {}),
    (0x0750, "arabic", {"fa": "persian"}),
    (0x0780, None, {}),
    (0x0900, "hindi", {"ne": "nepali"}),
    (0x0980, None, {}),
    (0x0B80, "tamil", {}),
    (0x0C00, None, {}),
    (0x1E00, "english", _LATIN),
    (0x1F00, "greek", {}),
    (0x2000, None, {}),
)
_STARTS = [start for start, _, _ in _SCRIPTS]


def stemmer_of(word: str, language: str) -> str | None:
    """Return the name of the stemmer for a word of a text; None when the word is not stemmed."""
    return None if word[0].isdigit() else _stemmer_at(word[0], language)


@lru_cache(maxsize=20_000)
def _stemmer_at(character: str, language: str) -> str | None:
    _, usual, of_language = _SCRIPTS[bisect_right(_STARTS, ord(character)) - 1]
    return of_language.get(language, usual)
