"""Frequent words: few of their hits are read, and the ranking is that of reading all."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from random import Random

import numpy as np
import pytest
from sqlalchemy import event
from tests.retrieval.makers import Shelf

from intelli.kit.db import Tx
from intelli.retrieval import analysis, forward, frequent_terms, lexical, maintenance
from intelli.retrieval.bm25 import impact
from intelli.retrieval.chunk_terms import NO_CHUNKS
from intelli.retrieval.lexical import LexicalRanking
from intelli.retrieval.store import scope
from intelli.retrieval.store.scope import SearchFilter

_WORDS = [f"word{number}" for number in range(300)]
_WEIGHTS = [1 / (rank + 1) for rank in range(300)]
_BEST = 50


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words in few chunks count as frequent."""
    monkeypatch.setattr(frequent_terms, "_FREQUENT", 20)
    monkeypatch.setattr(frequent_terms, "_LATER", 10)
    monkeypatch.setattr(frequent_terms, "_KEPT", 60)


def _bodies(random: Random, count: int) -> list[str]:
    lengths = (random.randint(10, 60) for _ in range(count))
    return [" ".join(random.choices(_WORDS, _WEIGHTS, k=length)) for length in lengths]


async def _rank(shelf: Shelf, query: str, **wanted: str) -> LexicalRanking:
    async with shelf.database.begin(shelf.who) as tx:
        looked_at = await scope.load(tx, SearchFilter(**wanted))
        words = analysis.parse_query(query, looked_at.languages)
        found = await lexical.find_candidates(tx, words, looked_at)
        return lexical.score(found, await forward.complete(tx, NO_CHUNKS, found.keys))


async def _exhaustive(shelf: Shelf, ranking: LexicalRanking) -> np.ndarray:
    """The scores of all chunks for the weights of a ranking, best first, by analysing their texts."""
    rows = await shelf.rows("""
        select c.body, i.language from chunks c join indexed i on i.tenant_id = c.tenant_id and i.reading = c.reading
    """)
    read = [analysis.analyse(row.body, row.language) for row in rows]
    lengths = np.array([each.length for each in read], np.float64)
    total = np.zeros(len(read))
    for term, idf in ranking.worth.items():
        total += idf * impact(
            np.array([each.counts.get(term, 0) for each in read], np.float64), lengths, lengths.mean()
        )
    return np.sort(total)[::-1][:_BEST]


async def _hits(shelf: Shelf) -> dict[int, int]:
    rows = await shelf.rows("select term, octet_length(hits) / 11 as hits from frequent_terms")
    return {row.term: row.hits for row in rows}


async def test_the_best_chunks_are_those_of_exhaustive_scoring(shelf: Shelf, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(frequent_terms, "_FREQUENT", 20)
    monkeypatch.setattr(frequent_terms, "_KEPT", 1_000)
    random = Random(7)
    await shelf.put_together(*_bodies(random, 150))
    await frequent_terms.update(partial(shelf.database.begin, shelf.who))
    await shelf.put_together(*_bodies(random, 60))
    assert len(await _hits(shelf)) > 10
    for _ in range(15):
        found = await _rank(shelf, " ".join(random.choices(_WORDS, _WEIGHTS, k=random.randint(1, 8))))
        best = np.sort(found.scores)[::-1][:_BEST]
        expected = await _exhaustive(shelf, found)
        assert np.allclose(best / best[0], (expected / expected[0])[: len(best)])
        # Chunks that have nothing but words worth next to nothing beside the others are left out.
        assert len(best) == _BEST or expected[len(best)] <= lexical._NEGLIGIBLE * expected[0] / best[0]


@pytest.mark.usefixtures("few")
async def test_few_hits_of_a_frequent_word_are_kept_and_the_best_are_among_them(shelf: Shelf):
    random = Random(5)
    await shelf.put_together(*_bodies(random, 120), "word0 word0 word0 word0")
    await frequent_terms.update(partial(shelf.database.begin, shelf.who))
    assert max((await _hits(shelf)).values()) == 60
    found = await _rank(shelf, "word0")
    expected = await _exhaustive(shelf, found)
    best = np.sort(found.scores)[::-1][:10]
    assert np.allclose(best / best[0], expected[:10] / expected[0])


@pytest.mark.usefixtures("few")
async def test_what_comes_later_is_found_and_taken_in_once_it_is_much(shelf: Shelf):
    begin = partial(shelf.database.begin, shelf.who)
    await shelf.put_together(*(f"Common matter number {number} and so on." for number in range(40)))
    await frequent_terms.update(begin)
    (common,) = analysis.parse_query("common", ["en"])[0].terms
    assert (await _hits(shelf))[common] == 40
    await shelf.put_together("Common, common, common!")
    await frequent_terms.update(begin)
    assert (await _hits(shelf))[common] == 40
    assert len((await _rank(shelf, "common")).keys) == 41
    await shelf.put_together(*(f"Common matter of file {number} and so on." for number in range(12)))
    await frequent_terms.update(begin)
    assert (await _hits(shelf))[common] == 53
    assert len((await _rank(shelf, "common")).keys) == 53
    assert await shelf.occurrences("common") == {"common": 53}


@pytest.mark.usefixtures("few")
async def test_an_update_that_is_killed_is_taken_up_and_changes_no_result(shelf: Shelf):
    random = Random(3)
    await shelf.put_together(*_bodies(random, 120))
    queries = [" ".join(random.choices(_WORDS, _WEIGHTS, k=3)) for _ in range(5)]
    expected = [await _exhaustive(shelf, await _rank(shelf, query)) for query in queries]
    begun = 0

    @asynccontextmanager
    async def begin(last: int) -> AsyncIterator[Tx]:
        nonlocal begun
        begun += 1
        if begun > last:
            raise ConnectionError
        async with shelf.database.begin(shelf.who) as tx:
            yield tx

    for last in (1, 2, 3, 4):
        begun = 0
        with pytest.raises(ConnectionError):
            await frequent_terms.update(partial(begin, last))
        for query, best in zip(queries, expected, strict=True):
            scores = np.sort((await _rank(shelf, query)).scores)[::-1][:10]
            assert np.allclose(scores / scores[0], best[:10] / best[0])
    await frequent_terms.update(partial(shelf.database.begin, shelf.who))
    assert len(await _hits(shelf)) > 16, "more than one transaction takes in"


@pytest.mark.usefixtures("few")
async def test_deleted_readings_leave_no_hits_behind(shelf: Shelf, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(maintenance, "_MANY_VOID", 1)
    begin = partial(shelf.database.begin, shelf.who)
    await shelf.put_together(*(f"Common matter number {number} and so on." for number in range(50)))
    await frequent_terms.update(begin)
    (common,) = analysis.parse_query("common", ["en"])[0].terms
    gone = await shelf.rows("delete from readings where number % 10 = 3 returning number")
    assert await shelf.occurrences("common") == {"common": 50 - len(gone)}
    await maintenance.remove_void_hits(begin)
    assert (await _hits(shelf))[common] == 50 - len(gone)
    assert await shelf.rows("select from strays") == []
    await shelf.rows("delete from readings where number % 10 <> 7 returning number")
    await maintenance.remove_void_hits(begin)
    assert await _hits(shelf) == {}, "it is not frequent any more"
    assert len((await _rank(shelf, "common")).keys) == await _count(shelf)


async def test_a_word_that_adds_next_to_nothing_finds_no_candidates(shelf: Shelf, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(frequent_terms, "_FREQUENT", 50)
    rare = {1: "alpha", 2: "beta", 3: "alpha beta"}
    await shelf.put_together(*(f"A common matter, of hive {number}. {rare.get(number, '')}" for number in range(120)))
    await frequent_terms.update(partial(shelf.database.begin, shelf.who))
    assert len((await _rank(shelf, "common alpha beta")).keys) == 3
    assert len((await _rank(shelf, "common")).keys) == 120


@pytest.mark.parametrize("query", ["red wire of the lamp", '"red wire"', "hive 17", "§12(3)"])
async def test_a_narrow_filter_finds_the_same_by_either_way(shelf: Shelf, monkeypatch: pytest.MonkeyPatch, query: str):
    await shelf.put("/near/rule.txt", "The rule in §12(3) is for hive 17.", "A red wire of a lamp.")
    await shelf.put("/near/more.txt", "A wire, red, of the lamp; hive 3 of 17.", "The red wire is cut.")
    await shelf.put("/far/more.txt", "The red wire of the lamp: §12(3), hive 17.")

    async def found() -> list[tuple[str, float]]:
        result = await shelf.search(query, folder="/near")
        return [(each.content, pytest.approx(each.score)) for source in result.sources for each in source.excerpts]

    by_chunks = await found()
    assert len(by_chunks) >= 2
    monkeypatch.setattr(scope, "_NARROW", 0)
    assert await found() == by_chunks


async def test_a_search_is_a_handful_of_statements(shelf: Shelf):
    for number in range(12):
        await shelf.put(f"/near/{number}.txt", f"Bees of hive {number} dance on the comb.", "They fly far.")
    said: list[str] = []
    engine = shelf.database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", lambda *given: said.append(given[2]))
    for filters in ({}, {"folder": "/near"}, {"source_types": ["blob_storage"]}):
        said.clear()
        assert (await shelf.search("the bees of hive 7 dance", **filters)).sources
        assert len(said) <= 8, "that of the transaction and the spaces among them"


async def test_chunks_indexed_before_their_terms_were_kept_are_found_alike(shelf: Shelf):
    random = Random(11)
    for number in range(5):
        await shelf.put(f"/near/{number}.txt", *_bodies(random, 4))

    async def found(**filters: str) -> list[tuple[str, float]]:
        result = await shelf.search("word0 word5 word9", **filters)
        return [(each.content, pytest.approx(each.score)) for source in result.sources for each in source.excerpts]

    before = [await found(), await found(folder="/near")]
    await shelf.rows("delete from chunk_terms where reading % 2 = 0 returning reading")
    assert [await found(), await found(folder="/near")] == before


async def _count(shelf: Shelf) -> int:
    return int((await shelf.rows("select count(*) from chunk_terms"))[0][0])
