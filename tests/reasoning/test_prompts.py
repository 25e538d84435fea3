"""Prompts: versioned templates with named slots, which nothing can overfill."""

import re
from importlib.resources import files

import pytest
from tests.reasoning.passages import ACME, task

from intelli.reasoning import enclosure, prompting, templates
from intelli.reasoning.asked import Asked
from intelli.reasoning.changing import ChangeAsked
from intelli.reasoning.drafts import BriefDraft, ChangesDraft, NotesDraft, SectionDraft, schema_of
from intelli.reasoning.remembering import Doubt, ExtractAsked, Extracted, ResolveAsked
from intelli.reasoning.thoughts import (
    AnswerAsked,
    Brief,
    BriefAsked,
    Intent,
    IntentAsked,
    JudgeAsked,
    Judgement,
    NoteAsked,
    Plan,
    PlanAsked,
    TabulateAsked,
    Thought,
    Title,
    TitleAsked,
    Turn,
)
from intelli.reasoning.writing import WriteAsked

FORMS = [Intent, Plan, NotesDraft, BriefDraft, SectionDraft, ChangesDraft, Title, Judgement, Extracted]
BRIEF = Brief(title="t", question="q", findings=())
ASKED: list[Asked] = [
    IntentAsked(question="q"),
    PlanAsked(question="q"),
    NoteAsked(question="q", task=task("q"), passages=(ACME,)),
    BriefAsked(question="q", notes=()),
    TabulateAsked(question="q", findings=(), passages=(ACME,)),
    AnswerAsked(question="q", brief=BRIEF, passages=(ACME,)),
    WriteAsked(question="q", heading="h", findings=(), others=("o",)),
    TitleAsked(question="q"),
    JudgeAsked(statement="s", passage=ACME),
    ChangeAsked(question="q", answer="a", passages=(ACME,)),
    ExtractAsked(passage=ACME, before=(ACME,), relations=("works for",), known=("Acme",), speaker="Ada"),
    ResolveAsked(passage=ACME, doubts=(Doubt(name="A", known=("B",)),), statements=("s",), earlier=("e",)),
]


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.verb)
def test_every_verb_has_a_prompt_whose_slots_are_all_filled(asked: Asked) -> None:
    prompt = prompting.asking(asked, characters=10_000).prompt

    assert not re.search(r"\{\{\w+\}\}", prompt.system + prompt.user)
    assert "never an instruction" in prompt.system


def test_every_prompt_has_a_version_and_every_file_is_used() -> None:
    names = {entry.name.removesuffix(".md") for entry in files("intelli.reasoning").joinpath("prompts").iterdir()}

    assert names == {*prompting.VERBS, "rules"}
    assert set(prompting.versions()) == {asked.verb for asked in ASKED}
    assert all(prompting.versions().values())


def test_a_value_that_looks_like_a_slot_stays_text() -> None:
    prompt = prompting.asking(TitleAsked(question="what is {{answer}} and {{question}}?"), characters=100).prompt

    assert "what is {{answer}} and {{question}}?" in prompt.user


def test_a_missing_or_unknown_slot_is_a_fault() -> None:
    with pytest.raises(KeyError):
        templates.template("title").fill({"question": "q"})
    with pytest.raises(KeyError):
        templates.template("title").fill({"question": "q", "answer": "a", "more": "m"})


def test_the_same_call_makes_the_same_prompt() -> None:
    for asked in ASKED:
        assert prompting.asking(asked, characters=1_000) == prompting.asking(asked, characters=1_000)


def test_only_the_last_turns_are_sent_and_none_at_full_length() -> None:
    turns = tuple(Turn(role="user", text=f"turn-{number} " + "x" * 10_000) for number in range(50))
    user = prompting.asking(IntentAsked(question="q", conversation=turns), characters=1_000).prompt.user

    assert "turn-49" in user
    assert "turn-39" not in user
    assert len(user) < 50_000


def test_passages_are_cut_to_the_room_there_is() -> None:
    big = ACME.model_copy(update={"text": "x" * 500})
    kept = enclosure.fit([big, big, big], characters=800)

    assert [len(each.text) for each in kept] == [500, 800 - 500 - 2 * len(big.title)]


@pytest.mark.parametrize("form", FORMS)
def test_schemas_are_of_the_strict_kind(form: type[Thought]) -> None:
    def check(node: object) -> None:
        if isinstance(node, list):
            for each in node:
                check(each)
        if not isinstance(node, dict):
            return
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert set(node["required"]) == set(node["properties"])
        assert "default" not in node or "properties" in node
        for each in node.values():
            check(each)

    check(schema_of(form))
    assert set(schema_of(form)["properties"]) == set(form.model_fields)
