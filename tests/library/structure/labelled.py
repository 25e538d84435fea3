"""Documents made for the tests, with what each of their pieces and tables is. Lines name a kind and the first words."""

import io

import docx
import openpyxl
import pptx
from pptx.util import Inches
from tests.library.extraction.pdfs import Sheet, make_pdf, paragraph, show

REPORT_MD = """# Annual Report 2024

Nordhaven Logistics AG, Hamburg

## Contents

- [1. Revenue](#1-revenue)
- [2. Risks](#2-risks)

## 1. Revenue

Revenue rose to EUR 857.1 million
in the financial year 2024.

Table 1: Revenue by segment, in EUR million

| Segment | 2023 | 2024 |
| --- | ---: | ---: |
| Logistics | 560.1 | 612.4 |
| Freight | 230.0 | 244.7 |
| Total | 790.1 | 857.1 |

## 2. Risks

- Fuel prices may rise.
- One customer stands for 18 % of revenue.

```
x = 1
```

## References

Smith, A. (2020). Freight in Europe.
"""
REPORT_LABELS = """
title # Annual Report 2024
paragraph Nordhaven Logistics AG
heading ## Contents
contents - [1. Revenue]
heading ## 1. Revenue
paragraph Revenue rose to
caption Table 1: Revenue
table | Segment
heading ## 2. Risks
list_item - Fuel
list_item - One customer
code ```
heading ## References
reference Smith
"""

MAIL = b"""From: Ingrid Solheim <ingrid@nordhaven.example>
To: Tom Berg <tom@nordhaven.example>
Date: Fri, 14 Mar 2025 09:30:00 +0000
Subject: Delivery of the cranes

Hello Tom,

The cranes arrive on 3 April at Pier 4.

Kind regards,
Ingrid Solheim
Head of Operations

On 12 March 2025 Tom Berg wrote:
> When do the cranes arrive?
> We need two days of notice.
"""
MAIL_LABELS = """
title Delivery of the cranes
mail_header From: Ingrid
paragraph Hello Tom
paragraph The cranes arrive
signature Kind regards
quoted_reply On 12 March
quoted_reply > When
"""

NOTES_TXT = """FRAMEWORK SUPPLY AGREEMENT

between Nordhaven Logistics AG and Kranbau Meyer GmbH

1. Term

The agreement runs for three years.

- Cranes are delivered to Pier 4.
- Spare parts are delivered to Pier 5.

Item      Price   Pieces
Crane     120.5   2
Hook      12.0    40
"""
NOTES_LABELS = """
title FRAMEWORK SUPPLY
paragraph between Nordhaven
heading 1. Term
paragraph The agreement
list_item - Cranes
list_item - Spare
table Item
"""

PAGE_HTML = """<html><body><nav><a href="/">Home</a></nav><h1>Harbour statistics</h1>
<p>The harbour handled 3.4 million tonnes in 2024.</p>
<figure><img src="a.png" alt=""><figcaption>The harbour from above</figcaption></figure>
<table><tr><th>Year</th><th>Cargo (million tonnes)</th></tr><tr><td>2023</td><td>3.1</td></tr>
<tr><td>2024</td><td>3.4</td></tr></table>
<pre>x = 1</pre><ul><li>Pier 4 was closed in May.</li></ul><footer>Imprint and privacy</footer></body></html>"""
PAGE_LABELS = """
furniture Home
title Harbour statistics
paragraph The harbour handled
caption The harbour from above
table Year
code x = 1
list_item - Pier 4
furniture Imprint
"""

# A table on a page: an empty cell leaves no trace in the text, but a gap on paper.
_ROWS = (
    (700, ("", "2022", "2023", "2024")),
    (684, ("Germany", "10.5", "11.5", "12.5")),
    (668, ("Czechia", "", "", "47.2")),
    (652, ("Poland", "3.5", "", "4.5")),
    (636, ("Austria", "1.5", "2.5", "3.5")),
)
_EDGES = (60, 220, 320, 420)


def report_pdf() -> bytes:
    """Three pages: contents, a page with a table, and one with a footnote; each with a running head and its number."""
    contents = show("Annual Report 2024", 60, 740, size=24, font="F2")
    contents += show("Contents", 60, 700, size=16, font="F2") + b"".join(
        show(f"{title} {'. ' * 40}{page}", 60, y)
        for y, title, page in ((660, "1 Revenue", 2), (640, "2 Risks", 2), (620, "3 Outlook", 3))
    )
    table = b"".join(show(cell, x, y) for y, row in _ROWS for x, cell in zip(_EDGES, row, strict=True) if cell)
    second = show("Table 1: Revenue by country, in EUR million", 60, 724, font="F2") + table
    second += paragraph(
        ["The revenue of the group rose in each of its markets, as the", "customers ordered more than"], 60, 500
    )
    third = paragraph(
        ["in the year before. The outlook for the next year is good, and", "the board expects growth.*"], 60, 700
    )
    third += paragraph(["* Growth without currency effects."], 60, 90, size=8)
    sheets = []
    for number, content in enumerate((contents, second, third), 1):
        head, foot = show("Nordhaven Logistics AG", 60, 770, size=8), show(f"Page {number}", 500, 30, size=8)
        sheets.append(Sheet(head + content + foot))
    return make_pdf(*sheets)


PDF_LABELS = """
furniture Nordhaven
title Annual Report 2024
heading Contents
contents 1 Revenue
furniture Page 1
furniture Nordhaven
caption Table 1: Revenue
table 2022
paragraph The revenue of
furniture Page 2
furniture Nordhaven
paragraph in the year before
footnote * Growth
furniture Page 3
"""


def report_docx() -> bytes:
    """A Word document with a running head and built-in styles."""
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Nordhaven Logistics AG"
    document.add_heading("Annual Report 2024", 0)
    document.add_heading("Revenue", 1)
    document.add_paragraph("Revenue rose in 2024.")
    document.add_paragraph("Table 1: Revenue, in TEUR", style="Caption")
    table = document.add_table(rows=3, cols=3)
    for row, cells in zip(table.rows, _SMALL_TABLE, strict=True):
        for cell, words in zip(row.cells, cells, strict=True):
            cell.text = words
    document.add_paragraph("Fuel prices may rise.", style="List Bullet")
    return _saved(document)


DOCX_LABELS = """
furniture Nordhaven
title Annual Report 2024
heading Revenue
paragraph Revenue rose
caption Table 1: Revenue
table Segment
list_item
"""
_SMALL_TABLE = (("Segment", "2023", "2024"), ("Logistics", "560.1", "612.4"), ("Freight", "230.0", "244.7"))


def slides_pptx() -> bytes:
    """A title slide, and one with points, a table and notes for the speaker."""
    slides = pptx.Presentation()
    slides.slide_width, slides.slide_height = Inches(10), Inches(7.5)
    first = slides.slides.add_slide(slides.slide_layouts[0])
    first.shapes.title.text = "Strategy 2030"
    second = slides.slides.add_slide(slides.slide_layouts[1])
    second.shapes.title.text = "Goals"
    second.placeholders[1].text = "Grow in Poland\nClose Pier 4"
    frame = second.shapes.add_table(3, 3, Inches(1), Inches(5), Inches(6), Inches(1))
    for number, cells in enumerate(_SMALL_TABLE):
        for column, words in enumerate(cells):
            frame.table.cell(number, column).text = words
    second.notes_slide.notes_text_frame.text = "Poland is the largest market."
    return _saved(slides)


PPTX_LABELS = """
title Strategy 2030
heading Goals
list_item Grow in Poland
list_item Close Pier 4
table Segment
paragraph Poland is
"""


def sales_xlsx() -> bytes:
    """A sheet with a title over its table, and a sum below it."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Sales"
    for row in (
        ("Revenue in EUR million",),
        *_SMALL_TABLE[:1],
        ("Logistics", 560.1, 612.4),
        ("Freight", 230, 244.7),
        ("Sum", 790.1, 857.1),
    ):
        sheet.append(row)
    return _saved(book)


XLSX_LABELS = """
heading Sales
table Revenue in EUR million
"""


def _saved(made: object) -> bytes:
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()
