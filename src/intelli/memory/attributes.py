"""Attributes of nodes by count: another value replaces one only once it was stated as often, or three times."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

_MOST_ATTRIBUTES = 50
# A newer value that was stated this often replaces any other.
_ENOUGH = 3


def merge(known: Mapping[str, Any], stated: Mapping[str, str], *, at: datetime) -> dict[str, Any]:
    """Return the attributes with the values that an episode states at a time counted in; `known` is not changed."""
    merged = dict(known)
    for name, value in stated.items():
        if name in merged or len(merged) < _MOST_ATTRIBUTES:
            merged[name] = _weigh(merged.get(name), value, at)
    return merged


def values(attributes: Mapping[str, Any]) -> dict[str, str]:
    """Return each attribute's current value by its name."""
    return {name: entry["value"] for name, entry in attributes.items()}


def _weigh(current: Mapping[str, Any] | None, value: str, at: datetime) -> dict[str, Any]:
    """Return the entry after `value` was stated: counted, put in place of the current value, or noted as its rival."""
    stated = {"value": value, "times": 1, "at": at.isoformat()}
    if current is None:
        return stated
    if _is_same(current["value"], value):
        return {**current, "times": current["times"] + 1, "at": max(current["at"], stated["at"])}
    rival = current.get("rival")
    if rival is not None and _is_same(rival["value"], value):
        stated = {**stated, "times": rival["times"] + 1, "at": max(rival["at"], stated["at"])}
    if stated["times"] >= min(current["times"], _ENOUGH) and stated["at"] >= current["at"]:
        return stated
    return {**current, "rival": stated}


def _is_same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()
