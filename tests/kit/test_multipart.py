"""Forms as they arrive: whatever the bytes and however they are cut, what was sent is what is read."""

import asyncio
import itertools
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intelli.kit.errors import IntelliError
from intelli.kit.multipart import FormTooLarge, MultipartFiles, MultipartForm, NotAForm, SmallFile

KIND = "multipart/form-data; boundary=edge"


def part(name: str, value: bytes, more: str = "") -> bytes:
    return f'--edge\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode() + value + b"\r\n"


async def pieces(body: bytes, cuts: list[int]) -> AsyncIterator[bytes]:
    places = sorted({0, len(body), *(cut % (len(body) + 1) for cut in cuts)})
    for start, end in itertools.pairwise(places):
        yield body[start:end]


def read(body: bytes, *, cuts: list[int] | None = None) -> tuple[MultipartForm, bytes]:
    async def whole() -> tuple[MultipartForm, bytes]:
        form = MultipartForm(KIND, pieces(body, cuts or []))
        return form, b"".join([piece async for piece in form.file()])

    return asyncio.run(whole())


def read_all(body: bytes, *, cuts: list[int], most_files: int = 9) -> tuple[MultipartFiles, list[SmallFile]]:
    form = MultipartFiles(KIND, pieces(body, cuts), most_files=most_files, limit_bytes=10_000)
    return form, asyncio.run(form.read())


# Bytes that come close to a boundary are where parsers go wrong.
_content = st.lists(
    st.sampled_from([b"\r", b"\n", b"\r\n", b"-", b"--", b"--edg", b"edge", b"\0", b"x"]), max_size=30
).map(b"".join) | st.binary(max_size=200)


@given(_content.filter(lambda content: b"\r\n--edge" not in b"\r\n" + content), st.lists(st.integers(0, 2000)))
def test_any_file_in_any_pieces_is_read_as_it_was_sent(content: bytes, cuts: list[int]):
    body = part("before", b"1") + part("file", content, '; filename="a.bin"') + part("after", b"2") + b"--edge--\r\n"
    form, found = read(body, cuts=cuts)
    assert found == content
    assert (form.text("before"), form.text("after"), form.text("none")) == ("1", "2", None)
    assert form.filename == "a.bin"


@given(st.binary(max_size=300), st.lists(st.integers(0, 300)))
def test_any_junk_is_refused_and_never_a_fault(junk: bytes, cuts: list[int]):
    with pytest.raises(IntelliError):
        read(b"--edge\r\n" + junk, cuts=cuts)


def test_a_name_that_is_not_utf8_is_read_with_replacements():
    body = b'--edge\r\nContent-Disposition: form-data; name="file"; filename="\xff.txt"\r\n\r\nx\r\n--edge--\r\n'
    assert read(body)[0].filename == "\ufffd.txt"


def test_a_name_is_read_as_it_was_before_a_browser_wrote_it_into_a_form():
    body = part("file", b"x", '; filename="quo%22te%0D%0A 5%25 %41.txt"') + b"--edge--\r\n"
    assert read(body)[0].filename == 'quo"te\r\n 5%25 %41.txt'


def test_a_form_of_endless_parts_is_refused():
    with pytest.raises(FormTooLarge):
        read(b"".join(part(str(number), b"") for number in range(30)) + b"--edge--\r\n")


@pytest.mark.parametrize("kind", [None, "", "text/plain", "multipart/form-data", "multipart/mixed; boundary=edge"])
def test_another_kind_of_body_is_refused(kind: str | None):
    async def nothing() -> AsyncIterator[bytes]:
        return
        yield

    with pytest.raises(NotAForm):
        MultipartForm(kind, nothing())


@given(
    st.lists(_content.filter(lambda content: b"\r\n--edge" not in b"\r\n" + content), min_size=1, max_size=9),
    st.lists(st.integers(0, 5000)),
)
def test_any_files_in_any_pieces_are_read_as_they_were_sent(contents: list[bytes], cuts: list[int]):
    files = [part("file", content, f'; filename="a/{n}.txt"') for n, content in enumerate(contents)]
    form, found = read_all(b"".join([*files, part("folder_path", b"/here"), b"--edge--\r\n"]), cuts=cuts)
    assert [(file.filename, file.content) for file in found] == [
        (f"a/{n}.txt", each) for n, each in enumerate(contents)
    ]
    assert form.text("folder_path") == "/here"


@given(st.binary(max_size=300), st.lists(st.integers(0, 400)))
def test_any_junk_is_no_form_of_files_either(junk: bytes, cuts: list[int]):
    with pytest.raises(IntelliError):
        read_all(junk, cuts=cuts)


def test_more_files_or_more_bytes_than_may_come_together_are_refused():
    file = part("file", b"x", '; filename="a"')
    for body in (file * 4, part("file", b"x" * 10_000, '; filename="a"')):
        with pytest.raises(FormTooLarge):
            read_all(body + b"--edge--\r\n", cuts=[50], most_files=3)
