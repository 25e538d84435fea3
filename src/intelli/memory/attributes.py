"""Attributes of nodes, changed with care: what was said more often stands, and one word against it is only a rival."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

_MOST_ATTRIBUTES = 50
# So many times said, a value gives way to a newer one said as often.
_ENOUGH = 3


def merge(known: Mapping[str, Any], told: Mapping[str, str], *, at: datetime) -> dict[str, Any]:
    """The attributes with what was told at a time; the same object of values when nothing changes."""
    merged = dict(known)
    for name, value in told.items():
        if name in merged or len(merged) < _MOST_ATTRIBUTES:
            merged[name] = _weigh(merged.get(name), value, at)
    return merged


def values(attributes: Mapping[str, Any]) -> dict[str, str]:
    """Each attribute with its value."""
    return {name: held["value"] for name, held in attributes.items()}


def _weigh(held: Mapping[str, Any] | None, value: str, at: datetime) -> dict[str, Any]:
    told = {"value": value, "times": 1, "at": at.isoformat()}
    if held is None:
        return told
    if _same(held["value"], value):
        return {**held, "times": held["times"] + 1, "at": max(held["at"], told["at"])}
    rival = held.get("rival")
    if rival is not None and _same(rival["value"], value):
        told = {**told, "times": rival["times"] + 1, "at": max(rival["at"], told["at"])}
    if told["times"] >= min(held["times"], _ENOUGH) and told["at"] >= held["at"]:
        return told
    return {**held, "rival": told}


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()
