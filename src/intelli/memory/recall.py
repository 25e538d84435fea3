"""Recall episodes that a run may cite as evidence. Answers of assistants and mere questions are not evidence."""

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
from intelli.language import periods, sentences, times, words
from intelli.memory import groups, partial_dates, search
from intelli.memory.store import history, scores
from intelli.memory.store import recall as store
from intelli.memory.store.scores import FactTime
from intelli.memory.tables import Episode
from intelli.memory.wire import RoleType, message_offset
from intelli.reasoning import evidence_rules
from intelli.reasoning.ports import Embedder
from intelli.retrieval import query_vectors

Begin = Callable[[], AbstractAsyncContextManager[Tx]]
# Below this probability, an episode may be found by chance.
_LEAST = 0.2
# Weight of an episode whose facts have all ended: rarely what is asked for.
_ENDED = 0.5
_INSTANT = timedelta(microseconds=1)
_DEPTH = 50
_LONGEST = 1500
_RECORD_TYPE = "text/plain"
# How the description of an episode begins that a conversation left.
CONVERSATION = "conversation "
# Words of a query that asks about the past, not only about the present.
_PAST = re.compile(
    r"\b(?:was|were|did|had|used to|before|earlier|former\w*|original\w*|initial\w*|previous\w*|first|past|history|"
    rf"chang\w+|evolv\w+|war|waren|wurde|fr\u00fcher|vorher|zuerst|\u00e9tait|avant|antes|era|prima|{periods.RECENT_YEAR})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Recollection:
    """A passage of an episode's record, and the whole record.

    `is_personal` is True when the episode is in the personal group of the user who asked.
    """

    passage: Passage
    record: str
    is_personal: bool


async def recall(begin: Begin, query: str, *, embedder: Embedder, limit: int) -> list[Recollection]:
    """Return the episodes relevant to a query in all groups that the caller sees, most relevant first.

    No transaction is open while the query is embedded.
    """
    if not any(character.isalnum() for character in query):
        return []
    async with begin() as tx:
        known = [group.group_id for group in await groups.list_groups(tx) if group.episodes]
    if not known:
        return []
    meaning = await query_vectors.embed_query(query, lambda: embedder)
    async with begin() as tx:
        asked = await search.read_query(tx, query, known, meaning)
        chances = await _chances(tx, asked, _past_time(query))
        best = sorted(chances, key=lambda each: (-chances[each], str(each)))
        rows = await history.episodes(tx, best[: 4 * limit])
        evidence = [rows[each] for each in best if each in rows and _is_evidence(rows[each])]
        updated_by = await search.find_updates(tx, asked, evidence)
    if _PAST.search(query) is None:
        # A corrected message would only mislead beside its correction.
        evidence = [row for row in evidence if row.id not in updated_by]
    return [_recollection(row, query, chances[row.id]) for row in evidence[:limit]]


def record_of(episode: Episode) -> str:
    """Return an episode as the text that is cited: speaker, time, group, id and content. The text is deterministic."""
    speaker = episode.role or episode.role_type
    when = episode.valid_at.isoformat(timespec="seconds")
    return f"{speaker}, {when}\nMemory {episode.group_id}, episode {episode.id}\n\n{episode.content or ''}"


def hash_of(episode: Episode) -> str:
    """Return the SHA-256 of an episode's record, under which copies of it are stored."""
    return _sha256(record_of(episode))


def _sha256(record: str) -> str:
    return hashlib.sha256(record.encode()).hexdigest()


def _past_time(query: str) -> datetime | None:
    """Return the last moment of the past time that a query names (`"in 2021"`); None when it asks about now."""
    named = times.read(query, clock.now().date())
    end = partial_dates.ending(named.since) if named.is_point else None
    return end - _INSTANT if end is not None and end <= clock.now() else None


async def _chances(tx: Tx, asked: search.ReadQuery, then: datetime | None) -> dict[UUID, float]:
    """Return the probability that each episode answers: by its words, or by a fact it states that was valid `then`."""
    now = clock.now()
    async with scores.without_nested_loops(tx):
        # People also speak of a time later, so episodes up to now count.
        found = await search.find_episodes(tx, asked, FactTime(now), limit=_DEPTH)
        facts = await search.find_facts(tx, asked, FactTime(then or now), limit=_DEPTH)
    chances = {each.id: each.relevance for each in found}
    proven = await store.episodes_of_facts(tx, [each.id for each in facts if each.relevance >= _LEAST])
    for fact in facts:
        for episode_id in proven.get(fact.id, ()):
            chances[episode_id] = max(chances.get(episode_id, 0.0), fact.relevance)
    # When the query names a time, an episode about another time is no answer.
    worth = _ENDED if then is None else 0
    outdated = await store.episodes_not_valid_at(tx, chances, then or now)
    weighed = {each: chance * (worth if each in outdated else 1) for each, chance in chances.items()}
    return {each: chance for each, chance in weighed.items() if chance >= _LEAST}


def _is_evidence(episode: Episode) -> bool:
    if not episode.content or episode.role_type == RoleType.ASSISTANT:
        return False
    content = episode.content[message_offset(episode.content, role=episode.role, role_type=episode.role_type) :]
    return evidence_rules.may_be_recalled(content, is_conversation=_is_of_conversation(episode))


def _is_of_conversation(episode: Episode) -> bool:
    """Return True for what the person who asks said in a conversation, and did not tell to memory itself."""
    return groups.is_personal(episode.group_id) and episode.source_description.startswith(CONVERSATION)


def _recollection(episode: Episode, query: str, chance: float) -> Recollection:
    record = record_of(episode)
    content = episode.content or ""
    # The record begins with the speaker already.
    offset = message_offset(content, role=episode.role, role_type=episode.role_type)
    start, end = find_excerpt(content[offset:], query)
    before = len(record) - len(content) + offset
    speaker = episode.role or episode.role_type
    is_said = _is_of_conversation(episode)
    span = Span(_sha256(record), before + start, before + end)
    passage = Passage(
        span=span,
        text=span.text_in(record),
        title=episode.name or f"{speaker}, {episode.valid_at:%Y-%m-%d}",
        path=episode.group_id,
        mime_type=_RECORD_TYPE,
        score=chance,
        episode_id=episode.id,
        dated=episode.valid_at.date() if is_said else None,
        origin=evidence_rules.SAID if is_said else evidence_rules.SOURCE,
    )
    return Recollection(passage, record, is_personal=groups.is_personal(episode.group_id))


def find_excerpt(content: str, query: str) -> tuple[int, int]:
    """Return start and end of the part of a long text around the sentence with most words of a query.

    It is grown by whole sentences to both sides up to 1,500 characters.
    """
    found = sentences.split(content)
    if len(content) <= _LONGEST or not found:
        return 0, len(content)
    language = words.language_of(content)
    wanted = set(words.terms_of(query, language))
    shares = [_count_shared(content[each.start : each.end], wanted, language) for each in found]
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


def _count_shared(sentence: str, wanted: set[str], language: str) -> int:
    return len(wanted.intersection(words.terms_of(sentence, language)))
