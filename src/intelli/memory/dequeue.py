"""Dequeue a message: validate it before anything is written, and load the episodes that it is read with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.memory import groups, names, schema, wire
from intelli.memory.errors import EpisodeElsewhere, EpisodeNotFound
from intelli.memory.schema import Schema
from intelli.memory.store import queue
from intelli.memory.store import write as store
from intelli.memory.store.queue import Waiting
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.extract import ExtractInput

_MOST_KNOWN = 40
_USER = "User"


@dataclass(frozen=True, slots=True)
class EpisodeDraft:
    """The episode of a message, as it is stored (`is_new` False) or will be."""

    id: UUID
    is_new: bool
    seq: int
    text: str
    valid_at: datetime
    role_type: wire.RoleType
    role: str
    name: str = ""
    source_description: str = ""

    @property
    def offset(self) -> int:
        """Where the message begins in `text`, after the prefix that names its speaker."""
        return wire.message_offset(self.text, role=self.role, role_type=self.role_type)

    @property
    def speaker(self) -> str:
        """Name of the person that `I` means in the message; empty when not known."""
        return self.role or (_USER if self.role_type is wire.RoleType.USER else "")


@dataclass(frozen=True, slots=True)
class EarlierEpisode:
    """An earlier episode that a message is read with, and the names it mentions."""

    id: str
    day: str
    content: str | None
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DequeuedMessage:
    """A message in work: its episode, the types its group declares, and the earlier episodes as context.

    `named` is the message when it names a stored episode by its uuid; `chosen` are the previous episodes it asks for.
    """

    arrival_id: UUID
    user_id: UUID | None
    group_id: str
    episode: EpisodeDraft
    schema: Schema
    keeps_content: bool
    updates_communities: bool
    named: wire.NewMessage | None = None
    chosen: tuple[UUID, ...] | None = None
    before: tuple[SourceText, ...] = ()
    known: tuple[str, ...] = ()

    @property
    def asked(self) -> ExtractInput:
        """Input of the extraction."""
        episode = self.episode
        content = episode.text[episode.offset :]
        return ExtractInput(
            passage=SourceText(identifier=str(episode.id), title=episode.speaker or episode.role_type, text=content),
            before=self.before,
            kinds=self.schema.kinds,
            relations=self.schema.relations,
            known=self.known,
            speaker=episode.speaker,
            today=episode.valid_at.date(),
        )

    @property
    def needs_loading(self) -> bool:
        """True when the message names stored episodes, its own or previous ones, that have to be loaded."""
        return self.named is not None or self.chosen is not None

    @property
    def recent_keys(self) -> frozenset[str]:
        """Keys of the names that the earlier episodes mention."""
        return frozenset(names.key_of(name) for name in self.known)


async def find_next(tx: Tx, group_id: str | None) -> Waiting | None:
    """Return the message that has waited longest, of one group or (None) of all; None when none waits."""
    return await queue.find_next(tx, group_id)


def prepare(row: Waiting, *, keep_content: bool) -> DequeuedMessage:
    """Validate a queued message; raise when its group name or types are invalid.

    It is ready to be read unless it `needs_loading`. `keep_content` is the installation's setting.
    """
    groups.check_name(row.group_id)
    message = wire.NewMessage.model_validate(row.message["message"])
    handling = wire.Handling.model_validate(row.message["handling"])
    declared = handling.override(Schema.model_validate(row.schema))
    schema.check(declared)
    keeps = row.keeps_content is not False and keep_content
    picked = DequeuedMessage(
        arrival_id=row.id,
        user_id=row.user_id,
        group_id=row.group_id,
        episode=_draft(message, row.seq),
        schema=declared,
        keeps_content=keeps if handling.keep_content is None else handling.keep_content,
        updates_communities=handling.update_communities,
        named=message if message.uuid else None,
        chosen=None if handling.previous_episode_ids is None else tuple(handling.previous_episode_ids),
    )
    earlier = [EarlierEpisode(each["id"], each["day"], each["content"], tuple(each["names"])) for each in row.before]
    return _with_context(picked, earlier)


async def load_episodes(tx: Tx, picked: DequeuedMessage) -> DequeuedMessage:
    """Add the stored episodes that the message names. Raise EpisodeNotFound or EpisodeElsewhere."""
    if picked.named is not None:
        picked = replace(picked, episode=await _load_episode(tx, picked.group_id, picked.named))
    return _with_context(picked, await _load_before(tx, picked))


def _draft(message: wire.NewMessage, seq: int) -> EpisodeDraft:
    return EpisodeDraft(
        id=uuid7(),
        is_new=True,
        seq=seq,
        text=message.body,
        valid_at=message.timestamp,
        role_type=message.role_type,
        role=message.role or "",
        name=message.name,
        source_description=message.source_description,
    )


async def _load_episode(tx: Tx, group_id: str, message: wire.NewMessage) -> EpisodeDraft:
    assert message.uuid is not None, "who loads an episode knows its id"
    row = await store.find_episode(tx, message.uuid)
    if row is None:
        raise EpisodeNotFound("There is no episode with this uuid. Leave it out to have a new one made.")
    if row.group_id != group_id:
        raise EpisodeElsewhere("The episode with this uuid belongs to another group. Send it to that group.")
    known = _draft(message, row.seq)
    return replace(
        known,
        id=row.id,
        is_new=False,
        text=row.content if row.content is not None else message.body,
        valid_at=row.valid_at,
        role_type=wire.RoleType(row.role_type),
        role=row.role,
    )


async def _load_before(tx: Tx, picked: DequeuedMessage) -> Sequence[EarlierEpisode]:
    episode, chosen = picked.episode, picked.chosen
    if chosen is None:
        found = await store.recent_messages(
            tx, picked.group_id, at=episode.valid_at, beside=episode.id, limit=queue.CONTEXT
        )
    else:
        found = await store.episodes_by_id(tx, picked.group_id, chosen)
        if len(found) < len(set(chosen)):
            raise EpisodeNotFound("One of the previous episodes is not in this group. Name only those that are.")
    return [
        EarlierEpisode(str(row.id), row.valid_at.date().isoformat(), row.content, tuple(row.names)) for row in found
    ]


def _with_context(picked: DequeuedMessage, earlier: Sequence[EarlierEpisode]) -> DequeuedMessage:
    passages = (SourceText(identifier=each.id, title=each.day, text=each.content) for each in earlier if each.content)
    # The names mentioned last come first: a pronoun means one of them.
    known = dict.fromkeys(name for each in reversed(earlier) for name in each.names)
    return replace(picked, before=tuple(passages), known=tuple(known)[:_MOST_KNOWN])
