"""Access of change tools to the library and the conversation, as one part of the app."""

from dataclasses import dataclass
from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.citations import show as citations
from intelli.content import artifacts
from intelli.content.artifacts import ReceivedBytes
from intelli.content.ports import ArtifactStored
from intelli.conversations import messages
from intelli.conversations.export import markdown
from intelli.conversations.wire import Speaker
from intelli.kit.blobs import Blobs
from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.library import text_documents
from intelli.library.ports import EvidencePort
from intelli.library.text_documents import CurrentDocument


@dataclass(frozen=True, slots=True)
class DocumentEditor:
    """Reads documents with the rights of the person who asked, and stores the bytes that are to be written."""

    db: Database
    blobs: Blobs
    storing: ArtifactStored
    evidence: EvidencePort

    async def find(self, who: System, path: str) -> CurrentDocument | None:
        """Find the document at a path, or of a name; None when there is none."""
        async with self.db.begin(who) as tx:
            return await text_documents.find(tx, path)

    async def check_free(self, who: System, path: str) -> None:
        """Raise when the path is taken."""
        async with self.db.begin(who) as tx:
            await text_documents.check_free(tx, path)

    async def load(self, who: System, standing: CurrentDocument) -> str:
        """Load the whole text of a document, which the audit log tells."""
        text = await text_documents.load(self.blobs, who.tenant_id, standing)
        async with self.db.begin(who) as tx:
            entity = ("document", standing.document_id)
            await record(tx, EventType.FILE_READ, entity=entity, version=standing.version)
        return text

    async def place(self, who: System, text: str) -> ReceivedBytes:
        """Store bytes durably for a later transaction to reference; unreferenced ones are garbage-collected."""
        received = artifacts.draft_generated(self.blobs, who.tenant_id, text.encode())
        await received.draft.place()
        return received

    async def render_answer(self, who: System, message_id: UUID, text: str) -> str:
        """Render an answer as a Markdown document with its saved sources."""
        async with self.db.begin(who) as tx:
            cited = (await citations.load_of_messages(tx, [message_id])).get(message_id, citations.NOTHING)
        return markdown.write_answer(text, cited.citations)

    async def render_answer_before(self, who: System, question_id: UUID) -> str | None:
        """Render the answer that a question follows, with its sources; None when none precedes it."""
        async with self.db.begin(who) as tx:
            question = await messages.get(tx, question_id)
            before = await messages.get(tx, question.parent_message_id) if question.parent_message_id else None
        if before is None or before.role is not Speaker.AGENT:
            return None
        return await self.render_answer(who, before.id, before.content)
