"""Draws the picture of the architecture, light and dark, from the lists below.

`make contracts` writes both files, and the tests compare them and hold the rooms against the import rules.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Box:
    """A rectangle with a name and a line below it; `steps` are the numbers of the walks that pass it."""

    name: str
    note: str
    steps: tuple[int, ...] = ()


@dataclass(frozen=True)
class Step:
    """A step of a walk: the box where it happens, and what happens there."""

    place: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Theme:
    """The colours of one picture."""

    ink: str
    soft: str
    line: str
    paper: str
    raised: str
    document: str
    question: str
    on_badge: str


CLIENTS = (
    Box("Browser", "the React UI"),
    Box("Terminal", "cli, the commands"),
    Box("Programs", "HTTP and event streams"),
)
EDGES = (Box("web", "HTTP, streams, the built UI"), Box("worker", "background jobs, in turn"))
# The last row first: what a room may use stands below it or to its left.
ROOMS = (
    (Box("runs", "plan, research, answer, check: told as events", (5,)),),
    (
        Box("memory", "facts with two clocks"),
        Box("deliverables", "reports, sites, slides", (8,)),
        Box("checks", "any text, checked"),
    ),
    (
        Box("entities", "what runs found"),
        Box("citations", "bound, checked", (7,)),
        Box("conversations", "messages", (4,)),
    ),
    (Box("library", "folders, versions, texts", (2,)), Box("retrieval", "words and vectors, fused", (3,))),
    (
        Box("content", "bytes under their hash", (1,)),
        Box("reasoning", "a model, or none", (6,)),
        Box("models", "which of them thinks"),
    ),
    (Box("audit", "a sealed log", (9,)), Box("identity", "people, keys, rights")),
    (Box("kit", "database, jobs, blobs, processes"), Box("language", "words, numbers, dates, negation")),
)
STORES = (Box("PostgreSQL", "rows, queue, events, vectors"), Box("Blobs", "a directory or a bucket"))
OUTSIDE = Box("Model endpoint", "optional, any OpenAI-compatible")
DOCUMENT = (
    Step("content", ("stores the bytes once,", "under their hash.")),
    Step("library", ("reads them in a process", "without network: text, pages,", "the place of every word.")),
    Step("retrieval", ("indexes the passages by", "their words and meaning.")),
)
QUESTION = (
    Step("conversations", ("takes the message; a run", "begins in one transaction.")),
    Step("runs", ("plans and searches, side by", "side; each step is kept, so", "a crash loses nothing.")),
    Step("reasoning", ("writes the answer: a model,", "or sentences of the sources.")),
    Step("citations", ("binds every citation to exact", "characters and checks it.")),
    Step("deliverables", ("makes report, site, slides or", "document from one brief.")),
    Step("audit", ("has an entry of every change.",)),
)
LIGHT = Theme("#1c2024", "#60646c", "#c9ced6", "#ffffff", "#f6f8fa", "#0f7b6c", "#2f5fc4", "#ffffff")
DARK = Theme("#edeef0", "#a8b0ba", "#444c56", "#0d1117", "#171d26", "#4fc3ae", "#8ab4f8", "#0d1117")

_WIDTH, _HEIGHT = 880, 716
_LEFT, _COLUMN, _GAP = 16.0, 548.0, 12.0
_PANEL_X, _PANEL_WIDTH = 604.0, 260.0
_ROW, _ROW_GAP = 50.0, 8.0
_CLIENTS_Y, _EDGES_Y, _ROOMS_Y, _STORES_Y = 14.0, 96.0, 176.0, 652.0
_FONT = "-apple-system, 'Segoe UI', Inter, Helvetica, Arial, sans-serif"


def pictures() -> dict[str, str]:
    """Returns the text of each file, by its name in docs/images."""
    return {"architecture.svg": _svg(LIGHT), "architecture-dark.svg": _svg(DARK)}


def _svg(theme: Theme) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
        f' font-family="{_FONT}" role="img" aria-label="{escape(_spoken())}">'
    )
    return "\n".join([head, *_Picture(theme).draw(), "</svg>", ""])


def _spoken() -> str:
    """Says the picture in a sentence, for those who do not see it."""
    rooms = ", ".join(box.name for row in reversed(ROOMS) for box in row)
    return f"Clients reach web and worker, which use the rooms, in this order: {rooms}. Below are PostgreSQL and blobs."


class _Picture:
    """Draws all of it in the colours of a theme."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme

    def draw(self) -> Iterator[str]:
        theme = self._theme
        yield f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="12" fill="{theme.paper}"/>'
        yield from self._row(CLIENTS, _CLIENTS_Y)
        yield from self._requests()
        yield from self._row(EDGES, _EDGES_Y)
        yield from self._arrows(EDGES, _EDGES_Y + _ROW, _ROOMS_Y)
        yield from self._rooms()
        yield from self._arrows(STORES, self._rooms_end, _STORES_Y)
        yield from self._row(STORES, _STORES_Y)
        yield from self._panel()
        yield from self._outside()

    @property
    def _rooms_end(self) -> float:
        return self._room_y(len(ROOMS)) + _GAP - _ROW_GAP

    @staticmethod
    def _room_y(row: int) -> float:
        return _ROOMS_Y + 30 + row * (_ROW + _ROW_GAP)

    def _rooms(self) -> Iterator[str]:
        theme = self._theme
        yield self._rect(_LEFT, _ROOMS_Y, _COLUMN, self._rooms_end - _ROOMS_Y, fill=theme.raised)
        rule = "Rooms: each may use those below it and to its left"
        yield self._text(_LEFT + _GAP, _ROOMS_Y + 20, rule, size=13, fill=theme.soft)
        for number, boxes in enumerate(ROOMS):
            yield from self._row(boxes, self._room_y(number), x=_LEFT + _GAP, width=_COLUMN - 2 * _GAP)

    def _row(self, boxes: Sequence[Box], y: float, x: float = _LEFT, width: float = _COLUMN) -> Iterator[str]:
        each = (width - _GAP * (len(boxes) - 1)) / len(boxes)
        for number, box in enumerate(boxes):
            yield from self._box(box, x + number * (each + _GAP), y, each)

    def _box(self, box: Box, x: float, y: float, width: float, *, dashed: bool = False) -> Iterator[str]:
        theme = self._theme
        yield self._rect(x, y, width, _ROW, fill=theme.paper, dashed=dashed)
        yield self._text(x + 12, y + 21, box.name, size=14, weight=600)
        yield self._text(x + 12, y + 39, box.note, size=12, fill=theme.soft)
        for step in box.steps:
            yield from self._badge(x + width - 17, y + 16, step)

    def _panel(self) -> Iterator[str]:
        theme = self._theme
        end = self._rooms_end
        yield self._rect(_PANEL_X, _CLIENTS_Y, _PANEL_WIDTH, end - _CLIENTS_Y, fill=theme.raised)
        y = _CLIENTS_Y + 27
        number = 1
        for title, steps in (("The walk of a document", DOCUMENT), ("The walk of a question", QUESTION)):
            yield self._text(_PANEL_X + 14, y, title, size=14, weight=600, fill=self._colour(number))
            y += 25
            for step in steps:
                yield from self._badge(_PANEL_X + 24, y - 4, number)
                yield self._text(_PANEL_X + 42, y, step.place, size=13, weight=600)
                for line in step.lines:
                    y += 17
                    yield self._text(_PANEL_X + 42, y, line, size=12.5, fill=theme.soft)
                y += 22
                number += 1
            y += 10

    def _outside(self) -> Iterator[str]:
        """The one thing that need not be there, and the way to it from the room that knows it."""
        row = next(number for number, boxes in enumerate(ROOMS) if any(box.name == "reasoning" for box in boxes))
        start, turn = _LEFT + _COLUMN - _GAP, _PANEL_X - 20
        y, end = self._room_y(row) + _ROW / 2, _STORES_Y + _ROW / 2
        path = f"M{_n(start)} {_n(y)}H{_n(turn)}V{_n(end)}H{_n(_PANEL_X - 3)}"
        yield self._line(path, ' stroke-dasharray="4 4"')
        yield self._head(_PANEL_X - 1, end, "right")
        yield from self._box(OUTSIDE, _PANEL_X, _STORES_Y, _PANEL_WIDTH, dashed=True)

    def _arrows(self, boxes: Sequence[Box], top: float, bottom: float) -> Iterator[str]:
        """Draws an arrow down from, or to, the middle of each box of a row."""
        for x in _middles(boxes):
            yield self._line(f"M{_n(x)} {_n(top + 3)}V{_n(bottom - 5)}")
            yield self._head(x, bottom - 2, "down")

    def _requests(self) -> Iterator[str]:
        """Draws how all clients come to the first of the edges; the other one takes its work from the queue."""
        top, middle, target = _CLIENTS_Y + _ROW, (_CLIENTS_Y + _ROW + _EDGES_Y) / 2, _middles(EDGES)[0]
        places = _middles(CLIENTS)
        yield from (self._line(f"M{_n(x)} {_n(top + 3)}V{_n(middle)}") for x in places)
        yield self._line(f"M{_n(places[0])} {_n(middle)}H{_n(places[-1])}")
        yield self._line(f"M{_n(target)} {_n(middle)}V{_n(_EDGES_Y - 5)}")
        yield self._head(target, _EDGES_Y - 2, "down")

    def _line(self, path: str, more: str = "") -> str:
        return f'<path d="{path}" fill="none" stroke="{self._theme.soft}" stroke-width="1.3"{more}/>'

    def _head(self, x: float, y: float, way: str) -> str:
        points = {"down": ((0, 0), (-4, -7), (4, -7)), "right": ((0, 0), (-7, -4), (-7, 4))}[way]
        drawn = " ".join(f"{_n(x + dx)},{_n(y + dy)}" for dx, dy in points)
        return f'<polygon points="{drawn}" fill="{self._theme.soft}"/>'

    def _badge(self, x: float, y: float, step: int) -> Iterator[str]:
        yield f'<circle cx="{_n(x)}" cy="{_n(y)}" r="9.5" fill="{self._colour(step)}"/>'
        yield self._text(x, y + 4.2, str(step), size=12, weight=700, fill=self._theme.on_badge, anchor="middle")

    def _colour(self, step: int) -> str:
        return self._theme.document if step <= len(DOCUMENT) else self._theme.question

    def _rect(self, x: float, y: float, width: float, height: float, *, fill: str, dashed: bool = False) -> str:
        stroke = f'stroke="{self._theme.line}"' + (' stroke-dasharray="4 4"' if dashed else "")
        return (
            f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="8" fill="{fill}" {stroke}/>'
        )

    def _text(
        self, x: float, y: float, text: str, *, size: float, weight: int = 400, fill: str = "", anchor: str = "start"
    ) -> str:
        look = f'font-size="{_n(size)}" font-weight="{weight}" fill="{fill or self._theme.ink}" text-anchor="{anchor}"'
        return f'<text x="{_n(x)}" y="{_n(y)}" {look}>{escape(text, quote=False)}</text>'


def _middles(boxes: Sequence[Box]) -> list[float]:
    """Returns where the middles of the boxes of a row are."""
    each = (_COLUMN - _GAP * (len(boxes) - 1)) / len(boxes)
    return [_LEFT + number * (each + _GAP) + each / 2 for number in range(len(boxes))]


def _n(number: float) -> str:
    """Writes a number with no more digits than a picture needs."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
