"""What a form of a deliverable is: a name, a kind of file, and a pure function from brief and paper to bytes."""

from collections.abc import Callable
from dataclasses import dataclass

from intelli.deliverables.brief import DataBrief
from intelli.deliverables.paper import Paper


@dataclass(frozen=True, slots=True)
class Options:
    """How a form is rendered. With the address of the workspace, sources can be opened from the file."""

    base_url: str = ""


Render = Callable[[DataBrief, Paper, Options], bytes]


@dataclass(frozen=True, slots=True)
class Form:
    """A form: the same brief, paper and options always give the same bytes. It takes CPU time, so it runs apart."""

    name: str
    media_type: str
    extension: str
    render: Render
