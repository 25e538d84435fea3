"""The program tesseract: started here, or by a helper that was forked before its caller lost the right to start one.

The caller has opened a stranger's file and may be under their control, so the helper takes a picture and two numbers
from it and nothing else. The program has seen the picture: it can start no process either.
"""

import os
import shutil
import signal
import struct
import subprocess
from collections.abc import Callable
from functools import partial
from typing import BinaryIO

from intelli.kit import confinement, seccomp
from intelli.kit.confinement import Policy, Reach

_ASKED = struct.Struct("<dII")  # seconds, dots per inch, bytes of the picture that follows
_TOLD = struct.Struct("<?I")  # whether it went well, bytes of what the program said
_DPI = (70, 600)
_ERROR_BYTES = 300
_DATA = ("/usr/share/tesseract-ocr", "/usr/share/tessdata", "/usr/local/share/tessdata", "/opt/homebrew/share/tessdata")


class Failed(Exception):
    """Tesseract ended with an error, took too long, or cannot be started."""


class _Helper:
    """The way to a helper, from the process that it was forked for."""

    def __init__(self, asking: BinaryIO, hearing: BinaryIO) -> None:
        self._asking = asking
        self._hearing = hearing

    def run(self, picture: bytes, *, dpi: int, timeout_s: float) -> bytes:
        try:
            self._asking.write(_ASKED.pack(timeout_s, dpi, len(picture)) + picture)
            self._asking.flush()
            is_done, size = _TOLD.unpack(self._hearing.read(_TOLD.size))
            told = self._hearing.read(size)
        except (OSError, struct.error) as error:
            raise Failed("The helper has ended.") from error
        if not is_done:
            raise Failed(told.decode("utf-8", "replace"))
        return told


_helper: _Helper | None = None


def find() -> str | None:
    """Where the program is."""
    return shutil.which("tesseract")


def run(picture: bytes, *, dpi: int, languages: str, timeout_s: float) -> bytes:
    """The table of words in a picture."""
    if _helper is not None:
        return _helper.run(picture, dpi=dpi, timeout_s=timeout_s)
    return _run(picture, dpi=dpi, languages=languages, before=partial(signal.setitimer, signal.ITIMER_REAL, timeout_s))


def start_helper(*, languages: str, timeout_s: float) -> tuple[int, int]:
    """Fork a confined process that runs the program for this one, which keeps the descriptors that are returned."""
    global _helper  # noqa: PLW0603  # a child is for one task, and readers have nothing to hand this on by
    asked, asking = os.pipe()
    hearing, told = os.pipe()
    parent_pid = os.getpid()
    if os.fork() == 0:
        try:
            _help(asked, told, parent_pid, partial(_run_confined, languages=languages, longest_s=timeout_s))
        finally:
            os._exit(0)
    os.close(asked)
    os.close(told)
    _helper = _Helper(os.fdopen(asking, "wb"), os.fdopen(hearing, "rb"))
    return asking, hearing


def _help(asked: int, told: int, parent_pid: int, recognise: Callable[[bytes, int, float], bytes]) -> None:
    """Run the program for every picture, until the other side has gone."""
    confinement.die_with(parent_pid)
    confinement.close_files([asked, told])
    reach = Reach(read=[*confinement.libraries(), *_DATA], run=[find() or "", *confinement.loaders()])
    confinement.confine(reach, Policy(forks=True, programs=True))
    with os.fdopen(asked, "rb") as requests, os.fdopen(told, "wb") as answers:
        while len(header := requests.read(_ASKED.size)) == _ASKED.size:
            timeout_s, dpi, size = _ASKED.unpack(header)
            try:
                is_done, said = True, recognise(requests.read(size), dpi, timeout_s)
            except Failed as error:
                is_done, said = False, str(error).encode()
            answers.write(_TOLD.pack(is_done, len(said)) + said)
            answers.flush()


def _run_confined(picture: bytes, dpi: int, timeout_s: float, *, languages: str, longest_s: float) -> bytes:
    helper_pid = os.getpid()

    def before() -> None:
        confinement.die_with(helper_pid)
        # A timer of its own, since a confined process may send no signals; not a number orders as nothing does.
        signal.setitimer(signal.ITIMER_REAL, timeout_s if 0 < timeout_s < longest_s else longest_s)
        seccomp.restrict(Policy(programs=True))

    return _run(picture, dpi=dpi, languages=languages, before=before)


def _run(picture: bytes, *, dpi: int, languages: str, before: Callable[[], object]) -> bytes:
    least, most = _DPI
    command = [find() or "tesseract", "stdin", "stdout", "-l", languages, "--dpi", str(min(max(dpi, least), most))]
    command += ["--psm", "3", "-c", "tessedit_create_tsv=1"]
    try:
        # More threads for one page make tesseract slower, not faster.
        done = subprocess.run(
            command, input=picture, capture_output=True, check=False, env={"OMP_THREAD_LIMIT": "1"}, preexec_fn=before
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise Failed(str(error)) from error
    if done.returncode != 0:
        raise Failed(done.stderr.decode("utf-8", "replace").strip()[-_ERROR_BYTES:])
    return done.stdout
