"""A small library to check texts against, and checks of them."""

import io
from typing import Any

import docx
from tests.support.jobs import until
from tests.support.server import Person

REPORT = """# Annual report 2025

Revenue of Nordwind came to 412.7 million euros in 2025. The company employed 1,204 people at the end of the year.

The board did not propose a dividend for 2025. The largest risk is the price of copper.
"""
BERICHT = """# Gesch\u00e4ftsbericht 2025

Der Umsatz der Nordwind AG betrug 2025 rund 412,7 Millionen Euro.
Zum Jahresende besch\u00e4ftigte das Unternehmen 1.204 Mitarbeiter.
"""
MEMO = """Dear colleagues,

Results of Nordwind

Revenue of Nordwind came to 412.7 million euros in 2025. Revenue of Nordwind came to 512.7 million euros in 2025.
Giraffes sleep for two hours a night. What should we do next?

Kind regards
"""
Json = dict[str, Any]


async def add(person: Person, name: str, content: str | bytes, folder: str = "/reports") -> Json:
    """Add a document to the library."""
    body = content.encode() if isinstance(content, str) else content
    answer = await person.client.post("/documents", files={"file": (name, body)}, data={"folder_path": folder})
    return answer.raise_for_status().json()


async def until_read(person: Person) -> None:
    """Wait until every document can be found."""

    async def is_read() -> bool:
        items = (await person.client.get("/documents")).raise_for_status().json()["items"]
        return all(each["indexing_status"] in {"completed", "failed"} for each in items)

    await until(is_read)


async def start(person: Person, **asked: Any) -> Json:
    """Start a check."""
    return (await person.client.post("/checks", json=asked)).raise_for_status().json()


async def start_with_file(person: Person, name: str, content: bytes, **fields: str) -> Json:
    """Start a check of a file."""
    answer = await person.client.post("/checks/file", files={"file": (name, content)}, data=fields)
    return answer.raise_for_status().json()


async def show(person: Person, check: Json) -> Json:
    """Return a check as the API shows it now."""
    return (await person.client.get(f"/checks/{check['id']}")).raise_for_status().json()


async def until_ended(person: Person, check: Json) -> Json:
    """Wait until a check has ended; return it."""

    async def has_ended() -> bool:
        return (await show(person, check))["status"] in {"completed", "failed", "cancelled"}

    await until(has_ended)
    return await show(person, check)


def verdicts(check: Json) -> dict[str, str]:
    """The verdict of each statement by its words."""
    return {each["text"]: each["verdict"] for each in check["statements"]}


def word_file(*paragraphs: str) -> bytes:
    """A Word file with a heading, paragraphs of which each has a bold word, and a table."""
    document = docx.Document()
    document.add_heading("Memo", level=1)
    for words in paragraphs:
        first, _, rest = words.partition(" ")
        paragraph = document.add_paragraph()
        paragraph.add_run(f"{first} ").bold = True
        paragraph.add_run(rest)
    saved = io.BytesIO()
    document.save(saved)
    return saved.getvalue()


def long_text() -> str:
    """About fifty pages of prose."""
    counted = "In the year {} the harbour of Bergen counted {} ships."
    sentences = [counted.format(1500 + number, 7000 + number) for number in range(2400)]
    return "\n\n".join(" ".join(sentences[at : at + 8]) for at in range(0, len(sentences), 8))
