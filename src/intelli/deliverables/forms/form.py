"""Declaration of an export form: a name, a file type, and a pure function from brief and paper to bytes."""

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from intelli.deliverables.brief import DataBrief
    from intelli.deliverables.paper import Paper


class Edition(StrEnum):
    """For whom a form is rendered: `clean` for readers, `proof` for those who check, with verdicts and hashes."""

    CLEAN = "clean"
    PROOF = "proof"


@dataclass(frozen=True, slots=True)
class Options:
    """Options of rendering. With the base URL of the workspace, sources can be opened from the file."""

    base_url: str = ""
    # The kind of deliverable that is rendered: slides have a PDF of their own.
    kind: str = ""
    edition: Edition = Edition.CLEAN


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportForm:
    """An export form: the same brief, paper and options give the same bytes. Rendering takes CPU, so it runs apart."""

    # As the wire, the terminal and we call it, and what a menu shows.
    name: str
    label: str
    note: str
    media_type: str
    extension: str
    # The kind of deliverable that suits it when none is named.
    kind: str
    # The function that writes it, as `module:function`: loaded when it is called, for some take seconds to load.
    writer: str
    # What a screen says while it is made as a part of a deliverable.
    phase: str = ""
    # Menus list what only programs read apart from what people read.
    is_for_programs: bool = False

    def render(self, brief: "DataBrief", paper: "Paper", options: Options) -> bytes:
        """Render the form."""
        write: Callable[[DataBrief, Paper, Options], bytes] = pkgutil.resolve_name(self.writer)
        return write(brief, paper, options)
