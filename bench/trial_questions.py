"""Questions of the trial (`bench/trial`), and the score of an answer against what it must and must not say."""

import re
import tomllib
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("trial")
# Models write these in many ways: apostrophes, dashes, Markdown's emphasis, soft hyphens, citations as raised digits.
_ALIKE = str.maketrans(
    dict.fromkeys("\u2018\u2019", "'")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-")
    | dict.fromkeys("*`\u00ad\u200b", None)
    | dict.fromkeys("\u00b9\u00b2\u00b3\u2070\u2074\u2075\u2076\u2077\u2078\u2079", " ")
)
_SPACE = re.compile(r"\s+")
_NUMBER_LAST = re.compile(r"(?<![\w-])[\d.,]*\d$")


@dataclass(frozen=True)
class TrialQuestion:
    """A question of a folder with the strings that its answer must have, those it must not have, and its sources.

    Of each inner tuple of `must` one string has to be in the answer, of each of `sources` one file has to be cited.
    `after` is the question of the turn before, `gold` the right answer for a human judge.
    """

    id: str
    folder: str
    kind: str
    question: str
    must: tuple[tuple[str, ...], ...]
    must_not: tuple[str, ...]
    sources: tuple[tuple[str, ...], ...]
    gold: str
    after: str | None = None


@dataclass(frozen=True)
class TrialScore:
    """What an answer lacks, what it has though it must not, and the sources of which it cites none."""

    missing: tuple[tuple[str, ...], ...]
    wrong: tuple[str, ...]
    uncited: tuple[tuple[str, ...], ...]

    @property
    def is_right(self) -> bool:
        """The answer says all it must and nothing it must not; its citations are told apart."""
        return not self.missing and not self.wrong

    @property
    def is_cited(self) -> bool:
        """The answer cites a source for every fact."""
        return not self.uncited


def load_questions(path: Path = FOLDER / "questions.toml") -> list[TrialQuestion]:
    """Load the questions in the order of the file."""
    return [_read(given) for given in tomllib.loads(path.read_text(encoding="utf-8"))["question"]]


def score_answer(question: TrialQuestion, answer: str, cited: Collection[str] = ()) -> TrialScore:
    """Score an answer's text and the names of the files that it cites; capitals and Markdown emphasis do not count."""
    text = _plain(answer)
    names = {name.casefold() for name in cited}
    return TrialScore(
        missing=tuple(group for group in question.must if not any(_stands_in(text, each) for each in group)),
        wrong=tuple(each for each in question.must_not if _stands_in(text, each)),
        uncited=tuple(group for group in question.sources if names.isdisjoint(name.casefold() for name in group)),
    )


def _read(given: dict[str, Any]) -> TrialQuestion:
    groups = {name: tuple(tuple(group) for group in given[name]) for name in ("must", "sources")}
    return TrialQuestion(**{**given, **groups, "must_not": tuple(given["must_not"])})


def _stands_in(text: str, wanted: str) -> bool:
    """Find a string in plain text; a number is not part of a longer one: `2.1` is not in `12.1`, `2.15` or `3,2.1`."""
    plain = _plain(wanted)
    before = r"(?<!\d)(?<!\d[.,])" if plain[:1].isdigit() else ""
    behind = r"(?!\d)" if plain[-1:].isdigit() else ""
    if _NUMBER_LAST.search(plain):
        behind += r"(?![.,]\d)"
    return re.search(before + re.escape(plain) + behind, text) is not None


def _plain(text: str) -> str:
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text.translate(_ALIKE))).casefold().strip()
