"""Passages as the ledger records them: what an earlier run recorded is read back, and written in the same shape."""

from uuid import UUID

from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.runs.tools.search_documents import FoundPassage, SearchOutput

RECORDED = {
    "identifier": "abababababababab.100-114",
    "document_id": "00000000-0000-4000-8000-000000000001",
    "title": "geese.pdf",
    "path": "/birds/geese.pdf",
    "mime_type": "application/pdf",
    "sha256": "ab" * 32,
    "text": "Two grey geese",
    "start": 100,
    "end": 114,
    "page": 3,
    "section": "Counts",
    "score": 0.25,
}


def test_what_was_recorded_is_read_back_as_a_passage():
    (found,) = SearchOutput.model_validate({"passages": [RECORDED]}).passages
    assert found.passage == Passage(
        span=Span("ab" * 32, 100, 114),
        text="Two grey geese",
        title="geese.pdf",
        path="/birds/geese.pdf",
        mime_type="application/pdf",
        score=0.25,
        document_id=UUID(int=0x40008000000000000001),
        page=3,
        section="Counts",
    )
    assert found.passage.identifier == RECORDED["identifier"]


def test_a_passage_is_recorded_with_the_fields_and_in_the_order_of_before():
    passage = FoundPassage.model_validate(RECORDED).passage
    now = FoundPassage.of(passage).model_dump(mode="json")
    assert list(now.items()) == [
        *RECORDED.items(),
        ("episode_id", None),
        ("header", ""),
        ("is_cut", False),
        ("dated", None),
    ]
