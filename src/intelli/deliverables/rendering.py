"""Render a form in a child process: it takes CPU time, holds the interpreter lock, and works on untrusted text.

The child reads a request from its input and writes the bytes of the form to its output. It has a time limit and ends
with the task that waits for it. It can read the libraries and no other file, opens no socket, and sees none of our
secrets.
"""

import asyncio
import sys
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import PIPE, Process
from contextlib import suppress

from pydantic import BaseModel, ConfigDict

from intelli.deliverables import gml
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.errors import RenderingFailed
from intelli.deliverables.forms import FORMS, Edition, Options
from intelli.kit import confinement
from intelli.kit.confinement import AllowedPaths, Policy
from intelli.kit.tasks import task_group

_LONGEST_S = 180.0
_LARGEST_BYTES, _LONGEST_ERROR_BYTES = 500_000_000, 1 << 20
_PIECE_BYTES = 1 << 16
# A child sees no variable of ours: there are secrets among them.
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}


class RenderRequest(BaseModel):
    """Input of the child: the content to render, and the form."""

    model_config = ConfigDict(frozen=True)

    form: str
    brief: DataBrief
    gml: str
    base_url: str = ""
    kind: str = ""
    edition: Edition = Edition.CLEAN


async def render(request: RenderRequest) -> bytes:
    """Render a form in a child process; raise RenderingFailed when it fails, or takes too long or too much space."""
    # -P: the working directory is no place to import from, nor one for a child to read.
    command = (sys.executable, "-P", "-m", "intelli.deliverables.rendering")
    child = await asyncio.create_subprocess_exec(
        *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=_ENVIRONMENT, cwd="/"
    )
    try:
        async with asyncio.timeout(_LONGEST_S):
            made, said = await _exchange(child, request.model_dump_json().encode())
    except TimeoutError:
        raise RenderingFailed(f"The form {request.form} took too long. Try a smaller question.") from None
    except ValueError:
        raise RenderingFailed(f"The form {request.form} came out too large. Try a smaller question.") from None
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode != 0 or not made:
        last = said.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise RenderingFailed(f"The form {request.form} could not be made. {' '.join(last)[:300]}".strip())
    return made


async def _exchange(child: Process, request: bytes) -> tuple[bytes, bytes]:
    """Send a child its request, and read its output and errors; raise ValueError when they exceed their limits."""
    assert child.stdin is not None, "it was asked for"
    assert child.stdout is not None, "likewise"
    assert child.stderr is not None, "likewise"
    async with task_group() as group:
        group.create_task(_send(child.stdin, request))
        making = group.create_task(_receive(child.stdout, _LARGEST_BYTES))
        saying = group.create_task(_receive(child.stderr, _LONGEST_ERROR_BYTES))
    await child.wait()
    return making.result(), saying.result()


async def _send(stream: StreamWriter, content: bytes) -> None:
    with suppress(ConnectionError):  # a child that ended before it read all has said why
        stream.write(content)
        await stream.drain()
    stream.close()


async def _receive(stream: StreamReader, most_bytes: int) -> bytes:
    taken = bytearray()
    while piece := await stream.read(_PIECE_BYTES):
        taken += piece
        if len(taken) > most_bytes:
            raise ValueError("a child says more than it may")
    return bytes(taken)


def render_in_process(request: RenderRequest) -> bytes:
    """Render a form in this process."""
    paper = gml.parse(request.gml, language=request.brief.language)
    options = Options(base_url=request.base_url, kind=request.kind, edition=request.edition)
    return FORMS[request.form].render(request.brief, paper, options)


def main() -> None:
    """Run the child: confine this process, read the request and write the form."""
    confinement.close_files(keep=[])
    confinement.limit(cpu_s=int(_LONGEST_S), wall_s=_LONGEST_S, output_bytes=_LARGEST_BYTES)
    request = RenderRequest.model_validate_json(sys.stdin.buffer.read())
    confinement.confine(AllowedPaths(read=confinement.libraries()), Policy(threads=True))
    sys.stdout.buffer.write(render_in_process(request))


if __name__ == "__main__":
    main()
