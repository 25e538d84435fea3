"""Look of a Word report: named styles that a person can change in one place, no direct formatting."""

from typing import Any

from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_LINE_SPACING, WD_TAB_ALIGNMENT, WD_TAB_LEADER
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, Pt, RGBColor

from intelli.deliverables.forms.docx import fields

INK, SOFT, FAINT, LINE, ACCENT, TINT = "1B1C1E", "4A4D52", "5F6268", "DCDCD6", "1F5FBF", "EEF3FB"
# Those that nearly every reader of Word files has, or has a twin of.
SANS, SERIF, MONO = "Calibri", "Cambria", "Consolas"
TEXT_WIDTH, TURNED_WIDTH = Mm(154), Mm(241)
# The style of a cell by the size of its letters: tables with much beside each other have smaller ones.
CELLS = {9.5: "Intelli Cell", 8.5: "Intelli Cell Small", 7.5: "Intelli Cell Smaller", 6.5: "Intelli Cell Smallest"}
_THEMED = ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme")
# Name, font, size, colour, bold, space before and after in points.
_PARAGRAPHS = (
    ("Title", SANS, 27, INK, True, 120, 8),
    ("Subtitle", SANS, 12.5, SOFT, False, 0, 26),
    ("Heading 1", SANS, 17, INK, True, 26, 8),
    ("Heading 2", SANS, 12.5, INK, True, 18, 6),
    ("Heading 3", SANS, 10.5, INK, True, 14, 4),
    ("Caption", SANS, 9.5, FAINT, False, 4, 14),
    ("TOC Heading", SANS, 12.5, INK, True, 6, 6),
    ("toc 1", SANS, 10.5, INK, False, 3, 2),
    ("toc 2", SANS, 10, SOFT, False, 0, 1),
    ("footnote text", SANS, 8.5, SOFT, False, 0, 3),
    ("Intelli Made", SANS, 10, ACCENT, True, 0, 24),
    ("Intelli Quote", SERIF, 11, SOFT, False, 8, 14),
    ("Intelli Callout Title", SANS, 9.5, INK, True, 10, 0),
    ("Intelli Callout", SERIF, 10, INK, False, 0, 12),
    ("Intelli Metric", SANS, 16, INK, True, 3, 0),
    ("Intelli Metric Name", SANS, 9, SOFT, False, 0, 3),
    *((name, SANS, size, INK, False, 2, 2) for size, name in CELLS.items()),
    ("Intelli Source", SANS, 9.5, INK, False, 0, 6),
)


class StyleIds:
    """Style ids by name, cached: the library searches all styles each time."""

    def __init__(self, document: Any) -> None:
        self._ids = {style.name.lower(): style.style_id for style in document.styles}

    def __getitem__(self, name: str) -> str:
        """The id of a style."""
        return str(self._ids[name.lower()])

    def put(self, paragraph: Any, name: str) -> Any:
        """Set the style of a paragraph and return the paragraph."""
        paragraph._p.style = self[name]
        return paragraph

    def add_run(self, paragraph: Any, name: str, text: str = "") -> Any:
        """Add a run in a character style."""
        run = paragraph.add_run(text)
        run._r.style = self[name]
        return run


def apply(document: Any, language: str) -> None:
    """Set page size, margins and styles of a document."""
    section = document.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(28)
    section.top_margin, section.bottom_margin = Mm(30), Mm(28)
    section.header_distance, section.footer_distance = Mm(14), Mm(13)
    section.different_first_page_header_footer = True
    _drop_unused(document)
    _set_body_style(document, language)
    for name, font, size, colour, is_bold, before, after in _PARAGRAPHS:
        style = _style(document, name, WD_STYLE_TYPE.PARAGRAPH)
        _set_font(style, font, size, colour)
        style.font.bold, style.font.italic = is_bold, name == "Intelli Quote"
        style.paragraph_format.space_before, style.paragraph_format.space_after = Pt(before), Pt(after)
    _adjust_styles(document)


def _drop_unused(document: Any) -> None:
    """Remove unused parts of the library's template: a hundred table styles, twice."""
    elements = document.styles.element
    for style in list(elements.iter(qn("w:style"))):
        if style.get(qn("w:type")) == "table" and style.get(qn("w:default")) is None:
            elements.remove(style)
    for name, relation in list(document.part.rels.items()):
        if relation.reltype.endswith("/stylesWithEffects"):
            document.part.drop_rel(name)


def _set_body_style(document: Any, language: str) -> None:
    normal = document.styles["Normal"]
    _set_font(normal, SERIF, 11, INK)
    normal.paragraph_format.space_after = Pt(8)
    normal.paragraph_format.line_spacing_rule = WD_LINE_SPACING.MULTIPLE
    normal.paragraph_format.line_spacing = 1.22
    normal.paragraph_format.widow_control = True
    for element in document.styles.element.iter(qn("w:lang")):
        element.set(qn("w:val"), language)


def _adjust_styles(document: Any) -> None:
    styles = document.styles
    for border in list(styles["Title"].element.iter(qn("w:pBdr"))):
        border.getparent().remove(border)
    for spacing in list(styles["Subtitle"].element.rPr.iter(qn("w:spacing"))):
        spacing.getparent().remove(spacing)
    for name, left in (("toc 1", 0), ("toc 2", 5)):
        form = styles[name].paragraph_format
        form.left_indent = Mm(left)
        form.tab_stops.add_tab_stop(TEXT_WIDTH, WD_TAB_ALIGNMENT.RIGHT, WD_TAB_LEADER.DOTS)
    for name in ("Intelli Callout Title", "Intelli Callout"):
        _set_background(
            styles[name], {"top": (4, TINT), "left": (20, ACCENT), "bottom": (4, TINT), "right": (4, TINT)}, TINT
        )
        styles[name].paragraph_format.left_indent = styles[name].paragraph_format.right_indent = Mm(4)
    _set_background(styles["Intelli Quote"], {"left": (16, ACCENT)}, None)
    styles["Intelli Quote"].paragraph_format.left_indent = Mm(5)
    for name in ("Intelli Callout Title", "Intelli Metric"):
        styles[name].paragraph_format.keep_with_next = True
    for name in (
        *CELLS.values(),
        "Intelli Metric",
        "Intelli Metric Name",
        "footnote text",
        "Caption",
        "Intelli Source",
    ):
        styles[name].paragraph_format.line_spacing = 1.12
    for name, colour, is_raised in (("Hyperlink", ACCENT, False), ("footnote reference", ACCENT, True)):
        style = _style(document, name, WD_STYLE_TYPE.CHARACTER)
        style.font.color.rgb = RGBColor.from_string(colour)
        style.font.superscript = is_raised or None
    identifier = _style(document, "Intelli Identifier", WD_STYLE_TYPE.CHARACTER)
    _set_font(identifier, MONO, 7, FAINT)


def _style(document: Any, name: str, kind: Any) -> Any:
    styles = document.styles
    found = next((style for style in styles if style.name.lower() == name.lower()), None)
    return found if found is not None else styles.add_style(name, kind)


def _set_font(style: Any, font: str, size: float, colour: str) -> None:
    style.font.name, style.font.size = font, Pt(size)
    style.font.color.rgb = RGBColor.from_string(colour)
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    for theme in _THEMED:
        fonts.attrib.pop(qn(f"w:{theme}"), None)
    for script in ("ascii", "hAnsi", "cs", "eastAsia"):
        fonts.set(qn(f"w:{script}"), font)


def _set_background(style: Any, sides: dict[str, tuple[int, str]], fill: str | None) -> None:
    """Set borders and shading, in this order and before indents and spacing, as the schema wants."""
    properties = style.element.get_or_add_pPr()
    made = [fields.borders("w:pBdr", sides)]
    if fill is not None:
        holder = OxmlElement("w:pPr")
        fields.shade(holder, fill)
        made.append(holder[0])
    later = {qn(f"w:{name}") for name in ("tabs", "spacing", "ind", "contextualSpacing", "jc", "outlineLvl")}
    at = next((index for index, each in enumerate(properties) if each.tag in later), len(properties))
    for offset, element in enumerate(made):
        properties.insert(at + offset, element)
