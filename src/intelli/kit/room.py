"""Room: what a domain offers to the composition root. `app.ROOMS` is the one list that everything walks."""

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
    """One workspace as work that reads all of it walks through: its blobs, and short transactions on its rows."""

    tenant_id: UUID
    blobs: Blobs
    begin: Callable[[], AbstractAsyncContextManager[Tx]]
    parts: Mapping[type, object] = field(default_factory=dict)

    def part(self, kind: type[Part]) -> Part:
        """What a check needs beside them, found by its type."""
        return cast(Part, self.parts[kind])  # the composition root stores each part under its own type


Findings = Callable[[WorkspaceAccess], AsyncIterator[str]]


@dataclass(frozen=True, slots=True)
class Room:
    """A domain's face: its routes, its jobs, and how to check that what it keeps is whole.

    `routers` is called by who serves HTTP: to make the routes takes longer than most commands do in all.

    `uploads` are the paths below the API whose bodies are read as they come, with a limit of their own; `*` in one
    stands for any one step.
    """

    name: str
    routers: Callable[[], Routers] = tuple
    jobs: tuple[Job, ...] = ()
    uploads: tuple[str, ...] = ()
    verify: Findings | None = None
