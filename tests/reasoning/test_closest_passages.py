"""Where nothing answers, the closest passages are shown, and told to be no answer."""

from tests.reasoning.passages import answer, note, passage

from intelli.reasoning.adapters.extractive import ExtractiveReasoner

HARBOUR = passage(
    "The harbour was dredged in spring. The cranes of the harbour were renewed by a firm from Turku. Rain fell on the "
    "hills. Ferries leave every hour.",
    title="Port of Halden",
)


async def test_where_nothing_answers_the_closest_passages_are_told_to_be_no_answer() -> None:
    found = await answer(ExtractiveReasoner(), "How much did the insurance of the harbour cranes cost?", HARBOUR)

    assert not found.is_answered
    assert found.text.startswith("No sentence of the sources answers this outright.")
    assert "renewed by a firm from Turku" in found.text
    assert found.confidence == 0


async def test_where_nothing_is_near_nothing_is_quoted() -> None:
    found = await answer(ExtractiveReasoner(), "Who won the chess championship of 1972?", HARBOUR)

    assert found.text == "The sources do not answer this question."


async def test_beside_an_answer_nothing_else_is_called_close() -> None:
    notes = await note(ExtractiveReasoner(), "When was the harbour dredged?", HARBOUR)

    assert notes.findings
    assert not notes.closest
