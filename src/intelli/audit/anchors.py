"""Anchors: signed heads of the logs, stored outside the database, in the data directory and in the blob store.

A head is written once under the name `{workspace}/{epoch}-{seq}.json`, and the highest name is the newest. So writers
need no lock: a late one adds an older head and overwrites nothing. A few heads of each epoch are kept.
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
    """Place that stores heads. One that `is_lasting` lives as long as the installation; another may start empty."""

    name: str
    objects: Objects
    is_lasting: bool


@dataclass(frozen=True, slots=True)
class LocationHeads:
    """Heads of a log in one place: the genuine ones, newest first, and the names of files that are not genuine."""

    tenant_id: UUID
    place: AnchorLocation
    heads: Sequence[LogHead]
    forged: Sequence[str]
    is_closed: bool

    @property
    def newest(self) -> LogHead | None:
        """Newest genuine head, or None."""
        return self.heads[0] if self.heads else None


@dataclass(frozen=True, slots=True)
class KnownHeads:
    """Heads of a log in all places. Load them before the log: it only grows, so it must reach these heads.

    The log `may_begin_unsealed` when it has no head because sealing has only begun.
    """

    locations: Sequence[LocationHeads]
    may_begin_unsealed: bool

    @property
    def newest(self) -> LogHead | None:
        """Newest genuine head of all places, or None."""
        heads = [each.newest for each in self.locations if each.newest is not None]
        return max(heads, key=lambda head: (head.epoch, head.seq), default=None)

    @property
    def is_closed(self) -> bool:
        """True when an operator removed the workspace."""
        return any(each.is_closed for each in self.locations)


class Anchors:
    """Store of heads: the places of an installation, and the key that signs the heads."""

    def __init__(self, places: Sequence[AnchorLocation], key: AuditKey) -> None:
        self.places = places
        self.key = key

    async def load_heads(self, tenant_id: UUID) -> KnownHeads:
        """Load the heads of a workspace's log from every place."""
        locations = [await self._load_from(place, tenant_id) for place in self.places]
        is_unknown = all(each.newest is None for each in locations)
        return KnownHeads(locations, may_begin_unsealed=is_unknown and not await self.has_begun())

    def sign_head(self, head: LogHead) -> LogHead:
        """Return the head with the current time, signed by this installation."""
        signed = {"signed_at": clock.now(), "public_key": self.key.public_key}
        return statements.sign(head.model_copy(update=signed), self.key)

    async def save(self, head: LogHead, place: AnchorLocation) -> None:
        """Write a head to a place, and delete all but the newest few of its epoch."""
        folder, name = str(head.tenant_id), _file_name(head)
        await place.objects.write(f"{folder}/{name}", head.model_dump_json().encode())
        epoch = name.partition("-")[0]
        older = [each for each in await _head_names(place, folder) if each < name and each.startswith(f"{epoch}-")]
        for each in older[: -(_KEPT - 1)]:
            await place.objects.delete(f"{folder}/{each}")

    async def set_aside(self, location: LocationHeads) -> None:
        """Rename files that are not genuine heads to names that are ignored."""
        folder = location.tenant_id
        for name in location.forged:
            content = await location.place.objects.read(f"{folder}/{name}")
            if content is not None:
                await location.place.objects.write(f"{folder}/{_ASIDE}{clock.now():%Y%m%dT%H%M%S}-{name}", content)
            await location.place.objects.delete(f"{folder}/{name}")

    async def has_begun(self) -> bool:
        """Return True once every log that existed when sealing began has had its first head."""
        for place in self.places:
            begun = statements.parse(SealingBegun, await place.objects.read(_BEGUN) or b"")
            if begun is not None and statements.is_genuine(begun, self.key.public_key):
                return True
        return False

    async def mark_begun(self) -> None:
        """Write the signed statement that every log has had its first head."""
        begun = statements.sign(SealingBegun(signed_at=clock.now(), public_key=self.key.public_key), self.key)
        for place in self.places:
            await place.objects.write(_BEGUN, begun.model_dump_json().encode())

    async def close(self, tenant_id: UUID) -> None:
        """Write the signed statement that an operator removed the workspace."""
        signed = {"signed_at": clock.now(), "public_key": self.key.public_key}
        closed = statements.sign(LogClosed.model_validate({"tenant_id": tenant_id, **signed}), self.key)
        for place in self.places:
            await place.objects.write(f"{tenant_id}/{_CLOSED}", closed.model_dump_json().encode())

    async def list_tenants(self) -> set[UUID]:
        """List the workspaces whose logs were anchored."""
        found = set[UUID]()
        for place in self.places:
            found.update(UUID(name) for name in await place.objects.list_folders() if is_id(name))
        return found

    async def _load_from(self, place: AnchorLocation, tenant_id: UUID) -> LocationHeads:
        heads, forged = list[LogHead](), list[str]()
        for name in reversed(await _head_names(place, str(tenant_id))):
            head = statements.parse(LogHead, await place.objects.read(f"{tenant_id}/{name}") or b"")
            is_genuine = head is not None and statements.is_genuine(head, self.key.public_key)
            if head is not None and is_genuine and (head.tenant_id, _file_name(head)) == (tenant_id, name):
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
    return sorted(name for name in await place.objects.list_names(folder) if _HEAD_NAME.fullmatch(name))


def _file_name(head: LogHead) -> str:
    return f"{head.epoch:06}-{head.seq:019}.json"


def is_id(name: str) -> bool:
    """Return True when the text is a workspace id in canonical form."""
    try:
        return str(UUID(name)) == name
    except ValueError:
        return False
