"""Write a paper as GML, one block after the other, so that every prefix of the text can be shown."""

import json
from collections.abc import Iterator
from typing import assert_never

from intelli.citations.parse import tag
from intelli.deliverables.brief import Metric
from intelli.deliverables.gml.tree import encode, encode_attribute
from intelli.deliverables.paper import (
    Block,
    Bullets,
    Callout,
    Chart,
    Heading,
    Metrics,
    Numbered,
    Paper,
    Paragraph,
    QuoteBlock,
    Row,
    Runs,
    SourcesList,
    TableBlock,
    TextRun,
)


def write(paper: Paper) -> str:
    """Write the whole paper."""
    return "".join(pieces(paper))


def pieces(paper: Paper) -> Iterator[str]:
    """Write the paper block by block; joined, the pieces are the whole."""
    for block in paper.blocks:
        yield f"{_block(block)}\n"


def _block(block: Block) -> str:  # noqa: PLR0911  # one line for each block
    match block:
        case Heading():
            return f"<h{block.level}>{encode(block.text)}</h{block.level}>"
        case Paragraph():
            return f"<p>{_runs(block.runs)}</p>"
        case Bullets():
            return f"<ul>{_items(block.items)}</ul>"
        case Numbered():
            return f"<ol>{_items(block.items)}</ol>"
        case QuoteBlock():
            return f"<gml-blockquote>{_runs(block.runs)}</gml-blockquote>"
        case TableBlock():
            return _table(block)
        case Chart():
            return _chart(block)
        case Metrics():
            return "\n".join(_metric(metric) for metric in block.metrics)
        case Callout():
            opening = f'<gml-gradientinsightbox title="{encode_attribute(block.title)}">'
            return f"{opening}{_runs(block.runs)}</gml-gradientinsightbox>"
        case SourcesList():
            return "<gml-sources/>"
        case Row():
            return _row(block)
        case _:
            assert_never(block)


def _row(row: Row) -> str:
    primary = "\n".join(_block(block) for block in row.primary)
    sidebar = "\n".join(_block(block) for block in row.sidebar)
    return (
        f"<gml-row>\n<gml-primarycolumn>\n{primary}\n</gml-primarycolumn>\n"
        f"<gml-sidebarcolumn>\n{sidebar}\n</gml-sidebarcolumn>\n</gml-row>"
    )


def _items(items: tuple[Runs, ...]) -> str:
    return "".join(f"<li>{_runs(item)}</li>" for item in items)


def _table(table: TableBlock) -> str:
    header = "".join(f"<th>{encode(column)}</th>" for column in table.columns)
    rows = "".join(f"<tr>{''.join(f'<td>{_runs(cell)}</td>' for cell in row)}</tr>" for row in table.rows)
    return (
        f'<gml-table caption="{encode_attribute(table.caption)}"><table><thead><tr>{header}</tr></thead>'
        f"<tbody>{rows}</tbody></table></gml-table>"
    )


def _chart(chart: Chart) -> str:
    spec = encode(json.dumps(chart.spec, ensure_ascii=False, sort_keys=True, separators=(",", ":")))
    opening = f'<gml-chartcontainer alt="{encode_attribute(chart.alt)}" caption="{encode_attribute(chart.caption)}">'
    return f"{opening}{spec}{_citations(chart.citations)}</gml-chartcontainer>"


def _metric(metric: Metric) -> str:
    said = {
        "key": metric.key,
        "name": metric.name,
        "value": format(metric.value, "f"),
        "unit": metric.unit,
        "period": metric.period,
        "entity": metric.entity,
    }
    named = "".join(f' {name}="{encode_attribute(value)}"' for name, value in said.items() if value)
    cited = _citations((metric.citation,)) if metric.citation else ""
    return f"<gml-infoblockmetric{named}>{encode(metric.shown)}{cited}</gml-infoblockmetric>"


def _runs(runs: Runs) -> str:
    return "".join(_run(run) for run in runs)


def _run(run: TextRun) -> str:
    words = encode(run.text)
    if run.italic:
        words = f"<em>{words}</em>"
    if run.bold:
        words = f"<strong>{words}</strong>"
    if run.href is not None:
        words = f'<a href="{encode_attribute(run.href)}">{words}</a>'
    return words + _citations(run.citations)


def _citations(identifiers: tuple[str, ...]) -> str:
    return "".join(tag(identifier) for identifier in identifiers)
