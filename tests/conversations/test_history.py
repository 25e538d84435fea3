"""Reading a conversation back: all that belongs to a message, in three queries whatever the length."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event
from tests.conversations.makers import begin, exchange, history
from tests.support.runs import researching
from tests.support.server import Person

from intelli.app import App


@contextmanager
def counted(app: App) -> Iterator[list[str]]:
    """The statements that the app sends meanwhile, without the one that opens a transaction."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_more: Any) -> None:
        if statement.lstrip().lower().startswith("select") and "intelli_enter" not in statement:
            sent.append(statement)

    engine = app.db.engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(engine, "before_cursor_execute", note)


async def test_messages_come_with_their_citations_and_files_in_three_queries(app: App, owner: Person):
    conversation = await begin(owner)
    with counted(app) as sent:
        assert await history(owner, conversation) == []
    assert len(sent) <= 3
    async with researching(app):
        for number in range(3):
            await exchange(owner, conversation, f"What did revenue come to, part {number}?")
    with counted(app) as sent:
        messages = await history(owner, conversation)
    assert len(sent) == 3, sent
    answers = [each for each in messages if each["role"] == "agent"]
    assert len(answers) == 3
    for answer in answers:
        assert [each["message_id"] for each in answer["citations"]] == [answer["id"]]
        assert [each["file_name"] for each in answer["cited_files"]] == ["revenue.txt"]
        assert answer["has_async_entities_in_progress"] is False

    await _is_read_page_by_page(owner, conversation, [each["id"] for each in messages])


async def _is_read_page_by_page(owner: Person, conversation: dict[str, Any], ids: list[str]) -> None:
    path = f"/conversations/{conversation['id']}/messages"
    first = (await owner.client.get(path, params={"limit": 4})).json()
    rest = (await owner.client.get(path, params={"limit": 4, "cursor": first["next_cursor"]})).json()
    assert [each["id"] for each in [*first["items"], *rest["items"]]] == ids
    assert rest["next_cursor"] is None
