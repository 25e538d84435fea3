"""Makers for tests about memory: saying something, having it remembered, asking."""

from collections.abc import Sequence
from typing import Any

from tests.support.jobs import until_settled, working
from tests.support.server import Person

from intelli.app import App
from intelli.memory.jobs import JOBS

Json = dict[str, Any]
TEAM = "team"


def said(content: str, at: str | None = None, *, role: str = "Bo", role_type: str = "user", **more: Any) -> Json:
    """A message of someone at a time."""
    return {"content": content, "role": role, "role_type": role_type, **({"timestamp": at} if at else {}), **more}


async def add(person: Person, messages: Sequence[Json | str], *, group: str = TEAM, **more: Any) -> None:
    """Have messages remembered, some time."""
    told = [said(each) if isinstance(each, str) else each for each in messages]
    body = {"group_id": group, "messages": told, **more}
    answer = await person.client.post("/memory/messages", json=body)
    assert answer.status_code == 202, answer.text


async def work(app: App) -> None:
    """Let everything that waits be remembered."""
    async with working(app.db, *JOBS, parts=app.parts):
        await until_settled(app.db)


async def remember(app: App, person: Person, *messages: Json | str, group: str = TEAM) -> None:
    """Have messages remembered now."""
    await add(person, messages, group=group)
    await work(app)


async def ask(person: Person, query: str, *, group: str = TEAM, **more: Any) -> Json:
    """What memory has on a query."""
    answer = await person.client.post("/memory/search", json={"group_ids": [group], "query": query, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def facts(person: Person, query: str, **more: Any) -> list[str]:
    """The statements of the facts that memory has on a query."""
    return [fact["statement"] for fact in (await ask(person, query, **more))["facts"]]


async def get(person: Person, path: str, **params: Any) -> Json:
    """What memory shows."""
    return (await person.client.get(f"/memory/{path}", params=params)).raise_for_status().json()
