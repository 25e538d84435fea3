"""Many small files at once: read together, each with its own end."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar
from uuid import UUID

from sqlalchemy import text
from tests.library.makers import Reader, add, get, reading_worker, until_status
from tests.support.jobs import until_settled
from tests.support.server import Person

from intelli.app import App
from intelli.kit.context import System
from intelli.library.extraction.sandbox import ChildStep

Result = TypeVar("Result")


async def test_small_files_are_read_together_and_only_the_bad_ones_fail(owner: Person, app: App):
    good = [await add(owner, f"{n}.txt", f"Ship number {n} sails at dawn.".encode()) for n in range(6)]
    page = await add(owner, "page.html", b"<html><body><p>A page about a harbour.</p></body></html>")
    bad = await add(owner, "broken.pdf", b"%PDF-1.7\nnot really", media_type="application/pdf")
    async with reading_worker(app):
        assert (await until_status(owner, bad, "completed", "failed"))["indexing_status"] == "failed"
        for document in (*good, page):
            done = await until_status(owner, document, "completed", "failed")
            assert done["progress"] == {"done": 1, "total": 1}
    for n, document in enumerate(good):
        assert (await owner.client.get(f"/documents/{document['id']}/text")).text == f"Ship number {n} sails at dawn."
    assert "harbour" in (await owner.client.get(f"/documents/{page['id']}/text")).text


class Trap(Reader):
    """Cannot read several at once, for a reason that is nobody's file's."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    async def extract_plain(
        self, files: Sequence[tuple[Path, str | None]], *, step: ChildStep[Result]
    ) -> list[Result | None]:
        self.asked += 1
        raise ZeroDivisionError


async def test_what_fails_together_is_read_one_by_one(owner: Person, app: App):
    documents = [await add(owner, f"{n}.txt", f"Text {n}".encode()) for n in range(4)]
    trap = Trap()
    async with reading_worker(app, extractor=trap):
        for document in documents:
            await until_status(owner, document, "completed")
    assert (trap.asked, len(trap.read)) == (1, 4)


async def test_a_file_whose_bytes_are_gone_fails_alone(owner: Person, app: App):
    documents = [await add(owner, f"{n}.txt", f"Text {n}".encode()) for n in range(3)]
    (lost,) = app.settings.data.glob(f"blobs/*/*/{documents[1]['sha256']}")
    lost.unlink()
    async with reading_worker(app):
        statuses = [(await until_status(owner, each, "completed", "failed")) for each in documents]
    assert [each["indexing_status"] for each in statuses] == ["completed", "failed", "completed"]
    assert statuses[1]["indexing_error"]["code"] == "damaged"


async def test_a_card_is_drawn_when_someone_looks_and_kept(owner: Person, app: App):
    document = await add(owner, "a.txt", b"The text on the card.")
    async with reading_worker(app):
        assert (await until_status(owner, document, "completed"))["has_thumbnail"]
        await until_settled(app.db)
    assert await _kept_cards(owner, app) == 0
    url = f"/documents/{document['id']}/thumbnail"
    first, second = await owner.client.get(url), await owner.client.get(url)
    assert (first.status_code, first.content[8:12], first.content) == (200, b"WEBP", second.content)
    assert await _kept_cards(owner, app) == 1
    assert (await get(owner, f"/documents/{document['id']}"))["has_thumbnail"]


async def _kept_cards(owner: Person, app: App) -> int:
    workspace_id = UUID((await owner.me())["workspace"]["id"])
    async with app.db.begin(System(workspace_id)) as tx:
        return await tx.session.scalar(text("select count(*) from readings where thumbnail_sha256 is not null")) or 0
