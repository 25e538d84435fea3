"""Sanitise text from documents for all forms: no control characters, no reordering, no links with side effects."""

import re
from collections.abc import Mapping
from typing import TypeVar

from intelli.deliverables.brief import BriefPart

AnyPart = TypeVar("AnyPart", bound=BriefPart)

_SPACES = re.compile("[\t\n\r\f\v\x1c-\x1f\x85\u2028\u2029]+")
# What XML cannot hold, what is no character, and what shows the text around it in another order.
_NEVER = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u202d\u202e\ufdd0-\ufdef\ufffe\uffff]")
_BEYOND = re.compile(
    "[" + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(1, 17)) + "]"
)
_ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s\"'<>\\^`{|}]+")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")


def clean_text(words: str) -> str:
    """Return text on one line, without characters that cannot be shown."""
    return _BEYOND.sub("", _NEVER.sub("", _SPACES.sub(" ", words)))


def clean_part(given: AnyPart) -> AnyPart:
    """Return a part of a brief or paper with all its texts cleaned."""
    return type(given).model_validate(_clean_value(given.model_dump()))


def plain_address(href: str | None) -> str | None:
    """Return a link if it is a plain web or mail address; else None."""
    return href if href is not None and _ADDRESS.fullmatch(href) else None


def valid_language(tag: str) -> str:
    """Return a valid language tag; "en" for an invalid one."""
    return tag if _LANGUAGE.fullmatch(tag) else "en"


def _clean_value(value: object) -> object:
    match value:
        case str():
            return clean_text(value)
        case Mapping():
            return {clean_text(str(key)): _clean_value(each) for key, each in value.items()}
        case list() | tuple():
            return [_clean_value(each) for each in value]
        case _:
            return value
