"""Does the passage answer the question? Its kind, its subject and what it asks for must be met, or nothing is said."""

import pytest
from tests.reasoning.passages import answer, note, passage

from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.extractive import question as extractive_question
from intelli.reasoning.extractive.question import QuestionKind
from intelli.reasoning.values import SourceText

STAFF = passage(
    "Ada Moss leads the archive of Hilltown. She started on 3 May 2021. The archive keeps 1,200 maps in 14 rooms.\n\n"
    "The head of the archive will report to the town council. The archive is not open on Sundays.\n\n"
    "The reading room covers a wide range of needs. It offers:\n- Microfilm\n- Large tables\n- Lamps\n\n"
    "There is also a list of things that are not allowed in the reading room. "
    "These include:\n- Ink\n- Food\n- Umbrellas",
    "staff",
    "Hilltown archive.txt",
)
FEES = passage(
    "A day ticket for the Hilltown archive costs 4 euros. "
    "Members of the Hilltown club may spend up to 90 euros a year. "
    "If you have questions, reach the desk of the Hilltown archive at 0421-555-1234 or desk@hilltown.example.",
    "fees",
    "Fees.txt",
)
RIVAL = passage("A day ticket for the Lakeside archive costs 7 euros.", "rival", "Lakeside.txt")
SHELF = (STAFF, FEES, RIVAL)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is the phone number of the desk?", QuestionKind.PHONE),
        ("What is the email address of Ada Moss?", QuestionKind.MAIL),
        ("How many maps does the archive keep?", QuestionKind.COUNT),
        ("How much is a day ticket?", QuestionKind.AMOUNT),
        ("What does a day ticket cost?", QuestionKind.AMOUNT),
        ("What was Acme's revenue in 2022?", QuestionKind.MEASURE),
        ("price of the hippo", QuestionKind.MEASURE),
        ("What percentage of the maps is old?", QuestionKind.SHARE),
        ("How long is the bridge?", QuestionKind.EXTENT),
        ("How often is it open?", QuestionKind.OFTEN),
        ("When did Ada Moss start?", QuestionKind.WHEN),
        ("Who is the head of the archive?", QuestionKind.PERSON),
        ("Who founded Acme?", QuestionKind.WHO),
        ("Does the archive open on Sundays?", QuestionKind.WHETHER),
        ("What does the report say about staff?", QuestionKind.OPEN),
        ("Wie viele Karten hat das Archiv?", QuestionKind.COUNT),
        ("Wann wurde das Archiv gegr\u00fcndet?", QuestionKind.WHEN),
        ("\u00bfCu\u00e1ndo empez\u00f3?", QuestionKind.WHEN),
        ("Vitamin D lowers the risk of fractures", QuestionKind.OPEN),
    ],
)
def test_a_question_tells_of_which_kind_its_answer_is(question: str, kind: QuestionKind):
    assert extractive_question.read(question).kind is kind


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many maps does the archive keep?", "The archive keeps 1,200 maps in 14 rooms."),
        ("When did Ada Moss start?", "Ada Moss leads the archive of Hilltown. She started on 3 May 2021."),
        ("Who does the head of the archive report to?", "will report to the town council."),
        (
            "What does a day ticket for the Hilltown archive cost?",
            "A day ticket for the Hilltown archive costs 4 euros.",
        ),
        ("What is the maximum amount that members of the Hilltown club spend?", "up to 90 euros a year."),
        ("What is the phone number of the desk of the Hilltown archive?", "0421-555-1234"),
        ("Is the archive open on Sundays?", "The archive is not open on Sundays."),
        ("What is not allowed in the reading room?", "These include: - Ink - Food - Umbrellas"),
    ],
)
async def test_one_sentence_answers_with_what_it_cannot_be_understood_without(question: str, said: str):
    found = await answer(ExtractiveReasoner(), question, *SHELF)

    assert said in found.text
    assert found.text.count("<gml-inlinecitation") == 1
    assert found.confidence > 0.4


@pytest.mark.parametrize(
    "question",
    [
        "What is the phone number of Ada Moss?",
        "Who is the owner of the archive?",
        "What was the revenue of the Hilltown archive in 2022?",
        "When was the reading room painted?",
        "What does widget 999 cost?",
        "Who does Ada Moss's deputy report to in Lakeside?",
        "Is the archive cheaper than the museum?",
        "What is the weight of zebras, the price of the hippo and the length of the bridge?",
        "How many employees does the Lakeside archive have?",
    ],
)
async def test_what_no_sentence_answers_is_said_not_to_be_answered(question: str):
    found = await answer(ExtractiveReasoner(), question, *SHELF)

    assert not found.is_answered
    assert found.confidence == 0


async def test_of_two_that_are_alike_the_one_that_is_named_answers():
    notes = await note(ExtractiveReasoner(), "What does a day ticket for the Lakeside archive cost?", *SHELF)

    assert [finding.identifier for finding in notes.findings] == ["rival"]


async def test_a_word_that_no_source_has_lowers_the_confidence():
    sure = await answer(ExtractiveReasoner(), "What does the reading room of Hilltown offer?", STAFF)
    unsure = await answer(ExtractiveReasoner(), "What does the reading room of Hilltown offer zookeepers?", STAFF)

    assert unsure.confidence < sure.confidence


async def test_a_list_is_told_with_what_opens_it_and_its_short_items_never_alone():
    notes = await note(ExtractiveReasoner(), "What does the reading room offer: lamps, microfilm?", STAFF)

    assert all(finding.text not in {"Lamps", "Microfilm", "Large tables"} for finding in notes.findings)
    assert any("Microfilm" in finding.text and "It offers:" in finding.text for finding in notes.findings)


async def test_a_row_is_told_with_its_columns_and_the_header_is_no_answer():
    table = passage("Item\tPrice\tStock\nWidget 999\t12.50\t40\nGadget 7\t8.00\t12", "csv", "prices.csv")
    found = await answer(ExtractiveReasoner(), "What is the price of Widget 999?", table)
    other = await note(ExtractiveReasoner(), "Item, price and stock", table)

    assert found.text.startswith("Item: Widget 999; Price: 12.50; Stock: 40.")
    assert all(finding.quote != "Item\tPrice\tStock" for finding in other.findings)


async def test_sentences_stand_in_the_order_of_their_source():
    pages = [
        SourceText(
            identifier="guide.9", title="Guide", page=9, text="The old harbour of Hilltown burnt down and was rebuilt."
        ),
        SourceText(identifier="guide.2", title="Guide", page=2, text="The old harbour of Hilltown has a wooden crane."),
    ]
    found = await answer(ExtractiveReasoner(), "Describe the old harbour of Hilltown", *pages)

    assert found.text.index("wooden crane") < found.text.index("burnt down")


async def test_sub_questions_are_headed_by_whole_sentences():
    found = await answer(
        ExtractiveReasoner(),
        "How many maps does the archive keep and what does a day ticket for Hilltown cost?",
        *SHELF,
    )

    assert "### How many maps does the archive keep (Hilltown)?\n" in found.text
    assert "### What does a day ticket for Hilltown cost?\n" in found.text
    assert "\u2026" not in found.text
