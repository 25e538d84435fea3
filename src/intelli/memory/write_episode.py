"""Write an episode with its nodes, claims, facts and search entries, in one transaction and few statements."""

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
    """Result of writing an episode: its nodes, the facts it created (`accepted`) and those it ended."""

    episode_id: UUID
    nodes: tuple[UUID, ...]
    new_nodes: int
    duplicates: int
    accepted: tuple[UUID, ...]
    invalidated: tuple[UUID, ...]

    def counts(self) -> dict[str, int]:
        """Return the numbers that are logged."""
        return {
            "nodes": len(self.nodes),
            "new_nodes": self.new_nodes,
            "duplicates": self.duplicates,
            "accepted_facts": len(self.accepted),
            "invalidated_facts": len(self.invalidated),
        }


@dataclass(frozen=True, slots=True)
class EpisodeWrite:
    """All input of the transaction: the message, its extraction, its vectors, and the answers to open questions."""

    picked: DequeuedMessage
    reading: ExtractedEpisode
    vectors: dict[str, Vectors]
    space: str
    answers: ResolvedQuestions = field(default_factory=ResolvedQuestions)


async def write(tx: Tx, writing: EpisodeWrite) -> WrittenEpisode:
    """Lock the group and write an episode with all that follows from it.

    Raise MessageWithdrawn when the message is no longer queued: it was forgotten meanwhile.
    """
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
        stored = await store.claim_keys(tx, episode.id)
        claims = [each for each in claims if _claim_key(each.claim) not in stored]
    plan = await append_claims.append(tx, picked.group_id, claims)
    if not await _write_search(tx, writing, resolved, plan, language=language):
        raise MessageWithdrawn("The message was forgotten while it was read, so nothing of it is remembered.")
    return _result(picked, resolved, plan)


def _result(picked: DequeuedMessage, resolved: ResolvedNodes, plan: AppendPlan) -> WrittenEpisode:
    return WrittenEpisode(
        episode_id=picked.episode.id,
        nodes=tuple(resolved.said),
        new_nodes=len(resolved.nodes),
        duplicates=len(resolved.duplicates),
        accepted=tuple(made.id for made in plan.made),
        invalidated=tuple(row["id"] for row in plan.closed),
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
    for extracted in writing.reading.claims:
        subject = resolved.places[extracted.subject]
        value = resolved.places[extracted.object_key] if extracted.object_key else None
        if value is not None and value.root == subject.root:
            continue  # subject and object turned out to be one node
        value_key = slots.value_key_of(value.root if value else None, extracted.object_text)
        is_functional = picked.schema.is_functional(extracted.relation)
        slot = slots.slot_of(
            picked.group_id, subject.root, extracted.relation, value_key=value_key, is_functional=is_functional
        )
        claim = _claim(picked.episode, extracted, slot=slot, value_key=value_key, now=now)
        if _claim_key(claim) in seen:
            continue
        seen.add(_claim_key(claim))
        yield NewClaim(
            claim=claim,
            relation=extracted.relation,
            is_functional=is_functional,
            subject=subject.id,
            subject_root=subject.root,
            object=value.id if value else None,
            object_root=value.root if value else None,
            object_text=extracted.object_text,
            statement=extracted.statement,
            confidence=extracted.confidence,
            quote=extracted.quote if picked.keeps_content or not picked.episode.is_new else None,
        )


def _claim(
    episode: EpisodeDraft, extracted: ExtractedClaim, *, slot: UUID, value_key: str, now: datetime
) -> TimedClaim:
    return TimedClaim(
        id=uuid7(),
        slot=slot,
        says=extracted.says,
        value_key=value_key,
        at=extracted.at,
        seq=episode.seq,
        position=extracted.position,
        episode_id=episode.id,
        known_at=now,
    )


def _contradictions(writing: EpisodeWrite, now: datetime) -> Iterator[NewClaim]:
    """Yield claims that end the facts a reasoner found contradicted, at the time the contradicting claims begin."""
    episode, stated = writing.picked.episode, writing.reading.claims
    first = len(stated)
    at = min((extracted.at for extracted in stated if extracted.says is ClaimEffect.HOLDS), default=episode.valid_at)
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


def _claim_key(claim: TimedClaim) -> tuple[UUID, str, str, datetime]:
    return claim.slot, claim.value_key, claim.says, claim.at


async def _write_search(
    tx: Tx, writing: EpisodeWrite, resolved: ResolvedNodes, plan: AppendPlan, *, language: str
) -> bool:
    picked = writing.picked
    episode = picked.episode
    items = [
        *((episode.id, SearchKind.EPISODE, episode.text) for _ in range(picked.keeps_content and episode.is_new)),
        *((node_id, SearchKind.NODE, name) for node_id, name in resolved.names.items()),
        *((made.id, SearchKind.FACT, made.statement) for made in plan.made),
    ]
    return await store.write_search(
        tx,
        picked.group_id,
        items=[(item, kind) for item, kind, _ in items],
        terms=[
            (term, nth, weight)
            for nth, (_, kind, text) in enumerate(items, 1)
            for term, weight in search_terms.weighted_terms(text, kind, language=language)
        ],
        vectors=_stack_vectors(items, writing.vectors),
        space=writing.space,
        arrival_id=picked.arrival_id,
    )


def _stack_vectors(items: Sequence[tuple[UUID, SearchKind, str]], vectors: dict[str, Vectors]) -> Vectors | None:
    """Return the items' vectors as rows; None when one is missing, as when the embedder failed."""
    found = [vectors[text] for _, _, text in items if text in vectors]
    return store.stack(found) if len(found) == len(items) else None
