"""Servers that mean harm: whatever they send and however they are spelt, an import is refused in words or done."""

import asyncio
import gzip
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.library.makers import get
from tests.library.raw_origin import OK, fetched, serving
from tests.support.server import Person, settings_for

from intelli.kit.errors import IntelliError
from intelli.library.settings import LibrarySettings
from intelli.settings import Settings


def outcome(url: str, answer: bytes | None = None) -> int:
    """The status that an import comes to: 201, or that of a refusal. Any other exception is the test's failure."""

    async def run() -> int:
        async with serving(lambda *_: answer) as base:
            try:
                await fetched(url or base)
            except IntelliError as error:
                if not error.detail.endswith("."):
                    raise
                return error.status
            return 201

    return asyncio.run(run())


HOSTS = st.one_of(
    st.sampled_from(
        [
            *(
                "0177.0.0.1",
                "127.000.000.001",
                "①②⑦.⓪.⓪.①",
                "127.1",
                "2130706433",
                "0x7f.1",
                "[::1%25lo]",
                "[fe80::1%lo]",
            ),
            *(
                "[::ffff:127.0.0.1]",
                "xn--",
                "xn--a",
                "ß.example",
                "a..b",
                ".",
                "-",
                "💩.invalid",
                "a" * 300,
                "[v1.x]",
                "%31",
            ),
            *(
                "127.0.0.1%00",
                "[::1",
                "\uff11\uff12\uff17.0.0.1",
                "localhost。",
                "l\u00adocalhost",
                "a_b.invalid",
                "٣.invalid",
                "[::]",
            ),
        ]
    ),
    st.text(max_size=30),
)
PORTS = st.sampled_from(["", ":", ":0", ":9", ":65536", ":-1", ":٣", ":99999999999999999999", ":80:80", ": 80"])
USERS = st.sampled_from(["", "", "", "user@", "u:p@", "@", "a@b@", "\\@", "%40@"])
PATHS = st.one_of(
    st.sampled_from(
        ["", "/", "/%", "/%zz", "/%00", "/\\..\\..", "/\x00", "/\r\nX: y", "/\t", "/\ud800", "?" * 50, "/" + "é" * 1999]
    ),
    st.text(max_size=40).map("/{}".format),
)
SCHEMES = st.sampled_from(
    ["http://", "https://", "HTTP://", "http:/", "http:\\\\", "http:", " http://", "//", "ftp://"]
)
URLS = st.one_of(st.builds("{}{}{}{}{}".format, SCHEMES, USERS, HOSTS, PORTS, PATHS), st.text(max_size=60))
ODD = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(URLS)
@ODD
def test_every_spelling_of_an_address_is_refused_in_words(url: str):
    async def run() -> None:
        # Nobody is asked for names: what matters is what our own side makes of them.
        async def unknown(*_: object, **__: object) -> list[object]:
            return []

        asyncio.get_running_loop().getaddrinfo = unknown  # type: ignore[assignment, method-assign]
        with pytest.raises(IntelliError) as refused:
            await fetched(url)
        assert refused.value.status == 422

    asyncio.run(run())


NAMES = st.sampled_from(
    [
        *("Content-Type", "Content-Length", "Content-Encoding", "Content-Disposition", "Location", "Transfer-Encoding"),
        *("Set-Cookie", "ETag", "Last-Modified", "Refresh", "Link", "Content-Range", "Connection", "Upgrade"),
    ]
)
VALUES = st.one_of(
    st.sampled_from(
        [
            *(
                "text/html; charset=bogus-8",
                "text/html; charset=",
                'text/html; charset="',
                "text/html; charset=idna",
                "/",
                ";",
            ),
            *(
                "text/html; charset=punycode",
                "text/html; charset=unicode_escape",
                "text/html;charset=rot13",
                "text/html;charset=zlib",
            ),
            *(
                "0",
                "-1",
                "1, 2",
                "99999999999999999999",
                "1e3",
                "gzip",
                "deflate",
                "br",
                "zstd",
                "gzip, gzip, gzip",
                "identity",
            ),
            *(
                "chunked",
                "gzip, chunked",
                "chunked, chunked",
                "/loop",
                "//",
                "http://[",
                "http://a:b",
                "ftp://x/",
                "\\\\x\\y",
            ),
            *(
                "http://u:p@127.0.0.1/",
                "javascript:alert(1)",
                'attachment; filename="../../etc/passwd"',
                "é" * 20,
                "a=b; expires=x",
            ),
        ]
    ),
    st.text(max_size=30),
)
HEADERS = st.lists(st.tuples(NAMES, VALUES), max_size=4)
BODIES = st.one_of(
    st.binary(max_size=100),
    st.sampled_from(
        [gzip.compress(b"<title>x</title>"), zlib.compress(b"x"), b"<title>\\ud800&#0;&#xd800;</title>", b""]
    ),
)


@given(st.sampled_from(["200", "204", "206", "302", "307", "404", "999", "20", "abc"]), HEADERS, BODIES)
@ODD
def test_every_answer_of_a_server_is_taken_or_refused_in_words(
    status: str, headers: list[tuple[str, str]], body: bytes
):
    lines = b"".join(f"{name}: {value}\r\n".encode(errors="replace") for name, value in headers)
    answer = b"HTTP/1.1 " + status.encode() + b" OK\r\nConnection: close\r\n" + lines + b"\r\n" + body
    assert outcome("", answer) in {201, 409, 413, 422, 503}


@given(st.binary(max_size=200))
@ODD
def test_an_answer_that_is_no_http_is_refused_in_words(answer: bytes):
    assert outcome("", answer) in {201, 409}


@pytest.mark.parametrize("charset", ["bogus-8", "unicode_escape", "punycode", "zlib", "x" * 5000, "utf-8\x80", ""])
async def test_a_page_of_an_unknown_charset_is_read_as_utf_8_and_says_so(charset: str):
    head = f"Content-Type: text/html; charset={charset}\r\n\r\n".encode("latin-1")
    async with serving(lambda *_: OK + head + "<title>Gezeiten für Anfänger</title>".encode()) as url:
        name, _, told = await fetched(url)
    assert name == "Gezeiten für Anfänger.html"
    assert told.get("unknown_charset", "") == charset[:60].replace("\x80", "\ufffd") or "\x80" in charset
    assert told.get("read_as", "utf-8") == "utf-8"


async def test_a_page_of_a_known_charset_is_named_by_it():
    head = b"Content-Type: text/html; charset=Windows-1251\r\n\r\n"
    async with serving(lambda *_: OK + head + "<title>Приливы</title>".encode("cp1251")) as url:
        name, _, told = await fetched(url)
    assert (name, "read_as" in told) == ("Приливы.html", False)


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "deflate", "raw", "gzip, deflate"])
async def test_codings_that_we_ask_for_are_undone(coding: str):
    page = b"<title>Tides</title>" + b"High water at noon. " * 20_000
    raw = zlib.compressobj(wbits=-15)
    encoded = {
        "gzip": gzip.compress(page[:9]) + gzip.compress(page[9:]),
        "x-gzip": gzip.compress(page),
        "deflate": zlib.compress(page),
        "raw": raw.compress(page) + raw.flush(),
        "gzip, deflate": zlib.compress(gzip.compress(page)),
    }[coding]
    said = f"Content-Type: text/html\r\nContent-Encoding: {coding.replace('raw', 'deflate')}\r\n".encode()
    head = OK + said + f"Content-Length: {len(encoded)}\r\n\r\n".encode()
    async with serving(lambda *_: head + encoded) as url:
        name, size, _ = await fetched(url)
    assert (name, size) == ("Tides.html", len(page))


@pytest.mark.parametrize("coding", ["zstd", "br", "compress", "gzip, zstd", "gzip, gzip, gzip", "nonsense"])
async def test_codings_that_nobody_asked_for_are_refused(coding: str):
    async with serving(lambda *_: OK + f"Content-Encoding: {coding}\r\n\r\nx".encode()) as url:
        with pytest.raises(IntelliError) as refused:
            await fetched(url)
    assert refused.value.status == 409


async def test_content_that_breaks_off_within_its_coding_is_refused():
    cut = gzip.compress(b"High water at noon." * 1000)[:-20]
    async with serving(lambda *_: OK + b"Content-Encoding: gzip\r\n\r\n" + cut) as url:
        with pytest.raises(IntelliError, match="breaks off"):
            await fetched(url)


BOMB = """
import asyncio, gzip, resource, sys, zlib
from tests.library.raw_origin import OK, fetched, serving
from intelli.kit.errors import IntelliError
from intelli.library.settings import LibrarySettings

def swollen(size):
    packer = zlib.compressobj(9, wbits=31)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(size)) + packer.flush()

BOMBS = {
    "gzip": swollen(300),
    "gzip, gzip": gzip.compress(swollen(300)),
    "deflate, gzip": gzip.compress(zlib.compress(swollen(100)) + bytes(1 << 27)),
    "zstd": b"(\\xb5/\\xfd" + bytes(48_000),
}

async def main():
    options = LibrarySettings(web_allow_private=True, fetch_limit_bytes=2 << 30)
    for coding, bomb in BOMBS.items():
        head = OK + f"Content-Encoding: {coding}\\r\\n\\r\\n".encode()
        async with serving(lambda *_: head + bomb) as url:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            try:
                print(await fetched(url, options), "was not refused")
            except IntelliError as error:
                assert error.status == 409, error
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            assert grown < 32 << 10, (coding, grown)
    print("flat")

asyncio.run(main())
"""


def test_an_answer_that_swells_takes_no_memory_and_is_refused():
    done = subprocess.run([sys.executable, "-c", BOMB], capture_output=True, text=True, timeout=240, check=False)
    assert done.stdout == "flat\n", done.stdout + done.stderr


async def _drip(writer: asyncio.StreamWriter, piece: bytes) -> None:
    while True:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(0.02)


DRIPS = {
    "no status": (b"", b"H"),
    "one header": (b"HTTP/1.1 200 OK\r\nX-A: ", b"a"),
    "many headers": (b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n"),
    "early hints": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "content": (OK + b"\r\n", b"x"),
    "size of a chunk": (OK + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x"),
    "trailers": (OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"T: x\r\n"),
    "empty members": (OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b""), gzip.compress(b"")),
}


@pytest.mark.parametrize(("begins", "goes_on"), DRIPS.values(), ids=DRIPS)
async def test_a_server_that_drips_is_given_up_in_time(begins: bytes, goes_on: bytes):
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(begins)
        await _drip(writer, goes_on)

    brief = LibrarySettings(web_allow_private=True, fetch_timeout_s=1)
    async with serving(serve) as url, asyncio.timeout(60):
        with pytest.raises(IntelliError) as refused:
            await fetched(url, brief)
    assert refused.value.status in {409, 503}


async def test_redirects_share_one_time_limit():
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.5)
        writer.write(b"HTTP/1.1 302 Found\r\nLocation: /on\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    async with serving(serve) as url:
        with pytest.raises(IntelliError, match="takes too long"):
            await fetched(url, LibrarySettings(web_allow_private=True, fetch_timeout_s=1))


@pytest.mark.parametrize(
    "headers",
    [b"X: y\r\n" * 5000, b"X: " + b"y" * 200_000 + b"\r\n"],
)
async def test_headers_without_measure_are_refused(headers: bytes):
    async with serving(lambda *_: OK + headers + b"\r\nx") as url:
        with pytest.raises(IntelliError) as refused:
            await fetched(url)
    assert refused.value.status == 409


async def test_the_content_of_a_redirect_is_not_looked_at():
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/latest\r\nContent-Encoding: gzip\r\n\r\n")
        await _drip(writer, b"x" * 1000)

    async with serving(serve) as url, asyncio.timeout(60):
        with pytest.raises(IntelliError, match="never fetched"):
            await fetched(url)


class TestThroughTheApi:
    @pytest.fixture
    def settings(self, tmp_path: Path) -> Settings:
        return settings_for(tmp_path, library=LibrarySettings(web_allow_private=True, fetch_limit_bytes=4096))

    @pytest.mark.parametrize(
        "reference",
        [
            "http://0177.0.0.1/",
            "http://127.000.000.001/",
            "http://①②⑦.⓪.⓪.①/",
            "http://a/" + "道" * 1900,
        ],
    )
    async def test_an_odd_address_is_not_valid(self, owner: Person, reference: str):
        answer = await owner.client.post("/sources/web/import", json={"reference": reference})
        assert (answer.status_code, answer.json()["code"]) == (422, "address_refused")

    async def test_a_page_full_of_oddities_is_kept(self, owner: Person):
        head = b"Content-Type: text/html; charset=bogus-8\r\nETag: \xff\xfe\x80\r\nLast-Modified: \xc3\xa9\r\n\r\n"
        page = b"<title>\\ud800 &#0; &#xd800; &#x202e; \xff\xfe ../.. " + b"x" * 900 + b"</title>"
        async with serving(lambda *_: OK + head + page) as url:
            answer = await owner.client.post("/sources/web/import", json={"reference": f"{url}/%00%ff%ed%a0%80/%2e%2e"})
        assert answer.status_code == 201, answer.text
        kept = await get(owner, f"/documents/{answer.json()['id']}")
        assert kept["external_metadata"]["unknown_charset"] == "bogus-8"
