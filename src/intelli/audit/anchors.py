"""Anchors: signed heads of the logs, kept outside the database, in the data directory and in the blob store.

A head is written once under the name `{workspace}/{epoch}-{seq}.json`, and the highest name is the newest. So writers
need no lock: one that is late adds an older head and takes nothing back. A few heads of each epoch are kept.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from intelli.audit import statements
from intelli.audit.keys import AuditKey
from intelli.audit.statements import LogClosed, LogHead, SealingBegun
from intelli.kit import clock
from intelli.kit.objects import Objects

FOLDER = "anchors"
_BEGUN = "begun.json"
_CLOSED = "closed.json"
_ASIDE = "aside-"
_HEAD_NAME = re.compile(r"[0-9]{6}-[0-9]{19}\.json")
_KEPT = 4


@dataclass(frozen=True, slots=True)
class AnchorLocation:
    """Where heads are kept. One that `is_lasting` keeps them as long as the installation; another may start empty."""

    name: str
    objects: Objects
    is_lasting: bool


@dataclass(frozen=True, slots=True)
class LocationHeads:
    """What one place has of a log: genuine heads, newest first, and the names of files that are no genuine heads."""

    tenant_id: UUID
    place: AnchorLocation
    heads: Sequence[LogHead]
    forged: Sequence[str]
    is_closed: bool

    @property
    def newest(self) -> LogHead | None:
        """The newest genuine head."""
        return self.heads[0] if self.heads else None


@dataclass(frozen=True, slots=True)
class KnownHeads:
    """What all places have of a log, read before the log: it only grows, so it reaches what was seen.

    It `may_begin_unsealed` when it has no head because sealing has only begun.
    """

    sights: Sequence[LocationHeads]
    may_begin_unsealed: bool

    @property
    def newest(self) -> LogHead | None:
        """The newest genuine head of all places."""
        heads = [sight.newest for sight in self.sights if sight.newest is not None]
        return max(heads, key=lambda head: (head.epoch, head.seq), default=None)

    @property
    def is_closed(self) -> bool:
        """True when the workspace was removed knowingly."""
        return any(sight.is_closed for sight in self.sights)


class Anchors:
    """The places of an installation, and the key that their heads are signed with."""

    def __init__(self, places: Sequence[AnchorLocation], key: AuditKey) -> None:
        self.places = places
        self.key = key

    async def look(self, tenant_id: UUID) -> KnownHeads:
        """What every place has of a workspace's log."""
        sights = [await self._look_at(place, tenant_id) for place in self.places]
        is_unknown = all(sight.newest is None for sight in sights)
        return KnownHeads(sights, may_begin_unsealed=is_unknown and not await self.has_begun())

    def make_head(self, head: LogHead) -> LogHead:
        """The head as this installation signs it, now."""
        signed = {"signed_at": clock.now(), "public_key": self.key.public_key}
        return statements.sign(head.model_copy(update=signed), self.key)

    async def keep(self, head: LogHead, place: AnchorLocation) -> None:
        """Add a head to a place, and remove those of its epoch that are much older."""
        folder, name = str(head.tenant_id), _name(head)
        await place.objects.write(f"{folder}/{name}", head.model_dump_json().encode())
        epoch = name.partition("-")[0]
        older = [each for each in await _head_names(place, folder) if each < name and each.startswith(f"{epoch}-")]
        for each in older[: -(_KEPT - 1)]:
            await place.objects.delete(f"{folder}/{each}")

    async def set_aside(self, sight: LocationHeads) -> None:
        """Keep what is no genuine head under a name that is not looked at."""
        folder = sight.tenant_id
        for name in sight.forged:
            content = await sight.place.objects.read(f"{folder}/{name}")
            if content is not None:
                await sight.place.objects.write(f"{folder}/{_ASIDE}{clock.now():%Y%m%dT%H%M%S}-{name}", content)
            await sight.place.objects.delete(f"{folder}/{name}")

    async def has_begun(self) -> bool:
        """True once every log that was there when sealing began had its first head."""
        for place in self.places:
            begun = statements.parse(SealingBegun, await place.objects.read(_BEGUN) or b"")
            if begun is not None and statements.is_genuine(begun, self.key.public_key):
                return True
        return False

    async def begin(self) -> None:
        """Note that every log had its first head."""
        begun = statements.sign(SealingBegun(signed_at=clock.now(), public_key=self.key.public_key), self.key)
        for place in self.places:
            await place.objects.write(_BEGUN, begun.model_dump_json().encode())

    async def close(self, tenant_id: UUID) -> None:
        """Note that a workspace was removed knowingly."""
        signed = {"signed_at": clock.now(), "public_key": self.key.public_key}
        closed = statements.sign(LogClosed.model_validate({"tenant_id": tenant_id, **signed}), self.key)
        for place in self.places:
            await place.objects.write(f"{tenant_id}/{_CLOSED}", closed.model_dump_json().encode())

    async def tenants(self) -> set[UUID]:
        """The workspaces whose logs were anchored."""
        found = set[UUID]()
        for place in self.places:
            found.update(UUID(name) for name in await place.objects.folders() if is_id(name))
        return found

    async def _look_at(self, place: AnchorLocation, tenant_id: UUID) -> LocationHeads:
        heads, forged = list[LogHead](), list[str]()
        for name in reversed(await _head_names(place, str(tenant_id))):
            head = statements.parse(LogHead, await place.objects.read(f"{tenant_id}/{name}") or b"")
            is_genuine = head is not None and statements.is_genuine(head, self.key.public_key)
            if head is not None and is_genuine and (head.tenant_id, _name(head)) == (tenant_id, name):
                heads.append(head)
            else:
                forged.append(name)
        return LocationHeads(tenant_id, place, heads, forged, await self._is_closed(place, tenant_id))

    async def _is_closed(self, place: AnchorLocation, tenant_id: UUID) -> bool:
        closed = statements.parse(LogClosed, await place.objects.read(f"{tenant_id}/{_CLOSED}") or b"")
        if closed is None or closed.tenant_id != tenant_id:
            return False
        return statements.is_genuine(closed, self.key.public_key)


async def _head_names(place: AnchorLocation, folder: str) -> list[str]:
    return sorted(name for name in await place.objects.names(folder) if _HEAD_NAME.fullmatch(name))


def _name(head: LogHead) -> str:
    return f"{head.epoch:06}-{head.seq:019}.json"


def is_id(name: str) -> bool:
    """True when the text is the id of a workspace as we write it."""
    try:
        return str(UUID(name)) == name
    except ValueError:
        return False
