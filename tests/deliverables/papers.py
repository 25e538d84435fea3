"""Makers of briefs and papers: a small real-looking report, and one of any length."""

import hashlib
from datetime import date
from decimal import Decimal

from intelli.content.span import Span
from intelli.deliverables import charts
from intelli.deliverables.brief import Checked, Cited, DataBrief, Finding, ListedSource, Metric, Point, Series
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
    TableBlock,
    TextRun,
)

SOURCES = ("annual-report-2023.pdf", "fleet-survey.xlsx", "grid-study.docx")
QUOTES = (
    "Deliveries of electric trucks rose from 1,240 in 2019 to 8,450 in 2023.",
    "Charging at depots covers 71 % of the energy that the fleet uses.",
    "The operator expects the total cost of ownership to fall below that of diesel in 2026.",
    "A battery of 540 kWh gives a range of about 500 km in winter.",
    "Of 312 depots, 47 need a new connection to the grid.",
)
CHECKS: tuple[Checked, ...] = ("verified", "verified", "weak", "verified", "failed")


def sha256(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def source(number: int, name: str) -> ListedSource:
    return ListedSource(
        number=number,
        document_id=None,
        file_name=name,
        mime_type="application/pdf",
        sha256=sha256(name),
        url=f"/library/documents/{number}",
    )


def cited(number: int, quote: str, *, of: int, check: Checked = "verified") -> Cited:
    start = number * 1000
    name = SOURCES[of - 1] if of <= len(SOURCES) else str(of)
    return Cited(
        id=f"c{number}",
        identifier=Span(sha256(name), start, start + len(quote)).identifier,
        source=of,
        quote=quote,
        page=number + 3 if number % 2 else None,
        section="Results" if number % 3 else None,
        check=check,
        reason="The quote does not have “48”." if check == "failed" else "",
        char_start=start,
        char_end=start + len(quote),
        text_sha256=sha256(f"text of {name}"),
    )


CITED = tuple(cited(number, quote, of=number % 3 + 1, check=CHECKS[number]) for number, quote in enumerate(QUOTES))
IDS = tuple(each.identifier for each in CITED)

DELIVERIES = Series(
    key="deliveries",
    title="Electric trucks delivered",
    unit="Vehicles a year",
    points=tuple(
        Point(label=str(year), value=Decimal(value), citation=IDS[0])
        for year, value in zip(range(2019, 2024), (1240, 2110, 3980, 6020, 8450), strict=True)
    ),
)
DEPOTS = Series(
    key="depots",
    title="Depots by region",
    unit="Depots",
    points=tuple(
        Point(label=label, value=Decimal(value), citation=IDS[4])
        for label, value in (("North and Baltic coast", 118), ("West", 96), ("South", 61), ("East", 37))
    ),
)


def metric(name: str, shown: str, value: str, citation: str, *, period: str = "2023") -> Metric:
    return Metric(
        key=name,
        name=name,
        value=Decimal(value),
        unit="",
        period=period,
        entity="Fleet",
        shown=shown,
        citation=citation,
    )


def brief() -> DataBrief:
    return DataBrief(
        title="Electric trucks in regional freight",
        question="How far has the fleet been electrified, what does charging rest on, and what stands in the way?",
        summary=(Finding(text=QUOTES[0], citations=(IDS[0],)),),
        findings=tuple(Finding(text=quote, citations=(each,)) for quote, each in zip(QUOTES, IDS, strict=True)),
        metrics=(metric("Trucks delivered", "8,450", "8450", IDS[0]),),
        series=(DELIVERIES, DEPOTS),
        sources=tuple(source(number, name) for number, name in enumerate(SOURCES, start=1)),
        citations=CITED,
        made_on=date(2026, 11, 16),
        workspace="Freight desk",
    )


def chart(series: Series, *citations: str) -> Chart:
    return Chart(
        spec=charts.build_spec(series),
        caption=series.title,
        alt=f"{series.title}: {', '.join(f'{point.label} {point.value}' for point in series.points)}",
        citations=citations,
    )


def paper() -> Paper:
    blocks: tuple[Block, ...] = (
        Heading(level=1, text="Electric trucks in regional freight", id="title"),
        Heading(level=2, text="Summary", id="summary"),
        Paragraph(
            runs=(
                TextRun(text=QUOTES[0], citations=(IDS[0],)),
                TextRun(text=f" {QUOTES[1]}", citations=(IDS[1], IDS[2])),
            )
        ),
        Metrics(
            metrics=(
                metric("Trucks delivered", "8,450", "8450", IDS[0]),
                metric("Energy charged at depots", "71 %", "71", IDS[1]),
                metric("Depots that need a connection", "47 of 312", "47", IDS[4]),
                metric("Range in winter", "about 500 km", "500", IDS[3], period=""),
            )
        ),
        Heading(level=2, text="How far the fleet has been electrified", id="how-far"),
        Paragraph(
            runs=(
                TextRun(text="Deliveries grew in each year of the period. "),
                TextRun(text=QUOTES[0], citations=(IDS[0],)),
            )
        ),
        chart(DELIVERIES, IDS[0]),
        Heading(level=4, text="Range", id="range"),
        Paragraph(
            runs=(
                TextRun(text="Range is "),
                TextRun(text="no longer", bold=True),
                TextRun(text=" the first "),
                TextRun(text="concern", italic=True),
                TextRun(text=". "),
                TextRun(text=QUOTES[3], citations=(IDS[3],)),
            )
        ),
        QuoteBlock(runs=(TextRun(text=QUOTES[2], citations=(IDS[2],)),)),
        Heading(level=2, text="What charging rests on", id="charging"),
        Row(
            primary=(
                Paragraph(runs=(TextRun(text=QUOTES[1], citations=(IDS[1],)),)),
                Bullets(
                    items=(
                        (TextRun(text=QUOTES[4], citations=(IDS[4],)),),
                        (
                            TextRun(text="See the "),
                            TextRun(text="study", href="https://example.org/study"),
                            TextRun(text="."),
                        ),
                    )
                ),
            ),
            sidebar=(Callout(title="In short", runs=(TextRun(text=QUOTES[4], citations=(IDS[4],)),)),),
        ),
        TableBlock(
            caption="Depots and connections",
            columns=("Region", "Depots", "Need a connection"),
            rows=tuple(
                ((TextRun(text=region),), (TextRun(text=depots),), (TextRun(text=need, citations=(IDS[4],)),))
                for region, depots, need in (("North", "118", "12"), ("West", "96", "9"), ("South", "61", "15"))
            ),
        ),
        chart(DEPOTS, IDS[4]),
        Heading(level=2, text="Open questions", id="open"),
        Numbered(items=((TextRun(text="What does a connection cost?"),), (TextRun(text="Who pays for it?"),))),
    )
    return Paper(title="Electric trucks in regional freight", blocks=blocks)


def long_paper(sections: int = 20) -> tuple[DataBrief, Paper]:
    """Fifteen paragraphs, a table and a chart in each section, each paragraph with a citation of its own."""
    quotes = [
        f"In case {number} the yard used {number * 37 + 11} kWh on {number % 28 + 1} days."
        for number in range(sections * 15)
    ]
    all_cited = tuple(cited(number, quote, of=number % 3 + 1) for number, quote in enumerate(quotes))
    blocks: list[Block] = []
    for section in range(sections):
        blocks.append(Heading(level=2, text=f"Section {section + 1}", id=f"section-{section}"))
        for each in all_cited[section * 15 : section * 15 + 15]:
            filler = " ".join([each.quote] * 3)
            blocks.append(Paragraph(runs=(TextRun(text=filler, citations=(each.identifier,)),)))
        rows = tuple(((TextRun(text=f"Yard {row}"),), (TextRun(text=f"{row * 1234:,}"),)) for row in range(12))
        blocks.append(TableBlock(caption=f"Yards of section {section + 1}", columns=("Yard", "kWh"), rows=rows))
        points = tuple(
            Point(label=f"Yard {at}", value=Decimal(at * section + 3), citation=all_cited[0].identifier)
            for at in range(6)
        )
        series = Series(key=f"s{section}", title=f"Use in section {section + 1}", unit="kWh", points=points)
        blocks.append(chart(series, all_cited[0].identifier))
    whole = brief().model_copy(update={"citations": all_cited})
    return whole, Paper(title="A long report", blocks=tuple(blocks))
