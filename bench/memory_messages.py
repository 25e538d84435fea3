"""Synthetic messages about people who move, change jobs and meet, each with the fact it states."""

import json
import random
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

_FIRST = "Ada Bob Cleo Dan Eve Finn Gus Hal Ivy Jon Kim Leo Mia Ned Oda Pia Quin Ron Sue Tom".split()  # noqa: SIM905
_LAST = ("Byron", "Hope", "Park")
_CITIES = "Rome Oslo Lima Cairo Paris Quito Delhi Bonn".split()  # noqa: SIM905
_FIRMS = tuple(f"{name} Corp" for name in ("Acme", "Globex", "Initech", "Hooli", "Umbrella", "Stark"))
_WORDS = {"WORKS_FOR": "works for", "LIVES_IN": "lives in", "KNOWS": "knows"}
FUNCTIONAL = frozenset({"WORKS_FOR", "LIVES_IN"})
_BEGIN = datetime(2024, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class StatedMessage:
    """A message and the fact that it states."""

    text: str
    at: str
    subject: str
    relation: str
    object: str


def history(count: int, *, seed: int = 7) -> list[StatedMessage]:
    """So many messages, an hour apart."""
    chance = random.Random(seed)
    people = [f"{first} {last}" for last in _LAST for first in _FIRST]
    found = []
    for number in range(count):
        subject = chance.choice(people)
        relation = chance.choices(list(_WORDS), weights=(4, 4, 2))[0]
        others = {"WORKS_FOR": _FIRMS, "LIVES_IN": _CITIES, "KNOWS": [each for each in people if each != subject]}
        value = chance.choice(others[relation])
        at = (_BEGIN + timedelta(hours=number)).isoformat()
        found.append(StatedMessage(f"{subject} {_WORDS[relation]} {value}.", at, subject, relation, value))
    return found


def write(told: list[StatedMessage], path: Path) -> None:
    """The messages as lines of JSON, for who does not share our memory."""
    path.write_text("".join(f"{json.dumps(asdict(each))}\n" for each in told), encoding="utf-8")


def current(told: list[StatedMessage]) -> dict[tuple[str, str], str]:
    """The value that every one-valued relation has in the end."""
    return {(each.subject, each.relation): each.object for each in told if each.relation in FUNCTIONAL}
