"""The extractor outlives its files: whatever is killed, what was asked for ends, and nothing is left behind."""

import asyncio
import base64
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random

import psutil
import pytest
from openpyxl import Workbook
from PIL import Image, ImageDraw, ImageFont
from tests.library.extraction.files import docx, paragraph, pdf_of

from intelli.library import reading_result
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Refusal, Unreadable
from intelli.library.extraction.sandbox import Caps, Extractor, ExtractorDown, jail
from intelli.library.settings import LibrarySettings

ENDLESS = b"<!DOCTYPE html>" + b"<div>" * 60_000 + b"x"  # costs the parser the square of its depth: minutes
_ROOTS = "intelli-sandbox-*"


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "t"))


@pytest.fixture
async def extractor() -> AsyncIterator[Extractor]:
    extractor = Extractor(Limits(ocr_s=0), Caps(cpu_s=1, wall_s=60))
    yield extractor
    await extractor.close()


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    path = tmp_path / "endless.html"
    path.write_bytes(ENDLESS)
    return path


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    path = tmp_path / "sound.docx"
    path.write_bytes(docx(paragraph("all is well")))
    return path


def zygote() -> psutil.Process:
    return next(process for process in psutil.Process().children() if _is_zygote(process))


def _is_zygote(process: psutil.Process) -> bool:
    try:
        return any(part.endswith("sandbox.zygote") for part in process.cmdline())
    except psutil.Error:
        return False


async def until(is_true: Callable[[], object], timeout_s: float = 60) -> None:
    async with asyncio.timeout(timeout_s):
        while not is_true():  # noqa: ASYNC110  # processes ring no bell
            await asyncio.sleep(0.01)


def children() -> list[psutil.Process]:
    try:
        return zygote().children()
    except (StopIteration, psutil.Error):
        return []


async def test_a_task_that_is_cancelled_takes_its_child_along(extractor: Extractor, endless: Path, sound: Path):
    reading = asyncio.create_task(extractor.extract(endless, name=None))
    await until(children)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert children() == []
    assert (await extractor.extract(sound, name=None)).text == "all is well"


@pytest.mark.parametrize("fate", [(signal.SIGSEGV, Refusal.CRASHED), (signal.SIGKILL, Refusal.MEMORY)])
async def test_a_child_that_dies_costs_only_its_file(
    extractor: Extractor, endless: Path, sound: Path, fate: tuple[int, Refusal]
):
    number, refusal = fate
    reading = asyncio.create_task(extractor.extract(endless, name=None))
    await until(children)
    children()[0].send_signal(number)
    with pytest.raises(Unreadable) as refused:
        await reading
    assert refused.value.refusal is refusal
    assert (await extractor.extract(sound, name=None)).text == "all is well"


async def test_when_the_zygote_dies_the_file_is_read_again_by_a_new_one(
    extractor: Extractor, endless: Path, sound: Path
):
    reading = asyncio.create_task(extractor.extract(endless, name=None))
    await until(children)
    first, orphan = zygote(), children()[0]
    first.kill()
    await until(lambda: any(child != orphan for child in children()))
    await until(lambda: not orphan.is_running())
    with pytest.raises(Unreadable) as refused:
        await reading
    assert refused.value.refusal is Refusal.TIMEOUT
    assert zygote().pid != first.pid
    assert (await extractor.extract(sound, name=None)).text == "all is well"


async def test_a_file_whose_zygote_dies_twice_is_given_up(extractor: Extractor, endless: Path):
    reading = asyncio.create_task(extractor.extract(endless, name=None))
    for _ in range(2):
        await until(children)
        victim = zygote()
        victim.kill()
        await until(lambda dead=victim: not dead.is_running() or reading.done())
    with pytest.raises(Unreadable) as refused:
        await reading
    assert refused.value.refusal is Refusal.CRASHED


async def test_a_zygote_that_died_between_files_is_replaced(extractor: Extractor, sound: Path):
    await extractor.extract(sound, name=None)
    zygote().kill()
    assert (await extractor.extract(sound, name=None)).text == "all is well"


async def test_a_frozen_zygote_does_not_keep_the_extractor_from_closing(sound: Path):
    extractor = Extractor(Limits(), Caps())
    await extractor.extract(sound, name=None)
    frozen = zygote()
    frozen.suspend()
    await extractor.close()
    assert not frozen.is_running()


async def test_only_as_many_files_are_read_at_once_as_there_are_processors(extractor: Extractor, endless: Path):
    readings = [asyncio.create_task(extractor.extract(endless, name=None)) for _ in range(6)]
    await until(lambda: len(children()) == (os.cpu_count() or 1))
    for reading in readings:
        reading.cancel()
    ended = await asyncio.gather(*readings, return_exceptions=True)
    assert all(isinstance(each, asyncio.CancelledError) for each in ended)
    assert children() == []


async def test_pages_are_drawn_while_files_are_being_read(extractor: Extractor, endless: Path, tmp_path: Path):
    (tmp_path / "a.pdf").write_bytes(pdf_of(1, "a page"))
    readings = [asyncio.create_task(extractor.extract(endless, name=None)) for _ in range(6)]
    await until(lambda: len(children()) == (os.cpu_count() or 1))
    page = await extractor.page_png(tmp_path / "a.pdf", "application/pdf", 1, boxes=[(10, 10, 50, 20)], scale=1)
    assert page.startswith(b"\x89PNG")
    small = await extractor.thumbnail(tmp_path / "a.pdf", "application/pdf", title="A page", text="a page")
    assert small[8:12] == b"WEBP"
    for reading in readings:
        reading.cancel()
    await asyncio.gather(*readings, return_exceptions=True)


@pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is not installed")
async def test_a_picture_is_recognised_inside_the_sandbox(tmp_path: Path):
    picture = Image.new("RGB", (900, 200), "white")
    ImageDraw.Draw(picture).text((40, 60), "Ducks swim on ponds", "black", ImageFont.load_default(60))
    picture.save(tmp_path / "a.png")
    extractor = Extractor(Limits(), Caps())
    try:
        assert "swim" in (await extractor.extract(tmp_path / "a.png", name="a.png")).text
    finally:
        await extractor.close()


async def test_many_files_at_once_each_get_their_own_text(extractor: Extractor, tmp_path: Path):
    paths = [tmp_path / f"{number}.txt" for number in range(20)]
    for path in paths:
        path.write_text(f"this is {path.name}")
    read = await asyncio.gather(*(extractor.extract(path, name=path.name) for path in paths))
    assert [each.text for each in read] == [f"this is {path.name}" for path in paths]


async def test_no_descriptors_or_folders_are_left_behind(sound: Path, tmp_path: Path):
    (tmp_path / "broken.docx").write_bytes(docx(paragraph("x"))[:500])
    extractor = Extractor(Limits(), Caps())
    await extractor.extract(sound, name=None)
    root = next((tmp_path / "t").glob(_ROOTS))
    before = psutil.Process().num_fds(), zygote().num_fds()
    for _ in range(10):
        await extractor.extract(sound, name=None)
        with pytest.raises(Unreadable):
            await extractor.extract(tmp_path / "broken.docx", name=None)
    assert (psutil.Process().num_fds(), zygote().num_fds()) == before
    assert list(root.iterdir()) == []
    await extractor.close()
    assert not root.exists()


async def test_closing_ends_what_is_being_read_and_nothing_starts_afterwards(extractor: Extractor, endless: Path):
    reading = asyncio.create_task(extractor.extract(endless, name=None))
    await until(children)
    await extractor.close()
    with pytest.raises(ExtractorDown):
        await reading
    with pytest.raises(ExtractorDown):
        await extractor.extract(endless, name=None)
    assert not any(_is_zygote(process) for process in psutil.Process().children())


_HOST = """
import asyncio, sys
from pathlib import Path
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.sandbox import Caps, Extractor
asyncio.run(Extractor(Limits(), Caps()).extract(Path(sys.argv[1]), name=None))
"""


async def test_everything_dies_with_the_process_that_asked(endless: Path, tmp_path: Path):
    host = psutil.Popen([sys.executable, "-c", _HOST, str(endless)], env={"TMPDIR": str(tmp_path)})
    await until(lambda: len(host.children(recursive=True)) >= 2)
    started = host.children(recursive=True)
    host.kill()
    host.wait()
    await until(lambda: not any(process.is_running() for process in started))
    await until(lambda: not list(tmp_path.glob(_ROOTS)))


async def test_a_child_sees_none_of_our_secrets(extractor: Extractor, sound: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("INTELLI_SECRET_KEY", "do not tell")
    await extractor.extract(sound, name=None)
    assert "do not tell" not in str(zygote().environ())


_PRISONER = """
import socket, sys
from pathlib import Path
from intelli.library.extraction.sandbox import jail
allowed, folder = map(Path, sys.argv[1:])
jail.confine(read=[allowed], write=folder)
def tells(what):
    try:
        what()
    except OSError:
        return "no"
    return "yes"
print(tells(lambda: allowed.read_bytes()), tells(lambda: (folder / "x").write_bytes(b"x")), end=" ")
print(tells(lambda: Path("/etc/passwd").read_bytes()), tells(lambda: (folder / "y").write_bytes(b"y")), end=" ")
print(tells(lambda: socket.create_connection(("127.0.0.1", int(sys.stdin.read())), 1)))
"""


@pytest.mark.skipif(not jail.can_confine(), reason="the kernel has no Landlock")
def test_a_child_reaches_its_file_and_its_folder_and_nothing_else(sound: Path, tmp_path: Path):
    import socket

    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "x").touch()
    with socket.create_server(("127.0.0.1", 0)) as server:
        done = subprocess.run(
            [sys.executable, "-c", _PRISONER, str(sound), str(folder)],
            input=str(server.getsockname()[1]), capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
    assert done.stdout.split() == ["yes", "yes", "no", "no", "no"]


_LOADED = """
import sys
from pathlib import Path
from intelli.library import prepared_text
from intelli.library.extraction import readers, render
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.sandbox import zygote
zygote.preload()
prepared_text.prepare()
before = set(sys.modules)
for path in map(Path, sys.argv[1:]):
    read = readers.read(path, name=path.name, limits=Limits(ocr_s=0))
    prepared_text.dump(read, max_tokens=512, overlap=0.1)
    render.thumbnail(path, read.media_type, title="", text=read.text)
print(*(set(sys.modules) - before))
"""


def test_a_child_finds_all_it_needs_loaded(tmp_path: Path):
    sheet = Workbook()
    sheet.active.append(["Region", "Sum"])
    sheet.save(tmp_path / "sums.xlsx")
    tmp_path.joinpath("report.pdf").write_bytes(pdf_of(1, "The report."))
    tmp_path.joinpath("letter.docx").write_bytes(docx(paragraph("The letter.")))
    for kind in ("png", "jpeg", "webp", "gif", "bmp", "tiff"):
        Image.new("RGB", (40, 40), "white").save(tmp_path / f"white.{kind}")
    done = subprocess.run(
        [sys.executable, "-c", _LOADED, *map(str, sorted(tmp_path.glob("*.*")))],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stdout.split() == []


async def test_a_long_text_of_nothing_but_long_words_is_cut_into_passages_where_it_is_read(tmp_path: Path):
    words = base64.encodebytes(Random(7).randbytes(1_000_000)).decode()
    path = tmp_path / "certificates.txt"
    path.write_text(words)
    extractor = Extractor(Limits(ocr_s=0), Caps())
    try:
        made = await extractor.prepare(path, name=path.name, step=reading_result.child_step(LibrarySettings()))
    finally:
        await extractor.close()
    assert made.text.split() == words.split()
    assert made.text[made.chunks[0].start : made.chunks[-1].end].split() == words.split()
