"""Parse questions about documents: which form a question has, and what it is about."""

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from intelli.language import words

_LONGEST = 300
_QUOTES = " \"'\u201c\u201d\u201e\u00ab\u00bb"
_POLITE = re.compile(
    r"(?:please|can you|could you|would you|bitte|kannst du|können sie|könntest du|könnten sie|peux-tu|pouvez-vous|"
    r"puedes|puoi|você pode|kun je)(?: please| bitte)?,? "
)
_POLITE_ENDINGS = (
    ", please", ", bitte", " please", " bitte", " for me", " briefly", " in brief", " in short", " shortly",
    " in a few sentences", " in a few words", " in wenigen sätzen", " in kurzen worten", " in kürze",
)  # fmt: skip
_ALTERNATIVES = re.compile(r" (?:or|oder|ou|o) ")
# Written like a name, in languages that do not write each noun so.
_NAME = re.compile(r"[A-Z][\w'\u2019-]*(?: [A-Z][\w'\u2019-]*)+")
_NOUNS_WRITTEN_LARGE = frozenset({"de"})


class QuestionForm(StrEnum):
    """MENTION asks which documents tell of something, FOLDER what is in a folder, SUMMARY what is in a document."""

    MENTION = "mention"
    FOLDER = "folder"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class DocumentQuestion:
    """A question about documents: `topic` is what they tell of, or words for the document that is meant.

    `noun` is the kind of document that is asked for; empty for documents of any kind.
    """

    form: QuestionForm
    topic: str
    noun: str
    language: str

    @property
    def alternatives(self) -> tuple[tuple[str, ...], ...]:
        """The terms of the topic; of several topics with "or" between them one is enough."""
        found = (words.terms_of(each, self.language) for each in _ALTERNATIVES.split(self.topic))
        return tuple(tuple(dict.fromkeys(each)) for each in found if each)

    @property
    def is_name(self) -> bool:
        """Whether the topic is written as a name of several words."""
        return self.language not in _NOUNS_WRITTEN_LARGE and _NAME.fullmatch(self.topic) is not None


def read(question: str) -> DocumentQuestion | None:
    """Read a question; None for one that has none of the forms."""
    asked = " ".join(question[: _LONGEST + 1].replace("\u2019", "'").split()).strip(" ?.!\u00bf\u00a1")
    if len(asked) > _LONGEST:
        return None
    polite = _POLITE.match(asked.lower())
    asked = asked[polite.end() if polite else 0 :]
    for _ in range(2):  # "briefly, please"
        asked = _without_ending(asked, _POLITE_ENDINGS)
    for form, opening, endings in _forms():
        found = opening.match(asked.lower())
        topic = None if found is None else _topic(asked[found.end() :], endings)
        if found is None or topic is None or (not topic and form != QuestionForm.FOLDER):
            continue
        noun = found.groupdict().get("noun") or ""
        if noun and not is_document_word(noun):
            continue
        return DocumentQuestion(
            form, topic, "" if noun in word_lists()["any_document"] else noun, words.language_of(question)
        )
    return None


def is_document_word(word: str) -> bool:
    """Return whether a word is one for documents, of any kind or of one."""
    return any(word.lower() in listed for listed in word_lists().values())


def _topic(rest: str, endings: tuple[str, ...]) -> str | None:
    """What stands before the ending; None without the ending that a form has."""
    if not endings:
        return rest.strip(_QUOTES)
    ending = next((each for each in endings if rest.lower().endswith(f" {each}")), None)
    return None if ending is None else rest[: -len(ending)].strip(_QUOTES)


def _without_ending(text: str, endings: tuple[str, ...]) -> str:
    ending = next((each for each in endings if text.lower().endswith(each)), "")
    return text[: len(text) - len(ending)]


@cache
def word_lists() -> dict[str, frozenset[str]]:
    """The words for documents, by what they name: `any_document` or one of the `kinds`."""
    kinds = frozenset(word for words_of_it in _table()["kinds"].values() for word in words_of_it.split())
    return {"any_document": frozenset(_table()["any_document"].split()), "kinds": kinds}


def words_of_kind(word: str) -> frozenset[str]:
    """Return all words for the kind of document that a word names; the word alone where it names none."""
    kinds = (frozenset(words_of_it.split()) for words_of_it in _table()["kinds"].values())
    return next((each for each in kinds if word.lower() in each), frozenset({word.lower()}))


@cache
def _forms() -> list[tuple[QuestionForm, re.Pattern[str], tuple[str, ...]]]:
    return [
        (QuestionForm(each["form"]), re.compile(each["opening"]), tuple(each.get("endings", ())))
        for each in _table()["forms"]
    ]


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("question.toml").read_text(encoding="utf-8"))
