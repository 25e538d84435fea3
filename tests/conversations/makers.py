"""Makers for tests about conversations: beginning one, asking in it, reading it."""

from typing import Any

from tests.support.runs import until_rests
from tests.support.server import Person

Json = dict[str, Any]
REVENUE = "What did revenue come to?"
STAFF = "How many people were employed?"


async def begin(person: Person, **body: Any) -> Json:
    """Begin a conversation."""
    return (await person.client.post("/conversations", json=body)).raise_for_status().json()


async def say(person: Person, conversation: Json, content: str = REVENUE, *, key: str = "", **more: Any) -> Json:
    """Say something in a conversation: the message and its run."""
    headers = {"Idempotency-Key": key} if key else {}
    body = {"content": content, **more}
    answer = await person.client.post(f"/conversations/{conversation['id']}/messages", json=body, headers=headers)
    assert answer.status_code == 202, answer.text
    return answer.json()


async def exchange(person: Person, conversation: Json, content: str = REVENUE, **more: Any) -> Json:
    """Ask and wait until the run rests; the answer."""
    asked = await say(person, conversation, content, **more)
    await until_rests(person, asked["run"])
    return (await history(person, conversation))[-1]


async def history(person: Person, conversation: Json, **params: Any) -> list[Json]:
    """All messages of a conversation."""
    answer = await person.client.get(f"/conversations/{conversation['id']}/messages", params=params)
    return answer.raise_for_status().json()["items"]


async def show(person: Person, conversation: Json) -> Json:
    """A conversation as it stands."""
    return (await person.client.get(f"/conversations/{conversation['id']}")).raise_for_status().json()


async def listed(person: Person, **params: Any) -> list[Json]:
    """Conversations, as the list has them."""
    return (await person.client.get("/conversations", params=params)).raise_for_status().json()["items"]
