"""What could be asked next: what was left open, then parts of the cited files that were not used."""

from uuid import UUID, uuid4

from intelli.citations.wire import Check, Citation, FileStatus
from intelli.conversations.follow_ups import Part, suggest

REPORT = uuid4()


def citation(document_id: UUID | None = REPORT, section: str | None = "Revenue", ordinal: int = 0) -> Citation:
    return Citation(
        id=uuid4(), message_id=uuid4(), ordinal=ordinal, identifier="a", entity_id=None, document_id=document_id,
        file_name="report.md", mime_type="text/markdown", source_type="blob_storage", sha256="0" * 64, text_sha256=None,
        char_start=ordinal * 100, char_end=ordinal * 100 + 10, page=3, section=section, quote="412.7 million",
        sentence="Revenue came to 412.7 million.", check=Check.VERIFIED, reason="", score=1, review=None,
        is_stale=False, file_status=FileStatus.ACTIVE,
    )  # fmt: skip


def test_what_was_left_open_comes_before_what_was_not_used():
    parts = [
        Part(REPORT, "report.md", "Revenue"),
        Part(REPORT, "report.md", "Staff"),
        Part(uuid4(), "other.md", "Elsewhere"),
        Part(REPORT, "report.md", "Risks"),
        Part(REPORT, "report.md", "Outlook"),
        Part(REPORT, "report.md", "2.1"),
        Part(REPORT, "report.md", None),
    ]
    asked = {"open_questions": ["the margin", "revenue"], "citations": [citation()], "parts": parts}
    assert suggest("What was revenue in 2025?", **asked) == [
        "the margin?",
        "What does report.md say about “Staff”?",
        "What does report.md say about “Risks”?",
    ]
    assert suggest("Wie hoch war der Umsatz?", **asked)[-1] == "Was sagt report.md über „Staff“?"


def test_an_answer_that_cites_nothing_leads_nowhere():
    assert suggest("Why?", open_questions=["the margin"], citations=[], parts=[Part(REPORT, "a", "B")]) == []
