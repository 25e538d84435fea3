"""Refusals of citations."""

from intelli.kit.errors import NotFound


class CitationNotFound(NotFound):
    """There is no such citation, or it is in another person's message."""

    code = "citation_not_found"


class EvidenceNotFound(NotFound):
    """There is no such message, or it rests on nothing."""

    code = "evidence_not_found"
