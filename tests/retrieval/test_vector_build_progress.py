"""How far a build of the index of vectors is: in the database, for the library's page, for doctor and for followers."""

from pathlib import Path

import psycopg
import pytest
from tests.retrieval import large_workspace
from tests.retrieval.makers import Shelf
from tests.support.server import settings_for

from intelli.cli.search_check import check_search
from intelli.engine import Engine
from intelli.library import overview
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.embedding_name import EmbeddingName
from intelli.reasoning.settings import EmbeddingSettings
from intelli.retrieval import spaces, vector_builds
from intelli.retrieval.reading_indexer import RetrievalIndex

pytestmark = pytest.mark.usefixtures("small_builds")


async def test_progress_names_the_step_and_how_much_of_it_is_done(filled: Shelf):
    begin = large_workspace.begin(filled)

    async def progress() -> tuple[str, float] | None:
        async with begin() as tx:
            found = await vector_builds.find_progress(tx)
        return (found.step, round(found.share, 2)) if found else None

    assert await progress() is None
    await vector_builds._locked(begin, lambda tx: vector_builds._start(tx, 1))
    await vector_builds._copy_batch(begin, 1)
    assert await progress() == ("copy", round(7 / large_workspace.COUNT, 2))
    while await vector_builds._copy_batch(begin, 1):
        pass
    assert await progress() == ("index", 0)
    await filled.tend()
    assert await progress() is None


async def test_the_library_says_that_an_index_is_being_built_and_how_far_it_is(filled: Shelf):
    begin, index = large_workspace.begin(filled), RetrievalIndex(filled.embedders)

    async def told() -> dict[str, object] | None:
        async with begin() as tx:
            build = (await overview.status(tx, index)).index_build
        return build.model_dump(mode="json") if build else None

    assert await told() is None
    await vector_builds._locked(begin, lambda tx: vector_builds._start(tx, 1))
    await vector_builds._copy_batch(begin, 1)
    assert await told() == {"step": "copy", "done": 7, "total": large_workspace.COUNT}
    while await vector_builds._copy_batch(begin, 1):
        pass
    assert await told() == {"step": "index", "done": 0, "total": large_workspace.COUNT}
    assert await vector_builds._index(begin, 1)
    assert (await told() or {})["step"] == "finish"
    await filled.tend()
    assert await told() is None


async def test_doctor_says_by_what_is_searched_and_what_is_still_being_made(
    filled: Shelf, engine: Engine, tmp_path: Path
):
    installed = settings_for(tmp_path)

    async def told() -> str:
        return (await check_search(installed, engine)).found

    assert "; but with static:wordllama-l2-supercat-256 in 1 workspace, which changes by itself" in await told()
    async with large_workspace.begin(filled)() as tx:
        await spaces.begin_move(tx, Embedders(installed.embedding).chosen)
    assert f"; 0 of {large_workspace.COUNT} passages are encoded, the others follow" in await told()
    assert "but with" not in await told()
    installed = settings_for(tmp_path, embedding=EmbeddingSettings(name=EmbeddingName.STATIC))
    assert "; but with encoder:all-minilm-l6-v2-dynamic in 1 workspace, until `intelli reindex` is run" in await told()
    await vector_builds._locked(large_workspace.begin(filled), lambda tx: vector_builds._start(tx, 1))
    await vector_builds._copy_batch(large_workspace.begin(filled), 1)
    assert (await told()).endswith(f"; vectors are copied for a new index, 23% of {large_workspace.COUNT} vectors")


async def test_who_looks_at_the_library_is_told_when_a_build_begins_and_ends(filled: Shelf, admin_url: str):
    with psycopg.connect(admin_url, autocommit=True) as listener:
        listener.execute("listen library")
        await vector_builds._locked(large_workspace.begin(filled), lambda tx: vector_builds._start(tx, 1))
        begun = [notice.payload for notice in listener.notifies(timeout=30, stop_after=1)]
        await filled.tend()
        ended = [notice.payload for notice in listener.notifies(timeout=30, stop_after=1)]
    assert begun == ended == [str(filled.who.tenant_id)]
