"""Fixtures for tests of approvals: add documents, list pending changes, and decide on them."""

from typing import Any

import httpx
from tests.support.server import Person

Json = dict[str, Any]
SAVE = "What did revenue come to? Save the answer as notes/revenue.md"


async def put(person: Person, name: str, text: str, folder: str = "/notes") -> Json:
    """A text document in the library."""
    files = {"file": (name, text.encode(), "text/markdown")}
    answer = await person.client.post("/documents", files=files, data={"folder_path": folder})
    return answer.raise_for_status().json()


async def text_of(person: Person, document: Json) -> str:
    """The content of a document."""
    return (await person.client.get(f"/documents/{document['id']}/content")).raise_for_status().text


async def find(person: Person, name: str) -> Json | None:
    """The document of a name."""
    page = (await person.client.get("/documents", params={"name": name})).raise_for_status().json()
    return page["items"][0] if page["items"] else None


async def pending(person: Person) -> list[Json]:
    """What waits for a decision."""
    params = {"confirmation_status": "pending"}
    return (await person.client.get("/interactions", params=params)).raise_for_status().json()["items"]


async def decide(person: Person, interaction: Json, decision: str, **body: str) -> httpx.Response:
    """Approve or reject."""
    path = f"/interactions/{interaction['id']}/{decision}"
    return await person.client.post(path, json=body) if body else await person.client.post(path)
