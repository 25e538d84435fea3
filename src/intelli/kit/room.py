"""Room: what a domain offers to the composition root. `app.ROOMS` is the one list that everything walks."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from intelli.kit.db import Tx
from intelli.kit.jobs import Job

if TYPE_CHECKING:
    from fastapi import APIRouter

Findings = Callable[[Tx], AsyncIterator[str]]


@dataclass(frozen=True, slots=True)
class Room:
    """A domain's face: its routes, its jobs, and how to check that what it keeps is whole."""

    name: str
    routers: "tuple[APIRouter, ...]" = ()
    jobs: tuple[Job, ...] = ()
    verify: Findings | None = None
