"""What rules leave open goes to a judge: once, each source once, with statements whose verdict is known."""

from collections.abc import Callable

import pytest
from tests.citations.checking import cite, citing, material_of

from intelli.citations import prove
from intelli.citations.check_text import CheckedText, check_text
from intelli.citations.controls import make_controls
from intelli.citations.judge import TOO_WEAK, JudgeCall
from intelli.citations.source_views import SourceView
from intelli.citations.wire import Check, JudgedBy
from intelli.kit.compute import InProcess
from intelli.reasoning.verbs.judge import Judgement, Judgements, StatementToJudge, Verdict

KIEL = "The plant in Kiel made 1,240 pumps in 2024. The works council was heard about the new shifts in Kiel."
ULM = "The plant in Ulm made 860 pumps in 2024. The plant in Ulm was closed at the end of the year 2024."
OPEN = "Kiel turned out 1,240 of them. @0 Ulm turned out 860 of them. @1"


class StubJudge:
    """A judge that knows the controls, and says of everything else what it is told to."""

    judged_by = JudgedBy.MODEL

    def __init__(self, *verdicts: Verdict, is_fooled: bool = False, known: dict[str, Judgement] | None = None) -> None:
        self.calls: list[JudgeCall] = []
        self._verdicts = verdicts
        self._is_fooled = is_fooled
        self._known = known or {}
        self.say: Callable[[StatementToJudge, Verdict], Judgement] = _said

    async def recall(self, statement: StatementToJudge) -> Judgement | None:
        return self._known.get(statement.text)

    async def __call__(self, call: JudgeCall) -> Judgements | None:
        self.calls.append(call)
        given = iter(self._verdicts)
        return Judgements(judgements=tuple(self._judge(each, given) for each in call.statements))

    def _judge(self, statement: StatementToJudge, given: "object") -> Judgement:
        if statement.is_true is None:
            return self.say(statement, next(given))  # type: ignore[call-overload]
        is_right = statement.is_true or self._is_fooled
        return _said(statement, Verdict.SUPPORTED if is_right else Verdict.CONTRADICTED)


def _view(material: prove.ProofMaterial) -> SourceView:
    view = material.view("p0")
    assert view is not None
    return view


def _said(statement: StatementToJudge, verdict: Verdict) -> Judgement:
    return Judgement(
        text=statement.text, cited=statement.sources, is_true=statement.is_true, verdict=verdict, reason="So it is.",
        sources=statement.sources if verdict is Verdict.SUPPORTED else (),
    )  # fmt: skip


async def _check(text: str, judge: StubJudge, *sources: str) -> CheckedText:
    return await check_text(citing(text), material_of(*sources or (KIEL, ULM)), judge=judge, compute=InProcess())


async def test_all_open_statements_of_a_text_are_judged_in_one_call():
    judge = StubJudge(Verdict.SUPPORTED, Verdict.SUPPORTED)
    await _check(OPEN, judge)
    (call,) = judge.calls
    assert [each.text for each in call.statements if each.is_true is None] == [
        "Kiel turned out 1,240 of them.", "Ulm turned out 860 of them.",
    ]  # fmt: skip


async def test_a_source_that_many_statements_cite_is_shown_once():
    judge = StubJudge(*[Verdict.SUPPORTED] * 3)
    await _check(f"{OPEN} Kiel was busy. @0", judge)
    assert [each.identifier for each in judge.calls[0].passages] == ["p0", "p1"]


async def test_what_rules_have_decided_is_not_judged():
    judge = StubJudge()
    await _check("The plant in Kiel made 1,240 pumps in 2024. @0", judge)
    assert judge.calls == []


@pytest.mark.parametrize(
    ("verdict", "check"),
    [
        (Verdict.SUPPORTED, Check.VERIFIED),
        (Verdict.PARTLY, Check.WEAK),
        (Verdict.NOT_SUPPORTED, Check.FAILED),
        (Verdict.CONTRADICTED, Check.FAILED),
    ],
)
async def test_the_verdict_of_the_judge_is_the_check_of_the_citation(verdict: Verdict, check: Check):
    found = await _check("Kiel turned out 1,240 of them. @0", StubJudge(verdict))
    assert found.proven.proofs[0].outcome.check is check
    assert found.proven.statements[0].judged_by is JudgedBy.MODEL


async def test_a_judge_that_cannot_say_leaves_what_rules_said():
    found = await _check("Kiel turned out 1,240 of them. @0", StubJudge(Verdict.UNCHECKED))
    assert found.proven.statements[0].judged_by is JudgedBy.RULES


async def test_altered_sentences_of_the_sources_go_along_as_controls():
    judge = StubJudge(Verdict.SUPPORTED, Verdict.SUPPORTED)
    await _check(OPEN, judge)
    controls = {each.text: each.is_true for each in judge.calls[0].statements if each.is_true is not None}
    assert controls["The plant in Kiel made 1,240 pumps in 2024."] is True
    assert False in controls.values()
    assert not [text for text, is_true in controls.items() if not is_true and text in f"{KIEL} {ULM}"]


async def test_no_control_parts_a_pronoun_from_what_it_means():
    judge = StubJudge(*[Verdict.SUPPORTED] * 4)
    await _check("Kiel was busy. @0 It turned out 1,240. @0 They did so in 2024. @0 It was a good year. @0", judge)
    texts = [each.text for each in judge.calls[0].statements]
    at = texts.index("Kiel was busy.")
    assert texts[at + 1 : at + 4] == ["It turned out 1,240.", "They did so in 2024.", "It was a good year."]


async def test_a_single_statement_has_two_controls_beside_it():
    judge = StubJudge(Verdict.SUPPORTED)
    await _check("Kiel turned out 1,240 of them. @0", judge)
    assert sorted(each.is_true for each in judge.calls[0].statements if each.is_true is not None) == [False, True]


@pytest.mark.parametrize(
    "said", ["The fees were not least about ninety euros.", "The hall may be let to others again."]
)
def test_a_sentence_whose_negation_may_be_true_as_well_is_no_control(said: str):
    material = material_of(said.replace("not least", "least"))
    assert not [each for each in make_controls([_view(material)]) if not each.is_true]


async def test_a_judge_that_calls_an_altered_control_supported_is_not_used_and_that_is_told():
    found = await _check(OPEN, StubJudge(Verdict.SUPPORTED, Verdict.SUPPORTED, is_fooled=True))
    assert found.problems == (TOO_WEAK,)
    assert [each.judged_by for each in found.proven.statements] == [JudgedBy.RULES] * 2


async def test_a_word_that_denies_something_else_in_the_source_is_overruled_by_the_judge():
    source = "The report is due on 30 November 2024 and not at the end of October."
    judge = StubJudge(Verdict.SUPPORTED)
    text = "The report is due on 30 November 2024 at the end of the autumn. @0"
    assert prove.prove(cite(text), material_of(source)).statements[0].verdict is Verdict.CONTRADICTED
    assert (await _check(text, judge, source)).proven.statements[0].verdict is Verdict.SUPPORTED


async def test_what_was_judged_before_is_not_judged_again():
    known = {"Ulm turned out 860 of them.": Judgement(verdict=Verdict.SUPPORTED, sources=("p1",))}
    judge = StubJudge(Verdict.SUPPORTED, known=known)
    found = await _check(OPEN, judge)
    assert [each.text for each in judge.calls[0].statements if each.is_true is None] == [
        "Kiel turned out 1,240 of them."
    ]
    assert found.proven.proofs[1].outcome.check is Check.VERIFIED


async def test_a_figure_that_nothing_gives_is_supported_by_nobodys_word():
    found = await _check("Kiel turned out 1,300 of them. @0", StubJudge(Verdict.SUPPORTED))
    assert found.proven.statements[0].verdict is Verdict.PARTLY
    assert "1,300" in found.proven.statements[0].reason


async def test_a_calculation_of_the_judge_counts_where_it_holds():
    judge = StubJudge(Verdict.SUPPORTED)
    judge.say = lambda each, verdict: _said(each, verdict).model_copy(
        update={"calculation": "1,240 \u00d7 12 / 4 = 3,720"}
    )
    found = await _check("That would be 3,720 of them. @0", judge)
    assert found.proven.statements[0].verdict is Verdict.SUPPORTED


async def test_a_calculation_of_the_judge_that_does_not_hold_does_not():
    judge = StubJudge(Verdict.SUPPORTED)
    judge.say = lambda each, verdict: _said(each, verdict).model_copy(update={"calculation": "1,240 + 61 = 1,301"})
    found = await _check("That would be 1,301 of them. @0", judge)
    assert found.proven.statements[0].verdict is Verdict.PARTLY


ELECTED = "The members elected Henrike Vossmann as chair on 22 March 2025."
TERM = "The board is elected for a term of three years. It stays in office until the next election."


async def test_a_month_that_follows_from_the_date_and_the_term_of_two_sources_counts_where_the_judge_supports_it():
    judge = StubJudge(Verdict.SUPPORTED)
    checked = await _check("Her term runs until March 2028. @0 @1", judge, ELECTED, TERM)
    assert [each.outcome.check for each in checked.proven.proofs] == [Check.VERIFIED, Check.VERIFIED]


async def test_a_month_that_no_term_leads_to_is_supported_by_nobodys_word():
    judge = StubJudge(Verdict.SUPPORTED)
    checked = await _check("Her term runs until May 2028. @0 @1", judge, ELECTED, TERM)
    assert {each.outcome.check for each in checked.proven.proofs} == {Check.WEAK}


@pytest.mark.parametrize(
    "formula", ["1,240 + 60 = 1,300", "1,300 = 1,300", "1,240 ** 1 = 1,300", "1,240 = 1,300", "1,240 +"]
)
async def test_a_constant_that_no_source_has_is_no_term_of_a_calculation(formula: str):
    judge = StubJudge(Verdict.SUPPORTED)
    judge.say = lambda each, verdict: _said(each, verdict).model_copy(update={"calculation": formula})
    found = await _check("That would be 1,300 of them. @0", judge)
    assert found.proven.statements[0].verdict is Verdict.PARTLY


@pytest.mark.parametrize("formula", ["1,240 x 3 = 3,720", "1,240 \u00d7 3 = 3,720", "(1,240 * 12) / 4 = 3,720"])
async def test_signs_of_a_calculation_are_read_as_people_write_them(formula: str):
    judge = StubJudge(Verdict.SUPPORTED)
    judge.say = lambda each, verdict: _said(each, verdict).model_copy(update={"calculation": formula})
    found = await _check("That would be 3,720 of them. @0", judge)
    assert found.proven.statements[0].verdict is Verdict.SUPPORTED


async def test_a_statement_of_absence_is_judged_against_everything_that_was_found():
    judge = StubJudge(Verdict.CONTRADICTED)
    found = await _check("The sources do not say when the plant in Ulm was closed.", judge)
    assert {each.identifier for each in judge.calls[0].passages} == {"p0", "p1"}
    assert found.proven.statements[0].verdict is Verdict.CONTRADICTED


async def test_what_another_source_says_word_for_word_is_bound_to_that_one_and_told():
    proven = prove.prove(cite("The plant in Ulm made 860 pumps in 2024. @0"), material_of(KIEL, ULM))
    (proof,) = proven.proofs
    assert (proof.identifier, proof.outcome.check) == ("p1", Check.VERIFIED)
    assert proven.text == cite("The plant in Ulm made 860 pumps in 2024. @1")
    assert "Another source says this" in proven.statements[0].reason


async def test_what_another_source_says_by_the_judges_word_is_bound_to_that_one():
    judge = StubJudge(Verdict.NOT_SUPPORTED, Verdict.SUPPORTED)
    judge.say = lambda each, verdict: _said(each, verdict).model_copy(
        update={"elsewhere": ("p1",) if verdict is Verdict.NOT_SUPPORTED else ()}
    )
    text = "They shut the other site down. @0 Ulm turned out 860 of them. @1"
    found = await _check(text, judge)
    assert [each.identifier for each in found.proven.proofs] == ["p1", "p1"]
    assert found.proven.proofs[0].outcome.check is Check.VERIFIED


async def test_what_another_source_contradicts_is_not_bound_to_it():
    judge = StubJudge(Verdict.NOT_SUPPORTED)
    judge.say = lambda each, verdict: _said(each, verdict).model_copy(update={"elsewhere": ("p1",)})
    found = await _check("The other site turned out 990 of them. @0", judge)
    assert found.proven.proofs[0].identifier == "p0"
    assert found.proven.proofs[0].outcome.check is Check.FAILED
