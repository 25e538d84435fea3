"""Elements of PowerPoint slides: text with citations, tables and charts in our colours."""

import re
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION, XL_MARKER_STYLE, XL_TICK_MARK
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Inches, Pt

from intelli.deliverables.charts import Plotted

INK, SOFT, FAINT, LINE, ACCENT, TINT = "1B1C1E", "4A4D52", "5F6268", "DCDCD6", "1F5FBF", "EEF3FB"
OK, WARN, BAD = "1C7A45", "8F5A00", "B3261E"
FONT = "Calibri"
# In inches.
CELL_PADDING = 0.08
# From here on the axis needs no decimals.
_WHOLE = 20
# Between bars, in parts of a hundred of their breadth: as wide as the other forms draw them.
_GAPS = {"bar": 47, "column": 100}
# The series of the ground below a line, in the order of the schema.
_BELOW = (
    '<c:ser><c:idx val="1"/><c:order val="1"/><c:spPr>'
    f'<a:solidFill><a:srgbClr val="{ACCENT}"><a:alpha val="10000"/></a:srgbClr></a:solidFill>'
    "<a:ln><a:noFill/></a:ln></c:spPr></c:ser>"
)
_ACTIVE = re.compile(r"\s*[=+@{-]|\s*[a-z]+:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a slide, in inches."""

    left: float
    top: float
    width: float
    height: float

    @property
    def emu(self) -> tuple[Any, Any, Any, Any]:
        """Left, top, width and height in EMU, the unit of the file."""
        return Inches(self.left), Inches(self.top), Inches(self.width), Inches(self.height)


@dataclass(frozen=True, slots=True)
class Look:
    """Size, colour and style of text."""

    size: float = 18
    colour: str = INK
    is_bold: bool = False
    is_italic: bool = False


def add_text_box(slide: Any, box: Box, *, is_centred: bool = False, has_margin: bool = True) -> Any:
    """Add an empty text box and return its text frame."""
    made = slide.shapes.add_textbox(*box.emu).text_frame
    made.word_wrap = True
    if not has_margin:
        made.margin_left = made.margin_right = 0
    made.vertical_anchor = MSO_ANCHOR.MIDDLE if is_centred else MSO_ANCHOR.TOP
    return made


def get_paragraph(text_frame: Any, *, is_first: bool, after: float = 8, align: Any = None) -> Any:
    """Return a paragraph of a text box: the first one, or a new one."""
    paragraph = text_frame.paragraphs[0] if is_first else text_frame.add_paragraph()
    paragraph.space_after = Pt(after)
    paragraph.alignment = align
    return paragraph


def add_run(paragraph: Any, text: str, look: Look, address: str | None = None) -> Any:
    """Add a run of text to a paragraph, with a link if an address is given."""
    run = paragraph.add_run()
    run.text = text
    font = run.font
    font.size, font.name, font.bold, font.italic = Pt(look.size), FONT, look.is_bold or None, look.is_italic or None
    font.color.rgb = RGBColor.from_string(look.colour)
    if address is not None:
        run.hyperlink.address = address
    return run


def make_superscript(run: Any) -> Any:
    """Make a run superscript and return it."""
    run._r.get_or_add_rPr().set("baseline", "30000")  # the library has no call for it
    return run


def add_bullet(paragraph: Any) -> None:
    """Add a bullet with a hanging indent to a paragraph."""
    properties = paragraph._p.get_or_add_pPr()  # the library has no call for it
    properties.set("marL", "228600")
    properties.set("indent", "-228600")
    for xml in (
        f'<a:buClr {nsdecls("a")}><a:srgbClr val="{ACCENT}"/></a:buClr>',
        f'<a:buFont {nsdecls("a")} typeface="Arial"/>',
        f'<a:buChar {nsdecls("a")} char="&#8226;"/>',
    ):
        properties.append(parse_xml(xml))


def remove_bullet(paragraph: Any) -> None:
    """Remove the bullet that a paragraph has from the master."""
    properties = paragraph._p.get_or_add_pPr()  # the library has no call for it
    properties.set("marL", "0")
    properties.set("indent", "0")
    properties.append(parse_xml(f"<a:buNone {nsdecls('a')}/>"))


def fill(shape: Any, colour: str) -> None:
    """Fill a shape with a colour and remove its border and shadow."""
    shape.fill.solid()
    shape.fill.fore_color.rgb = RGBColor.from_string(colour)
    shape.line.fill.background()
    # The style of the theme would give it a shadow.
    for style in shape._element.findall("{http://schemas.openxmlformats.org/presentationml/2006/main}style"):
        shape._element.remove(style)


def set_alt_text(element: Any, words: str) -> None:
    """Set the alternative text of a picture, chart or table."""
    for found in element.iter("{http://schemas.openxmlformats.org/presentationml/2006/main}cNvPr"):
        found.set("descr", words)
        return


def add_chart(slide: Any, plotted: Plotted, box: Box, title: str) -> Any:
    """Add an editable chart, drawn like in the other forms."""
    kinds = {
        "bar": XL_CHART_TYPE.BAR_CLUSTERED,
        "column": XL_CHART_TYPE.COLUMN_CLUSTERED,
        "line": XL_CHART_TYPE.LINE_MARKERS,
    }
    data = CategoryChartData()
    # Bars are drawn from below, and read from above.
    order = range(len(plotted.labels))[:: -1 if plotted.kind == "bar" else 1]
    data.categories = [_as_plain_label(plotted.labels[at]) for at in order]
    data.add_series(_as_plain_label(title or "Value"), [plotted.values[at] for at in order])
    graphic = slide.shapes.add_chart(kinds[plotted.kind], *box.emu, data)
    made = graphic.chart
    made.has_legend = made.has_title = False
    made.font.name, made.font.size = FONT, Pt(12)
    made.font.color.rgb = RGBColor.from_string(FAINT)
    _axes(made, plotted)
    _labels(made.plots[0], [plotted.shown[at] for at in order], plotted.kind)
    if plotted.kind == "line":
        _shade_below(made)
    return graphic


def _as_plain_label(text: str) -> str:
    """Return a label that the workbook of a chart takes for text, never for a formula or a link."""
    return f"\u2060{text}" if _ACTIVE.match(text) else text


def _axes(made: Any, plotted: Plotted) -> None:
    kind = plotted.kind
    values, names = made.value_axis, made.category_axis
    names.major_tick_mark = values.major_tick_mark = XL_TICK_MARK.NONE
    names.format.line.color.rgb = RGBColor.from_string(LINE)
    names.has_major_gridlines = False
    values.has_major_gridlines = kind != "bar"
    values.visible = kind != "bar"
    # As the other forms draw it: heights compare only from zero.
    if min(plotted.values, default=0) >= 0:
        values.minimum_scale = 0
    if kind != "bar":
        values.major_gridlines.format.line.color.rgb = RGBColor.from_string(LINE)
        values.format.line.fill.background()
        labels = values.tick_labels
        labels.number_format = "#,##0" if max(map(abs, plotted.values), default=0) >= _WHOLE else "General"
        labels.number_format_is_linked = False


def _labels(plot: Any, shown: Sequence[str], kind: str) -> None:
    series = plot.series[0]
    if kind == "line":
        series.smooth = False
        series.format.line.color.rgb = RGBColor.from_string(ACCENT)
        series.format.line.width = Pt(2.5)
        series.marker.style, series.marker.size = XL_MARKER_STYLE.CIRCLE, 7
        _fill_solid(series.marker.format.fill)
        series.marker.format.line.fill.background()
    else:
        plot.gap_width = _GAPS[kind]
        _fill_solid(series.format.fill)
    position = XL_LABEL_POSITION.ABOVE if kind == "line" else XL_LABEL_POSITION.OUTSIDE_END
    for at, words in enumerate(shown):
        if kind == "line" and at not in {0, len(shown) - 1}:
            continue
        label = series.points[at].data_label
        label.position = position
        label.text_frame.text = words
        font = label.text_frame.paragraphs[0].runs[0].font
        font.size, font.name, font.bold = Pt(11), FONT, kind == "line"
        font.color.rgb = RGBColor.from_string(INK)


def _shade_below(made: Any) -> None:
    """Shade the area below a line with a second plot of the same values, for which the library has no call."""
    (lines,) = made._chartSpace.iter(qn("c:lineChart"))
    area = parse_xml(f'<c:areaChart {nsdecls("c", "a")}><c:grouping val="standard"/>{_BELOW}</c:areaChart>')
    (series,) = area.iter(qn("c:ser"))
    for part in ("c:tx", "c:cat", "c:val"):
        copied = deepcopy(next(lines.iter(qn(part))))
        if part == "c:tx":
            series.find(qn("c:order")).addnext(copied)
        else:
            series.append(copied)
    area.extend(deepcopy(axis) for axis in lines.iter(qn("c:axId")))
    lines.addprevious(area)


def _fill_solid(ground: Any) -> None:
    ground.solid()
    ground.fore_color.rgb = RGBColor.from_string(ACCENT)


def format_cell(made: Any, *, is_head: bool, is_number: bool) -> Any:
    """Format a cell of a table, without a background, and return its paragraph."""
    made.fill.background()
    made.margin_left = made.margin_right = Inches(CELL_PADDING)
    made.margin_top = made.margin_bottom = Inches(0.05)
    made.vertical_anchor = MSO_ANCHOR.BOTTOM if is_head else MSO_ANCHOR.TOP
    draw_bottom_border(made, 1.25 if is_head else 0.5, INK if is_head else LINE)
    paragraph = made.text_frame.paragraphs[0]
    paragraph.alignment = PP_ALIGN.RIGHT if is_number else PP_ALIGN.LEFT
    return paragraph


def draw_bottom_border(made: Any, width: float, colour: str) -> None:
    """Draw a border below a cell only. The schema wants borders before the fill."""
    properties = made._tc.get_or_add_tcPr()  # the library has no call for it
    none = "".join(f'<a:{side} w="0"><a:noFill/></a:{side}>' for side in ("lnL", "lnR", "lnT"))
    below = f'<a:lnB w="{int(width * 12700)}"><a:solidFill><a:srgbClr val="{colour}"/></a:solidFill></a:lnB>'
    holder = parse_xml(f"<a:tcPr {nsdecls('a')}>{none}{below}</a:tcPr>")
    for at, each in enumerate(list(holder)):
        properties.insert(at, each)
