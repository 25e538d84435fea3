"""What an older analysis wrote is written again by itself, step by step."""

from functools import partial

import pytest
from tests.retrieval.makers import Shelf

from intelli.retrieval import analysis, reanalysis


async def _make_old(shelf: Shelf) -> None:
    for number in range(5):
        await shelf.put(f"/{number}.txt", f"Bees of hive {number} dance on the comb.")
    await shelf.rows(f"update indexed set version = {analysis.VERSION - 1} returning reading")
    await shelf.rows("delete from chunk_terms returning reading")


async def test_it_goes_on_where_it_was_interrupted_and_search_finds_all_meanwhile(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reanalysis, "_BATCH", 2)
    await _make_old(shelf)
    begin = partial(shelf.database.begin, shelf.who)
    left = []
    while True:
        async with begin() as tx:
            left.append(await reanalysis.count_outdated(tx))
            assert await reanalysis.is_due(tx) is (left[-1] > 0)
        assert len(await shelf.names("bees of hive")) == 5
        assert await shelf.occurrences("bees") == {"bees": 5}
        if not await reanalysis.analyse_some(begin):
            break
    assert left == [5, 3, 1, 0]
    assert await shelf.rows("select count(*)::int from chunk_terms") == [(5,)]
