"""Errors of citations."""

from intelli.kit.errors import Conflict, Forbidden, NotFound


class CitationNotFound(NotFound):
    """There is no such citation, or it is in another person's message."""

    code = "citation_not_found"


class NotYourCitation(Forbidden):
    """The citation is in a conversation that is shared for reading."""

    code = "not_your_citation"


class SourceGone(Conflict):
    """There is nothing left to check a citation against; its last check stays."""

    code = "source_gone"


class EvidenceNotFound(NotFound):
    """There is no such message, or it rests on nothing."""

    code = "evidence_not_found"
