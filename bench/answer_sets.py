"""Questions that a library answers, and questions that it does not, since the paragraph that did was taken out.

XQuAD in English and German, both in one library. Development and test questions are of different articles.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from bench import data
from bench.answer_scores import contains
from bench.retrieval_sets import rows

LANGUAGES = ("en", "de")
# Of so many questions one is German.
_GERMAN_OF = 4
# Words of an answer: a longer one is said in other words as well, and could not be recognised.
_LONGEST = 6


@dataclass(frozen=True)
class Paragraph:
    """A document of the library: one paragraph under the title of its article."""

    name: str
    article: str
    language: str
    text: str


@dataclass(frozen=True)
class Question:
    """A question and the strings of which one answers it; `is_answerable` says whether the library has them."""

    name: str
    language: str
    text: str
    answers: tuple[str, ...]
    paragraph: str
    is_answerable: bool


@dataclass(frozen=True)
class Split:
    """Questions, and the library that all systems are given."""

    name: str
    questions: tuple[Question, ...]
    library: tuple[Paragraph, ...]


@dataclass(frozen=True)
class Plan:
    """How many questions of each kind a split has, and which share of the articles it may take them from."""

    answerable: int
    unanswerable: int
    articles: tuple[float, float]
    seed: int


PLANS: Mapping[str, Plan] = {
    "dev": Plan(24, 12, (0.0, 0.4), seed=11),
    "test": Plan(40, 20, (0.4, 1.0), seed=29),
}
SMALLEST: Mapping[str, Plan] = {"dev": Plan(2, 1, (0.0, 1.0), seed=11)}
_ORDER_OF_ARTICLES = 7


def load(name: str, plan: Plan) -> Split:
    """Draw a split; the same each time."""
    paragraphs = _paragraphs()
    by_id = {paragraph.name: paragraph for paragraph in paragraphs["en"]}
    articles = _articles(by_id.values(), plan.articles)
    german = {True: plan.answerable // _GERMAN_OF, False: plan.unanswerable // _GERMAN_OF}
    wanted = {
        (False, "de"): german[False],
        (False, "en"): plan.unanswerable - german[False],
        (True, "de"): german[True],
        (True, "en"): plan.answerable - german[True],
    }
    asked = {language: _asked(language, by_id, articles, plan.seed) for language in LANGUAGES}
    siblings = _siblings(paragraphs)
    taken: set[str] = set()
    drawn: list[Question] = []
    for (is_answerable, language), count in wanted.items():
        fit = (each for each in asked[language] if is_answerable or not _is_elsewhere(each, siblings, by_id))
        chosen = list(islice(_one_a_paragraph(fit, taken), count))
        assert len(chosen) == count, f"{name} has too few questions in {language}"
        drawn += [_marked(each, is_answerable=is_answerable) for each in chosen]
    gone = {each.paragraph for each in drawn if not each.is_answerable}
    library = [each for language in LANGUAGES for each in paragraphs[language] if each.name not in gone]
    return Split(name, tuple(sorted(drawn, key=lambda each: (each.name, each.language))), tuple(library))


def _paragraphs() -> dict[str, list[Paragraph]]:
    """The paragraphs of each language; an article is named as in English, since titles may be translated."""
    corpora = {language: rows(data.folder() / "xquad" / f"corpus.{language}.jsonl") for language in LANGUAGES}
    articles = {row["_id"]: str(row["title"]) for row in corpora["en"]}
    return {
        language: [
            Paragraph(row["_id"], articles[row["_id"]], language, f"{_title(row['title'])}\n\n{row['text']}".strip())
            for row in corpus
        ]
        for language, corpus in corpora.items()
    }


def _title(title: str | None) -> str:
    return (title or "").replace("_", " ")


def _articles(paragraphs: Iterable[Paragraph], share: tuple[float, float]) -> set[str]:
    names = sorted({paragraph.article for paragraph in paragraphs})
    random.Random(_ORDER_OF_ARTICLES).shuffle(names)
    first, last = (round(each * len(names)) for each in share)
    return set(names[first:last])


def _asked(language: str, by_id: Mapping[str, Paragraph], articles: set[str], seed: int) -> list[Question]:
    """The questions on the articles, in an order by chance. Those with long answers, or that say them, are left out."""
    paragraph_of = _paragraph_of()
    found = [
        Question(row["_id"], language, row["text"], tuple(row["answers"]), paragraph_of[row["_id"]], is_answerable=True)
        for row in rows(data.folder() / "xquad" / f"queries.{language}.jsonl")
        if by_id[paragraph_of[row["_id"]]].article in articles
    ]
    found = [each for each in found if all(_is_usable(answer, each.text) for answer in each.answers)]
    random.Random(f"{seed} {language}").shuffle(found)
    return found


def _is_usable(answer: str, question: str) -> bool:
    return len(answer.split()) <= _LONGEST and not contains(question, answer)


def _paragraph_of() -> dict[str, str]:
    lines = (data.folder() / "xquad" / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {query: item for query, item, _ in (line.split("\t") for line in lines)}


def _siblings(paragraphs: Mapping[str, Sequence[Paragraph]]) -> Mapping[str, list[Paragraph]]:
    found: dict[str, list[Paragraph]] = defaultdict(list)
    for paragraph in (each for language in LANGUAGES for each in paragraphs[language]):
        found[paragraph.article].append(paragraph)
    return found


def _is_elsewhere(
    question: Question, siblings: Mapping[str, Sequence[Paragraph]], by_id: Mapping[str, Paragraph]
) -> bool:
    """Whether another paragraph of the article has the answer, too, in any language."""
    others = [each for each in siblings[by_id[question.paragraph].article] if each.name != question.paragraph]
    return any(contains(each.text, answer) for each in others for answer in question.answers)


def _one_a_paragraph(questions: Iterable[Question], taken: set[str]) -> Iterable[Question]:
    for question in questions:
        if question.paragraph not in taken:
            taken.add(question.paragraph)
            yield question


def _marked(question: Question, *, is_answerable: bool) -> Question:
    return Question(
        question.name, question.language, question.text, question.answers, question.paragraph, is_answerable
    )


def file_name(paragraph: Paragraph) -> str:
    """The name of a paragraph's file, which tells nothing of what it says."""
    return f"{re.sub(r'[^A-Za-z0-9]', '-', paragraph.name)}-{paragraph.language}.txt"
