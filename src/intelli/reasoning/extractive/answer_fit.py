"""Check whether a sentence answers a question: its kind of answer, and whom, what and when it is about.

Details that the sentence leaves out may be in the sentence before it, its headings or the name of its document.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import takewhile

from intelli.language import grids, words
from intelli.language.periods import LONE_YEAR
from intelli.reasoning.extractive import question, rows
from intelli.reasoning.extractive.question import NamedSubject, ParsedQuestion, QuestionKind
from intelli.reasoning.extractive.weigh import Candidate
from intelli.reasoning.values import SourceText

# A sentence that fits less is no answer.
LEAST = 0.3
_FULL = 1.0
_NEARLY = 0.75
_HALF = 0.5
_HARDLY = 0.4
_UNSURE = 0.7
_NOT = 0.0
# Something else is spoken of instead.
_OTHER = -1.0
_WORD = re.compile(r"[$\u20ac\u00a3\u00a5]?\d+(?:[.,]\d+)*%?|[^\W\d_]+")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
# What follows somebody who begins a sentence.
_ACTS = re.compile(r"['\u2019]s\s|,?\s+(?:\w+ed|is|was|were|are|has|had|have|became|began|led|won|wrote|made|will)\b")
_TIMES = re.compile(r"\b(once|twice)\b", re.IGNORECASE)
# The number of an item, one by which somebody is called, and one that is part of a word.
_LISTED = re.compile(
    r"(?:^|\n|\s)\d{1,3}[.)]\s|\+?\d[\d()./-]{0,40}-[\d()./-]{0,40}\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)-\w+",
    re.IGNORECASE,
)
# So many words after a number stands what it counts.
_REACH = 5
_LEAST_DIGITS = 7
# One figure may be met by chance, two of them hardly.
_LEAST_SHARED = 2
_OF_WHOM = {QuestionKind.WHO, QuestionKind.PERSON}
_MEASURED = {QuestionKind.AMOUNT, QuestionKind.MEASURE, QuestionKind.EXTENT}
_TYPED = {
    QuestionKind.PHONE,
    QuestionKind.MAIL,
    QuestionKind.LINK,
    QuestionKind.SHARE,
    QuestionKind.WHEN,
    QuestionKind.OFTEN,
}


class AnswerFit:
    """Scores how well the sentences of one search answer one question."""

    def __init__(self, wanted: ParsedQuestion, found: Sequence[Candidate]) -> None:
        self._wanted = wanted
        self._found = found
        self._around: dict[int, frozenset[str]] = {}
        self._titles: dict[int, frozenset[str]] = {}
        self._passages: dict[int, frozenset[str]] = {}
        self._figures: dict[tuple[str, ...], frozenset[str]] = {}

    def fit(self, candidate: Candidate) -> float:
        """From 0, which answers something else, to 1."""
        wanted = self._wanted
        if not wanted.is_question:
            return _FULL
        text = candidate.quote
        if wanted.phrase is not None and wanted.kind in _OF_WHOM and not wanted.phrase.search(text):
            return _NOT
        fit = self._of_kind(candidate, text)
        if fit:
            fit = min(fit, self._of_year(candidate, text))
        if wanted.is_negated and not self._is_denied(candidate):
            fit = min(fit, _HALF)
        return min(fit, self._of_names(candidate, text)) if fit else fit

    def is_telling(self, candidate: Candidate) -> bool:
        """Whether it shows what is asked for in just the way that it is asked."""
        wanted, text = self._wanted, candidate.quote
        if not wanted.is_question:
            return False
        if wanted.phrase is not None:
            return wanted.phrase.search(text) is not None
        if wanted.definition is not None and wanted.definition.match(text):
            return True
        if wanted.kind in {QuestionKind.OPEN, QuestionKind.WHETHER, QuestionKind.WHO}:
            return bool(wanted.noun) and _is_measured(text, wanted)
        if wanted.limit is not None and question.sign("number").search(text):
            return wanted.limit.search(text) is not None
        return self._of_kind(candidate, text) == _FULL

    def _of_kind(self, candidate: Candidate, text: str) -> float:
        kind = self._wanted.kind
        if kind in _TYPED:
            fit = _FULL if _shows(kind, text) else _NOT
        elif kind is QuestionKind.WHETHER:
            fit = self._of_matter(candidate)
        elif kind is QuestionKind.PERSON:
            fit = _FULL if self._names_someone(text) else _NOT
        elif kind is QuestionKind.WHO:
            fit = _FULL if self._names_any(text) else _HALF
        elif kind is QuestionKind.COURSE:
            fit = _FULL if _shows(kind, text) else _HALF
        elif kind is QuestionKind.COUNT:
            fit = self._counted(candidate, text)
        elif kind in _MEASURED:
            fit = self._measured(candidate, text)
        else:
            fit = _FULL
        if fit and kind in _OF_WHOM | {QuestionKind.WHEN, QuestionKind.COURSE} and not self._is_on_matter(candidate):
            return _NOT
        return fit

    def _counted(self, candidate: Candidate, text: str) -> float:
        """A number, best right before what is to be counted."""
        numbers = list(_numbers(text))
        if not numbers:
            return _NOT
        head = self._wanted.noun[-1] if self._wanted.noun else ""
        if not head:
            return _FULL
        attached = any(head in words.terms_of(" ".join(after), self._wanted.language) for after in numbers)
        fit = self._of_noun(candidate)
        if attached:
            return fit
        return min(_HALF, fit) if fit > _HARDLY else _NOT

    def _measured(self, candidate: Candidate, text: str) -> float:
        wanted = self._wanted
        if wanted.is_of_money and not question.sign("money").search(text) and question.sign("span").search(text):
            return _NOT
        if wanted.kind is QuestionKind.AMOUNT:
            is_sure = question.sign("money").search(text) or question.sign("span").search(text)
        elif wanted.kind is QuestionKind.EXTENT:
            is_sure = question.sign("span").search(text)
        else:
            is_sure = _DIGITS.search(LONE_YEAR.sub("", text))
        if not is_sure and not _DIGITS.search(text) and not self._denies_noun(text):
            return _NOT
        return min(_FULL if is_sure else _HALF, self._of_noun(candidate))

    def _denies_noun(self, text: str) -> bool:
        """Whether a number in words, or none at all, is told of what is asked for: "no deductible"."""
        head = self._wanted.noun[-1:]
        return any(set(head) & set(words.terms_of(" ".join(after), self._wanted.language)) for after in _numbers(text))

    def _of_noun(self, candidate: Candidate) -> float:
        """Whether what is asked for is spoken of at all: "vacation days", not days alone."""
        told = question.told(self._wanted.language)
        asked = [term for term in self._wanted.noun if term not in told]
        near = candidate.terms | self._near(candidate)
        fit = _FULL
        if asked:
            met = sum(term in near for term in asked) / len(asked)
            fit = _FULL if met == 1 else _HALF if asked[-1] in near else _HARDLY
            if not met and not self._is_about(candidate):
                return _NOT
        return min(fit, self._of_rest(near))

    def _is_about(self, candidate: Candidate) -> bool:
        """Whether the sentence itself speaks of anything that the question does, or of what it names."""
        named = any(candidate.terms.issuperset(name.terms) for name in self._wanted.names)
        return named or bool(candidate.terms & (self._rest - set(self._wanted.noun)))

    def _of_rest(self, near: frozenset[str]) -> float:
        """Whether anything else that the question speaks of is there."""
        rest = self._rest - set(self._wanted.noun)
        if not rest or rest & near:
            return _FULL
        return _HALF if self._wanted.names else _NOT

    def _is_on_matter(self, candidate: Candidate) -> bool:
        return not self._rest or bool(self._rest & (candidate.terms | self._near(candidate)))

    @cached_property
    def _rest(self) -> frozenset[str]:
        """What a question speaks of beside names and years."""
        wanted = self._wanted
        named = {term for name in wanted.names for term in name.terms}
        return frozenset(set(wanted.terms) - named - wanted.years)

    @cached_property
    def sureness(self) -> float:
        """Less where the question has a word that nothing which was found has: they may speak of something else."""
        if not self._wanted.is_question or not self._found:
            return _FULL
        return _FULL if self._rest <= self._known else _UNSURE

    @property
    def is_foreign(self) -> bool:
        """Whether the question asks for, or about, a thing that nothing which was found speaks of."""
        things = (set(self._wanted.noun) | self._wanted.objects) & self._rest
        return not things <= self._known

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset[str]().union(*(self._whole(each) for each in self._first))

    @property
    def _first(self) -> list[Candidate]:
        """A candidate of each passage."""
        return list({id(each.passage): each for each in reversed(self._found)}.values())

    def _of_matter(self, candidate: Candidate) -> float:
        """Which share of what a yes or no is asked about is spoken of, its names aside."""
        named = {term for name in self._wanted.names for term in name.terms}
        asked = [term for term in dict.fromkeys(self._wanted.terms) if term not in named]
        near = candidate.terms | self._near(candidate)
        share = sum(term in near for term in asked) / len(asked) if asked else _FULL
        return share if share > _HALF else _NOT

    def _is_denied(self, candidate: Candidate) -> bool:
        """Whether the sentence, or the heading right above it, says no."""
        heading = (candidate.passage.section or "").rsplit("\u203a", 1)[-1]
        return question.denies(candidate.quote) or question.denies(heading)

    def _of_year(self, candidate: Candidate, text: str) -> float:
        years = self._wanted.years
        if not years or years & candidate.terms:
            return _FULL
        if LONE_YEAR.search(text):
            return _NOT
        if len(years) == 1:
            return self._of_one_year(candidate, text)
        if years & self._near(candidate):
            return _FULL
        return _HALF if years & self._whole(candidate) else _NOT

    def _of_one_year(self, candidate: Candidate, text: str) -> float:
        """A sentence that tells no year has that of the one before it or of its headings, where these tell but one."""
        years = self._wanted.years
        before, over = _years(self._before(candidate)), _years(self._over(candidate.passage))
        if before == years or (over == years and (not before or years & before)):
            return _FULL
        whole = _years(self._whole(candidate))
        # A figure may be of any of the years that are told around it.
        is_sure = whole == years or over >= years or not _DIGITS.search(text)
        return _HALF if years & whole and is_sure else _NOT

    def _of_names(self, candidate: Candidate, text: str) -> float:
        """What is named must be spoken of. One of several names may go by another; the only one may not."""
        fits = [self._of_name(name, candidate, text) for name in self._wanted.names]
        if not fits:
            return _FULL
        if _OTHER in fits or (self._wanted.is_comparison and min(fits) <= _NOT):
            return _NOT
        if max(fits) == _FULL:
            return max(min(fits), _NEARLY if self._wanted.kind is QuestionKind.OPEN else _HALF)
        return max(min(fits), _HALF if self._wanted.kind is QuestionKind.OPEN else _NOT)

    def _of_name(self, name: NamedSubject, candidate: Candidate, text: str) -> float:
        terms = set(name.terms)
        if name.terms[0].isdigit() and grids.is_row(text):
            return _FULL if rows.has_number(candidate, name.terms[0], self._wanted) else _OTHER
        if name.is_in(candidate.terms):
            return _FULL
        near = candidate.terms | self._near(candidate)
        if self._names_sibling(name, text):
            return _HALF if near >= terms else _OTHER
        if name.is_in(near) or self._is_spelt_out(name, candidate):
            return _FULL
        whole = self._whole(candidate)
        if name.terms[0].isdigit():
            return _NOT if whole >= terms else _OTHER
        return _NEARLY if name.is_in(whole) or self._is_vouched_for(name, candidate) else _NOT

    def _is_vouched_for(self, name: NamedSubject, candidate: Candidate) -> bool:
        """Whether a row stands in a table whose figures are told again where the name stands: it is the name's."""
        if not grids.is_row(candidate.quote):
            return False
        told = self._figures.get(name.terms)
        if told is None:
            named = (each for each in self._found if self._over(each.passage) | each.terms >= set(name.terms))
            told = frozenset(term for each in named for term in each.terms if rows.is_particular(term))
            self._figures[name.terms] = told
        return len(told & self._whole(candidate)) >= _LEAST_SHARED

    def _names_sibling(self, name: NamedSubject, text: str) -> bool:
        """Whether a sentence names something that begins like the name and goes on otherwise."""
        language = self._wanted.language
        for run in question.capitalised(text, language):
            terms = [term for word in run.words for term in words.terms_of(word, language)]
            if len(terms) < 2 or len(name.terms) < 2 or terms[0] != name.terms[0]:
                continue
            if any(one != other for one, other in zip(terms, name.terms, strict=False)):
                return True
        return False

    def _is_spelt_out(self, name: NamedSubject, candidate: Candidate) -> bool:
        """Whether what the question shortens to letters stands there in words."""
        (letters, *more) = name.terms
        if more or len(letters) < 2:
            return False
        said = f"{candidate.passage.section or ''}\n{candidate.quote}"
        return any(
            "".join(word[0] for word in run.words).lower() == letters for run in question.capitalised(said, "en")
        )

    def _names_someone(self, text: str) -> bool:
        """A name that is no post and is nowhere written as a common word."""
        asked = {term for name in self._wanted.names for term in name.terms}
        for run in question.capitalised(text, self._wanted.language):
            proper = [
                word
                for word in run.words
                if word.lower() not in self._common
                and word.lower() not in question.heads("post")
                and not asked & set(words.terms_of(word, self._wanted.language))
            ]
            if len(proper) > 1 and not (run.is_first and len(proper) < len(run.words)):
                return True
            if proper and not proper[0].isupper() and (not run.is_first or _ACTS.match(text, run.end)):
                return True
        return False

    def _names_any(self, text: str) -> bool:
        """A name, or a word for persons, that the question does not have."""
        asked = set(self._wanted.terms)
        language = self._wanted.language
        for run in question.capitalised(text, language):
            is_alone = run.is_first and len(run.words) == 1 and not _ACTS.match(text, run.end)
            if not is_alone and set(words.terms_of(" ".join(run.words), language)) - asked:
                return True
        lowered = set(_WORD.findall(text.lower()))
        return any(not asked & set(words.terms_of(word, language)) for word in lowered & question.heads("persons"))

    @cached_property
    def _common(self) -> frozenset[str]:
        """Words that passages write small."""
        texts = {id(each.passage): each.passage.text for each in self._found}
        return frozenset(word for text in texts.values() for word in _WORD.findall(text) if word.islower())

    def _near(self, candidate: Candidate) -> frozenset[str]:
        """Terms of the sentence before, the headings and the name of the document."""
        key = candidate.position
        if key not in self._around:
            self._around[key] = self._before(candidate) | self._over(candidate.passage)
        return self._around[key]

    def _before(self, candidate: Candidate) -> frozenset[str]:
        return self._said.get((id(candidate.passage), candidate.before), frozenset())

    def _over(self, passage: SourceText) -> frozenset[str]:
        key = id(passage)
        if key not in self._titles:
            title = f"{passage.title} {passage.section or ''}"
            self._titles[key] = frozenset(words.terms_of(title, self._wanted.language))
        return self._titles[key]

    @cached_property
    def _said(self) -> dict[tuple[int, int], frozenset[str]]:
        """Terms of the sentences by where they begin; of two that begin alike, the shorter."""
        return {(id(each.passage), each.start): each.terms for each in reversed(self._found)}

    def _whole(self, candidate: Candidate) -> frozenset[str]:
        """Terms of all that was read of a passage."""
        key = id(candidate.passage)
        if key not in self._passages:
            said = (each.terms for each in self._found if each.passage is candidate.passage)
            self._passages[key] = frozenset(self._near(candidate).union(*said))
        return self._passages[key]


def _years(terms: frozenset[str]) -> frozenset[str]:
    return frozenset(term for term in terms if LONE_YEAR.fullmatch(term))


def _shows(kind: QuestionKind, text: str) -> bool:
    match = question.sign(kind).search(text)
    if match is None or kind is not QuestionKind.PHONE:
        return match is not None
    return any(sum(map(str.isdigit, each[0])) >= _LEAST_DIGITS for each in question.sign(kind).finditer(text))


def _numbers(text: str) -> list[list[str]]:
    """What follows each number that counts something: money, shares, years and the numbers of a list do not."""
    tokens = _WORD.findall(_TIMES.sub(r"\1 times", _LISTED.sub(" ", text)))
    parting = question.heads("parting")
    found: list[list[str]] = []
    for at, token in enumerate(tokens):
        if token.lower() in question.heads("counted") or (_DIGITS.fullmatch(token) and not LONE_YEAR.fullmatch(token)):
            found.append([*takewhile(lambda word: word.lower() not in parting, tokens[at + 1 : at + 1 + _REACH])])
    return found


def _is_measured(text: str, wanted: ParsedQuestion) -> bool:
    """Whether a figure stands in one clause with the head of what is asked for."""
    head = wanted.noun[-1]
    for clause in re.split(r"[;:.]\s|,\s(?!\d)|\s(?:while|and|but)\s", text):
        if _DIGITS.search(LONE_YEAR.sub("", clause)) and head in words.terms_of(clause, wanted.language):
            return True
    return False
