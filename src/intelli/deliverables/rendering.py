"""Rendering a form in a process of its own: it takes CPU time, holds the interpreter, and works on strangers' text.

The child reads a request from its input and writes the bytes of the form to its output; it has a time limit, and ends
with whoever waits for it.
"""

import asyncio
import resource
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from intelli.deliverables import gml
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.errors import RenderingFailed

if TYPE_CHECKING:
    from intelli.deliverables.forms.form import Form

FORMS = "intelli.deliverables.forms"
_LONGEST_S = 180.0
_LARGEST_BYTES = 500_000_000


class Request(BaseModel):
    """What is rendered, and in which form."""

    model_config = ConfigDict(frozen=True)

    form: str
    brief: DataBrief
    gml: str
    base_url: str = ""


async def render(request: Request) -> bytes:
    """The bytes of a form."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "intelli.deliverables.rendering"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(_LONGEST_S):
            made, said = await child.communicate(request.model_dump_json().encode())
    except TimeoutError:
        raise RenderingFailed(f"The form {request.form} took too long. Try a smaller question.") from None
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode != 0 or not made:
        last = said.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise RenderingFailed(f"The form {request.form} could not be made. {' '.join(last)[:300]}".strip())
    return made


def forms() -> "Mapping[str, Form]":
    """Every form by its name. What renders them is loaded by who needs it."""
    from intelli.deliverables.forms import FORMS

    return FORMS


def rendered(request: Request) -> bytes:
    """The same in this process."""
    from intelli.deliverables.forms.form import Options

    paper = gml.parse(request.gml, language=request.brief.language)
    return forms()[request.form].render(request.brief, paper, Options(base_url=request.base_url))


def main() -> None:
    """The child."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(_LONGEST_S), int(_LONGEST_S)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_BYTES, _LARGEST_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    request = Request.model_validate_json(sys.stdin.buffer.read())
    sys.stdout.buffer.write(rendered(request))


if __name__ == "__main__":
    main()
