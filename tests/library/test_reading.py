"""Documents as they are read: status, text, structure, spans, pictures, and what happens when that fails."""

import io
import os

import docx
import pikepdf
import pytest
from PIL import Image, ImageChops
from sqlalchemy import text
from tests.library.extraction.pdfs import Sheet, make_pdf, show
from tests.library.makers import Reader, add, get, reading_worker, until_status
from tests.support.jobs import until_settled
from tests.support.server import Person

from intelli.app import App
from intelli.kit.context import System, WorkspaceLister
from intelli.library.extraction.model import Refusal, Unreadable

MARKDOWN = b"# Harbour\n\nThe cranes are tall.\n\n## Ships\n\nThree ships came in.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
MEGABYTE = 1 << 20


async def test_a_document_is_read_and_its_text_structure_and_spans_agree(owner: Person, app: App):
    document = await add(owner, "harbour.md", MARKDOWN, media_type="text/markdown")
    async with reading_worker(app):
        done = await until_status(owner, document, "completed", "failed")
    assert done["indexing_error"] is None
    assert done["progress"]["done"] == done["progress"]["total"] > 0
    url = f"/documents/{document['id']}"
    whole = (await owner.client.get(f"{url}/text")).text
    reading = await get(owner, f"{url}/reading")
    assert reading["char_count"] == len(whole)
    assert [block["text"] for block in reading["blocks"]] == [
        whole[block["start"] : block["end"]] for block in reading["blocks"]
    ]
    start = whole.index("Three ships")
    span = await get(owner, f"{url}/spans", start=start, end=start + 11)
    assert (span["text"], "Ships" in span["section"]) == ("Three ships", True)
    assert (await owner.client.get(f"{url}/text", params={"start": start, "end": start + 5})).text == "Three"
    thumbnail = await owner.client.get(f"{url}/thumbnail")
    assert (thumbnail.headers["Content-Type"], thumbnail.content[8:12]) == ("image/webp", b"WEBP")
    again = await owner.client.get(f"{url}/thumbnail", headers={"If-None-Match": thumbnail.headers["ETag"]})
    assert again.status_code == 304


async def test_no_document_waits_for_the_picture_of_another(owner: Person, app: App):
    comment = b"\n%" + os.urandom(MEGABYTE // 2).hex().encode()  # small ones would be read together
    for word in ("one", "two", "three"):
        made = make_pdf(Sheet(show(f"Page {word}", 72, 700) + comment))
        await add(owner, f"{word}.pdf", made, media_type="application/pdf")
    async with reading_worker(app, concurrency=1):
        await until_settled(app.db)
    async with app.db.begin(WorkspaceLister()) as tx:
        ended = "select task_name from procrastinate_jobs join procrastinate_events on job_id = procrastinate_jobs.id"
        names = (await tx.session.scalars(text(f"{ended} where type = 'succeeded' order by at"))).all()
    told = [each for each in names if each in {"library.extract", "library.draw"}]
    assert told == ["library.extract"] * 3 + ["library.draw"] * 3
    for document in (await get(owner, "/documents"))["items"]:
        assert document["has_thumbnail"]
        drawn = await owner.client.get(f"/documents/{document['id']}/thumbnail")
        assert drawn.headers["Content-Type"] == "image/webp"


async def test_a_document_that_was_read_in_part_says_so(owner: Person, app: App):
    whole = make_pdf(*(Sheet(show(f"Page {number} of the report", 72, 700)) for number in range(1, 6)))
    document = await add(owner, "half.pdf", whole[: whole.rindex(b"xref")], media_type="application/pdf")
    assert document["warnings"] == []
    async with reading_worker(app):
        done = await until_status(owner, document, "completed", "failed")
    assert [warning.partition(":")[0] for warning in done["warnings"]] == ["This PDF is damaged"]
    assert (await get(owner, f"/documents/{document['id']}/reading"))["warnings"] == done["warnings"]
    assert (await get(owner, "/documents"))["items"][0]["warnings"] == done["warnings"]


async def test_once_it_is_read_a_document_has_the_type_of_its_content(owner: Person, app: App):
    letter, buffer = docx.Document(), io.BytesIO()
    letter.add_paragraph("The harbour needs a new crane.")
    letter.save(buffer)
    document = await add(owner, "letter.pdf", buffer.getvalue(), media_type="application/pdf")
    assert document["mime_type"] == "application/zip"
    async with reading_worker(app):
        done = await until_status(owner, document, "completed", "failed")
    assert done["mime_type"].endswith("wordprocessingml.document")
    found = (await owner.client.post("/search", json={"query": "harbour crane"})).json()
    assert [source["mime_type"] for source in found["sources"]] == [done["mime_type"]]


async def test_every_chunk_is_the_text_at_its_span(owner: Person, app: App):
    document = await add(owner, "long.txt", "Ärger über 東京 😀. ".encode() * 2000)
    async with reading_worker(app):
        await until_status(owner, document, "completed")
    whole = (await owner.client.get(f"/documents/{document['id']}/text")).text
    chunks = await _chunks(owner, app)
    assert len(chunks) > 5
    assert all(body == whole[start:end] for start, end, body in chunks)


async def test_the_same_bytes_in_two_documents_are_stored_and_read_once(owner: Person, app: App):
    content, reader = os.urandom(20 * MEGABYTE), Reader()
    first = await add(owner, "big.bin", content)
    second = await add(owner, "again.bin", content, folder_path="/elsewhere")
    assert first["sha256"] == second["sha256"]
    async with reading_worker(app, extractor=reader):
        for document in (first, second):
            await until_status(owner, document, "completed")
        third = await add(owner, "third.bin", content)
        assert third["indexing_status"] == "completed"
        await until_settled(app.db)
    assert reader.read == [len(content)]
    kept = [path for path in (app.settings.data / "blobs").rglob("*") if path.is_file()]
    assert [path.name for path in kept if path.stat().st_size > MEGABYTE] == [first["sha256"]]
    assert (await get(owner, "/library/status"))["documents"] == 3


async def test_a_file_that_cannot_be_read_says_why_and_can_be_tried_again(owner: Person, app: App):
    document = await add(owner, "locked.pdf", b"%PDF-secret")
    reader = Reader(Unreadable(Refusal.ENCRYPTED, "The file needs a password. Remove it and upload the file again."))
    url = f"/documents/{document['id']}"
    assert (await owner.client.post(f"{url}/retry")).json()["code"] == "not_failed"
    async with reading_worker(app, extractor=reader):
        failed = await until_status(owner, document, "failed")
        assert failed["indexing_error"] == {"code": "encrypted", "reason": reader.refused.reason}
        assert (await owner.client.get(f"{url}/text")).json()["code"] == "not_read_yet"
        reader.refused = None
        again = (await owner.client.post(f"{url}/retry")).json()
        assert (again["indexing_status"], again["indexing_error"]) == ("pending", None)
        assert (await until_status(owner, document, "completed", "failed"))["indexing_status"] == "completed"


async def test_uploading_a_failed_file_again_has_it_read_again(owner: Person, app: App):
    reader = Reader(Unreadable(Refusal.DAMAGED, "Damaged."))
    document = await add(owner, "a.pdf", b"%PDF-x")
    async with reading_worker(app, extractor=reader):
        await until_status(owner, document, "failed")
        reader.refused = None
        assert (await add(owner, "copy.pdf", b"%PDF-x"))["indexing_status"] == "pending"
        await until_status(owner, document, "completed")


async def test_an_empty_text_is_complete_without_passages(owner: Person, app: App):
    document = await add(owner, "blank.bin", b"")
    async with reading_worker(app, extractor=Reader()):
        done = await until_status(owner, document, "completed")
    assert done["progress"] == {"done": 0, "total": 0}
    assert (await owner.client.get(f"/documents/{document['id']}/text")).text == ""


async def test_a_fault_of_ours_ends_as_failed_and_not_as_waiting(owner: Person, app: App):
    document = await add(owner, "a.txt", b"x")
    reader = Reader()
    reader.refused = KeyError("a bug")  # type: ignore[assignment]  # what no extractor should raise
    async with reading_worker(app, extractor=reader):
        failed = await until_status(owner, document, "failed")
    assert failed["indexing_error"]["code"] == "crashed"
    assert "bug" not in failed["indexing_error"]["reason"]


async def test_a_damaged_blob_is_told_as_such(owner: Person, app: App):
    document = await add(owner, "a.txt", b"x" * 100)
    blob = next(path for path in (app.settings.data / "blobs").rglob(document["sha256"]))
    blob.chmod(0o600)
    blob.write_bytes(b"y" * 100)
    async with reading_worker(app, extractor=Reader()):
        failed = await until_status(owner, document, "failed")
    assert failed["indexing_error"]["code"] == "damaged"


async def test_pages_are_drawn_with_the_spans_that_are_on_them(owner: Person, app: App):
    document = await add(owner, "a.pdf", b"0123456789")
    reader = Reader()
    async with reading_worker(app, extractor=reader):
        await until_status(owner, document, "completed")
    span = await get(owner, f"/documents/{document['id']}/spans", start=2, end=5)
    assert span["pages"] == [{"page": 1, "width": 600, "height": 800, "boxes": [[20.0, 10.0, 48.0, 20.0]]}]
    for path in ("pages/2.png", "pages/0.png", "pages/1.png?spans=5-2", "pages/1.png?spans=x", "pages/1.png?scale=99"):
        assert (await owner.client.get(f"/documents/{document['id']}/{path}")).status_code in {404, 422}
    too_many = ",".join(f"{n}-{n + 1}" for n in range(60))
    answer = await owner.client.get(f"/documents/{document['id']}/pages/1.png", params={"spans": too_many})
    assert answer.json()["code"] == "invalid_span"
    outside = await owner.client.get(f"/documents/{document['id']}/spans", params={"start": 5, "end": 50})
    assert outside.json()["code"] == "invalid_span"


async def test_a_passage_of_a_real_pdf_is_drawn_on_its_page(owner: Person, app: App):
    document = await add(
        owner, "two.pdf", _pdf("The first page.", "A passage to be shown."), media_type="application/pdf"
    )
    url = f"/documents/{document['id']}"
    async with reading_worker(app):
        assert (await until_status(owner, document, "completed", "failed"))["page_count"] == 2
    start = (await owner.client.get(f"{url}/text")).text.index("passage")
    span = await get(owner, f"{url}/spans", start=start, end=start + 7)
    (page,) = span["pages"]
    assert (span["text"], page["page"], len(page["boxes"])) == ("passage", 2, 1)
    plain = await owner.client.get(f"{url}/pages/2.png")
    marked = await owner.client.get(f"{url}/pages/2.png", params={"spans": f"{start}-{start + 7}"})
    assert (plain.status_code, plain.content[:4], plain.headers["Content-Type"]) == (200, b"\x89PNG", "image/png")
    x0, y0, x1, y1 = page["boxes"][0]
    assert _changed(plain.content, marked.content) == pytest.approx([v * 1.6 for v in (x0, y0, x1, y1)], abs=6)
    tag = {"If-None-Match": marked.headers["ETag"]}
    again = await owner.client.get(f"{url}/pages/2.png", params={"spans": f"{start}-{start + 7}"}, headers=tag)
    assert again.status_code == 304
    assert (await owner.client.get(f"{url}/pages/3.png")).json()["code"] == "no_such_page"


async def test_text_that_is_not_there_yet_is_a_clear_answer(owner: Person):
    document = await add(owner, "a.txt", b"x")
    for path in ("text", "reading", "spans?start=0&end=1", "pages/1.png"):
        assert (await owner.client.get(f"/documents/{document['id']}/{path}")).json()["code"] == "not_read_yet"
    assert (await owner.client.get(f"/documents/{document['id']}/thumbnail")).json()["code"] == "no_thumbnail"


async def test_versions_are_compared_line_by_line(owner: Person, app: App):
    document = await add(owner, "a.txt", b"one\ntwo\nthree\n")
    await add(owner, "a.txt", b"one\n2\nthree\nfour\n")
    await owner.client.patch(f"/documents/{document['id']}", json={"name": "b.txt"})
    url = f"/documents/{document['id']}/diff"
    async with reading_worker(app):
        await until_status(owner, document, "completed")
        await until_settled(app.db)
    changed = await get(owner, url, **{"from": 1, "to": 2})
    assert (changed["from"], changed["to"], changed["identical"], changed["truncated"]) == (1, 2, False, False)
    lines = [(line["kind"], line["text"]) for hunk in changed["hunks"] for line in hunk["lines"]]
    assert lines == [("same", "one"), ("removed", "two"), ("added", "2"), ("same", "three"), ("added", "four")]
    assert (await get(owner, url, **{"from": 2, "to": 3}))["identical"]
    assert (await owner.client.get(url, params={"from": 1, "to": 9})).json()["code"] == "version_not_found"


async def _chunks(owner: Person, app: App) -> list[tuple[int, int, str]]:
    workspace_id = (await owner.me())["workspace"]["id"]
    async with app.db.begin(System(workspace_id)) as tx:
        rows = await tx.session.execute(text("select char_start, char_end, body from chunks order by chunk_index"))
        return [(row.char_start, row.char_end, row.body) for row in rows]


def _pdf(*pages: str) -> bytes:
    """A PDF with a line of text on each page."""
    pdf = pikepdf.new()
    font = pdf.make_indirect(
        pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
    )
    for line in pages:
        page = pdf.add_blank_page(page_size=(400, 300))
        page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=font))
        page.Contents = pdf.make_stream(f"BT /F1 20 Tf 40 200 Td ({line}) Tj ET".encode())
    written = io.BytesIO()
    pdf.save(written)
    return written.getvalue()


def _changed(plain: bytes, marked: bytes) -> list[int]:
    """The rectangle in which two pictures differ."""
    pictures = [Image.open(io.BytesIO(each)).convert("RGB") for each in (plain, marked)]
    box = ImageChops.difference(*pictures).getbbox()
    assert box is not None, "nothing is marked"
    return list(box)
