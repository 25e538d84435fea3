"""Replies to messages that need no research: greetings, thanks, questions about the product or the list of files."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

# A message of so many characters says more than small talk does.
_LONGEST = 120
_MARKS = " \t\n.,;:!?\u2026\u00a1\u00bf'\"()"
_ASKS = ("?", "\uff1f", "\u061f")
_SPACE = re.compile(r"[\s,;.!?\u00a1\u00bf]+")


class _SmallTalk(BaseModel):
    """Patterns and replies of one language."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    greeting: str
    thanks: str
    about: str
    library: str
    hello: str
    welcome: str
    self: str
    listed: str
    stated: str
    empty: str


def reply_to(message: str, library: Sequence[str]) -> str | None:
    """Return the reply to a message that needs no research; None for any other. `library` are names of documents."""
    if len(message) > _LONGEST:
        return None
    said = _SPACE.sub(" ", message.strip(_MARKS)).casefold()
    for talk, patterns in _talks():
        kind = next((kind for kind, pattern in patterns if pattern.fullmatch(said)), None)
        if kind is not None:
            return _reply(talk, kind, library)
    return None


def begins_politely(message: str) -> bool:
    """Return whether a message begins with a greeting or thanks and asks nothing: "Thanks, that helps!"."""
    if len(message) > _LONGEST or any(mark in message for mark in _ASKS):
        return False
    said = _SPACE.sub(" ", message.strip(_MARKS)).casefold()
    return any(pattern.match(said) for pattern in _openings())


def reply_to_statement(language: str) -> str:
    """Return the reply to a message that states something and asks nothing, in its language where it has one."""
    talks = _replies()
    return talks.get(language, talks["en"]).stated


def self_descriptions() -> str:
    """Return what may be said of the product without any source, in all languages."""
    return " ".join(f"{talk.hello} {talk.welcome} {talk.self}" for talk, _ in _talks())


def _reply(talk: _SmallTalk, kind: str, library: Sequence[str]) -> str:
    if kind == "library":
        return talk.listed.format(", ".join(library)) if library else talk.empty
    return {"greeting": talk.hello, "thanks": talk.welcome, "about": talk.self}[kind]


@cache
def _replies() -> dict[str, _SmallTalk]:
    tables = tomllib.loads(files(__package__).joinpath("small_talk.toml").read_text(encoding="utf-8"))
    return {language: _SmallTalk.model_validate(table) for language, table in tables.items()}


@cache
def _openings() -> list[re.Pattern[str]]:
    """Return what greetings and thanks begin with, in each language."""
    return [re.compile(rf"(?:{talk.greeting}|{talk.thanks})\b", re.IGNORECASE) for talk, _ in _talks()]


@cache
def _talks() -> list[tuple[_SmallTalk, list[tuple[str, re.Pattern[str]]]]]:
    # Behind a greeting or thanks, too: "Hi, what can you do?".
    return [
        (
            talk,
            [
                (kind, re.compile(rf"(?:(?:{talk.greeting}|{talk.thanks}) )?(?:{getattr(talk, kind)})", re.IGNORECASE))
                for kind in ("greeting", "thanks", "about", "library")
            ],
        )
        for talk in _replies().values()
    ]
