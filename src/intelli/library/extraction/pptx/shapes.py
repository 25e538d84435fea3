"""Shapes of a slide with their boxes in points, in reading order: the title first, then down, then across."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from intelli.library.extraction.model import Box
from intelli.library.extraction.xml import XmlElement, child, children_of, local_name

_EMU_PER_PT = 12_700
_LINE_PT = 16  # shapes whose tops differ by less count as one line
_TITLES = {"title", "ctrTitle"}
_FURNITURE = {"dt", "ftr", "sldNum", "hdr"}
Boxes = Mapping[tuple[str, str], Box]


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape that is no group. `role` is that of its placeholder, empty if it is none."""

    element: XmlElement
    box: Box | None
    role: str = ""

    @property
    def is_title(self) -> bool:
        """Whether it is the title of the slide."""
        return self.role in _TITLES

    @property
    def is_furniture(self) -> bool:
        """Whether it is a date, footer or slide number."""
        return self.role in _FURNITURE


@dataclass(frozen=True, slots=True)
class _Frame:
    """Transform from the coordinates inside a group to those of the slide."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    shift_x: float = 0.0
    shift_y: float = 0.0

    def to_slide(self, box: Box) -> Box:
        x0, y0, x1, y1 = box
        return (
            x0 * self.scale_x + self.shift_x,
            y0 * self.scale_y + self.shift_y,
            x1 * self.scale_x + self.shift_x,
            y1 * self.scale_y + self.shift_y,
        )


def in_reading_order(tree: Iterable[XmlElement], inherited: Boxes) -> list[Shape]:
    """Return the shapes of a slide, sorted; a placeholder without a box of its own gets that of the layout."""
    shapes = list(_walk(tree, _Frame(), inherited))
    return sorted(shapes, key=_rank)


def placeholder_boxes(tree: Iterable[XmlElement]) -> dict[tuple[str, str], Box]:
    """Map role and index to the box of each placeholder of a layout."""
    found: dict[tuple[str, str], Box] = {}
    for shape in _walk(tree, _Frame(), {}):
        placeholder = _placeholder(shape.element)
        if placeholder is not None and shape.box is not None:
            role, index = placeholder.get("type") or "obj", placeholder.get("idx") or ""
            found.setdefault((role, index), shape.box)
            found.setdefault(("", index), shape.box)
            found.setdefault((role, ""), shape.box)
    return found


def _rank(shape: Shape) -> tuple[int, int, float]:
    if shape.box is None:
        return (0 if shape.is_title else 1, 0, 0.0)
    x0, y0, _, _ = shape.box
    return (0 if shape.is_title else 1, int(y0 // _LINE_PT), x0)


def _walk(tree: Iterable[XmlElement], frame: _Frame, inherited: Boxes) -> Iterator[Shape]:
    for element in tree:
        name = local_name(element)
        if name == "grpSp":
            yield from _walk(element, _group_frame(element, frame), inherited)
        elif name == "AlternateContent":
            content = children_of(element, "Choice") or children_of(element, "Fallback")
            yield from _walk(content, frame, inherited)
        elif name in ("sp", "graphicFrame", "cxnSp", "pic", "contentPart"):
            yield _shape(element, frame, inherited)


def _shape(element: XmlElement, frame: _Frame, inherited: Boxes) -> Shape:
    placeholder = _placeholder(element)
    own = _box(child(element, "spPr", "xfrm")) or _box(child(element, "xfrm"))
    if placeholder is None:
        return Shape(element, frame.to_slide(own) if own else None)
    role, index = placeholder.get("type") or "obj", placeholder.get("idx") or ""
    box = own or inherited.get((role, index)) or inherited.get(("", index) if index else (role, ""))
    return Shape(element, frame.to_slide(box) if box else None, role)


def _placeholder(element: XmlElement) -> XmlElement | None:
    for holder in element:
        if local_name(holder).startswith("nv"):
            return child(holder, "nvPr", "ph")
    return None


def _box(transform: XmlElement | None) -> Box | None:
    offset, extent = child(transform, "off"), child(transform, "ext")
    if offset is None or extent is None:
        return None
    x, y, width, height = _emu(offset, "x"), _emu(offset, "y"), _emu(extent, "cx"), _emu(extent, "cy")
    return (x, y, x + width, y + height)


def _emu(element: XmlElement, name: str) -> float:
    text = element.get(name) or "0"
    return int(text) / _EMU_PER_PT if text.lstrip("-").isdecimal() and len(text) < 15 else 0.0


def _group_frame(group: XmlElement, frame: _Frame) -> _Frame:
    transform = child(group, "grpSpPr", "xfrm")
    outer = _box(transform)
    offset, extent = child(transform, "chOff"), child(transform, "chExt")
    if outer is None or offset is None or extent is None:
        return frame
    outer = frame.to_slide(outer)
    width, height = _emu(extent, "cx"), _emu(extent, "cy")
    scale_x = (outer[2] - outer[0]) / width if width else 1.0
    scale_y = (outer[3] - outer[1]) / height if height else 1.0
    return _Frame(scale_x, scale_y, outer[0] - _emu(offset, "x") * scale_x, outer[1] - _emu(offset, "y") * scale_y)
