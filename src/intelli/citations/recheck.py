"""Check a citation again: whether the stored text still has its hash, and the quote is still at its span."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from intelli.citations import origins, prove, review, store
from intelli.citations.check import CheckOutcome
from intelli.citations.figures import QuotedFigures
from intelli.citations.store import CitationWithDocument, TextOrigin
from intelli.citations.tables import Citation
from intelli.citations.wire import Check
from intelli.kit import clock
from intelli.kit.blobs import Blobs
from intelli.kit.compute import Compute
from intelli.kit.db import Tx

_GONE = "The text of the source is not there any more, so this could not be checked again."
_DAMAGED = "The stored text of the source is damaged: it no longer has its hash."
_MOVED = "The quote does not stand at its place in the source."


async def load_citation(tx: Tx, citation_id: UUID) -> tuple[Citation, dict[str, TextOrigin]]:
    """Load a citation of the caller's own, and the origin of its text."""
    citation = (await review.get_own(tx, citation_id)).citation
    return citation, await origins.find(tx, [citation.sha256])


@dataclass(frozen=True, slots=True)
class StoredSource:
    """Location of the stored text of a citation's source."""

    blobs: Blobs
    tenant_id: UUID
    found: Mapping[str, TextOrigin]


async def check_again(stored: StoredSource, citation: Citation, compute: Compute) -> CheckOutcome:
    """Check the citation now. An earlier judgement of a model stays valid while the quote is unchanged."""
    source = (await origins.load(stored.blobs, stored.tenant_id, stored.found)).get(citation.sha256)
    if source is None:
        return CheckOutcome(Check.UNCHECKED, _GONE, citation.score)
    if not source.is_whole:
        return CheckOutcome(Check.FAILED, _DAMAGED, 0.0)
    quote = source.text[citation.char_start : citation.char_end]
    if quote != citation.quote:
        return CheckOutcome(Check.FAILED, _MOVED, 0.0)
    quoted = QuotedFigures(citation.ordinal, quote, citation.char_start, around=(source.text,))
    outcome = await compute.run(prove.examine_again, citation.sentence, quoted, citation.file_name)
    if outcome.is_settled or citation.check == Check.UNCHECKED:
        return outcome
    return CheckOutcome(Check(citation.check), citation.reason, citation.score)


async def save_outcome(tx: Tx, citation_id: UUID, outcome: CheckOutcome) -> CitationWithDocument:
    """Save the result of a check and return the citation."""
    await review.get_own(tx, citation_id)
    values = {"check": outcome.check, "reason": outcome.reason, "score": outcome.score, "checked_at": clock.now()}
    await store.change(tx, citation_id, values)
    return await review.get_own(tx, citation_id)
