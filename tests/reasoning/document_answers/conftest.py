"""Makes documents as values from what people write."""

from collections.abc import Callable

import pytest
from tests.library.extraction.reading import read

from intelli.library.fact_wire import DocumentFactsView
from intelli.library.structure import document_facts, document_structure
from intelli.reasoning.document_answers import question as document_question
from intelli.reasoning.document_answers.answer import answer_about
from intelli.reasoning.document_answers.source_document import DocumentsAnswer, SourceDocument
from intelli.runs.document_reader import source_document

__all__ = ["read"]
Ask = Callable[..., DocumentsAnswer | None]


@pytest.fixture
def document(read) -> Callable[[str, str], SourceDocument]:
    """Reads a file as values, with the facts that it tells."""

    def document(name: str, content: str) -> SourceDocument:
        extraction = read(content, name)
        structure = document_structure.build(extraction)
        told = document_facts.find_facts(extraction, structure)
        none = {"kind": None, "date": None, "period": None, "parties": [], "amends": []}
        facts = DocumentFactsView.model_validate({**none, **document_facts.dump(told)})
        return source_document(name, extraction.text, structure, facts)

    return document


@pytest.fixture
def ask(document) -> Ask:
    """Asks about files, and checks that each line stands on words of them."""

    def ask(question: str, files: dict[str, str], *, is_focus: bool = False) -> DocumentsAnswer | None:
        documents = [document(name, content) for name, content in files.items()]
        asked = document_question.read(question)
        assert asked is not None
        found = answer_about(question, asked, documents, is_focus=is_focus)
        for line in found.lines if found else ():
            assert line.cited
            assert all(documents[each.document].text[each.start : each.end].strip() for each in line.cited)
        return found

    return ask
