"""The labelled documents and questions fit each other, and answers to them are read as a person would read them."""

from dataclasses import replace

import pytest
from bench.answers import questions as labelled
from bench.answers.ask import Choice
from bench.answers.documents import HALVES, folders, make_documents
from bench.answers.gold import read_group, read_text, read_trap, says
from bench.answers.questions import LabelledQuestion, load_questions
from bench.answers.scores import CitedWords, GivenAnswer, Grade, read_answer
from bench.answers.statements import fault_of_first, is_abstention
from bench.answers.totals import AskedQuestion, calibrate, table

SENTENCE = "Group revenue came to EUR 381.2 million in 2023."
ASKED = LabelledQuestion(
    id="x-01",
    folder="x",
    text="What was revenue in 2023?",
    kind="fact",
    language="en",
    focus="x",
    after=None,
    must=(read_group("=381.2"),),
    traps=(read_trap("=347.9 ~ 2022"),),
    docs=(("report_2023.pdf", "letter.md"),),
    names=(),
    evidence=(read_group("=381.2"),),
    sort="",
)
UNANSWERABLE = replace(ASKED, kind=labelled.UNANSWERABLE, must=(), docs=(), evidence=(), sort="absent")


def _read(text: str, question: LabelledQuestion = ASKED) -> Grade:
    return read_answer(question, GivenAnswer(text, (CitedWords("report_2023.pdf", SENTENCE),))).grade


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("EUR 412.6 million", "=412.6"),
        ("412,6 Mio. Euro", "=412.6"),
        ("sales of 412,600,000 euros", "=412.6"),
        ("1.450 Tonnen", "=1450"),
        ("1,450 tonnes", "=1450"),
        ("EUR 7,850,000 plus tax", "=7850000"),
        ("a cost of 3.2 million euros", "=3200000"),
        ("a share of 16,67 %", "=16.7±0.1"),
        ("a loss of -0.6", "=-0.6"),
        ("at least nine of them", "=9"),
        ("Frist: 17. Juni 2024", "@2024-06-17"),
        ("on 17 June", "@2024-06-17"),
        ("on June 17th, 2024", "@2024-06-17"),
        ("am 17.06.2024 in Bonn", "@2024-06-17"),
        ("2024-06-17T08:00", "@2024-06-17"),
        ("bis zum 30. September", "@*-09-30"),
        ("die Kassenführerin", "Kassenführ*"),
        ("the **Swedish** law", "swedish"),
        ("paid on 4 May 2023", "paid & @2023-05-04"),
    ],
)
def test_a_fact_is_found_in_any_form(text: str, wanted: str):
    assert says(read_text(text), read_group(wanted))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("EUR 1,412.6 million", "=412.6"),
        ("article TP-200", "=200"),
        ("on 17 June 2024", "=17"),
        ("1. The first point", "=1"),
        ("on 17 June 2023", "@2024-06-17"),
        ("on 7 June 2024", "@2024-06-17"),
        ("the unpaid bill", "paid"),
        ("at 10:30", "=30"),
    ],
)
def test_a_fact_is_not_found_in_another(text: str, wanted: str):
    assert not says(read_text(text), read_group(wanted))


def test_a_whole_sentence_with_its_source_is_right():
    assert _read(f'{SENTENCE} <gml-inlinecitation identifier="a.1-2"/>') is Grade.RIGHT


def test_a_table_with_the_asked_row_is_right_though_other_years_stand_in_it():
    text = "| Year | Revenue |\n|---|---|\n| 2023 | 381.2 |\n| 2022 | 347.9 |"
    assert _read(text) is Grade.RIGHT


def test_the_value_of_another_year_is_wrong_unless_its_year_is_said():
    assert _read(f"{SENTENCE} It came to EUR 347.9 million.") is Grade.WRONG
    assert _read(f"{SENTENCE} In 2022 it came to EUR 347.9 million.") is Grade.RIGHT


def test_another_fact_is_wrong():
    assert _read("The board proposes a dividend of EUR 0.20 per share.") is Grade.WRONG


@pytest.mark.parametrize(
    "given",
    [
        GivenAnswer(SENTENCE),
        GivenAnswer(SENTENCE, (CitedWords("mail.eml", SENTENCE),)),
        GivenAnswer(SENTENCE, (CitedWords("letter.md", "Dear shareholders,"),)),
        GivenAnswer(SENTENCE, (CitedWords("letter.md", SENTENCE), CitedWords("letter.md", None))),
    ],
    ids=["no citation", "another document", "other words", "a place that is not there"],
)
def test_a_fact_without_its_evidence_is_partly_right(given: GivenAnswer):
    assert read_answer(ASKED, given).grade is Grade.PARTLY


def test_an_answer_that_leaves_out_a_fact_is_partly_right():
    asked = replace(ASKED, must=(*ASKED.must, read_group("Olof Brandt")))
    assert _read(SENTENCE, question=asked) is Grade.PARTLY


def test_a_row_told_as_labels_is_partly_right():
    assert _read("Segment: Group; Year: 2023; Revenue: 381.2.") is Grade.PARTLY


def test_a_fact_behind_others_that_were_not_asked_for_is_partly_right():
    other = "The board met eight times. It visited two of the sites. It named a new auditor."
    assert _read(f"{other} {SENTENCE}") is Grade.PARTLY


def test_a_bare_value_is_partly_right():
    assert _read("EUR 381.2 million") is Grade.PARTLY


def test_what_a_sum_is_made_of_is_a_part_of_it():
    evidence = (read_group("=211.0"), read_group("=127.5"))
    asked = replace(ASKED, kind="sum", must=(read_group("=338.5"),), evidence=evidence)
    assert _read("Storage brought EUR 211.0 million and transport EUR 127.5 million.", asked) is Grade.PARTLY
    assert _read("Storage brought EUR 211.0 million.", asked) is Grade.WRONG


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("4 4 Risks .", "a line of the contents"),
        ("Outlook ........ 7", "a line of the contents"),
        ("Table 1: Revenue and EBIT by segment, 2022.", "a caption"),
        ("From: Ingrid Solheim <i@x.example> Date: Monday", "a mail header"),
        ("Principal risks and uncertainties", "a fragment"),
        ("6.9 %", "a fragment"),
        ("What was revenue in 2023?", "the question"),
        ("I think the plant has a capacity of 9,999 tonnes.", "a guess"),
        ("Ich glaube, dass es im Mai beginnt.", "a guess"),
        ('{ "plant": "North", "month": "2024-07" }', "code"),
        ("Prices 2024: Article; Prices 2024: Product; Prices 2024: Unit.", "a row without its heads"),
    ],
)
def test_a_first_statement_that_cannot_be_read_alone_is_nonsense(text: str, fault: str):
    assert fault_of_first(text, ASKED.text) == fault
    assert _read(text) is Grade.NONSENSE
    assert _read(text, question=UNANSWERABLE) is Grade.NONSENSE


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE,
        "## Risks\n\n- **Energy prices.** Electricity is bought forward for twelve months only.",
        "The agreement can be ended:\n\n1. Either party may terminate it with six months' notice.",
        "Revenue in 2023: EUR 381.2 million",
        "Die Zimmerei Dohrn beginnt am 7. Oktober 2024.",
        "Dr. Uwe Sander signed it.",
        "> Nothing in this agreement grants a licence.",
    ],
)
def test_a_sentence_a_labelled_value_and_a_list_can_be_read_alone(text: str):
    assert fault_of_first(text, ASKED.text) is None


@pytest.mark.parametrize(
    "text",
    [
        "The sources do not answer this question.",
        "Die Quellen beantworten diese Frage nicht.",
        "No sentence answers this outright. Closest passages:\n\n> Group revenue came to EUR 381.2 million.",
        "Keine Stelle beantwortet das. Nächstliegende Stellen:\n\n> Der Umsatz stieg.",
    ],
)
def test_an_answer_that_says_there_is_none_abstains(text: str):
    assert is_abstention(text)
    assert _read(text) is Grade.ABSTAINED


def test_an_answer_abstains_when_nothing_is_said():
    assert _read("") is Grade.ABSTAINED


def test_an_answer_to_what_cannot_be_answered_is_wrong():
    assert _read(SENTENCE, question=UNANSWERABLE) is Grade.WRONG


def test_an_answer_that_corrects_a_false_premise_is_right():
    asked = replace(UNANSWERABLE, must=(read_group("excluded"),))
    assert _read("Pregnant women were excluded from the trial.", question=asked) is Grade.RIGHT


def test_documents_that_are_asked_for_may_be_named_or_cited():
    asked = replace(
        ASKED,
        kind="which documents",
        must=(),
        docs=(),
        evidence=(),
        traps=(),
        names=(("report_2023.pdf",), ("mail.eml",)),
    )
    assert _read("Two documents mention it: report_2023.pdf and mail.eml.", question=asked) is Grade.RIGHT
    assert _read("One document of the folder mentions it here.", question=asked) is Grade.PARTLY


def test_confidence_is_compared_with_what_is_right():
    asked = [
        AskedQuestion(ASKED, given, read_answer(ASKED, given))
        for given in (
            GivenAnswer(SENTENCE, (CitedWords("letter.md", SENTENCE),), 0.9, "high"),
            GivenAnswer("The board proposes a dividend of EUR 0.20 per share.", (), 0.9, "high"),
            GivenAnswer("", (), None, None),
        )
    ]
    told = calibrate(asked)
    assert told.error == pytest.approx(0.4)
    assert (told.high_right, told.high) == (1, 2)
    assert "answerable                         3   1   33 %" in table(asked)


def test_questions_are_chosen_from_all_over():
    found = Choice(limit=12).of(load_questions("dev"))
    assert len(found) == 12
    assert len({each.folder for each in found}) == 8
    assert {each.kind for each in Choice(kinds=("sum",)).of(load_questions("dev"))} == {"sum"}


def test_the_halves_share_no_folder_and_are_alike():
    names = {half: {each.name for each in folders(half)} for half in HALVES}
    assert names["dev"].isdisjoint(names["unseen"])
    asked = {half: load_questions(half) for half in HALVES}
    for questions in asked.values():
        assert len({each.id for each in questions}) == len(questions) >= 200
        assert sum(not each.is_answerable for each in questions) >= 0.15 * len(questions)
        assert sum(each.language != "en" for each in questions) >= len(questions) / 4
    kinds = {half: {each.kind for each in questions} for half, questions in asked.items()}
    assert kinds["dev"] == kinds["unseen"]


@pytest.mark.parametrize("half", HALVES)
def test_the_documents_that_questions_name_are_there(half: str):
    documents = make_documents(half)
    assert len(documents) >= 30
    for question in load_questions(half):
        named = [f"{question.folder}/{name}" for group in question.docs + question.names for name in group]
        named += [question.focus] if "/" in question.focus else []
        assert set(named) <= set(documents), question.id
        assert question.must or question.names or not question.is_answerable, question.id
        assert question.is_answerable != bool(question.sort), question.id
