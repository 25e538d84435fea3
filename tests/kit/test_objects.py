"""Small files under names of their own, on a disk and in a bucket."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.kit import s3_server

from intelli.kit.blob_errors import BlobsUnavailable
from intelli.kit.objects import DirectoryObjects, Objects, open_objects


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with s3_server.running(tmp_path_factory.mktemp("s3") / "server.log") as address:
        yield address


@pytest.fixture(params=["disk", "s3"])
def objects(request: pytest.FixtureRequest, tmp_path: Path) -> Objects:
    if request.param == "disk":
        return open_objects(tmp_path.as_uri(), "things", options={})
    bucket = s3_server.make_bucket(request.getfixturevalue("endpoint"))
    return open_objects(bucket.url, "things", options=bucket.options)


async def test_what_was_written_is_read_listed_and_removed(objects: Objects):
    for name in ("a/2", "a/1", "b/1"):
        await objects.write(name, name.encode())
    await objects.write("a/1", b"anew")
    assert await objects.read("a/1") == b"anew"
    assert await objects.list_names("a") == ["1", "2"]
    assert {"a", "b"} <= set(await objects.list_folders())
    await objects.delete("a/2")
    await objects.delete("a/2")
    assert await objects.list_names("a") == ["1"]


async def test_what_is_not_there_is_none(objects: Objects):
    assert await objects.read("a/1") is None
    assert await objects.list_names("a") == []
    assert await objects.list_folders() == []


async def test_a_disk_that_refuses_is_told_as_unavailable(tmp_path: Path):
    (tmp_path / "in-the-way").write_text("")
    with pytest.raises(BlobsUnavailable):
        await DirectoryObjects(tmp_path / "in-the-way").write("a/1", b"x")
