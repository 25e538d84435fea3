"""What is sent to a model for a fixed input of every verb stays the same, until its prompt gets a new version.

`verbs.json` has the inputs as runs record them, and the SHA-256 of what is made of each.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from intelli.reasoning import verbs
from intelli.reasoning.model_json import name_of, schema_of
from intelli.reasoning.verbs.verb import Verb

ROWS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "verbs.json").read_text(encoding="utf-8"))
VERBS = {verb.name: verb for verb in verbs.VERBS}


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _named(row: dict[str, Any]) -> str:
    return str(row["input"]["verb"])


@pytest.mark.parametrize("row", ROWS, ids=_named)
def test_the_prompt_is_the_same_to_the_byte(row: dict[str, Any]) -> None:
    verb = VERBS[_named(row)]
    given = verb.input.model_validate_json(json.dumps(row["input"]))
    prompt = verb.request(given, characters=10_000).prompt

    assert verb.template.version == row["version"]
    assert _sha256(given.model_dump_json()) == row["input_json"]
    assert _sha256(prompt.system) == row["system"]
    assert _sha256(prompt.user) == row["user"]


@pytest.mark.parametrize("row", [row for row in ROWS if "schema" in row], ids=_named)
def test_the_schema_asked_of_the_model_is_the_same_to_the_byte(row: dict[str, Any]) -> None:
    verb = VERBS[_named(row)]

    assert isinstance(verb, Verb)
    assert name_of(verb.draft) == row["schema_name"]
    assert _sha256(json.dumps(schema_of(verb.draft))) == row["schema"]


def test_every_verb_is_pinned() -> None:
    assert [_named(row) for row in ROWS] == list(VERBS)
