"""Uploading and downloading over HTTP."""

import asyncio
import os
import re
from collections.abc import AsyncIterator
from email.message import EmailMessage
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.content.makers import send, sha256_of, upload
from tests.support.server import Person, Visit, register, settings_for

from intelli.content import file_names, media_types
from intelli.identity.wire import RegistrationMode
from intelli.kit import ranges
from intelli.kit.errors import RangeNotSatisfiable
from intelli.settings import Settings

MEGABYTE = 1 << 20


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_for(tmp_path, registration=RegistrationMode.OPEN)


async def test_what_is_uploaded_comes_back_byte_for_byte(owner: Person):
    for content in (b"", b"x", b"--boundary\r\n\r\n--", os.urandom(3 * MEGABYTE + 1)):
        answer = await send(owner, content, media_type="application/x-anything", filename="any.bin")
        assert answer.status_code == 201
        artifact = answer.json()
        assert (artifact["sha256"], artifact["size_bytes"]) == (sha256_of(content), len(content))
        downloaded = await owner.client.get(f"/artifacts/{artifact['sha256']}/content")
        assert downloaded.content == content
        assert downloaded.headers["Content-Length"] == str(len(content))


async def test_bytes_that_are_known_keep_their_first_name_and_answer_200(owner: Person):
    first = await send(owner, b"same", filename="first.txt")
    second = await send(owner, b"same", filename="second.md", media_type="text/markdown")
    assert (first.status_code, second.status_code) == (201, 200)
    assert second.json()["filename"] == "first.txt"
    assert (await owner.client.get(f"/artifacts/{second.json()['sha256']}")).json()["media_type"] == "text/plain"


async def test_a_hundred_megabytes_twice_are_stored_once_in_flat_memory(owner: Person, settings: Settings):
    piece = os.urandom(MEGABYTE)

    async def body() -> AsyncIterator[bytes]:
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="big.bin"\r\n\r\n'
        for _ in range(100):
            yield piece
        yield b"\r\n--b--\r\n"

    async def send_big() -> httpx.Response:
        headers = {"Content-Type": "multipart/form-data; boundary=b"}
        return await owner.client.post("/artifacts", content=body(), headers=headers, timeout=120)

    await upload(owner, b"warm")
    before = _restarted_peak()
    answers = [await send_big(), await send_big()]
    assert _resident_bytes("VmHWM") - before < 64 * MEGABYTE
    assert [answer.status_code for answer in answers] == [201, 200]
    kept = [path for path in (settings.data / "blobs").rglob("*") if path.is_file() and path.stat().st_size > MEGABYTE]
    assert [path.name for path in kept] == [answers[0].json()["sha256"]]


async def test_fields_may_come_before_and_after_the_file(owner: Person):
    body = (
        b'--b\r\nContent-Disposition: form-data; name="entity_type"\r\n\r\nWEB_SOURCE\r\n'
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="p.html"\r\n'
        b"Content-Type: text/html\r\n\r\n<p>\r\n"
        b'--b\r\nContent-Disposition: form-data; name="entity_metadata"\r\n\r\n'
        b'{"external_url": "https://example.org/p"}\r\n--b--\r\n'
    )
    for size in (1, 7, len(body)):

        async def pieces(size: int = size) -> AsyncIterator[bytes]:
            for at in range(0, len(body), size):
                yield body[at : at + size]

        headers = {"Content-Type": "multipart/form-data; boundary=b"}
        artifact = (await owner.client.post("/artifacts", content=pieces(), headers=headers)).raise_for_status().json()
        assert artifact["entity_type"] == "WEB_SOURCE"
        assert artifact["entity_metadata"] == {"external_url": "https://example.org/p"}
        assert (artifact["filename"], artifact["media_type"], artifact["size_bytes"]) == ("p.html", "text/html", 3)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"entity_type": "gossip"}, "invalid_upload"),
        ({"entity_metadata": "{"}, "invalid_upload"),
        ({"entity_metadata": "[]"}, "invalid_upload"),
        ({"entity_metadata": '{"colour": "red"}'}, "invalid_upload"),
        ({"entity_metadata": r'{"title": "a\u0000b"}'}, "invalid_upload"),
        ({"entity_metadata": r'{"title": "\ud800"}'}, "invalid_upload"),
        ({"entity_type": "a\0b"}, "not_a_form"),
        ({"entity_metadata": '{"title": "' + "x" * 70_000 + '"}'}, "form_too_large"),
    ],
)
async def test_a_field_that_breaks_a_rule_refuses_the_upload(owner: Person, fields: dict[str, str], code: str):
    answer = await send(owner, b"bytes", **fields)
    assert answer.is_client_error
    assert answer.json()["code"] == code
    assert (await owner.client.get(f"/artifacts/{sha256_of(b'bytes')}")).status_code == 404


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b"{}"),
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=b", b""),
        ("multipart/form-data; boundary=b", b"no form at all"),
        ("multipart/form-data; boundary=b", b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\ncut'),
        ("multipart/form-data; boundary=b", b'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--b--\r\n'),
        (
            "multipart/form-data; boundary=b",
            b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n1\r\n' * 2 + b"--b--",
        ),
        ("multipart/form-data; boundary=b", b"--b\r\n" + b"X: y\r\n" * 100 + b"\r\n1\r\n--b--\r\n"),
        ("multipart/form-data; boundary=" + "b" * 5000, b"x"),
    ],
)
async def test_a_body_that_is_no_whole_form_is_refused_and_leaves_nothing(
    owner: Person, settings: Settings, kind: str, body: bytes
):
    answer = await owner.client.post("/artifacts", content=body, headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["code"]) == (422, "not_a_form")
    assert [path for path in (settings.data / "blobs").rglob("*") if path.is_file()] == []


async def test_an_upload_that_breaks_off_leaves_nothing(owner: Person, address: str, settings: Settings):
    host, port = address.removeprefix("http://").split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    head = f"POST /api/v1/artifacts HTTP/1.1\r\nHost: x\r\nAuthorization: {owner.client.headers['Authorization']}\r\n"
    head += "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 999999\r\n\r\n"
    writer.write(head.encode() + b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n' + b"x" * 100_000)
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    blobs = settings.data / "blobs"
    async with asyncio.timeout(60):
        while any(path.is_file() for path in blobs.rglob("*")):  # noqa: ASYNC110  # the server notices in its own time
            await asyncio.sleep(0.02)


async def test_other_workspaces_see_nothing_of_an_artifact(owner: Person, visit: Visit):
    sha256 = (await upload(owner, b"mine"))["sha256"]
    stranger = await register(visit(), "else@example.org", workspace_name="Elsewhere")
    for path in (f"/artifacts/{sha256}", f"/artifacts/{sha256}/content"):
        assert (await stranger.client.get(path)).status_code == 404
    body = {"tree": {"a": {"sha256": sha256}}}
    assert (await stranger.client.post("/manifests", json=body)).json()["code"] == "unknown_artifacts"
    assert (await send(stranger, b"mine")).status_code == 201


async def test_an_upload_is_told_in_the_audit_log_once(owner: Person):
    sha256 = (await upload(owner, b"told"))["sha256"]
    await upload(owner, b"told")
    entries = (await owner.client.get("/audit", params={"event_type": "file_modification"})).json()["items"]
    assert [entry["details"]["sha256"] for entry in entries] == [sha256]


@pytest.mark.parametrize(
    ("asked", "part"),
    [
        ("bytes=0-0", slice(0, 1)),
        ("bytes=2-4", slice(2, 5)),
        ("bytes=5-", slice(5, 10)),
        ("bytes=-3", slice(7, 10)),
        ("bytes=-99", slice(0, 10)),
        ("bytes=8-99", slice(8, 10)),
    ],
)
async def test_a_part_is_exactly_the_part(owner: Person, asked: str, part: slice):
    sha256 = (await upload(owner, b"0123456789"))["sha256"]
    answer = await owner.client.get(f"/artifacts/{sha256}/content", headers={"Range": asked})
    assert (answer.status_code, answer.content) == (206, b"0123456789"[part])
    assert answer.headers["Content-Range"] == f"bytes {part.start}-{part.stop - 1}/10"


@pytest.mark.parametrize("asked", ["bytes=4-2", "bytes=a-b", "lines=1-2", "bytes=0-1,3-4", "bytes=-", "", "bytes=1"])
async def test_a_range_that_makes_no_sense_gives_the_whole(owner: Person, asked: str):
    sha256 = (await upload(owner, b"0123456789"))["sha256"]
    answer = await owner.client.get(f"/artifacts/{sha256}/content", headers={"Range": asked})
    assert (answer.status_code, answer.content) == (200, b"0123456789")


@pytest.mark.parametrize("asked", ["bytes=10-", "bytes=99-100", "bytes=-0"])
async def test_a_part_that_is_not_there_is_told_with_the_size(owner: Person, asked: str):
    sha256 = (await upload(owner, b"0123456789"))["sha256"]
    answer = await owner.client.get(f"/artifacts/{sha256}/content", headers={"Range": asked})
    assert (answer.status_code, answer.headers["Content-Range"]) == (416, "bytes */10")


async def test_what_the_caller_has_is_not_sent_again(owner: Person):
    url = f"/artifacts/{(await upload(owner, b'0123456789'))['sha256']}/content"
    tag = (await owner.client.get(url)).headers["ETag"]
    for tags in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        assert (await owner.client.get(url, headers={"If-None-Match": tags})).status_code == 304
    assert (await owner.client.get(url, headers={"If-None-Match": '"x"'})).status_code == 200
    part = {"Range": "bytes=0-1"}
    assert (await owner.client.get(url, headers={**part, "If-Range": tag})).status_code == 206
    assert (await owner.client.get(url, headers={**part, "If-Range": '"x"'})).status_code == 200


async def test_the_headers_can_be_had_without_the_bytes_and_that_is_no_reading(owner: Person):
    url = f"/artifacts/{(await upload(owner, b'0123456789'))['sha256']}/content"
    head = await owner.client.head(url, headers={"Range": "bytes=0-1"})
    assert (head.status_code, head.content, head.headers["Content-Length"]) == (200, b"", "10")
    assert (await owner.client.get("/audit", params={"event_type": "file_read"})).json()["items"] == []
    whole = await owner.client.get(url)
    assert {name: head.headers[name] for name in ("ETag", "Content-Type", "Accept-Ranges")} == {
        name: whole.headers[name] for name in ("ETag", "Content-Type", "Accept-Ranges")
    }
    assert (await owner.client.head(url, headers={"If-None-Match": head.headers["ETag"]})).status_code == 304
    assert (await owner.client.head(f"/artifacts/{'0' * 64}/content")).status_code == 404


@given(st.binary(max_size=60), st.integers(0, 70), st.integers(0, 70))
def test_any_range_is_the_slice_it_names(content: bytes, first: int, last: int):
    try:
        part = ranges.parse_range(f"bytes={first}-{last}", len(content))
    except RangeNotSatisfiable:
        assert first >= len(content)
        return
    if part is None:
        assert last < first
    else:
        assert content[part.start : part.end] == content[first : last + 1] != b""


@pytest.mark.parametrize(
    ("media_type", "content"),
    [
        ("text/html", b"<script>alert(1)</script>"),
        ("image/svg+xml", b"<svg onload='alert(1)'/>"),
        ("application/xhtml+xml", b"<html/>"),
        ("text/xml", b"<?xml version='1.0'?><a/>"),
        ("text/javascript", b"alert(1)"),
        ("application/x-shockwave-flash", b"FWS"),
        ("message/rfc822", b"Subject: x"),
    ],
)
async def test_what_a_browser_could_run_is_only_offered_for_saving(owner: Person, media_type: str, content: bytes):
    sha256 = (await upload(owner, content, media_type=media_type, filename="x"))["sha256"]
    headers = (await owner.client.get(f"/artifacts/{sha256}/content")).headers
    assert headers["Content-Disposition"].startswith("attachment;")
    assert "sandbox" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Type"] == media_type


@pytest.mark.parametrize(
    ("declared", "filename", "content", "kept"),
    [
        ("image/png", "a.png", b"\x89PNG\r\n\x1a\n...", "image/png"),
        ("image/png", "a.png", b"<script>alert(1)</script>", "text/plain"),
        ("text/html", "a.html", b"%PDF-1.7", "application/pdf"),
        ("text/plain; charset=x\r\nX: y", "a.txt", b"hi", "text/plain"),
        ("nonsense", "a.bin", b"\0\1", "application/octet-stream"),
        ("", "notes.csv", b"a,b", "text/csv"),
        ("application/octet-stream", "a", b"plain words", "text/plain"),
        ("x" * 300 + "/y", "a", b"\0", "application/octet-stream"),
        ("multipart/form-data", "a", b"\0", "application/octet-stream"),
        (
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "a.docx",
            b"PK\x03\x04",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ),
        ("text/html", "a.zip", b"PK\x03\x04", "application/zip"),
        ("audio/wav", "a.wav", b"RIFF....WAVEfmt ", "audio/wav"),
    ],
)
def test_a_declared_type_is_believed_as_far_as_the_bytes_allow(declared: str, filename: str, content: bytes, kept: str):
    assert media_types.decide(declared, filename, content) == kept


@given(st.text(max_size=300), st.text(max_size=300), st.binary(max_size=50))
def test_whatever_is_declared_a_kept_type_is_well_formed(declared: str, filename: str, head: bytes):
    assert re.fullmatch(media_types.PATTERN, media_types.decide(declared, filename, head))


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\report.pdf", "report.pdf"),
        ("a\r\nSet-Cookie: x.txt", "aSet-Cookie: x.txt"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("  . hidden .. ", "hidden"),
        ("..", None),
        ("", None),
        ("\u200b\x00", None),
        ("x" * 400 + ".pdf", "x" * 251 + ".pdf"),
        ("Bericht für Zoë.pdf", "Bericht für Zoë.pdf"),
    ],
)
def test_hostile_names_are_cleaned_and_honest_ones_kept(given_name: str, kept: str | None):
    assert file_names.clean(given_name) == kept


@given(st.text(max_size=400))
def test_any_name_becomes_a_header_that_gives_it_back(filename: str):
    name = file_names.clean(filename)
    if name is None:
        return
    assert len(name.encode()) <= 255
    header = file_names.disposition("attachment", name)
    assert header.isascii()
    assert header.isprintable()
    message = EmailMessage()
    message["Content-Disposition"] = header.partition("filename=")[0] + header.partition("; ")[2].partition("; ")[2]
    assert message.get_filename() == name


async def test_a_hostile_name_does_no_harm_on_its_way_through(owner: Person):
    artifact = await upload(owner, b"x", filename='a"; filename="evil\u202e é.html')
    headers = (await owner.client.get(f"/artifacts/{artifact['sha256']}/content")).headers
    assert headers["Content-Disposition"].isascii()
    assert headers["Content-Type"] == "text/plain"


def _restarted_peak() -> int:
    """Let the process's peak of memory begin anew, from what this answers."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return _resident_bytes("VmRSS")


def _resident_bytes(field: str) -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * int(re.findall(rf"{field}:\s+(\d+) kB", status)[0])
