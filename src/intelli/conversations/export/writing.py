"""Writing a conversation down in one of the forms: a pure function, to be computed in a process of its own."""

from dataclasses import dataclass

from intelli.content import naming
from intelli.conversations.export import FORMS
from intelli.conversations.export.form import Export
from intelli.conversations.wire import WrittenAs


@dataclass(frozen=True, slots=True)
class File:
    """An export that is written."""

    name: str
    media_type: str
    content: str


def write(export: Export, written_as: WrittenAs) -> File:
    """The file in one of the forms."""
    form = next(form for form in FORMS if form.format is written_as)
    name = naming.clean(export.title.replace("/", "-")) or "conversation"
    return File(f"{name}.{form.extension}", form.media_type, form.write(export))
