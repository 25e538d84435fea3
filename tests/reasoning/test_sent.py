"""What is sent to a model for a fixed input of every verb stays the same to the byte, unless its prompt gets a new version.

`verbs.json` has the inputs as runs record them, and the SHA-256 of what is made of each.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from intelli.reasoning import drafts, prompting, remembering, thoughts
from intelli.reasoning.asked import Asked

ROWS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "verbs.json").read_text(encoding="utf-8"))
FORMS: dict[str, type[thoughts.Thought]] = {
    "intent": thoughts.Intent,
    "plan": thoughts.Plan,
    "note": drafts.NotesDraft,
    "brief": drafts.BriefDraft,
    "tabulate": drafts.TabulatedDraft,
    "write": drafts.SectionDraft,
    "title": thoughts.Title,
    "judge": thoughts.Judgement,
    "change": drafts.ChangesDraft,
    "extract": remembering.Extracted,
    "resolve": remembering.Resolved,
}


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _asked(row: dict[str, Any]) -> Asked:
    asked: Asked = TypeAdapter(Asked).validate_json(json.dumps(row["input"]))
    return asked


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row["input"]["verb"]))
def test_the_prompt_is_the_same_to_the_byte(row: dict[str, Any]) -> None:
    asked = _asked(row)
    prompt = prompting.asking(asked, characters=10_000).prompt

    assert prompting.versions()[asked.verb] == row["version"]
    assert _sha256(asked.model_dump_json()) == row["input_json"]
    assert _sha256(prompt.system) == row["system"]
    assert _sha256(prompt.user) == row["user"]


@pytest.mark.parametrize("row", [row for row in ROWS if "schema" in row], ids=lambda row: str(row["input"]["verb"]))
def test_the_schema_asked_of_the_model_is_the_same_to_the_byte(row: dict[str, Any]) -> None:
    form = FORMS[row["input"]["verb"]]

    assert form.__name__ == row["schema_name"]
    assert _sha256(json.dumps(drafts.schema_of(form))) == row["schema"]


def test_every_verb_is_pinned() -> None:
    assert [row["input"]["verb"] for row in ROWS] == list(prompting.VERBS)
