"""What may not be stored: more than the limit of an upload, or than a later room allows."""

from pathlib import Path

import pytest
from tests.content.makers import counts, send, store
from tests.support.server import Person, settings_for

from intelli.content.ports import ArtifactStored
from intelli.content.settings import ContentSettings
from intelli.kit.db import Tx
from intelli.kit.errors import QuotaExceeded
from intelli.kit.room import WorkspaceAccess
from intelli.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_for(tmp_path, content=ContentSettings(upload_limit_bytes=10))


async def test_a_file_beyond_the_limit_is_refused_and_leaves_nothing(owner: Person, settings: Settings):
    assert (await send(owner, b"0123456789")).status_code == 201
    answer = await send(owner, b"0123456789!")
    assert (answer.status_code, answer.json()["code"]) == (413, "blob_too_large")
    assert len([path for path in (settings.data / "blobs").rglob("*") if path.is_file()]) == 1


async def test_a_later_room_may_refuse_what_is_new_and_is_not_asked_about_what_is_known(premises: WorkspaceAccess):
    asked: list[int] = []

    async def full(tx: Tx, size_bytes: int) -> None:
        asked.append(size_bytes)
        raise QuotaExceeded("The workspace is full.")

    known = await store(premises, b"known")
    assert await store(premises, b"known", ArtifactStored(full)) == known
    with pytest.raises(QuotaExceeded):
        await store(premises, b"new one", ArtifactStored(full))
    assert (asked, await counts(premises)) == ([7], {known: 0})
