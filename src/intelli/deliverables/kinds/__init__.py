"""The kinds of deliverables, one file each. A new one is its file and its place here."""

from intelli.deliverables.kinds import document, report, slides, website
from intelli.deliverables.kinds.kind import Kind
from intelli.deliverables.wire import Kind as Name

KINDS: tuple[Kind, ...] = (report.KIND, website.KIND, slides.KIND, document.KIND)


def kind_of(name: str) -> Kind:
    """The kind of a name."""
    return next(kind for kind in KINDS if kind.name == Name(name))
