"""FastAPI dependencies that several routes of the library share."""

from typing import Annotated

from fastapi import Depends, Query

from intelli.kit.http import IfMatch, part
from intelli.library import wire
from intelli.library.optimistic_lock import BaseVersion
from intelli.library.ports import EvidencePort
from intelli.library.settings import LibrarySettings
from intelli.library.sources import Sources

CitedEvidence = Annotated[EvidencePort, Depends(part(EvidencePort))]
Origins = Annotated[Sources, Depends(part(Sources))]
Options = Annotated[LibrarySettings, Depends(part(LibrarySettings))]
OfVersion = Annotated[
    int | None, Query(ge=1, lt=1 << 62, description="A version of the document; the newest unless given.")
]


def _basis(
    if_match: IfMatch = None,
    expected_version: Annotated[
        int | None, Query(ge=1, lt=1 << 62, description="The version the change is based on, in place of If-Match.")
    ] = None,
) -> BaseVersion:
    return BaseVersion(if_match, expected_version)


BasedOn = Annotated[BaseVersion, Depends(_basis)]


def basis(if_match: str | None, body: wire.ChangeDocument | wire.ChangeFolder | wire.Restore) -> BaseVersion:
    """Return the version that a change is based on, from `If-Match` or the body."""
    return BaseVersion(if_match, body.expected_version)
