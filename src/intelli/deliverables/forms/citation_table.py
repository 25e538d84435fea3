"""The citations of a layout as a machine-readable table, embedded in every file format that can contain one."""

import json

from intelli.deliverables.brief import ListedSource
from intelli.deliverables.forms.form import Options
from intelli.deliverables.forms.layout import Footnote, PaperLayout, link


def to_json(layout: PaperLayout, options: Options) -> bytes:
    """Serialise every citation with its source as JSON."""
    return json.dumps(to_dict(layout, options), ensure_ascii=False, indent=1, sort_keys=True).encode()


def to_dict(layout: PaperLayout, options: Options) -> dict[str, object]:
    """Return every citation with its source as JSON values."""
    return {
        "title": layout.title,
        "made_on": layout.brief.made_on.isoformat(),
        "citations": [_citation(note, options) for note in layout.footnotes.values()],
        "sources": [_source(source, options) for source in layout.brief.sources],
    }


def _citation(note: Footnote, options: Options) -> dict[str, object]:
    cited = note.cited.model_dump(mode="json")
    return {**cited, "number": note.number, "file_name": note.file_name, "url": link(note, options)}


def _source(source: ListedSource, options: Options) -> dict[str, object]:
    return {**source.model_dump(mode="json"), "url": link(source, options)}
