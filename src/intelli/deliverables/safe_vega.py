"""Vega-Lite sanitizer: data inside, known marks and settings; no expression, no address, no link."""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

Spec = dict[str, Any]

INK, MUTED, GRID, AXIS, ACCENT = "#1b1c1e", "#5f6268", "#e3e3de", "#b8babf", "#1f5fbf"
PALETTE = [ACCENT, "#c96a1b", "#2f8560", "#7d55a8", "#b3261e", "#5f6b7a"]
_SANS = "Inter, Helvetica, Arial, sans-serif"
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
THEME: Spec = {
    "background": "white",
    "font": _SANS,
    "padding": 6,
    "view": {"stroke": None},
    "axis": {
        "labelColor": MUTED,
        "titleColor": MUTED,
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": 400,
        "gridColor": GRID,
        "domainColor": AXIS,
        "tickColor": AXIS,
        "labelPadding": 5,
        "labelLimit": 220,
    },
    "axisY": {"domain": False, "ticks": False},
    "axisX": {"grid": False},
    "title": {
        "fontSize": 14,
        "fontWeight": 600,
        "color": INK,
        "anchor": "start",
        "subtitleFontSize": 11,
        "subtitleColor": MUTED,
        "offset": 12,
        "subtitlePadding": 4,
        "limit": 560,
    },
    "line": {"strokeWidth": 2.5},
    "bar": {"cornerRadiusEnd": 2},
    "range": {"category": PALETTE},
}
# Titles and labels included, every chart is as wide as the others: their letters are of one size.
FITTED: Spec = {"type": "fit-x", "contains": "padding"}
# What is drawn where a chart cannot be.
EXCUSE: Spec = {
    "$schema": SCHEMA,
    "config": THEME,
    "width": 560,
    "height": 60,
    "data": {"values": [{"words": "This chart cannot be drawn."}]},
    "mark": {"type": "text", "color": MUTED, "fontSize": 12},
    "encoding": {"text": {"field": "words", "type": "nominal"}},
}

_MOST_ROWS = 2000
_MOST_FIELDS = 24
_MOST_LAYERS = 8
_MOST_DASHES = 8
_LONGEST = 500
_LARGEST_NUMBER = 1e300
_MARKS = {"bar", "line", "area", "point", "circle", "square", "tick", "rule", "rect", "arc", "text", "trail"}
_CHANNELS = {
    *("x", "y", "x2", "y2", "xOffset", "yOffset", "color", "fill", "stroke", "opacity", "size", "shape", "text"),
    *("theta", "radius", "order", "detail", "strokeDash"),
}
_MARK_KEYS = {
    *(
        "type",
        "color",
        "fill",
        "stroke",
        "opacity",
        "filled",
        "size",
        "point",
        "align",
        "baseline",
        "dx",
        "dy",
        "angle",
    ),
    *("fontSize", "fontWeight", "interpolate", "strokeWidth", "strokeDash", "innerRadius", "outerRadius", "padAngle"),
    *("cornerRadius", "cornerRadiusEnd", "orient", "thickness", "limit", "line"),
}
_AXIS_KEYS = {"title", "format", "labelAngle", "tickCount", "grid", "labels", "ticks", "domain", "orient", "values"}
_SCALE_KEYS = {"domain", "range", "zero", "nice", "type", "padding", "paddingInner", "paddingOuter", "reverse"}
_LEGEND_KEYS = {"title", "orient", "columns"}
_CHANNEL_SCALARS = {"field", "type", "title", "aggregate", "timeUnit", "format", "stack", "bin", "value", "datum"}
# A text beginning like this would be taken for what is fetched or computed by something, somewhere.
_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}|[a-z]{3,20}")
_SIZES = range(60, 1601)


def sanitize(spec: Mapping[str, Any]) -> Spec | None:
    """Return the spec with known settings only; None when that is no chart."""
    data = _data(spec.get("data"))
    kept = {**_view(spec), **_layers(spec), **_sized(spec), **_titled(spec.get("title"))}
    if data is None or not ({"mark", "layer"} & kept.keys()):
        return None
    return {"$schema": SCHEMA, "config": THEME, "autosize": FITTED, "data": data, **kept}


def _view(spec: Mapping[str, Any]) -> Spec:
    """Return mark and encoding of a chart, or of a layer of one."""
    kept: Spec = {}
    if (mark := _mark(spec.get("mark"))) is not None:
        kept["mark"] = mark
    if isinstance(encoding := spec.get("encoding"), Mapping):
        channels = {name: _channel(each) for name, each in encoding.items() if name in _CHANNELS}
        kept["encoding"] = {name: each for name, each in channels.items() if each}
    return {key: value for key, value in kept.items() if value or key == "encoding"}


def _layers(spec: Mapping[str, Any]) -> Spec:
    layers = spec.get("layer")
    kept = [layer for each in layers[:_MOST_LAYERS] if (layer := _layer(each))] if isinstance(layers, list) else []
    return {"layer": kept} if kept else {}


def _layer(layer: object) -> Spec:
    if not isinstance(layer, Mapping):
        return {}
    view = _view(layer)
    own = _data(layer.get("data")) if "data" in layer else None
    return {**view, **({"data": own} if own else {})} if "mark" in view else {}


def _data(data: object) -> Spec | None:
    values = data.get("values") if isinstance(data, Mapping) else None
    if not isinstance(values, list):
        return None
    rows = [_scalars(row) for row in values[:_MOST_ROWS] if isinstance(row, Mapping)]
    return {"values": rows} if rows else None


def _scalars(row: Mapping[str, Any]) -> Spec:
    return {key[:_LONGEST]: _cut(value) for key, value in list(row.items())[:_MOST_FIELDS] if _is_scalar(value)}


def _mark(mark: object) -> Spec | None:
    whole = {"type": mark} if isinstance(mark, str) else mark
    if not isinstance(whole, Mapping) or not isinstance(whole.get("type"), str) or whole["type"] not in _MARKS:
        return None
    kept = {key: _cut(value) for key, value in whole.items() if key in _MARK_KEYS and _is_mark_value(key, value)}
    bands = {key: band for key in ("width", "height") if (band := _band(whole.get(key))) is not None}
    return {**kept, **bands}


def _is_mark_value(key: str, value: object) -> bool:
    if key in {"color", "fill", "stroke"}:
        return isinstance(value, str) and _COLOUR.fullmatch(value) is not None
    return _is_scalar(value) or (isinstance(value, list) and len(value) <= _MOST_DASHES and all(map(_is_number, value)))


def _band(size: object) -> object:
    if isinstance(size, Mapping):
        band = size.get("band")
        return {"band": band} if _is_number(band) else None
    return size if _is_number(size) else None


def _channel(channel: object) -> Spec:
    if not isinstance(channel, Mapping):
        return {}
    kept = {key: _cut(value) for key, value in channel.items() if key in _CHANNEL_SCALARS and _is_scalar(value)}
    parts: dict[str, Callable[[object], object]] = {"axis": _axis, "scale": _scale, "legend": _legend, "sort": _sort}
    for key, keep in parts.items():
        if key in channel:
            kept[key] = keep(channel[key])
    return kept


def _axis(axis: object) -> object:
    return _plain(axis, _AXIS_KEYS)


def _scale(scale: object) -> object:
    return _plain(scale, _SCALE_KEYS) or {}


def _legend(legend: object) -> object:
    return _plain(legend, _LEGEND_KEYS)


def _sort(sort: object) -> object:
    if isinstance(sort, list):
        return [_cut(each) for each in sort[:_MOST_ROWS] if _is_scalar(each)]
    return sort if isinstance(sort, str) and sort in {"ascending", "descending", "x", "-x", "y", "-y"} else None


def _plain(part: object, keys: set[str]) -> Spec | None:
    """Return the settings that are scalars or lists of them; None, which turns the part off, for no mapping."""
    if not isinstance(part, Mapping):
        return None
    kept = {key: value for key, value in part.items() if key in keys}
    scalars = {key: _cut(value) for key, value in kept.items() if _is_scalar(value)}
    lists = {
        key: [_cut(each) for each in value[:_MOST_ROWS]]
        for key, value in kept.items()
        if isinstance(value, list) and all(_is_scalar(each) for each in value)
    }
    return {**scalars, **lists}


def _sized(spec: Mapping[str, Any]) -> Spec:
    kept: Spec = {}
    for key in ("width", "height"):
        size = spec.get(key)
        if isinstance(size, Mapping) and _is_number(size.get("step")):
            kept[key] = {"step": min(max(size["step"], 8), 80)}
        elif _is_number(size) and int(size) in _SIZES:
            kept[key] = size
    return {"width": 560, **kept}


def _titled(title: object) -> Spec:
    whole = {"text": title} if isinstance(title, str) else title
    if not isinstance(whole, Mapping) or not isinstance(whole.get("text"), str):
        return {}
    words = {key: whole[key][:_LONGEST] for key in ("text", "subtitle") if isinstance(whole.get(key), str)}
    return {"title": words}


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, str | bool) or _is_number(value)


def _is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a number that JSON can express and a drawing can show."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST_NUMBER


def _cut(value: object) -> object:
    return value[:_LONGEST] if isinstance(value, str) else value
