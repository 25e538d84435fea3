"""Values in messages: figures and dates, each with the words of a query that are near it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from intelli.language import dates, numbers, periods
from intelli.reasoning import questions
from intelli.reasoning.questions import ParsedQuestion, QuestionKind
from intelli.retrieval import analysis

# Characters to each side of a value in which words of the query count as near.
_NEAR = 110
_MOST_TEXT = 6_000
_MOST_VALUES = 24
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_MONTH = rf"(?:{'|'.join(sorted(dates.months('en'), key=len, reverse=True))})"
_NUMBER_WORDS = {word: number for word, number in numbers.COUNTED.items() if number}
_VALUE = re.compile(
    rf"(?P<date>\b{_MONTH}\.? \d{{1,2}}\b(?!\.\d)(?:st|nd|rd|th)?|\b\d{{1,2}}\.? {_MONTH}\b|\b\d{{4}}-\d\d-\d\d\b)"
    r"|(?P<time>\b\d{1,2}(?::\d\d)? ?[ap]\.?m\b|\b\d{1,2}:\d\d\b)"
    r"|(?P<money>[$\u20ac\u00a3\u00a5] ?\d[\d,.]*\d|[$\u20ac\u00a3\u00a5] ?\d)"
    r"|(?P<share>(?<![\w.,/-])\d+(?:[.,]\d+)? ?(?:%|percent\b))"
    r"|(?P<number>(?<![\w.,/#-])\d+(?:[.,]\d+)*(?![\w.,/]*\d)(?!\.\d)|\b(?:" + "|".join(_NUMBER_WORDS) + r")\b)",
    re.IGNORECASE,
)
_YEAR = re.compile(periods.RECENT_YEAR)
_ANY = frozenset({"number", "share", "money", "date", "time"})
_ANSWERS = {
    QuestionKind.COUNT: frozenset({"number"}),
    QuestionKind.SHARE: frozenset({"share"}),
    QuestionKind.AMOUNT: frozenset({"money", "number"}),
    QuestionKind.EXTENT: frozenset({"number", "date", "time"}),
    QuestionKind.OFTEN: frozenset({"number"}),
    QuestionKind.WHEN: frozenset({"date", "time"}),
    QuestionKind.MEASURE: _ANY,
}
# Stems of the noun asked for that determine the kind of the answer.
_HEADS = {"share": {"percentag", "share", "proport", "percent"}, "date time": {"deadlin", "date", "day"}}
# "What is my best time?" asks for a value, though no word names its kind.
_ASKS_WHAT = re.compile(r"\W*(?:\w+ )?(?:what|which)\b", re.IGNORECASE)
# A span between two moments, or a sum, is in no single message: all messages about it are wanted.
_SPAN = re.compile(
    r"\b(?:between|combined|altogether|in total|across)\b|^(?>.*?\bfrom\b).+\b(?:to|until)\b",
    re.IGNORECASE | re.MULTILINE,
)
# Words by which people say that something changed.
_CHANGE = re.compile(
    r"\b(?:now|new|newly|recent(?:ly)?|latest|updat\w+|chang\w+|increas\w+|decreas\w+|improv\w+|reduc\w+|rais\w+|"
    r"lower\w+|grown?|grew|dropp?\w*|extend\w+|expand\w+|mov(?:ed|ing)|reschedul\w+|postpon\w+|pushed|shifted|"
    r"reached|instead|actually|revis\w+|adjust\w+|added|no longer|anymore|jetzt|nun|neu\w*|inzwischen|mittlerweile|"
    r"ge\u00e4ndert|maintenant|d\u00e9sormais|nouve\w+|ahora|nuev\w+|adesso|nuov\w+)\b",
    re.IGNORECASE,
)
# A capitalised word inside a sentence, or a longer one at its beginning.
_NAME = re.compile(r"(?<=[\w,;] )[A-Z][a-z]\w+|(?<![\w,;] )(?<!\w)[A-Z][a-z]{3,}\w*")
_NOT_NAMES = re.compile(
    rf"{_MONTH}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|this|that|then|when|what|with|also|here|there",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ValueQuery:
    """A query for a value: its words as (terms, weight), which of them are names, and the kinds of values asked for."""

    words: tuple[tuple[frozenset[int], float], ...]
    names: frozenset[int]
    languages: tuple[str, ...]
    kinds: frozenset[str]

    @property
    def bound(self) -> float:
        """Sum of the words' weights; 1 when there are none."""
        return sum(worth for _, worth in self.words) or 1.0

    def words_in(self, text: str) -> frozenset[int]:
        """Return the numbers of the query's words that a text has."""
        found = {term for language in self.languages for term in analysis.analyse(text, language).counts}
        return frozenset(number for number, (each, _) in enumerate(self.words) if each & found)

    def share(self, numbers: Iterable[int]) -> float:
        """Return the share of these words, by number, in the query's weight: 0 to 1."""
        return sum(self.words[number][1] for number in numbers) / self.bound


@dataclass(frozen=True, slots=True)
class Value:
    """A value in comparable form, its kind, and the words of the query and the names near it."""

    kind: str
    value: str
    words: frozenset[int]
    names: frozenset[str]
    is_change: bool

    @property
    def same_as(self) -> tuple[str, str]:
        """Key that equal values share."""
        return self.kind, self.value


def parse_value_query(query: str, words: Sequence[analysis.QueryWord], worth: Mapping[int, float]) -> ValueQuery | None:
    """Parse a query for a value ("How much did the bike cost?"), with its terms' weights; None for any other query."""
    asked = questions.read(query)
    kinds = _kinds(query, asked)
    if not kinds or _SPAN.search(query):
        return None
    languages = tuple(sorted({language for word in words for language in word.term_in}))
    read = tuple((frozenset(word.terms), max(worth.get(term, 0.0) for term in word.terms)) for word in words)
    # The first word is capitalised in any case.
    rest = " ".join(query.split()[1:])
    named = {
        term for name in names_of(rest) for language in languages for term in analysis.analyse(name, language).counts
    }
    return ValueQuery(read, frozenset(n for n, (terms, _) in enumerate(read) if terms & named), languages, kinds)


def find_values(text: str, asked: ValueQuery) -> Iterator[Value]:
    """Yield the values of a message that words of the query are near."""
    plain = _CODE.sub(" ", text[:_MOST_TEXT])
    matches = [match for match in _VALUE.finditer(plain) if not _YEAR.fullmatch(match[0])]
    for match in matches[:_MOST_VALUES]:
        kind = match.lastgroup or ""
        if kind not in asked.kinds:
            continue
        around = plain[max(0, match.start() - _NEAR) : match.end() + _NEAR]
        if words := asked.words_in(around):
            yield Value(kind, _comparable(match[0]), words, names_of(around), _CHANGE.search(around) is not None)


def names_of(text: str) -> frozenset[str]:
    """Return the words of a text that are written like names."""
    return frozenset(each for each in _NAME.findall(text[:_MOST_TEXT]) if not _NOT_NAMES.fullmatch(each))


def _kinds(query: str, asked: ParsedQuestion) -> frozenset[str]:
    """Return the kinds of values that would answer; empty when the query asks for no value."""
    if asked.kind is QuestionKind.MEASURE and asked.noun:
        for kinds, heads in _HEADS.items():
            if asked.noun[-1] in heads:
                return frozenset(kinds.split())
    if asked.kind is QuestionKind.OPEN and _ASKS_WHAT.match(query):
        return _ANY
    return _ANSWERS.get(asked.kind, frozenset())


def _comparable(written: str) -> str:
    lowered = " ".join(written.lower().replace(",", "").split())
    return str(_NUMBER_WORDS[lowered]) if lowered in _NUMBER_WORDS else lowered
