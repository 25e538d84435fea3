"""Runs the tesseract program: directly, or through a helper process for a caller that may start no process.

The caller has parsed an untrusted file and may be taken over, so the helper accepts a picture and two numbers from it
and nothing else. Tesseract has read the picture too: it may start no process either.
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

_REQUEST = struct.Struct("<dII")  # seconds, dots per inch, bytes of the picture that follows
_ANSWER = struct.Struct("<?I")  # whether it succeeded, bytes of the program's output that follows
_DPI = (70, 600)
_ERROR_BYTES = 300
_DATA = ("/usr/share/tesseract-ocr", "/usr/share/tessdata", "/usr/local/share/tessdata", "/opt/homebrew/share/tessdata")


class TesseractFailed(Exception):
    """Tesseract ended with an error, took too long, or cannot be started."""


class _Helper:
    """Client of a helper: the pipe ends of the process that the helper was forked for."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self._requests = requests
        self._answers = answers

    def run(self, picture: bytes, *, dpi: int, timeout_s: float) -> bytes:
        """Send a picture and return the table of words. Raises TesseractFailed."""
        try:
            self._requests.write(_REQUEST.pack(timeout_s, dpi, len(picture)) + picture)
            self._requests.flush()
            is_done, size = _ANSWER.unpack(self._answers.read(_ANSWER.size))
            answer = self._answers.read(size)
        except (OSError, struct.error) as error:
            raise TesseractFailed("The helper has ended.") from error
        if not is_done:
            raise TesseractFailed(answer.decode("utf-8", "replace"))
        return answer


_helper: _Helper | None = None


def find_program() -> str | None:
    """Return the path of the program; None when it is not installed."""
    return shutil.which("tesseract")


def run(picture: bytes, *, dpi: int, languages: str, timeout_s: float) -> bytes:
    """Return the table of words (TSV) that tesseract recognises in a picture. Raises TesseractFailed."""
    if _helper is not None:
        return _helper.run(picture, dpi=dpi, timeout_s=timeout_s)
    return _run_program(
        picture, dpi=dpi, languages=languages, before=partial(signal.setitimer, signal.ITIMER_REAL, timeout_s)
    )


def use_helper(requests_out: int, answers_in: int) -> None:
    """Run tesseract through a helper from now on, over these pipes."""
    global _helper  # noqa: PLW0603  # a child runs one task, and readers have no parameter to pass this through
    _helper = _Helper(os.fdopen(requests_out, "wb"), os.fdopen(answers_in, "rb"))


def serve_requests(requests_in: int, answers_out: int, *, languages: str, longest_s: float) -> None:
    """Serve as a helper: confine the process, then run tesseract for each request until the pipe closes."""
    reach = AllowedPaths(read=[*confinement.libraries(), *_DATA], run=[find_program() or "", *confinement.loaders()])
    confinement.confine(reach, Policy(forks=True, programs=True))
    with os.fdopen(requests_in, "rb") as requests, os.fdopen(answers_out, "wb") as answers:
        while len(header := requests.read(_REQUEST.size)) == _REQUEST.size:
            timeout_s, dpi, size = _REQUEST.unpack(header)
            limit_s = timeout_s if 0 < timeout_s < longest_s else longest_s  # also for what is not a number
            try:
                is_done, answer = True, _run_confined(requests.read(size), dpi, limit_s, languages=languages)
            except TesseractFailed as error:
                is_done, answer = False, str(error).encode()
            answers.write(_ANSWER.pack(is_done, len(answer)) + answer)
            answers.flush()


def _run_confined(picture: bytes, dpi: int, timeout_s: float, *, languages: str) -> bytes:
    helper_pid = os.getpid()

    def before() -> None:
        confinement.die_with(helper_pid)
        signal.setitimer(signal.ITIMER_REAL, timeout_s)  # a timer of its own, since a helper may send no signals
        seccomp.restrict(Policy(programs=True))

    return _run_program(picture, dpi=dpi, languages=languages, before=before)


def _run_program(picture: bytes, *, dpi: int, languages: str, before: Callable[[], object]) -> bytes:
    least, most = _DPI
    command = [
        find_program() or "tesseract",
        "stdin",
        "stdout",
        "-l",
        languages,
        "--dpi",
        str(min(max(dpi, least), most)),
    ]
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
