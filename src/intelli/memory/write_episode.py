"""Writing an episode: its nodes, claims, facts and what they are found by, in one transaction and few statements."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.memory import append_claims, nodes, search_terms, slots
from intelli.memory.append_claims import AppendPlan, NewClaim
from intelli.memory.dequeue import DequeuedMessage, EpisodeDraft
from intelli.memory.errors import MessageWithdrawn
from intelli.memory.extracted import ExtractedClaim, ExtractedEpisode
from intelli.memory.facts_in_time import TimedClaim
from intelli.memory.nodes import ResolvedNodes
from intelli.memory.resolve import ResolvedQuestions
from intelli.memory.search_terms import SearchKind
from intelli.memory.store import write as store
from intelli.memory.tables import ClaimEffect, EndReason
from intelli.reasoning.ports import Vectors


@dataclass(frozen=True, slots=True)
class WrittenEpisode:
    """What became of an episode."""

    episode_id: UUID
    nodes: tuple[UUID, ...]
    new_nodes: int
    duplicates: int
    accepted: tuple[UUID, ...]
    invalidated: tuple[UUID, ...]

    def counts(self) -> dict[str, int]:
        """How much, for the log."""
        return {
            "nodes": len(self.nodes),
            "new_nodes": self.new_nodes,
            "duplicates": self.duplicates,
            "accepted_facts": len(self.accepted),
            "invalidated_facts": len(self.invalidated),
        }


@dataclass(frozen=True, slots=True)
class EpisodeWrite:
    """All that is known before the transaction: what was read, what it means, and what was said about doubts."""

    picked: DequeuedMessage
    reading: ExtractedEpisode
    vectors: dict[str, Vectors]
    space: str
    answers: ResolvedQuestions = field(default_factory=ResolvedQuestions)


async def write(tx: Tx, writing: EpisodeWrite) -> WrittenEpisode:
    """Write all that follows from an episode."""
    picked, reading = writing.picked, writing.reading
    episode, language = picked.episode, search_terms.language_of(picked.episode.text)
    new_episodes = 1 if episode.is_new else 0
    now = await store.lock_group(tx, picked.group_id, episodes=new_episodes, languages=[language])
    found = await store.nodes_by_key(tx, picked.group_id, [thing.key for thing in reading.things])
    resolved = nodes.resolve(reading.things, found, same=writing.answers.same, at=episode.valid_at)
    await store.write_graph(
        tx,
        picked.group_id,
        episode.id,
        mentions=resolved.mentions,
        episodes=[_episode_row(picked, now)] if episode.is_new else (),
        nodes=resolved.nodes,
        changed=resolved.changed,
        duplicates=resolved.duplicates,
    )
    claims = [*_claims(writing, resolved, now), *_contradictions(writing, now)]
    if not episode.is_new:
        said = await store.claimed(tx, episode.id)
        claims = [each for each in claims if _said(each.claim) not in said]
    placed = await append_claims.place(tx, picked.group_id, claims)
    if not await _write_search(tx, writing, resolved, placed, language=language):
        raise MessageWithdrawn("The message was forgotten while it was read, so nothing of it is remembered.")
    return _remembered(picked, resolved, placed)


def _remembered(picked: DequeuedMessage, resolved: ResolvedNodes, placed: AppendPlan) -> WrittenEpisode:
    return WrittenEpisode(
        episode_id=picked.episode.id,
        nodes=tuple(resolved.said),
        new_nodes=len(resolved.nodes),
        duplicates=len(resolved.duplicates),
        accepted=tuple(made.id for made in placed.made),
        invalidated=tuple(row["id"] for row in placed.closed),
    )


def _episode_row(picked: DequeuedMessage, now: datetime) -> dict[str, Any]:
    episode = picked.episode
    return {
        "id": episode.id,
        "created_at": now,
        "seq": episode.seq,
        "user_id": picked.user_id,
        "name": episode.name,
        "source": "message",
        "source_description": episode.source_description,
        "role_type": episode.role_type,
        "role": episode.role,
        "content": episode.text if picked.keeps_content else None,
        "content_sha256": hashlib.sha256(episode.text.encode()).hexdigest(),
        "valid_at": episode.valid_at,
    }


def _claims(writing: EpisodeWrite, resolved: ResolvedNodes, now: datetime) -> Iterator[NewClaim]:
    picked = writing.picked
    seen: set[tuple[UUID, str, str, datetime]] = set()
    for saying in writing.reading.sayings:
        subject = resolved.places[saying.subject]
        value = resolved.places[saying.object_key] if saying.object_key else None
        if value is not None and value.root == subject.root:
            continue  # names that turned out to be one thing's say nothing of it
        value_key = slots.value_key_of(value.root if value else None, saying.object_text)
        is_functional = picked.schema.is_functional(saying.relation)
        slot = slots.slot_of(
            picked.group_id, subject.root, saying.relation, value_key=value_key, is_functional=is_functional
        )
        claim = _claim(picked.episode, saying, slot=slot, value_key=value_key, now=now)
        if _said(claim) in seen:
            continue
        seen.add(_said(claim))
        yield NewClaim(
            claim=claim,
            relation=saying.relation,
            is_functional=is_functional,
            subject=subject.id,
            subject_root=subject.root,
            object=value.id if value else None,
            object_root=value.root if value else None,
            object_text=saying.object_text,
            statement=saying.statement,
            confidence=saying.confidence,
            quote=saying.quote if picked.keeps_content or not picked.episode.is_new else None,
        )


def _claim(episode: EpisodeDraft, saying: ExtractedClaim, *, slot: UUID, value_key: str, now: datetime) -> TimedClaim:
    return TimedClaim(
        id=uuid7(),
        slot=slot,
        says=saying.says,
        value_key=value_key,
        at=saying.at,
        seq=episode.seq,
        position=saying.position,
        episode_id=episode.id,
        known_at=now,
    )


def _contradictions(writing: EpisodeWrite, now: datetime) -> Iterator[NewClaim]:
    """Facts that a reasoner saw contradicted end when what contradicts them begins."""
    episode, sayings = writing.picked.episode, writing.reading.sayings
    first = len(sayings)
    at = min((saying.at for saying in sayings if saying.says is ClaimEffect.HOLDS), default=episode.valid_at)
    for position, row in enumerate(writing.answers.contradicted, first):
        claim = TimedClaim(
            id=uuid7(),
            slot=row.slot,
            says=ClaimEffect.ENDS,
            value_key=row.value_key,
            at=max(at, row.valid_at or at),
            seq=episode.seq,
            position=position,
            episode_id=episode.id,
            known_at=now,
            reason=EndReason.CONTRADICTED,
        )
        yield NewClaim(
            claim=claim,
            relation=row.relation,
            is_functional=row.is_functional,
            subject=row.subject_id,
            subject_root=row.subject_id,
            object=row.object_id,
            object_root=row.object_id,
            object_text=row.object_text,
            statement=row.statement,
            confidence=row.confidence,
        )


def _said(claim: TimedClaim) -> tuple[UUID, str, str, datetime]:
    return claim.slot, claim.value_key, claim.says, claim.at


async def _write_search(
    tx: Tx, writing: EpisodeWrite, resolved: ResolvedNodes, placed: AppendPlan, *, language: str
) -> bool:
    picked = writing.picked
    episode = picked.episode
    items = [
        *((episode.id, SearchKind.EPISODE, episode.text) for _ in range(picked.keeps_content and episode.is_new)),
        *((node_id, SearchKind.NODE, name) for node_id, name in resolved.names.items()),
        *((made.id, SearchKind.FACT, made.statement) for made in placed.made),
    ]
    return await store.write_search(
        tx,
        picked.group_id,
        items=[(item, kind) for item, kind, _ in items],
        terms=[
            (term, nth, weight)
            for nth, (_, kind, text) in enumerate(items, 1)
            for term, weight in search_terms.weighted(text, kind, language=language)
        ],
        vectors=_stacked(items, writing.vectors),
        space=writing.space,
        arrival_id=picked.arrival_id,
    )


def _stacked(items: Sequence[tuple[UUID, SearchKind, str]], vectors: dict[str, Vectors]) -> Vectors | None:
    """The items' vectors; none when one is missing, as when there was nobody to make them."""
    found = [vectors[text] for _, _, text in items if text in vectors]
    return store.stack(found) if len(found) == len(items) else None
