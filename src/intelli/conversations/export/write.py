"""Writing a conversation down in one of the forms: a pure function, to be computed in a process of its own."""

from dataclasses import dataclass

from intelli.content import file_names
from intelli.conversations.export import FORMS
from intelli.conversations.export.format import ConversationExport
from intelli.conversations.wire import WrittenAs


@dataclass(frozen=True, slots=True)
class ExportFile:
    """An export that is written."""

    name: str
    media_type: str
    content: str


def write(export: ConversationExport, written_as: WrittenAs) -> ExportFile:
    """The file in one of the forms."""
    form = next(form for form in FORMS if form.format is written_as)
    name = file_names.clean(export.title.replace("/", "-")) or "conversation"
    return ExportFile(f"{name}.{form.extension}", form.media_type, form.write(export))
