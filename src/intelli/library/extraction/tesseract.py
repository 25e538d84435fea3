"""The program tesseract: started here, or, for a caller that may start nothing, by a helper behind two pipes.

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
from intelli.kit.confinement import AllowedPaths, Policy

_ASKED = struct.Struct("<dII")  # seconds, dots per inch, bytes of the picture that follows
_TOLD = struct.Struct("<?I")  # whether it went well, bytes of what the program said
_DPI = (70, 600)
_ERROR_BYTES = 300
_DATA = ("/usr/share/tesseract-ocr", "/usr/share/tessdata", "/usr/local/share/tessdata", "/opt/homebrew/share/tessdata")


class TesseractFailed(Exception):
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
            raise TesseractFailed("The helper has ended.") from error
        if not is_done:
            raise TesseractFailed(told.decode("utf-8", "replace"))
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


def use_helper(asking: int, hearing: int) -> None:
    """Have a helper run the program from now on, and talk to it through these pipes."""
    global _helper  # noqa: PLW0603  # a child is for one task, and readers have nothing to hand this on by
    _helper = _Helper(os.fdopen(asking, "wb"), os.fdopen(hearing, "rb"))


def help_out(asked: int, told: int, *, languages: str, longest_s: float) -> None:
    """Be a helper: confined, run the program for every picture until the other side has gone."""
    reach = AllowedPaths(read=[*confinement.libraries(), *_DATA], run=[find() or "", *confinement.loaders()])
    confinement.confine(reach, Policy(forks=True, programs=True))
    with os.fdopen(asked, "rb") as requests, os.fdopen(told, "wb") as answers:
        while len(header := requests.read(_ASKED.size)) == _ASKED.size:
            timeout_s, dpi, size = _ASKED.unpack(header)
            limit_s = timeout_s if 0 < timeout_s < longest_s else longest_s  # also for what is not a number
            try:
                is_done, said = True, _run_confined(requests.read(size), dpi, limit_s, languages=languages)
            except TesseractFailed as error:
                is_done, said = False, str(error).encode()
            answers.write(_TOLD.pack(is_done, len(said)) + said)
            answers.flush()


def _run_confined(picture: bytes, dpi: int, timeout_s: float, *, languages: str) -> bytes:
    helper_pid = os.getpid()

    def before() -> None:
        confinement.die_with(helper_pid)
        signal.setitimer(signal.ITIMER_REAL, timeout_s)  # of its own, since a helper may send no signals
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
        raise TesseractFailed(str(error)) from error
    if done.returncode != 0:
        raise TesseractFailed(done.stderr.decode("utf-8", "replace").strip()[-_ERROR_BYTES:])
    return done.stdout
