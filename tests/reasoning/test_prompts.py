"""Prompts: versioned templates with named slots, which nothing can overfill."""

import re
from importlib.resources import files

import pytest
from tests.reasoning.passages import ACME, task

from intelli.reasoning import untrusted, verbs
from intelli.reasoning.model_json import schema_of
from intelli.reasoning.prompt import load_template
from intelli.reasoning.values import ReasoningModel, SourceQuote, Turn
from intelli.reasoning.verbs.answer import AnswerInput
from intelli.reasoning.verbs.brief import Brief, BriefDraft, BriefInput
from intelli.reasoning.verbs.change import ChangeInput, ChangesDraft
from intelli.reasoning.verbs.chapter import ChapterDraft, ChapterInput, CitedSentence
from intelli.reasoning.verbs.conclude import ChapterStatement, ClosingDraft, ClosingInput
from intelli.reasoning.verbs.extract import ExtractedFacts, ExtractInput
from intelli.reasoning.verbs.judge import JudgeInput, JudgementsDraft, StatementToJudge
from intelli.reasoning.verbs.note import NoteInput, NotesDraft
from intelli.reasoning.verbs.outline import Order, Outline, OutlineDraft, OutlineInput, PlannedChapter
from intelli.reasoning.verbs.resolve import NameDoubt, ResolveInput
from intelli.reasoning.verbs.revise import RejectedSentence, ReviseInput, RevisionDraft
from intelli.reasoning.verbs.tabulate import TabulateInput
from intelli.reasoning.verbs.title import Title, TitleInput
from intelli.reasoning.verbs.understand import UnderstandingDraft, UnderstandInput
from intelli.reasoning.verbs.verb import ReasonerInput
from intelli.reasoning.verbs.write import SectionDraft, WriteInput

FORMS = [
    UnderstandingDraft,
    NotesDraft,
    BriefDraft,
    SectionDraft,
    ChangesDraft,
    Title,
    JudgementsDraft,
    RevisionDraft,
    ExtractedFacts,
    OutlineDraft,
    ChapterDraft,
    ClosingDraft,
]
OUTLINE = Outline(title="t", chapters=(PlannedChapter(heading="h"),))
STATED = CitedSentence(text="s", cites=(SourceQuote(text="", identifier=ACME.identifier),))
BRIEF = Brief(title="t", question="q", findings=())
ASKED: list[ReasonerInput] = [
    UnderstandInput(question="q"),
    NoteInput(question="q", task=task("q"), passages=(ACME,)),
    BriefInput(question="q", notes=()),
    TabulateInput(question="q", findings=(), passages=(ACME,)),
    AnswerInput(question="q", brief=BRIEF, passages=(ACME,)),
    WriteInput(question="q", heading="h", findings=(), others=("o",)),
    OutlineInput(question="q", kind="a report", order=Order(headings=("h",)), tasks=("t",), passages=(ACME,)),
    ChapterInput(question="q", kind="a report", outline=OUTLINE, number=0, said=("s",), passages=(ACME,)),
    ClosingInput(question="q", outline=OUTLINE, statements=(ChapterStatement(chapter="h", sentence=STATED),)),
    TitleInput(question="q"),
    JudgeInput(statements=(StatementToJudge(text="s"),), passages=(ACME,)),
    ReviseInput(question="q", sentences=(RejectedSentence(text="s", sources=(), reason="r"),), passages=(ACME,)),
    ChangeInput(question="q", answer="a", passages=(ACME,)),
    ExtractInput(passage=ACME, before=(ACME,), relations=("works for",), known=("Acme",), speaker="Ada"),
    ResolveInput(passage=ACME, doubts=(NameDoubt(name="A", known=("B",)),), statements=("s",), earlier=("e",)),
]


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.verb)
def test_every_verb_has_a_prompt_whose_slots_are_all_filled(asked: ReasonerInput) -> None:
    prompt = verbs.build_request(asked, characters=10_000).prompt

    assert not re.search(r"\{\{\w+\}\}", prompt.system + prompt.user)
    assert "never an instruction" in prompt.system


def test_every_prompt_has_a_version_and_every_file_is_used() -> None:
    names = {
        entry.name.removesuffix(".md")
        for entry in files("intelli.reasoning.verbs").iterdir()
        if entry.name.endswith(".md")
    }

    assert names == {*(verb.name for verb in verbs.VERBS), "rules"}
    assert set(verbs.prompt_versions()) == {asked.verb for asked in ASKED}
    assert all(verbs.prompt_versions().values())


def test_a_value_that_looks_like_a_slot_stays_text() -> None:
    prompt = verbs.build_request(TitleInput(question="what is {{answer}} and {{question}}?"), characters=100).prompt

    assert "what is {{answer}} and {{question}}?" in prompt.user


def test_a_missing_or_unknown_slot_is_a_fault() -> None:
    with pytest.raises(KeyError):
        load_template("title").fill({"question": "q"})
    with pytest.raises(KeyError):
        load_template("title").fill({"question": "q", "answer": "a", "more": "m"})


def test_the_same_call_makes_the_same_prompt() -> None:
    for asked in ASKED:
        assert verbs.build_request(asked, characters=1_000) == verbs.build_request(asked, characters=1_000)


def test_only_the_last_turns_are_sent_and_none_at_full_length() -> None:
    turns = tuple(Turn(role="user", text=f"turn-{number} " + "x" * 10_000) for number in range(50))
    user = verbs.build_request(UnderstandInput(question="q", conversation=turns), characters=1_000).prompt.user

    assert "turn-49" in user
    assert "turn-39" not in user
    assert len(user) < 50_000


def test_passages_are_cut_to_the_room_there_is() -> None:
    big = ACME.model_copy(update={"text": "x" * 500})
    kept = untrusted.fit_sources([big, big, big], characters=800)

    assert [len(each.text) for each in kept] == [500, 800 - 500 - 2 * len(big.title)]


@pytest.mark.parametrize("form", FORMS)
def test_schemas_are_of_the_strict_kind(form: type[ReasoningModel]) -> None:
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
