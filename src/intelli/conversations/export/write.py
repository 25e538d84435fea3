"""Rendering of an export in one of the formats: a pure function, run in a separate process."""

from dataclasses import dataclass

from intelli.content import file_names
from intelli.conversations.export import FORMS
from intelli.conversations.export.format import ConversationExport
from intelli.conversations.wire import WrittenAs


@dataclass(frozen=True, slots=True)
class ExportFile:
    """Rendered export: file name, media type and text."""

    name: str
    media_type: str
    content: str


def write(export: ConversationExport, written_as: WrittenAs) -> ExportFile:
    """Render the export in a format and name the file after the conversation."""
    form = next(form for form in FORMS if form.format is written_as)
    name = file_names.clean(export.title.replace("/", "-")) or "conversation"
    return ExportFile(f"{name}.{form.extension}", form.media_type, form.write(export))
