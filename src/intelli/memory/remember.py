"""Process a message in three steps: read, reason, write. One transaction writes everything, or nothing is written."""

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
    """A message after reasoning: what to write, and the counts of calls it took."""

    writing: EpisodeWrite
    effort: ReasoningEffort


async def analyse(picked: DequeuedMessage, reasoners: MemoryReasoner) -> ProcessedMessage:
    """Extract things and claims from a message and embed its texts. Nothing is written; no transaction is open."""
    effort = ReasoningEffort()
    reading = await _extract(picked, reasoners, effort)
    writing = EpisodeWrite(picked, reading, await _embed(picked, reading, reasoners, effort), reasoners.embedder.name)
    return ProcessedMessage(writing, effort)


async def find_open_questions(tx: Tx, processed: ProcessedMessage, reasoners: MemoryReasoner) -> OpenQuestions | None:
    """Return what to ask a model about a message; None when nothing is open or there is no model."""
    writing = processed.writing
    if not reasoners.has_model or not writing.reading.things:
        return None
    found = await resolve.find_open_questions(
        tx, writing.picked.group_id, writing.reading, vectors=writing.vectors, space=writing.space
    )
    return found if found.like or found.earlier else None


async def answer_questions(
    processed: ProcessedMessage, found: OpenQuestions, reasoners: MemoryReasoner
) -> ProcessedMessage:
    """Ask a model about all open questions in one call, and add its answers. No transaction is open."""
    writing = processed.writing
    asked = found.to_input(writing.picked.asked.passage, writing.reading)
    if asked is None:
        return processed
    answers = found.match(await reasoning_calls.resolve(reasoners, asked, processed.effort))
    return replace(processed, writing=replace(writing, answers=answers))


async def write(tx: Tx, processed: ProcessedMessage, *, communities: Job) -> WrittenEpisode:
    """Write the episode, nodes, claims and facts of a message; defer the job `communities` when the message asks it."""
    picked = processed.writing.picked
    remembered = await write_episode.write(tx, processed.writing)
    if picked.updates_communities:
        await tx.defer(communities, key=f"memory.communities:{picked.group_id}", group_id=picked.group_id)
    return remembered


def log_result(processed: ProcessedMessage, remembered: WrittenEpisode, *, duration_s: float) -> None:
    """Log the result as numbers and ids, never content."""
    reading, effort = processed.writing.reading, processed.effort
    log.info(
        "memory_episode_remembered",
        episode_id=str(remembered.episode_id),
        duration_s=round(duration_s, 4),
        candidate_things=len(reading.things),
        candidate_facts=len(reading.claims),
        **remembered.counts(),
        model_calls=effort.calls,
        retries=effort.retries,
        skipped=effort.skipped,
    )


async def _extract(picked: DequeuedMessage, reasoners: MemoryReasoner, effort: ReasoningEffort) -> ExtractedEpisode:
    extracted = await reasoning_calls.extract(reasoners, picked.asked, effort)
    episode = picked.episode
    context = ExtractionContext(picked.schema, episode.valid_at, episode.text, episode.offset, picked.recent_keys)
    return await reasoners.compute.run(memory_extracted.normalise, extracted, context)


async def _embed(
    picked: DequeuedMessage, reading: ExtractedEpisode, reasoners: MemoryReasoner, effort: ReasoningEffort
) -> dict[str, Vectors]:
    """Return the vector of each text that may be written, by the text; empty when the embedder fails."""
    texts = [thing.name for thing in reading.things] + [claim.statement for claim in reading.claims]
    if picked.keeps_content and picked.episode.is_new:
        texts.append(picked.episode.text)
    distinct = list(dict.fromkeys(texts))
    made = await reasoning_calls.embed(reasoners, distinct, effort)
    return {} if made is None else dict(zip(distinct, made, strict=True))
