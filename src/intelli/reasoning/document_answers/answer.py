"""Answer a question about documents."""

from collections.abc import Sequence

from intelli.language import words
from intelli.reasoning.document_answers import chosen_document, folder, mentions, summary
from intelli.reasoning.document_answers.document_phrases import find_phrases
from intelli.reasoning.document_answers.question import DocumentQuestion, QuestionForm
from intelli.reasoning.document_answers.source_document import MOST_DOCUMENTS, DocumentsAnswer, SourceDocument


def answer_about(
    asked: str, question: DocumentQuestion, documents: Sequence[SourceDocument], *, is_focus: bool
) -> DocumentsAnswer | None:
    """Return what documents tell for a question; None where they do not. `is_focus` of those that were pointed at."""
    said = find_phrases(words.tongue_of(asked))
    if question.form is QuestionForm.MENTION:
        lines, lead = mentions.find_mentions(question, documents, said), said.mention.format(_named(question))
    elif question.form is QuestionForm.FOLDER:
        lines = folder.list_folder(documents, said)
        lead = said.folder if len(documents) < MOST_DOCUMENTS else said.first.format(len(documents))
    else:
        at = chosen_document.choose(question, documents, is_focus=is_focus)
        if at is None:
            return None
        lines, lead = summary.summarise(documents[at], at, said), said.summary.format(documents[at].name)
    return DocumentsAnswer(lead, lines) if lines else None


def _named(question: DocumentQuestion) -> str:
    """Return a topic without the article that stands before it."""
    said = question.topic.split()
    while len(said) > 1 and not words.terms_of(said[0], question.language):
        said = said[1:]
    return " ".join(said)
