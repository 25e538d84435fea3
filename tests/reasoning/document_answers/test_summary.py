"""What a document is about, which one is meant, and what is in a folder."""

import pytest

from intelli.reasoning.document_answers.whole_sentences import sentences_of

LETTER = """# Letter to shareholders, second quarter of 2024

Oslo, 24 July 2024

Revenue was EUR 101.8 million. EBIT rose to EUR 8.4 million.

## What went well

- Ghent reached 95 per cent occupancy.
- The repairs in Drammen were finished on 3 June 2024.

## Guidance

For 2024 we expect revenue of EUR 402 million. I think that this is too little.

| EUR million | Q2 2024 |
|---|---|
| Revenue | 101.8 |

Tomas Reker, Chief Executive Officer
"""
MINUTES = """# Works meeting, 12 June 2024

Present: Oona Birch (chair), Ravi Menon, Maud Ellery

**Staff.** The company has 164 employees. In the first half of the year 17 people joined.

**Bicycles.** The company leases bicycles for employees.
"""
FILES = {"letter_q2_2024.md": LETTER, "letter_q1_2024.md": LETTER.replace("second", "first").replace("July", "April"),
         "minutes_works_council.md": MINUTES}  # fmt: skip


def _lines(found) -> list[str]:
    return [line.text for line in found.lines]


def test_title_and_facts_come_first_and_then_each_chapter_with_whole_sentences(ask):
    found = ask("What is this letter about?", {"letter.md": LETTER}, is_focus=True)
    assert _lines(found) == [
        "Title: Letter to shareholders, second quarter of 2024, date: 24 July 2024",
        "Below the title: Oslo, 24 July 2024",
        "Revenue was EUR 101.8 million.",
        "EBIT rose to EUR 8.4 million.",
        "What went well: Ghent reached 95 per cent occupancy.",
        "The repairs in Drammen were finished on 3 June 2024.",
        "Guidance: For 2024 we expect revenue of EUR 402 million.",
    ]
    assert [line.goes_on for line in found.lines] == [False, False, False, True, False, True, False]


def test_words_in_bold_that_a_paragraph_begins_with_are_its_heading(ask):
    found = ask("Summarise the minutes.", FILES)
    assert found.lead == "Contents of minutes_works_council.md:"
    assert "Staff: The company has 164 employees." in _lines(found)
    assert "Bicycles: The company leases bicycles for employees." in _lines(found)
    assert "Below the title: Present: Oona Birch (chair), Ravi Menon, Maud Ellery" in _lines(found)


def test_an_abstract_is_told_whole_without_the_words_that_are_no_sentences(ask):
    study = (
        "# Iron in adults\n\n## Abstract\n\nBackground. Tablets are badly tolerated. Results. Values rose by 17.2 g/l. "
        "Nausea was rare. Conclusion. Half the dose worked as well.\n\n## Method\n\nThe trial took two years.\n\n"
        "## Funding\n\nThe trial was paid for by a foundation.\n\n## References\n\n1. Haas P. Low dose iron. 2017.\n"
    )
    told = _lines(ask("What is this study about?", {"study.md": study}, is_focus=True))
    assert told[1:5] == [
        "Abstract: Tablets are badly tolerated.",
        "Values rose by 17.2 g/l.",
        "Nausea was rare.",
        "Half the dose worked as well.",
    ]
    assert not any("Haas" in line for line in told)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Summarise the letter for the second quarter of 2024.", "letter_q2_2024.md"),
        ("Summarise the Q1 2024 letter.", "letter_q1_2024.md"),
        ("Summarise the letter.", None),
        ("Summarise this document.", None),
        ("Summarise the minutes of 2023.", None),
        ("Summarise the risks.", None),
        ("What is Ghent about?", None),
    ],
)
def test_the_document_that_is_meant_is_told_by_name_kind_and_period(ask, question: str, name: str | None):
    found = ask(question, FILES)
    assert (found and found.lead) == (name and f"Contents of {name}:")


@pytest.mark.parametrize("question", ["Summarise the risks of copper.", "Summarise the minutes of 2019."])
def test_what_a_document_in_focus_does_not_bear_the_name_of_is_not_summed_up(ask, question: str):
    assert ask(question, {"letter.md": LETTER}, is_focus=True) is None


def test_no_more_than_ten_lines_are_told_of_a_long_document(ask):
    long = "# Statutes\n\n" + "".join(f"## {n} Rule\n\nRule {n} is that all are heard.\n\n" for n in range(1, 31))
    found = ask("Summarise this.", {"statutes.md": long}, is_focus=True)
    assert sum(not line.goes_on for line in found.lines) == 10


def test_a_folder_is_listed_with_what_each_document_tells_of_itself(ask):
    found = ask(
        "Was liegt in diesem Ordner?", {**FILES, "prices.csv": "article,price\nA,1\nB,2\n", "x.txt": "Nothing here yet"}
    )
    assert _lines(found) == [
        "letter_q1_2024.md: Letter to shareholders, first quarter of 2024, Datum: 24 April 2024",
        "letter_q2_2024.md: Letter to shareholders, second quarter of 2024, Datum: 24 July 2024",
        "minutes_works_council.md: Works meeting, 12 June 2024",
        "prices.csv: Tabelle mit den Spalten article, price",
        "x.txt: “Nothing here yet”",
    ]


def test_a_sentence_that_a_page_breaks_in_two_is_told_whole_or_not_at_all(ask):
    text = "# Agreement\n\nInterest is 4 points above the base rate of the\n\nBank of England. It is due at once.\n"
    told = _lines(ask("What is this agreement about?", {"a.md": text}, is_focus=True))
    assert "Interest is 4 points above the base rate of the Bank of England." in told


def test_a_date_that_the_end_of_a_line_tears_apart_is_not_told(document):
    text = "# Trial\n\nThe trial took place between Febru -\nary 2021 and October 2022. A foundation paid for it.\n"
    told = [(each.text, each.is_alone) for each in sentences_of(document("trial.md", text))]
    assert told == [
        ("The trial took place between February 2021 and October 2022.", False),
        ("A foundation paid for it.", True),
    ]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Fasse den Brief zum zweiten Quartal 2024 zusammen.", "letter_q2_2024.md"),
        ("Summarise the letter of 24 July 2024 briefly, please.", "letter_q2_2024.md"),
        ("Summarise the letter of 25 July 2024.", None),
        ("Fasse die Rechnung zusammen.", None),
    ],
)
def test_kinds_are_known_in_other_languages_and_dates_to_the_day(ask, question: str, name: str | None):
    found = ask(question, FILES)
    assert (found and list(FILES)[found.lines[0].cited[0].document]) == name


def test_of_a_large_folder_it_is_told_that_only_the_first_documents_are_listed(ask):
    found = ask("What is in this folder?", {f"{n:02}.md": f"# Note {n}\n\nAll is well today.\n" for n in range(40)})
    assert found.lead == "The first 40 documents in this folder:"
    assert len(found.lines) == 40
