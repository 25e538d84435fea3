"""Units of money and of shares: the signs, codes and words for each, and the one name by which they are compared."""

from collections.abc import Iterable

from intelli.language import languages


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


MARKS = {"%": "percent", "\u2030": "per mille", "$": "usd", "\u20ac": "eur", "\u00a3": "gbp", "\u00a5": "jpy"}
# The signs of money, for a class of characters.
MONEY_SIGNS = "$\u20ac\u00a3\u00a5"
CODES = ("usd", "eur", "gbp", "chf", "jpy")
_NAME_OF = {word: name for known in languages.languages().values() for word, name in known.units.items()}
_NAME_OF |= {code: code for code in CODES}
# Texts of regular expressions: money before a number, any word for a unit behind one, and those for money alone.
CURRENCY = rf"US\$|[{MONEY_SIGNS}]|{'|'.join(code.upper() for code in CODES)}"
WORDS = _any(_NAME_OF)
MONEY = _any([word for word, name in _NAME_OF.items() if name != "percent"])


def unit_of(written: str) -> str:
    """The name of a unit by its sign, code or word: "percent" for "%" and "Prozent"; empty for another."""
    if written[-1:] in MARKS:
        return MARKS[written[-1]]
    return _NAME_OF.get(written.lower(), "")
