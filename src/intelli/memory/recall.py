"""Recall: what was said before that a run may cite. Answers of assistants are no evidence, nor are bare questions."""

import hashlib
import re
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.memory import groups, partial_dates, search
from intelli.memory.store import history, scores
from intelli.memory.store import recall as store
from intelli.memory.store.scores import FactTime
from intelli.memory.tables import Episode
from intelli.memory.wire import RoleType, spoken_at
from intelli.reasoning.extractive import question, sentences, times, words
from intelli.reasoning.ports import Embedder
from intelli.retrieval import search as retrieval

Begin = Callable[[], AbstractAsyncContextManager[Tx]]
# Below this, what was found is as likely chance.
_LEAST = 0.2
# What only tells of things that ended since is rarely what is asked for.
_ENDED = 0.5
_INSTANT = timedelta(microseconds=1)
_DEPTH = 50
_LONGEST = 1500
_RECORD_TYPE = "text/plain"
# Who asks like this wants to know how it was, and not only how it is.
_PAST = re.compile(
    r"\b(?:was|were|did|had|used to|before|earlier|former\w*|original\w*|initial\w*|previous\w*|first|past|history|"
    r"chang\w+|evolv\w+|war|waren|wurde|fr\u00fcher|vorher|zuerst|\u00e9tait|avant|antes|era|prima|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Recollection:
    """A passage of an episode's record, and the whole record.

    `is_personal` when it is in a memory that only the person who asked can see.
    """

    passage: Passage
    record: str
    is_personal: bool


async def recall(begin: Begin, query: str, *, embedder: Embedder, limit: int) -> list[Recollection]:
    """What the groups that the caller sees have on a query, most relevant first."""
    if not any(character.isalnum() for character in query):
        return []
    async with begin() as tx:
        known = [group.group_id for group in await groups.list_groups(tx) if group.episodes]
    if not known:
        return []
    meaning = await retrieval.read(query, lambda: embedder)
    async with begin() as tx:
        asked = await search.read_query(tx, query, known, meaning)
        chances = await _chances(tx, asked, _asked_for(query))
        best = sorted(chances, key=lambda each: (-chances[each], str(each)))
        rows = await history.episodes(tx, best[: 4 * limit])
        told = [rows[each] for each in best if each in rows and _is_evidence(rows[each])]
        updated_by = await search.find_updates(tx, asked, told)
    if _PAST.search(query) is None:
        # What was corrected since would only mislead beside its correction.
        told = [row for row in told if row.id not in updated_by]
    return [_recollection(row, query, chances[row.id]) for row in told[:limit]]


def record_of(episode: Episode) -> str:
    """An episode as it is cited: who said it and when, then its very words. The same episode gives the same bytes."""
    speaker = episode.role or episode.role_type
    when = episode.valid_at.isoformat(timespec="seconds")
    return f"{speaker}, {when}\nMemory {episode.group_id}, episode {episode.id}\n\n{episode.content or ''}"


def hash_of(episode: Episode) -> str:
    """The hash that a copy of an episode's record has wherever one is kept."""
    return _sha256(record_of(episode))


def _sha256(record: str) -> str:
    return hashlib.sha256(record.encode()).hexdigest()


def _asked_for(query: str) -> datetime | None:
    """The time that a question names and that is over, at its end; None when it asks how things are."""
    told = times.read(query, clock.now().date())
    end = partial_dates.ending(told.since) if told.is_point else None
    return end - _INSTANT if end is not None and end <= clock.now() else None


async def _chances(tx: Tx, asked: search.ReadQuery, then: datetime | None) -> dict[UUID, float]:
    """How likely each episode is to answer: by its own words, or by a fact that it says and that held at the time."""
    now = clock.now()
    async with scores.comparing_all(tx):
        # Of a time people also tell later.
        said = await search.find_episodes(tx, asked, FactTime(now), limit=_DEPTH)
        facts = await search.find_facts(tx, asked, FactTime(then or now), limit=_DEPTH)
    chances = {each.id: each.relevance for each in said}
    proven = await store.sayers(tx, [each.id for each in facts if each.relevance >= _LEAST])
    for fact in facts:
        for episode_id in proven.get(fact.id, ()):
            chances[episode_id] = max(chances.get(episode_id, 0.0), fact.relevance)
    # Beside a time that was named, what held at another time is no answer.
    worth = _ENDED if then is None else 0
    beside = await store.beside(tx, chances, then or now)
    weighed = {each: chance * (worth if each in beside else 1) for each, chance in chances.items()}
    return {each: chance for each, chance in weighed.items() if chance >= _LEAST}


def _is_evidence(episode: Episode) -> bool:
    if not episode.content or episode.role_type == RoleType.ASSISTANT:
        return False
    content = episode.content[spoken_at(episode.content, role=episode.role, role_type=episode.role_type) :]
    return not all(_is_asked(content[each.start : each.end].rstrip()) for each in sentences.split(content))


def _is_asked(sentence: str) -> bool:
    """Whether a sentence only asks; in a hurry people leave out the mark."""
    return sentence.endswith("?") or (question.asks(sentence) and not sentence.endswith((".", "!")))


def _recollection(episode: Episode, query: str, chance: float) -> Recollection:
    record = record_of(episode)
    content = episode.content or ""
    # Who spoke stands at the head of the record already.
    offset = spoken_at(content, role=episode.role, role_type=episode.role_type)
    start, end = stretch(content[offset:], query)
    before = len(record) - len(content) + offset
    speaker = episode.role or episode.role_type
    span = Span(_sha256(record), before + start, before + end)
    passage = Passage(
        span=span,
        text=span.text_in(record),
        title=episode.name or f"{speaker}, {episode.valid_at:%Y-%m-%d}",
        path=episode.group_id,
        mime_type=_RECORD_TYPE,
        score=chance,
        episode_id=episode.id,
    )
    return Recollection(passage, record, is_personal=groups.is_personal(episode.group_id))


def stretch(content: str, query: str) -> tuple[int, int]:
    """The part of a long text that has most of a query's words, grown to both sides up to a readable length."""
    found = sentences.split(content)
    if len(content) <= _LONGEST or not found:
        return 0, len(content)
    language = words.language_of(content)
    wanted = set(words.terms_of(query, language))
    shares = [_share(content[each.start : each.end], wanted, language) for each in found]
    first = last = shares.index(max(shares))
    while True:
        sides: Iterable[int] = (number for number in (last + 1, first - 1) if 0 <= number < len(found))
        fits = [each for each in sides if _length(found, min(first, each), max(last, each)) <= _LONGEST]
        if not fits:
            return found[first].start, min(found[last].end, found[first].start + _LONGEST)
        best = max(fits, key=lambda number: shares[number])
        first, last = min(first, best), max(last, best)


def _length(found: list[sentences.SentenceSpan], first: int, last: int) -> int:
    return found[last].end - found[first].start


def _share(sentence: str, wanted: set[str], language: str) -> int:
    return len(wanted.intersection(words.terms_of(sentence, language)))
