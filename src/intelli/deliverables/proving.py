"""What the check of a paper came to, written into its brief: each citation with its span, page, quote and outcome."""

from collections.abc import Iterable
from uuid import UUID

from intelli.citations import keep
from intelli.citations.prove import Proof
from intelli.citations.wire import Check
from intelli.deliverables.brief import Cited, DataBrief

# What one citation comes to when it stands behind several statements: a failure is never hidden by a success.
_ORDER = (Check.FAILED, Check.VERIFIED, Check.WEAK, Check.UNCHECKED)


def with_proofs(brief: DataBrief, proofs: Iterable[Proof], *, kept_as: UUID) -> DataBrief:
    """The brief with its citations as they were proven; what the paper does not cite stays unchecked.

    `kept_as` is what the citations are kept under: it gives them their ids.
    """
    by_identifier: dict[str, Proof] = {}
    for proof in proofs:
        known = by_identifier.get(proof.identifier)
        if known is None or _rank(proof) < _rank(known):
            by_identifier[proof.identifier] = proof
    cited = tuple(_proven(each, by_identifier.get(each.identifier), kept_as) for each in brief.citations)
    return brief.model_copy(update={"citations": cited})


def _rank(proof: Proof) -> int:
    return _ORDER.index(proof.outcome.check)


def _proven(cited: Cited, proof: Proof | None, kept_as: UUID) -> Cited:
    """The span stays that of the quote; page and section are told by the text it stands in."""
    if proof is None:
        return cited
    place = {"page": proof.page, "section": proof.section} if proof.source is not None else {}
    return cited.model_copy(
        update={
            **place,
            "id": str(keep.id_of(kept_as, proof.ordinal)),
            "check": proof.outcome.check.value,
            "reason": proof.outcome.reason,
            "text_sha256": proof.source.text_sha256 if proof.source else "",
        }
    )
