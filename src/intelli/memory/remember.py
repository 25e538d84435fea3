"""Remembering a message: read, think, write. All that follows from it is written at once, or nothing is."""

from dataclasses import dataclass, replace

import structlog

from intelli.kit.db import Tx
from intelli.kit.jobs import Job
from intelli.memory import extracted as memory_extracted
from intelli.memory import reasoning_calls, resolve, write_episode
from intelli.memory.dequeue import DequeuedMessage
from intelli.memory.extracted import ExtractedEpisode, ExtractionContext
from intelli.memory.ports import MemoryReasoner
from intelli.memory.reasoning_calls import ReasoningEffort
from intelli.memory.resolve import OpenQuestions
from intelli.memory.write_episode import EpisodeWrite, WrittenEpisode
from intelli.reasoning.ports import Vectors

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ProcessedMessage:
    """A message that was thought over: what is to be written, and what it took."""

    writing: EpisodeWrite
    effort: ReasoningEffort


async def think_over(picked: DequeuedMessage, mind: MemoryReasoner) -> ProcessedMessage:
    """Read a message. Nothing is written, and no transaction waits for a model."""
    effort = ReasoningEffort()
    reading = await _read(picked, mind, effort)
    told = EpisodeWrite(picked, reading, await _vectors(picked, reading, mind, effort), mind.embedder.name)
    return ProcessedMessage(told, effort)


async def find_doubts(tx: Tx, thought: ProcessedMessage, mind: MemoryReasoner) -> OpenQuestions | None:
    """What there is to ask about a message; None when nothing is in doubt or nobody could tell."""
    told = thought.writing
    if not mind.has_model or not told.reading.things:
        return None
    found = await resolve.look(tx, told.picked.group_id, told.reading, vectors=told.vectors, space=told.space)
    return found if found.like or found.earlier else None


async def without_doubt(thought: ProcessedMessage, found: OpenQuestions, mind: MemoryReasoner) -> ProcessedMessage:
    """Ask once about all that is in doubt."""
    told = thought.writing
    asked = found.asked(told.picked.asked.passage, told.reading)
    if asked is None:
        return thought
    answers = found.answered(await reasoning_calls.resolve(mind, asked, thought.effort))
    return replace(thought, writing=replace(told, answers=answers))


async def write(tx: Tx, thought: ProcessedMessage, *, communities: Job) -> WrittenEpisode:
    """Write all that follows from a message. `communities` is deferred where that was asked for."""
    picked = thought.writing.picked
    remembered = await write_episode.write(tx, thought.writing)
    if picked.updates_communities:
        await tx.defer(communities, key=f"memory.communities:{picked.group_id}", group_id=picked.group_id)
    return remembered


def tell(thought: ProcessedMessage, remembered: WrittenEpisode, *, duration_s: float) -> None:
    """Say how it went, in numbers and ids: never what was said."""
    reading, effort = thought.writing.reading, thought.effort
    log.info(
        "memory_episode_remembered",
        episode_id=str(remembered.episode_id),
        duration_s=round(duration_s, 4),
        candidate_things=len(reading.things),
        candidate_facts=len(reading.sayings),
        **remembered.counts(),
        model_calls=effort.calls,
        retries=effort.retries,
        skipped=effort.skipped,
    )


async def _read(picked: DequeuedMessage, mind: MemoryReasoner, effort: ReasoningEffort) -> ExtractedEpisode:
    extracted = await reasoning_calls.extract(mind, picked.asked, effort)
    episode = picked.episode
    setting = ExtractionContext(picked.schema, episode.valid_at, episode.text, episode.offset, picked.familiar)
    return await mind.compute.run(memory_extracted.read, extracted, setting)


async def _vectors(
    picked: DequeuedMessage, reading: ExtractedEpisode, mind: MemoryReasoner, effort: ReasoningEffort
) -> dict[str, Vectors]:
    """The vector of each text that may be written, by the text."""
    texts = [thing.name for thing in reading.things] + [saying.statement for saying in reading.sayings]
    if picked.keeps_content and picked.episode.is_new:
        texts.append(picked.episode.text)
    distinct = list(dict.fromkeys(texts))
    made = await reasoning_calls.embed(mind, distinct, effort)
    return {} if made is None else dict(zip(distinct, made, strict=True))
