"""A timeline is in the order of time, as far as its dates tell, and says of each line whether its quote has it."""

from dataclasses import replace

import pytest
from tests.deliverables.research import material, proven_paper, references, sources

from intelli.citations import prove
from intelli.citations.wire import Check
from intelli.deliverables import event_time
from intelli.deliverables.compile_brief import compile_brief
from intelli.deliverables.kinds import sections
from intelli.deliverables.paper import Bullets, Paper
from intelli.reasoning.values import DatedEvent, QuotedFinding

SAID = (
    ("September 2024", "The audit began in September 2024 in the plant of Turku."),
    ("30 June 2025", "All findings must be closed by 30 June 2025 at the latest."),
    ("31 March 2025", "The first findings must be closed by 31 March 2025."),
    ("5 May", "Interviews took place on 5 May in all plants."),
    ("2025", "A second audit follows in 2025 with a wider scope."),
)


@pytest.mark.parametrize(
    "whens",
    [
        ("2023", "September 2024", "31 March 2025", "30 June 2025"),
        ("2024", "Q1 2024", "first half of 2024 (end)", "Q2 2024", "May 2024", "the third quarter of 2024", "2024-Q4"),
        ("1. Halbjahr 2023", "4. M\u00e4rz 2023", "drittes Quartal 2023", "2024"),
        ("T1 2022", "2e trimestre 2022", "2022-07", "2022-08-15"),
        ("2024\u5e743\u6708", "2024\u5e743\u67085\u65e5", "2024\u5e7411\u6708"),
        ("31 \u043c\u0430\u0440\u0442\u0430 2025", "30 \u0438\u044e\u043d\u044f 2025", "1 januari 2026", "3 mei 2026"),
    ],
)
def test_dates_follow_each_other_whether_they_tell_a_day_a_month_a_part_or_a_year(whens: tuple[str, ...]):
    times = [time for when in whens if (time := event_time.parse_time(when)) is not None]
    assert len(times) == len(whens)
    assert times == sorted(times)


def test_a_date_without_a_year_has_no_time():
    assert event_time.parse_time("30 June") is None


def timeline(*, moved: bool = False) -> tuple[list[str], list[Check]]:
    """The dates of a timeline as it is shown, and what the check of each line comes to."""
    text = " ".join(what for _, what in SAID)
    given = references({"audit.txt": text})["audit.txt"]
    findings = tuple(
        QuotedFinding(text=what, identifier=given.identifier, quote=what, relevance=0.9) for _, what in SAID
    )
    whens = [when for when, _ in SAID]
    whens = [*whens[1:], whens[0]] if moved else whens
    moments = tuple(
        DatedEvent(when=when, what=what, identifier=given.identifier)
        for when, (_, what) in zip(whens, SAID, strict=True)
    )
    usual = material()
    brief = usual.brief.model_copy(update={"findings": findings, "timeline": moments})
    compiled = compile_brief(replace(usual, brief=brief, passages={given.identifier: given}))
    blocks = sections.timeline(compiled.brief)
    paper = Paper(title="Audit", blocks=tuple(blocks))
    known = prove.ProofMaterial(compiled.references, sources({"audit.txt": text}), compiled.hints)
    proofs = proven_paper(paper, known).proofs
    items = next((block.items for block in blocks if isinstance(block, Bullets)), ())
    return [item[0].text for item in items], [proof.outcome.check for proof in proofs]


def test_moments_are_sorted_by_their_time_and_one_without_a_year_is_left_out():
    assert timeline()[0] == ["September 2024", "2025", "31 March 2025", "30 June 2025"]


def test_a_line_is_verified_where_its_quote_has_the_date_and_the_words():
    assert timeline()[1] == [Check.VERIFIED] * 4


def test_the_date_of_another_line_is_not_verified():
    assert Check.VERIFIED not in timeline(moved=True)[1]
