"""Intent of a message, by its first words and the form it names; and a title for the conversation."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from intelli import deliverable_kinds
from intelli.deliverable_kinds import KINDS, DeliverableKind, DeliverableType
from intelli.language import words
from intelli.reasoning.extractive import phrases
from intelli.reasoning.orders import POLITE, creating
from intelli.reasoning.verbs.change import Action
from intelli.reasoning.verbs.title import Title, TitleInput
from intelli.reasoning.verbs.understand import Changing, Intent, IntentKind, UnderstandInput
from intelli.reasoning.without_model import commands

_MAX_TITLE = 60
_KINDS = {Action.CREATE: IntentKind.CREATE, Action.UPDATE: IntentKind.EDIT, Action.DELETE: IntentKind.DELETE}


def intent(asked: UnderstandInput) -> Intent:
    """Kind and form by the message's own words; a question back when it names no subject at all."""
    question = asked.question.strip()
    language = words.language_of(question)
    if asked.may_ask and not words.terms_of(question, language) and not asked.conversation:
        said = phrases.phrases_in(words.tongue_of(question))
        return Intent(kind=IntentKind.QUESTION, clarification=said.clarification)
    rest = commands.rest(question)
    opened = next((kind for kind, opening in _openings() if opening.match(rest)), IntentKind.QUESTION)
    form = _form(rest) if opened is IntentKind.CREATE else DeliverableType.STANDARD
    ordered = commands.find(question)
    if not ordered:
        return Intent(kind=opened, deliverable=form)
    is_all = not words.terms_of(rest, language)
    return Intent(kind=_KINDS[ordered[0].action], deliverable=form, changing=Changing.ONLY if is_all else Changing.ALSO)


def title(question: str) -> str:
    """The question's first line, as many whole words as fit; nothing when it names no subject."""
    if not words.terms_of(question, words.language_of(question)):
        return ""
    line = next((line.strip() for line in question.splitlines() if line.strip()), "")
    line = " ".join(line.split()).rstrip(" .?!\u061f\uff1f\u3002")
    if len(line) <= _MAX_TITLE:
        return line
    cut = line[:_MAX_TITLE]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut).rstrip(" ,;:") + "\u2026"


def title_of(asked: TitleInput) -> Title:
    """The title of a text, from its first line."""
    return Title(title=title(asked.question))


def names_form_alone(sentence: str) -> bool:
    """Whether a sentence only says in which form something is wanted, and asks nothing: "Write a report."."""
    return _form_alone().fullmatch(sentence) is not None


def _form(question: str) -> DeliverableType:
    return deliverable_kinds.find_choice({name for name, words_for_it in _forms() if words_for_it.search(question)})


@cache
def _openings() -> list[tuple[IntentKind, re.Pattern[str]]]:
    verbs = {"create": creating(), **_words()}
    return [(IntentKind(kind), re.compile(rf"{POLITE}(?:{verbs[kind].strip()})\b", re.IGNORECASE)) for kind in verbs]


@cache
def _form_alone() -> re.Pattern[str]:
    verbs, forms = creating(), "|".join(map(_naming, KINDS))
    of_it = r"(?:\s+(?:about|of|on|from)\s+(?:it|this|that|them|these))?"
    return re.compile(rf"{POLITE}(?:{verbs})\s++(?:\w++\s++){{0,4}}?(?:{forms}){of_it}\W*", re.IGNORECASE)


@cache
def _forms() -> list[tuple[str, re.Pattern[str]]]:
    return [(kind.name, re.compile(rf"\b(?:{_naming(kind)})\b", re.IGNORECASE)) for kind in KINDS]


def _naming(kind: DeliverableKind) -> str:
    return "|".join(map(re.escape, kind.words))


def _words() -> dict[str, str]:
    return tomllib.loads(files(__package__).joinpath("intents.toml").read_text(encoding="utf-8"))
