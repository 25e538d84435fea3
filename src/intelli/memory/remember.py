"""Remembering a message: read, think, write. All that follows from it is written at once, or nothing is."""

from dataclasses import dataclass, replace

import structlog

from intelli.kit.db import Tx
from intelli.kit.jobs import Job
from intelli.memory import doubts, sayings, think, writing
from intelli.memory.doubts import Doubts
from intelli.memory.picking import Picked
from intelli.memory.ports import Mind
from intelli.memory.sayings import Reading, Setting
from intelli.memory.think import Effort
from intelli.memory.writing import Remembered, Writing
from intelli.reasoning.ports import Vectors

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Thought:
    """A message that was thought over: what is to be written, and what it took."""

    writing: Writing
    effort: Effort


async def think_over(picked: Picked, mind: Mind) -> Thought:
    """Read a message. Nothing is written, and no transaction waits for a model."""
    effort = Effort()
    reading = await _read(picked, mind, effort)
    told = Writing(picked, reading, await _vectors(picked, reading, mind, effort), mind.embedder.name)
    return Thought(told, effort)


async def find_doubts(tx: Tx, thought: Thought, mind: Mind) -> Doubts | None:
    """What there is to ask about a message; None when nothing is in doubt or nobody could tell."""
    told = thought.writing
    if not mind.has_model or not told.reading.things:
        return None
    found = await doubts.look(tx, told.picked.group_id, told.reading, vectors=told.vectors, space=told.space)
    return found if found.like or found.earlier else None


async def without_doubt(thought: Thought, found: Doubts, mind: Mind) -> Thought:
    """Ask once about all that is in doubt."""
    told = thought.writing
    asked = found.asked(told.picked.asked.passage, told.reading)
    if asked is None:
        return thought
    answers = found.answered(await think.resolve(mind, asked, thought.effort))
    return replace(thought, writing=replace(told, answers=answers))


async def write(tx: Tx, thought: Thought, *, communities: Job) -> Remembered:
    """Write all that follows from a message. `communities` is deferred where that was asked for."""
    picked = thought.writing.picked
    remembered = await writing.write(tx, thought.writing)
    if picked.updates_communities:
        await tx.defer(communities, key=f"memory.communities:{picked.group_id}", group_id=picked.group_id)
    return remembered


def tell(thought: Thought, remembered: Remembered, *, duration_s: float) -> None:
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


async def _read(picked: Picked, mind: Mind, effort: Effort) -> Reading:
    extracted = await think.extract(mind, picked.asked, effort)
    episode = picked.episode
    setting = Setting(picked.schema, episode.valid_at, episode.text, episode.offset, picked.familiar)
    return await mind.compute.run(sayings.read, extracted, setting)


async def _vectors(picked: Picked, reading: Reading, mind: Mind, effort: Effort) -> dict[str, Vectors]:
    """The vector of each text that may be written, by the text."""
    texts = [thing.name for thing in reading.things] + [saying.statement for saying in reading.sayings]
    if picked.keeps_content and picked.episode.is_new:
        texts.append(picked.episode.text)
    distinct = list(dict.fromkeys(texts))
    made = await think.embed(mind, distinct, effort)
    return {} if made is None else dict(zip(distinct, made, strict=True))
