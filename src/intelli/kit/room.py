"""Room: what a domain offers to the composition root. `app.ROOMS` is the only list of rooms."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar, cast
from uuid import UUID

from intelli.kit.blobs import Blobs
from intelli.kit.db import Tx
from intelli.kit.jobs import Job

if TYPE_CHECKING:
    from fastapi import APIRouter

    Routers = tuple[APIRouter, ...]
else:
    Routers = tuple


Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class WorkspaceAccess:
    """Access to one workspace for checks that read all of it: its blobs, and short transactions on its rows."""

    tenant_id: UUID
    blobs: Blobs
    begin: Callable[[], AbstractAsyncContextManager[Tx]]
    parts: Mapping[type, object] = field(default_factory=dict)

    def part(self, kind: type[Part]) -> Part:
        """Return one of the app's parts by its type."""
        return cast(Part, self.parts[kind])  # the composition root stores each part under its own type


Findings = Callable[[WorkspaceAccess], AsyncIterator[str]]


@dataclass(frozen=True, slots=True)
class Room:
    """Face of a domain: its routes, its jobs, and the check that its stored data is intact.

    `routers` is called only by the HTTP server: creating the routes takes longer than most commands take in all.

    `uploads` are the paths below the API whose bodies are streamed, with a limit of their own; `*` matches one path
    segment. `verify` yields a text for each defect found.
    """

    name: str
    routers: Callable[[], Routers] = tuple
    jobs: tuple[Job, ...] = ()
    uploads: tuple[str, ...] = ()
    verify: Findings | None = None
