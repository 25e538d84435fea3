"""Copy the check results of a paper into its brief: one for each place that cites, one for each cited passage."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from intelli.citations import save
from intelli.citations.prove import CitationProof
from intelli.citations.wire import Check
from intelli.deliverables.brief import Cited, DataBrief, Mark

# What a passage comes to when several statements rest on it: what a reader must look at is not hidden by a success.
_ORDER = (Check.FAILED, Check.WEAK, Check.UNCHECKED, Check.VERIFIED)


def add_proofs(brief: DataBrief, proofs: Iterable[CitationProof], *, kept_as: UUID) -> DataBrief:
    """Return the brief with the results of its citations; citations that the paper does not use stay unchecked.

    `kept_as` is the id under which the citations are stored; their ids derive from it.
    """
    known = sorted(proofs, key=lambda proof: proof.ordinal)
    worst: dict[str, CitationProof] = {}
    for proof in known:
        other = worst.get(proof.identifier)
        if other is None or _rank(proof) < _rank(other):
            worst[proof.identifier] = proof
    cited = tuple(_add_proof(each, worst.get(each.identifier), kept_as) for each in brief.citations)
    return brief.model_copy(update={"citations": cited, "marks": _marks(known, kept_as)})


def _marks(proofs: Sequence[CitationProof], kept_as: UUID) -> tuple[Mark, ...]:
    return tuple(
        Mark(
            id=str(save.citation_id_of(kept_as, proof.ordinal)),
            identifier=proof.identifier,
            check=proof.outcome.check.value,
            reason=proof.outcome.reason,
        )
        for proof in proofs
    )


def _rank(proof: CitationProof) -> int:
    return _ORDER.index(proof.outcome.check)


def _add_proof(cited: Cited, proof: CitationProof | None, kept_as: UUID) -> Cited:
    """Return a citation with the result of its check. Its span stays; page and section come from the proven text."""
    if proof is None:
        return cited
    place = {"page": proof.page, "section": proof.section} if proof.source is not None else {}
    return cited.model_copy(
        update={
            **place,
            "id": str(save.citation_id_of(kept_as, proof.ordinal)),
            "check": proof.outcome.check.value,
            "reason": proof.outcome.reason,
            "text_sha256": proof.source.text_sha256 if proof.source else "",
        }
    )
