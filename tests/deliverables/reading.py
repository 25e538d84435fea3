"""What a reader finds in a rendered form: all its words, wherever the form keeps them."""

import io
import zipfile

import pikepdf
import pypdfium2
from lxml import etree
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

_WORDS = {"{http://schemas.openxmlformats.org/wordprocessingml/2006/main}t"}
_WORDS.add("{http://schemas.openxmlformats.org/drawingml/2006/main}t")
_WORDS.add("{http://schemas.openxmlformats.org/drawingml/2006/chart}v")


def words_of(name: str, rendered: bytes) -> str:
    """All words of a form."""
    match name:
        case "pdf":
            return pdf_words(rendered)
        case "docx" | "pptx":
            return " ".join(office_words(each) for each in parts_of(rendered, ".xml").values())
        case "html" | "gml":
            return html_words(rendered.decode())
        case "site" | "slides":
            return html_words(parts_of(rendered, ".html")["index.html"].decode())
        case "md":
            return html_words(MarkdownIt("commonmark", {"html": True}).enable("table").render(rendered.decode()))
        case _:
            return rendered.decode()


def html_words(page: str) -> str:
    body = LexborHTMLParser(page).body
    return body.text(separator=" ") if body is not None else ""


def pdf_words(rendered: bytes) -> str:
    document = pypdfium2.PdfDocument(rendered)
    try:
        return "\n".join(document[number].get_textpage().get_text_range() for number in range(len(document)))
    finally:
        document.close()


def office_words(part: bytes) -> str:
    root = etree.fromstring(part)
    return " ".join(
        "".join(each.text or "" for each in paragraph.iter() if each.tag in _WORDS)
        for paragraph in root.iter()
        if str(paragraph.tag).endswith(("}p", "}pt", "}comment"))
    )


def parts_of(rendered: bytes, ending: str = "") -> dict[str, bytes]:
    """The files of a form that is a zip."""
    with zipfile.ZipFile(io.BytesIO(rendered)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name.endswith(ending)}


def carried_by(name: str, rendered: bytes) -> str:
    """All that a form carries, also where a reader does not look: attachments, properties, data."""
    if name == "pdf":
        with pikepdf.open(io.BytesIO(rendered)) as document:
            attached = [bytes(each.get_file().read_bytes()).decode() for each in document.attachments.values()]
        return pdf_words(rendered).replace("\u200b", "") + "".join(attached)
    if name in {"docx", "pptx", "site", "slides"}:
        return "".join(part.decode("utf-8", "replace") for part in parts_of(rendered).values())
    return rendered.decode()
