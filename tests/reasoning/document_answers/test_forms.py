"""Which questions are about documents, and what they ask for."""

import pytest

from intelli.reasoning.document_answers import question
from intelli.reasoning.document_answers.question import QuestionForm


@pytest.mark.parametrize(
    ("asked", "topic"),
    [
        ("Which documents mention Porto?", "Porto"),
        ("which of the files are about the new roof", "the new roof"),
        ("Which documents concern Corbin Freight?", "Corbin Freight"),
        ("In which reports is the plant in Ghent mentioned?", "the plant in Ghent"),
        ("Find all documents about liability.", "liability"),
        ("Where is “Porto” mentioned?", "Porto"),
        ("In welchen Unterlagen geht es um das Dach?", "das Dach"),
        ("In welchen Dokumenten wird Frau Oelkers erwähnt?", "Frau Oelkers"),
        ("Bitte: welche Verträge betreffen die Miete?", None),
        ("Welche Verträge betreffen die Miete?", "die Miete"),
        ("Quels documents mentionnent Porto ?", "Porto"),
        ("Which documents does Birte Claussen appear in?", "Birte Claussen"),
        ("Nenne alle Dokumente, in denen es um die Miete geht.", "die Miete"),
        ("Welche Unterlagen haben mit dem Dach zu tun?", "dem Dach"),
    ],
)
def test_what_documents_are_asked_to_tell_of(asked: str, topic: str | None):
    found = question.read(asked)
    assert (found and found.topic) == topic
    assert found is None or found.form is QuestionForm.MENTION


@pytest.mark.parametrize(
    "asked",
    [
        "What is in this folder?",
        "What's in the folder",
        "Give me an overview of this folder.",
        "Was liegt in diesem Ordner?",
    ],
)
def test_what_is_in_a_folder(asked: str):
    found = question.read(asked)
    assert found is not None
    assert found.form is QuestionForm.FOLDER


@pytest.mark.parametrize(
    ("asked", "topic"),
    [
        ("Summarise the letter for the second quarter of 2024.", "the letter for the second quarter of 2024"),
        ("Can you summarize this for me?", "this"),
        ("What is this document about?", "this document"),
        ("What does this report say?", "this report"),
        ("Fasse das Protokoll von 2024 zusammen.", "das Protokoll von 2024"),
        ("Worum geht es in diesem Dokument?", "diesem Dokument"),
        ("What kind of document is this?", "this"),
        ("Fasse das Protokoll kurz zusammen.", "das Protokoll"),
        ("Gib mir eine kurze Zusammenfassung der Satzung.", "Satzung"),
    ],
)
def test_what_is_summed_up(asked: str, topic: str):
    found = question.read(asked)
    assert found is not None
    assert (found.form, found.topic) == (QuestionForm.SUMMARY, topic)


@pytest.mark.parametrize(
    "asked",
    [
        "What was revenue in 2024?",
        "Which departments are on the second floor?",
        "Which products contain nuts?",
        "What does the roof cost?",
        "Which documents must be sent with the claim?",
        "Wer ist Vorsitzender?",
        "Which documents " + "very " * 80 + "mention Porto?",
        "",
    ],
)
def test_other_questions_are_not_about_documents(asked: str):
    assert question.read(asked) is None


def test_a_kind_of_document_is_kept_and_a_word_for_any_is_not():
    assert [question.read(f"Which {noun} mention Porto?").noun for noun in ("documents", "invoices")] == [
        "",
        "invoices",
    ]


def test_one_of_several_topics_is_enough_and_names_are_told_from_nouns():
    found = question.read("Which documents set out liability or credits for poor service?")
    assert len(found.alternatives) == 2
    assert question.read("Which documents concern Corbin Freight?").is_name
    assert not question.read("In welchen Dokumenten geht es um Dach Bootshaus?").is_name
