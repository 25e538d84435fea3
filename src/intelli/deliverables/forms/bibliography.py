"""Sources for reference managers: BibTeX and CSL-JSON. Quotes are in the annotation."""

import json

from intelli.deliverables.brief import DataBrief, ListedSource
from intelli.deliverables.forms.form import Options
from intelli.deliverables.forms.layout import Footnote, PaperLayout, file_kind, lay_out, link
from intelli.deliverables.paper import Paper

_TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def bibtex(brief: DataBrief, paper: Paper, options: Options) -> bytes:
    """Render one BibTeX entry for each source."""
    layout = lay_out(brief, paper, options.edition)
    return "\n".join(_entry(layout, source, options) for source in layout.brief.sources).encode()


def csl(brief: DataBrief, paper: Paper, options: Options) -> bytes:
    """Render one CSL-JSON item for each source."""
    layout = lay_out(brief, paper, options.edition)
    items = [_item(layout, source, options) for source in layout.brief.sources]
    return (json.dumps(items, ensure_ascii=False, indent=1) + "\n").encode()


def _entry(layout: PaperLayout, source: ListedSource, options: Options) -> str:
    made_on = layout.brief.made_on
    fields = {
        "title": f"{{{_tex(layout.source_name(source))}}}",
        "howpublished": _tex(_medium(layout, source)),
        **({"note": f"SHA-256 {_tex(source.sha256)}"} if layout.is_proof else {}),
        "urldate": made_on.isoformat(),
        "annotation": _tex(_annotation(layout, source)),
    }
    address = link(source, options)
    if address:
        fields["url"] = _tex(address)
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@misc{{{_key(source)},\n{lines}\n}}\n"


def _item(layout: PaperLayout, source: ListedSource, options: Options) -> dict[str, object]:
    made_on = layout.brief.made_on
    address = link(source, options)
    return {
        "id": _key(source),
        "type": "document",
        "title": layout.source_name(source),
        "medium": _medium(layout, source),
        **({"note": f"SHA-256 {source.sha256}"} if layout.is_proof else {}),
        "annote": _annotation(layout, source),
        "accessed": {"date-parts": [[made_on.year, made_on.month, made_on.day]]},
        **({"URL": address} if address else {}),
    }


def _medium(layout: PaperLayout, source: ListedSource) -> str:
    return source.mime_type if layout.is_proof else file_kind(source)


def _key(source: ListedSource) -> str:
    return f"source{source.number}"


def _annotation(layout: PaperLayout, source: ListedSource) -> str:
    notes = [note for note in layout.notes_of_source(source) if note.turn == 1]
    return " | ".join(map(_passage, notes))


def _passage(note: Footnote) -> str:
    place = f"({note.place})" if note.place and note.shown_identifier else note.place
    named = " ".join(filter(None, (note.shown_identifier, place)))
    return f"{named}: {note.cited.quote}" if named else note.cited.quote


def _tex(text: str) -> str:
    return "".join(_TEX.get(character, character) for character in text)
