"""Dates of cited documents, as their names or their beginnings tell them."""

from collections.abc import Iterable
from datetime import date

from intelli.citations.prove import CitationProof
from intelli.language.document_dates import date_of_document


def newest(proofs: Iterable[CitationProof], *, today: date) -> date | None:
    """Return the date of the newest cited document; None when none tells its date."""
    found = {proof.span.sha256: date_of(proof, today=today) for proof in proofs}
    return max((each for each in found.values() if each is not None), default=None)


def date_of(proof: CitationProof, *, today: date) -> date | None:
    """Return the date of a cited document: the one that was found with the passage, else what its text tells."""
    if proof.passage is not None and proof.passage.dated is not None:
        return proof.passage.dated
    title = proof.passage.title if proof.passage else ""
    return date_of_document(title, proof.source.text if proof.source else "", today=today)
