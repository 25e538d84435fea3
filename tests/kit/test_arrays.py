"""Arrays in the database's own form arrive as they are."""

import numpy as np
from sqlalchemy import text

from intelli.kit.arrays import Floats, Longs, Texts
from intelli.kit.context import WorkspaceLister
from intelli.kit.db import Database


async def test_numbers_arrive_as_they_are(database: Database) -> None:
    longs = np.array([0, -1, 2**63 - 1, -(2**63)], np.int64)
    floats = np.array([[0.0, -1.5], [3.25, 1e-7]], np.float32)
    async with database.begin(WorkspaceLister()) as tx:
        found = await tx.session.execute(
            text("select :longs, :floats"), {"longs": Longs(longs), "floats": Floats(floats)}
        )
        first, second = found.one()
    assert first == longs.tolist()
    assert np.array_equal(np.array(second, np.float32), floats.ravel())


async def test_texts_arrive_as_they_are(database: Database) -> None:
    texts = ["", "naïve", None, 'a "quoted", {braced} \\ line\n', "東京😀", "x" * 100_000]
    async with database.begin(WorkspaceLister()) as tx:
        assert await tx.session.scalar(text("select :texts"), {"texts": Texts(texts)}) == texts


async def test_an_array_may_be_empty(database: Database) -> None:
    for empty in (Longs(np.empty(0, np.int64)), Texts([])):
        async with database.begin(WorkspaceLister()) as tx:
            assert await tx.session.scalar(text("select cardinality(:empty)"), {"empty": empty}) == 0
