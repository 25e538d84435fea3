"""Charts: Vega-Lite specs with their data inside, drawn alike as SVG and PNG; untrusted specs are sanitised first."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any

from intelli.deliverables import assets, chart_axes, safe_svg, safe_vega
from intelli.deliverables.brief import Series
from intelli.deliverables.safe_vega import ACCENT, FITTED, INK, SCHEMA, THEME, Spec
from intelli.language import dates, periods

_VERSION = "6.4"
_WIDTH = 600
_HEIGHT = 260
_STEP = 26
_AROUND = 79
# A line through fewer points says less than bars do.
_LEAST_LINE = 4
_PERIOD = re.compile(
    rf"(?:FY\s?)?'?(?:{periods.YEAR}|21\d\d|\d\d)(?:[-/](?:0?[1-9]|1[0-2]))?(?:-\d\d)?"
    r"|(?:Q[1-4]|H[12])[\s/-]?(?:FY\s?)?\d{2,4}|(?:FY\s?)?\d{4}[\s/-]?(?:Q[1-4]|H[12])"
    rf"|(?:{'|'.join(name[:3] for name in dates.month_names('en'))})[a-z]*\.?,?\s(?:\d{{1,2}},?\s)?\d{{4}}",
    re.IGNORECASE,
)
_KEPT_DRAWINGS = 64
_NARROW = 330
_MOST_NAMED = 6
# A point between groups would be read as a decimal one, a narrow space is not.
_WITH_COMMAS = frozenset({"de", "es", "fr", "it", "nl", "pt", "ru"})
_GROUP = 3
_WITH_COMMA = str.maketrans({",": "\u202f", ".": ","})


@dataclass(frozen=True, slots=True)
class Plotted:
    """Data of a chart of ours, enough to draw it natively elsewhere. `kind` is line, column or bar."""

    kind: str
    labels: tuple[str, ...]
    values: tuple[float, ...]
    shown: tuple[str, ...]

    @property
    def plain(self) -> tuple[str, ...]:
        """The values in a notation that is read the same in every language."""
        return tuple(format_plain(Decimal(repr(value))) for value in self.values)


def build_spec(series: Series, language: str = "en") -> Spec:
    """Build the chart of a series: a line over many periods, columns over few, bars for anything else."""
    rows = [
        {"label": point.label, "value": float(point.value), "shown": format_value(point.value, language)}
        for point in series.points
    ]
    kind = kind_of([point.label for point in series.points])
    upright = _upright(rows, language)
    drawn = {"line": _line(rows, upright), "column": _columns(upright), "bar": _bars(rows)}[kind]
    subtitle = {"subtitle": series.unit} if series.unit else {}
    return {
        "$schema": SCHEMA,
        "config": THEME,
        "autosize": FITTED,
        "width": _WIDTH,
        "title": {"text": title_without_unit(series), **subtitle},
        "data": {"values": rows},
        **drawn,
    }


def title_without_unit(series: Series) -> str:
    """Return the title of a series without brackets that repeat its unit: "Revenue (in EUR)" → "Revenue"."""
    bare = re.sub(
        rf"(?:(?<!\s)\s++)?+[(\[]\s*+(?:in\s++)?{re.escape(series.unit)}\s*+[)\]]",
        "",
        series.title,
        flags=re.IGNORECASE,
    )
    return (bare.strip() or series.title) if series.unit else series.title


def kind_of(labels: Sequence[str]) -> str:
    """Choose how values with these labels are drawn: line, column or bar."""
    if not all(_PERIOD.fullmatch(label.strip()) for label in labels) or len(set(labels)) < len(labels):
        return "bar"
    return "line" if len(labels) >= _LEAST_LINE else "column"


def format_value(value: Decimal, language: str = "en") -> str:
    """Format a value in the notation of a language: digits grouped, no digit dropped."""
    written = f"{value:,f}"
    return written.translate(_WITH_COMMA) if language in _WITH_COMMAS else written


def format_plain(value: Decimal) -> str:
    """Format a value for all languages: no groups, and never exactly three decimals, which could be read as a group."""
    written = format(value, "f").removesuffix(".0")
    return f"{written}0" if len(written.partition(".")[2]) == _GROUP else written


def draw_svg(spec: Spec) -> str:
    """Draw a safe spec as SVG that can be embedded in HTML."""
    return _svg(json.dumps(spec, sort_keys=True))


def draw_png(spec: Spec, scale: float = 2.0) -> bytes:
    """Draw a safe spec as PNG."""
    drawer = _drawer()
    try:
        return bytes(drawer.vegalite_to_png(spec, _VERSION, scale=scale, allowed_base_urls=[]))
    except ValueError:
        return bytes(drawer.vegalite_to_png(safe_vega.EXCUSE, _VERSION, scale=scale, allowed_base_urls=[]))


def remove_title(spec: Spec) -> Spec:
    """Return the chart without its title, for use above a caption that repeats it; the unit stays."""
    unit = spec.get("title", {}).get("subtitle")
    bare = {key: value for key, value in spec.items() if key != "title"}
    small = {"fontSize": 11, "fontWeight": 400, "color": safe_vega.MUTED}
    return {**bare, "title": {"text": unit, **small}} if unit else bare


def narrow(spec: Spec, width: int = _NARROW) -> Spec:
    """Return the chart in the width of a phone, with letters of the same size; some of many periods are labelled."""
    plotted = find_plotted(spec)
    drawn = {**spec, "width": width}
    if plotted is None or plotted.kind == "bar" or len(plotted.labels) <= _MOST_NAMED:
        return drawn
    step = -(-len(plotted.labels) // _MOST_NAMED)
    encoding = spec["encoding"]
    axis = {**encoding["x"].get("axis", {}), "values": list(plotted.labels[::step])}
    return {**drawn, "encoding": {**encoding, "x": {**encoding["x"], "axis": axis}}}


def height_ratio(spec: Spec) -> float:
    """Estimate the height of a drawing divided by its width, with the text above and below it."""
    height, rows = spec.get("height", _HEIGHT), spec.get("data", {}).get("values", [])
    drawn = height["step"] * len(rows) if isinstance(height, dict) else height
    width = spec.get("width", _WIDTH)
    return float((drawn + _AROUND) / (width if isinstance(width, int | float) else _WIDTH))


def unit_or_title(spec: Spec) -> str:
    """Return the unit of a chart's values, or else its title."""
    title = spec.get("title", {})
    return str(title.get("subtitle") or title.get("text") or "")


def find_plotted(spec: Spec) -> Plotted | None:
    """Extract the data of a spec that `spec_of` made; None for any other spec."""
    layer, rows = spec.get("layer"), spec.get("data", {}).get("values")
    if not isinstance(layer, list) or not isinstance(rows, list) or not rows:
        return None
    if not all(isinstance(row, dict) and row.keys() == {"label", "value", "shown"} for row in rows):
        return None
    mark = layer[0].get("mark")
    is_lying = spec.get("encoding", {}).get("y", {}).get("field") == "label"
    drawn = mark.get("type") if isinstance(mark, dict) else mark
    kind = {"area": "line", "line": "line", "bar": "bar" if is_lying else "column"}.get(str(drawn))
    values = [row["value"] for row in rows]
    if kind is None or not all(isinstance(value, int | float) for value in values):
        return None
    labels, written = (tuple(str(row[key]) for row in rows) for key in ("label", "shown"))
    return Plotted(kind, labels, tuple(map(float, values)), written)


@lru_cache(maxsize=_KEPT_DRAWINGS)
def _svg(spec: str) -> str:
    drawer = _drawer()
    try:
        drawn = drawer.vegalite_to_svg(json.loads(spec), _VERSION, allowed_base_urls=[])
    except ValueError:
        drawn = drawer.vegalite_to_svg(safe_vega.EXCUSE, _VERSION, allowed_base_urls=[])
    return safe_svg.sanitize(drawn)


@cache
def _drawer() -> Any:
    """Import the drawing library and register our fonts. It starts an engine, so it is loaded at first use."""
    import vl_convert

    fonts = assets.font_directory()
    if fonts is not None:
        vl_convert.register_font_directory(str(fonts))
    return vl_convert


def _bars(rows: list[dict[str, Any]]) -> Spec:
    room = chart_axes.widen_scale([row["value"] for row in rows], [row["shown"] for row in rows])
    ends = {"left": [row for row in rows if row["value"] < 0], "right": [row for row in rows if row["value"] >= 0]}
    said = {"left": _labels({"align": "right", "dx": -5}), "right": _labels({"align": "left", "dx": 5})}
    return {
        "height": {"step": _STEP},
        "encoding": {
            "y": {"field": "label", "type": "nominal", "sort": None, "title": None},
            "x": {"field": "value", "type": "quantitative", "title": None, "axis": None, **room},
        },
        "layer": [
            {"mark": {"type": "bar", "color": ACCENT, "height": {"band": 0.68}}},
            *({"data": {"values": some}, **said[side]} for side, some in ends.items() if some),
        ],
    }


def _columns(upright: Spec) -> Spec:
    return {
        "height": _HEIGHT,
        "encoding": upright,
        "layer": [
            {"mark": {"type": "bar", "color": ACCENT, "width": {"band": 0.5}}},
            _labels({"baseline": "bottom", "dy": -5}),
        ],
    }


def _line(rows: list[dict[str, Any]], upright: Spec) -> Spec:
    ends = {"data": {"values": [rows[0], rows[-1]]}}
    return {
        "height": _HEIGHT,
        "encoding": upright,
        "layer": [
            {"mark": {"type": "area", "color": ACCENT, "opacity": 0.1}},
            {"mark": {"type": "line", "color": ACCENT}},
            {"mark": {"type": "point", "color": ACCENT, "filled": True, "size": 45, "opacity": 1}},
            {**ends, **_labels({"baseline": "bottom", "dy": -9, "fontWeight": 600})},
        ],
    }


def _upright(rows: list[dict[str, Any]], language: str) -> Spec:
    axis = {"labelAngle": 0, "values": chart_axes.choose_labels([row["label"] for row in rows])}
    # The drawing library groups with a comma, which is a decimal one there.
    ungrouped = {"format": "~f"} if language in _WITH_COMMAS else {}
    return {
        "x": {"field": "label", "type": "ordinal", "sort": None, "title": None, "axis": axis},
        "y": {"field": "value", "type": "quantitative", "title": None, "axis": {"tickCount": 5, **ungrouped}},
    }


def _labels(where: dict[str, Any]) -> Spec:
    return {
        "mark": {"type": "text", "fontSize": 11, "color": INK, **where},
        "encoding": {"text": {"field": "shown", "type": "nominal"}},
    }
