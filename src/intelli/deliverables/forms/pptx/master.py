"""The slide master and its layouts: cover, title with points, title alone; wide, in our colours, fonts and positions.

What a slide does not say itself it has from here: who adds a slide, or changes the master, gets one look.
"""

import re
from typing import Any

from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.enum.text import MSO_ANCHOR
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Inches

from intelli.deliverables.forms.pptx import parts
from intelli.deliverables.forms.pptx.parts import Box

WIDTH, HEIGHT = 13.333, 7.5
LEFT, RIGHT, TOP = 0.75, 0.75, 1.75
INNER = WIDTH - LEFT - RIGHT
TITLE = Box(LEFT, 0.68, INNER, 0.95)
ABOVE = Box(LEFT, 0.4, INNER, 0.32)
BODY = Box(LEFT, TOP, INNER, 4.85)
COVER, CONTENT, TITLE_ONLY = 0, 1, 2
_KEPT = ("Title Slide", "Title and Content", "Title Only")
_COVER_TITLE, _COVER_LINE = Box(0.95, 1.6, 11, 2.1), Box(0.95, 3.9, 10.5, 0.8)
_FOOTER = {
    PP_PLACEHOLDER.DATE: Box(LEFT, 6.9, 2.5, 0.35),
    PP_PLACEHOLDER.FOOTER: Box(LEFT + 2.7, 6.9, 6.5, 0.35),
    PP_PLACEHOLDER.SLIDE_NUMBER: Box(WIDTH - RIGHT - 1, 6.9, 1, 0.35),
}
_COLOURS = {
    "dk1": parts.INK,
    "lt1": "FFFFFF",
    "dk2": parts.SOFT,
    "lt2": parts.TINT,
    "accent1": parts.ACCENT,
    "accent2": "5B8DD9",
    "accent3": parts.OK,
    "accent4": parts.WARN,
    "accent5": parts.FAINT,
    "accent6": parts.BAD,
    "hlink": parts.ACCENT,
    "folHlink": parts.SOFT,
}
_THEME_COLOUR = re.compile(rf"<a:({'|'.join(_COLOURS)})><a:[^<>]{{1,80}}/></a:\1>")


def create() -> Any:
    """Create a presentation without slides that has this master."""
    made = Presentation()
    made.slide_width, made.slide_height = Inches(WIDTH), Inches(HEIGHT)
    for layout in list(made.slide_layouts):
        if layout.name not in _KEPT:
            made.slide_layouts.remove(layout)
    _colour(made.slide_master)
    _style(made.slide_master)
    _place(made.slide_master)
    for layout in made.slide_layouts:
        _place(layout)
    _cover(made.slide_layouts[COVER])
    return made


def _colour(master: Any) -> None:
    """Set the colours of the theme; its fonts are those that every reader has."""
    theme = next(each.target_part for each in master.part.rels.values() if each.reltype.endswith("/theme"))
    blob = theme.blob.decode()
    blob = _THEME_COLOUR.sub(lambda old: f'<a:{old[1]}><a:srgbClr val="{_COLOURS[old[1]]}"/></a:{old[1]}>', blob)
    theme._blob = blob.replace('name="Office Theme"', 'name="Intelli"').encode()  # the library has no call for it


def _style(master: Any) -> None:
    """Set titles left and bold, and points with a bullet in the accent colour."""
    styles = master._element.find(qn("p:txStyles"))
    title = styles.find(f"{qn('p:titleStyle')}/{qn('a:lvl1pPr')}")
    title.set("algn", "l")
    title.find(qn("a:defRPr")).set("sz", "2800")
    title.find(qn("a:defRPr")).set("b", "1")
    for level, size in (("a:lvl1pPr", "2200"), ("a:lvl2pPr", "1800"), ("a:lvl3pPr", "1600")):
        body = styles.find(f"{qn('p:bodyStyle')}/{qn(level)}")
        body.find(qn("a:defRPr")).set("sz", size)
        bullet = parse_xml(f'<a:buClr {nsdecls("a")}><a:schemeClr val="accent1"/></a:buClr>')
        body.find(qn("a:buFont")).addprevious(bullet)
    styles.find(f"{qn('p:bodyStyle')}/{qn('a:lvl1pPr')}").set("marL", "257175")
    styles.find(f"{qn('p:bodyStyle')}/{qn('a:lvl1pPr')}").set("indent", "-257175")


def _place(sheet: Any) -> None:
    """Put the placeholders of a master or a layout where they belong on a wide slide."""
    for shape in sheet.placeholders:
        kind = shape.placeholder_format.type
        if kind is PP_PLACEHOLDER.TITLE:
            _put(shape, TITLE)
            shape.text_frame.vertical_anchor = MSO_ANCHOR.MIDDLE
            shape.text_frame.margin_left = shape.text_frame.margin_right = 0
        elif kind in {PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT}:
            _put(shape, BODY)
            shape.text_frame.margin_left = 0
        elif kind in _FOOTER:
            _put(shape, _FOOTER[kind])


def _cover(layout: Any) -> None:
    bar = layout.placeholders[0]._element.getparent()
    bar.append(
        parse_xml(
            f'<p:sp {nsdecls("p", "a")}><p:nvSpPr><p:cNvPr id="90" name="Bar"/><p:cNvSpPr/><p:nvPr userDrawn="1"/>'
            '</p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="0"/>'
            f'<a:ext cx="{Inches(0.28)}" cy="{Inches(HEIGHT)}"/></a:xfrm>'
            '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:solidFill><a:schemeClr val="accent1"/></a:solidFill>'
            "<a:ln><a:noFill/></a:ln></p:spPr></p:sp>"
        )
    )
    for shape in layout.placeholders:
        kind = shape.placeholder_format.type
        if kind is PP_PLACEHOLDER.CENTER_TITLE:
            _put(shape, _COVER_TITLE)
            shape.text_frame.vertical_anchor = MSO_ANCHOR.BOTTOM
            shape.text_frame.margin_left = 0
        elif kind is PP_PLACEHOLDER.SUBTITLE:
            _put(shape, _COVER_LINE)
            shape.text_frame.margin_left = 0
            for level in shape._element.iter(qn("a:lvl1pPr")):
                level.set("algn", "l")


def _put(shape: Any, box: Box) -> None:
    shape.left, shape.top, shape.width, shape.height = box.emu
