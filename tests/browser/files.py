"""Files for the browser to upload, and a library on the screen."""

import io
import re
from dataclasses import dataclass

import docx
import openpyxl
from playwright.async_api import FilePayload, Locator, expect
from tests.browser.person import Person

CSV = b"species,count,lake\nheron,14,north\ngrebe,9,south\nkingfisher,3,north\n"
_FONTS = "/Resources<</Font<</F1 3 0 R>>>>"


def pdf(*pages: str) -> bytes:
    """A PDF of these pages, one line of text a line."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {count}>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for number, page in enumerate(pages):
        shown = " ".join(f"({line}) Tj T*" for line in page.splitlines())
        stream = f"BT /F1 14 Tf 18 TL 72 720 Td {shown} ET"
        page_object = f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]{_FONTS}/Contents {5 + 2 * number} 0 R>>"
        objects += [page_object, f"<</Length {len(stream)}>>stream\n{stream}\nendstream"]
    return _assembled(objects)


def _assembled(objects: list[str]) -> bytes:
    file, places = "%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(file))
        file += f"{number} 0 obj{content}endobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = (
        f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{len(file)}\n%%EOF"
    )
    return (file + end).encode("latin-1")


def word(*paragraphs: str) -> bytes:
    """A Word document; the first paragraph is its heading."""
    document = docx.Document()
    document.add_heading(paragraphs[0], 1)
    for paragraph in paragraphs[1:]:
        document.add_paragraph(paragraph)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def workbook(**sheets: list[list[str | int]]) -> bytes:
    """A workbook of these sheets, each a list of rows."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def file(name: str, content: bytes) -> FilePayload:
    """A file as a person chooses it."""
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


@dataclass
class Shelf:
    """The library page of a person."""

    person: Person

    def __post_init__(self) -> None:
        # A chooser that opens before the driver listens is cancelled; one listener from the start keeps it listening.
        self.person.page.on("filechooser", lambda _: None)

    async def add(self, *files: FilePayload) -> None:
        """Choose files by the menu, and wait until each has been read."""
        async with self.person.page.expect_file_chooser() as choosing:
            await self.person.button("Add").click()
            await self.person.page.get_by_role("menuitem", name="Files…").click()
        await (await choosing.value).set_files(list(files))
        for each in files:
            await self.settled(each["name"])

    async def settled(self, name: str) -> None:
        """Wait until a file is ready, or has failed."""
        await expect(self.row(name)).to_contain_text(re.compile("Ready|Failed"))

    def row(self, name: str) -> Locator:
        return self.person.page.get_by_role("row").filter(has=self.entry(name))

    def entry(self, name: str) -> Locator:
        """The button that opens a row."""
        return self.person.page.locator("[data-row]").filter(has_text=name)

    async def more(self, name: str, act: str) -> None:
        """Choose from a row's menu."""
        await self.person.button(f"More for {name}").click()
        await self.person.page.get_by_role("menuitem", name=act).click()

    async def new_folder(self, name: str) -> None:
        await self.person.button("Add").click()
        await self.person.page.get_by_role("menuitem", name="New folder…").click()
        await expect(self.person.page.get_by_label("Name", exact=True)).to_be_focused()
        await self.person.page.keyboard.type(name)
        await self.person.page.keyboard.press("Enter")
        await expect(self.entry(name)).to_be_visible()
