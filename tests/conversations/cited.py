"""A citation as an answer has it."""

from uuid import UUID, uuid4

from intelli.citations.wire import Check, Citation, FileStatus

REPORT = uuid4()


def citation(document_id: UUID | None = REPORT, section: str | None = "Revenue", ordinal: int = 0) -> Citation:
    return Citation(
        id=uuid4(), message_id=uuid4(), ordinal=ordinal, identifier="a", entity_id=None, document_id=document_id,
        episode_id=None, group_id=None,
        file_name="report.md", mime_type="text/markdown", source_type="blob_storage", sha256="0" * 64, text_sha256=None,
        char_start=ordinal * 100, char_end=ordinal * 100 + 10, page=3, section=section, quote="412.7 million",
        sentence="Revenue came to 412.7 million.", check=Check.VERIFIED, reason="", score=1, review=None,
        is_stale=False, file_status=FileStatus.ACTIVE,
    )  # fmt: skip
