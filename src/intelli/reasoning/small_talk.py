"""Replies to messages that need no research: greetings, thanks, questions about the product or the list of files."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from intelli.language import words

# A message of so many characters says more than small talk does.
_LONGEST = 120
_KINDS = ("greeting", "thanks", "about", "why", "objection", "library")
_MARKS = " \t\n.,;:!?\u2026\u00a1\u00bf'\"()"
_ASKS = ("?", "\uff1f", "\u061f")
_SPACE = re.compile(r"[\s,;.!?\u00a1\u00bf]+")


class _SmallTalk(BaseModel):
    """Patterns and replies of one language."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    greeting: str
    thanks: str
    about: str
    why: str
    objection: str
    library: str
    hello: str
    welcome: str
    self: str
    listed: str
    empty: str
    because: str
    objected: str
    noted: str
    unclear_change: str
    moving: str


def reply_to(message: str, library: Sequence[str]) -> str | None:
    """Return the reply to a message that needs no research; None for any other. `library` are names of documents."""
    found = _find(message, ("greeting", "thanks", "about", "library"))
    if found is None:
        return None
    talk, kind = found
    if kind == "library":
        return talk.listed.format(", ".join(library)) if library else talk.empty
    return {"greeting": talk.hello, "thanks": talk.welcome, "about": talk.self}[kind]


def reply_about_answer(message: str) -> str | None:
    """Return the reply to a message that only doubts the answer before it, or asks what that rests on; else None."""
    found = _find(message, ("why", "objection"))
    if found is None:
        return None
    talk, kind = found
    return talk.because if kind == "why" else talk.objected


def _find(message: str, kinds: Sequence[str]) -> "tuple[_SmallTalk, str] | None":
    if len(message) > _LONGEST:
        return None
    said = _SPACE.sub(" ", message.strip(_MARKS)).casefold()
    for talk, patterns in _talks():
        kind = next((kind for kind in kinds if patterns[kind].fullmatch(said)), None)
        if kind is not None:
            return talk, kind
    return None


def tell_noted(message: str) -> str:
    """Return the reply to a message that only states something."""
    return _talk_in(message).noted


def tell_unclear_change(message: str, *, is_move: bool) -> str:
    """Return the reply to a message that orders a change in words that are not understood, or one made elsewhere."""
    talk = _talk_in(message)
    return talk.moving if is_move else talk.unclear_change


def begins_politely(message: str) -> bool:
    """Return whether a message begins with a greeting or thanks and asks nothing: "Thanks, that helps!"."""
    if len(message) > _LONGEST or any(mark in message for mark in _ASKS):
        return False
    said = _SPACE.sub(" ", message.strip(_MARKS)).casefold()
    return any(pattern.match(said) for pattern in _openings())


def self_descriptions() -> str:
    """Return what may be said of the product without any source, in all languages."""
    return " ".join(f"{talk.hello} {talk.welcome} {talk.self}" for talk, _ in _talks())


def _talk_in(message: str) -> _SmallTalk:
    """Return what is replied in the language of a message, in English where we do not know it."""
    tables = _tables()
    return tables.get(words.tongue_of(message), tables["en"])


@cache
def _openings() -> list[re.Pattern[str]]:
    """Return what greetings and thanks begin with, in each language."""
    return [re.compile(rf"(?:{talk.greeting}|{talk.thanks})\b", re.IGNORECASE) for talk, _ in _talks()]


@cache
def _tables() -> dict[str, _SmallTalk]:
    tables = tomllib.loads(files(__package__).joinpath("small_talk.toml").read_text(encoding="utf-8"))
    return {code: _SmallTalk.model_validate(table) for code, table in tables.items()}


@cache
def _talks() -> list[tuple[_SmallTalk, dict[str, re.Pattern[str]]]]:
    # Behind a greeting or thanks, too: "Hi, what can you do?".
    return [
        (
            talk,
            {
                kind: re.compile(rf"(?:(?:{talk.greeting}|{talk.thanks}) )?(?:{getattr(talk, kind)})", re.IGNORECASE)
                for kind in _KINDS
            },
        )
        for talk in _tables().values()
    ]
