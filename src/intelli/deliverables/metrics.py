"""Figures and series of a brief, limited to those whose values and units agree with their quotes."""

import re
from decimal import Decimal

from intelli.citations import prove
from intelli.citations.wire import Check
from intelli.deliverables import prose, quantities
from intelli.deliverables.brief import Metric, Point, Series
from intelli.deliverables.column_names import readable
from intelli.deliverables.kinds import sections
from intelli.deliverables.paper import Block, Metrics, Paper
from intelli.deliverables.quantities import Quantity
from intelli.deliverables.quote_citations import QuoteCitations
from intelli.reasoning.verbs.tabulate import DataTables

_MOST_METRICS = 12
_UNFIT = re.compile(r"[^a-z0-9]+")


def metrics(data: DataTables, quoting: QuoteCitations) -> tuple[Metric, ...]:
    """Figures that stand in their quotes, in the scale that those give them; each once, none that fails its check."""
    found: dict[str, Metric] = {}
    for each in data.metrics:
        read = quantities.read(each.value, each.quote, each.unit, around=quoting.around(each.identifier))
        cited = quoting.cite(each.identifier, each.value, each.quote) if read is not None else None
        if read is None or cited is None:
            continue
        metric = Metric(
            key=key(each.name, each.period, each.entity, read.unit, str(len(found))),
            name=each.name,
            value=read.value,
            unit=read.unit,
            period=each.period,
            entity=each.entity,
            shown=read.shown,
            citation=cited,
        )
        said = "|".join((metric.name.lower(), metric.period, metric.entity, metric.shown))
        if said not in found and _passes_check(metric, quoting):
            found[said] = metric
    return tuple(found.values())[:_MOST_METRICS]


def series(data: DataTables, quoting: QuoteCitations) -> tuple[Series, ...]:
    """Series whose points are all numbers of one unit, and stand in their quotes.

    One scale for all is the series' unit; several are made one.
    """
    found: list[Series] = []
    for each in data.series:
        read = [
            quantities.of_point(point.value, point.quote, around=quoting.around(point.identifier))
            for point in each.points
        ]
        values = [quantity for quantity in read if quantity is not None]
        marks = [quoting.cite(point.identifier, point.value, point.quote) for point in each.points]
        if len(values) < len(read) or None in marks or len({quantity.unit.casefold() for quantity in values}) > 1:
            continue
        scales = {quantities.scale_of(quantity.shown) for quantity in values}
        exponent, unit = _scaled(each.unit, values, scales)
        points = tuple(
            Point(label=point.label, value=_at(quantity.value, exponent), citation=mark or "")
            for point, quantity, mark in zip(each.points, values, marks, strict=True)
        )
        named = key(each.title, each.unit, str(len(found)))
        made = Series(key=named, title=each.title, unit=unit, points=points)
        if _passes_check(made, quoting):
            found.append(made)
    return tuple(found)


def _scaled(unit: str, values: list[Quantity], scales: set[int | None]) -> tuple[int, str]:
    """By which power of ten the values of a series are told smaller, and the unit with the word for it."""
    bare = quantities.unit_of(unit) or values[0].unit
    if scales == {None}:
        return 0, quantities.tidy(unit) or bare
    if len(scales) > 1:
        return 0, bare
    (scale,) = scales
    is_told = quantities.scale_of(unit) == scale
    words = quantities.tidy(unit) if is_told else f"{quantities.scale_word(values[0].shown)} {bare}".strip()
    return scale or 0, words


def _at(value: Decimal, exponent: int) -> Decimal:
    return quantities.plain(value.scaleb(-exponent))


def _passes_check(part: Metric | Series, quoting: QuoteCitations) -> bool:
    """Return whether a figure, or every value of a series, is in the words it cites: none is shown that would fail."""
    paper = Paper(title="", blocks=(_as_block(part),))
    checked = prove.examine(prose.citing_of(paper), quoting.material())
    return all(each.check is not Check.FAILED for each in checked)


def _as_block(part: Metric | Series) -> Block:
    """Return the card or chart of a figure or series, as readers see it."""
    if isinstance(part, Metric):
        return Metrics(metrics=(part.model_copy(update={"name": readable(part.name)}),))
    return sections.chart(part.model_copy(update={"title": readable(part.title)}))


def key(*parts: str) -> str:
    """A name for a part of a brief, made of what it is called."""
    return "-".join(filter(None, (_UNFIT.sub("-", part.lower()).strip("-") for part in parts)))[:80]
