"""Check a citation again: whether the stored text still has its hash, and the quote is still at its span."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from intelli.citations import origins, prove, review, store
from intelli.citations.check import CheckOutcome
from intelli.citations.errors import SourceGone
from intelli.citations.prove import CitingText, ProofMaterial, StoredText
from intelli.citations.statements import CitedStatement
from intelli.citations.store import CitationWithDocument, TextOrigin
from intelli.citations.tables import Citation
from intelli.citations.wire import Check
from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.kit import clock
from intelli.kit.blobs import Blobs
from intelli.kit.compute import Compute
from intelli.kit.db import Tx
from intelli.reasoning import evidence_rules

_GONE = "The text of the source is not there any more, so this cannot be checked again. What the last check said stays."
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
    """Check the citation now. An earlier judgement of a model stays valid while the quote is unchanged.

    Raises SourceGone when there is nothing to check it against.
    """
    source = (await origins.load(stored.blobs, stored.tenant_id, stored.found)).get(citation.sha256)
    if source is None:
        raise SourceGone(_GONE)
    if not source.is_whole:
        return CheckOutcome(Check.FAILED, _DAMAGED, 0.0)
    quote = source.text[citation.char_start : citation.char_end]
    if quote != citation.quote:
        return CheckOutcome(Check.FAILED, _MOVED, 0.0)
    outcome = await compute.run(_examine, citation.sentence, source, Span(citation.sha256, 0, len(source.text)))
    if citation.reason in evidence_rules.CAVEATS and outcome.check is Check.VERIFIED:
        return CheckOutcome(Check(citation.check), citation.reason, citation.score)
    # An earlier judgement stays where rules have nothing to say against it.
    is_decided = outcome.check in {Check.VERIFIED, Check.FAILED}
    if is_decided and (citation.check != Check.VERIFIED or outcome.check is Check.VERIFIED):
        return outcome
    return CheckOutcome(Check(citation.check), citation.reason, citation.score)


def _examine(sentence: str, source: StoredText, span: Span) -> CheckOutcome:
    """The check of a sentence against the whole text of its source, by rules alone."""
    passage = Passage(span, source.text, title="", path="", mime_type="", score=1.0)
    stated = CitedStatement(sentence, (0,), 0, len(sentence))
    citing = CitingText(sentence, (stated,), (span.identifier,))
    material = ProofMaterial({span.identifier: passage}, {span.sha256: source})
    (checked,) = prove.examine(citing, material)
    return checked.outcome_of(0)


async def save_outcome(tx: Tx, citation_id: UUID, outcome: CheckOutcome) -> CitationWithDocument:
    """Save the result of a check and return the citation."""
    await review.get_own(tx, citation_id)
    values = {"check": outcome.check, "reason": outcome.reason, "score": outcome.score, "checked_at": clock.now()}
    await store.change(tx, citation_id, values)
    return await review.get_own(tx, citation_id)
