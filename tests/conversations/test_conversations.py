"""Conversations themselves: begun, found again, changed by one hand at a time, shared and deleted."""

import pytest
from sqlalchemy import func, select
from tests.conversations.makers import begin, history, listed, say, show
from tests.support.server import Person

from intelli.app import App
from intelli.conversations.store import messages
from intelli.kit.context import WorkspaceLister


async def test_a_conversation_is_begun_changed_and_deleted(owner: Person):
    about = {"initialization_context": "folder", "initialization_path": "/"}
    made = await owner.client.post("/conversations", json=about)
    conversation = made.json()
    assert (made.status_code, made.headers["ETag"]) == (201, '"1"')
    assert {key: conversation[key] for key in ("title", *about)} == {"title": None, **about}
    change = {"title": " Copper ", "is_pinned": True}
    changed = await owner.client.patch(f"/conversations/{conversation['id']}", json=change, headers={"If-Match": '"1"'})
    assert (changed.json()["title"], changed.json()["version"], changed.headers["ETag"]) == ("Copper", 2, '"2"')
    stale = await owner.client.patch(
        f"/conversations/{conversation['id']}", json={"title": "Tin"}, headers={"If-Match": '"1"'}
    )
    assert (stale.status_code, stale.json()["code"], stale.json()["current"]) == (409, "stale_version", 2)
    gone = await owner.client.delete(f"/conversations/{conversation['id']}", headers={"If-Match": '"1"'})
    assert gone.status_code == 409
    assert (await owner.client.delete(f"/conversations/{conversation['id']}")).status_code == 204
    assert (await owner.client.get(f"/conversations/{conversation['id']}")).json()["code"] == "conversation_not_found"


async def test_lists_are_by_activity_and_page_by_page(owner: Person):
    one, two, three = [await begin(owner, title=title) for title in ("One", "Two", "Three")]
    await say(owner, one)
    assert [each["title"] for each in await listed(owner)] == ["One", "Three", "Two"]
    page = (await owner.client.get("/conversations", params={"limit": 2})).json()
    rest = await listed(owner, limit=2, cursor=page["next_cursor"])
    assert [each["id"] for each in [*page["items"], *rest]] == [one["id"], three["id"], two["id"]]
    await owner.client.patch(f"/conversations/{two['id']}", json={"is_archived": True})
    await owner.client.patch(f"/conversations/{three['id']}", json={"is_pinned": True})
    assert [each["title"] for each in await listed(owner)] == ["One", "Three"]
    assert [each["title"] for each in await listed(owner, archived=True)] == ["Two"]
    assert [each["title"] for each in await listed(owner, pinned=True)] == ["Three"]
    assert [each["title"] for each in await listed(owner, pinned=False)] == ["One"]


async def test_a_search_finds_titles_and_messages_by_the_beginnings_of_words(owner: Person):
    first, second = await begin(owner, title="Metals"), await begin(owner)
    await say(owner, second, "What is the price of Kupferdraht (412.7) in 東京都の港?")
    found = await listed(owner, q="kupfer 412")
    assert [(each["id"], each["excerpt"]) for each in found] == [
        (second["id"], "What is the price of Kupferdraht (412.7) in 東京都の港?")
    ]
    assert [each["id"] for each in await listed(owner, q="meta")] == [first["id"]]
    assert [each["id"] for each in await listed(owner, q="都の")] == [second["id"]]
    assert await listed(owner, q="kupfer tin") == []
    for odd in ("'", "& | !", "a' | 'b", "\\", "<->", ":*", "((", "x" * 300, "%", "\U0001f600"):
        assert (await owner.client.get("/conversations", params={"q": odd})).status_code == 200, odd


async def test_a_colleague_reads_what_is_shared_and_changes_nothing(app: App, owner: Person, member: Person):
    conversation = await begin(owner, title="Ours")
    asked = await say(owner, conversation)
    path = f"/conversations/{conversation['id']}"
    assert (await member.client.get(path)).status_code == 404
    assert await listed(member, shared=True) == []
    await owner.client.patch(path, json={"is_shared": True})
    name = (await owner.me())["user"]["name"]
    assert [(each["title"], each["user_name"]) for each in await listed(member, shared=True)] == [("Ours", name)]
    assert (await show(member, conversation))["user_name"] == name
    assert await listed(member, shared=True, q="our") != []
    assert await listed(member) == await listed(owner, shared=True) == []
    assert [each["content"] for each in await history(member, conversation)] == [asked["message"]["content"]]
    for refused in (
        await member.client.patch(path, json={"title": "Mine"}),
        await member.client.delete(path),
        await member.client.post(f"{path}/messages", json={"content": "Me too?"}),
        await member.client.post(f"/messages/{asked['message']['id']}/retry"),
    ):
        assert (refused.status_code, refused.json()["code"]) == (403, "not_your_conversation")
    assert (await show(owner, conversation))["title"] == "Ours"
    await owner.client.patch(path, json={"is_shared": False})
    assert (await member.client.get(f"{path}/messages")).status_code == 404


async def test_each_reader_has_one_opinion_of_a_message_and_may_change_it(owner: Person, member: Person):
    conversation = await begin(owner)
    message = (await say(owner, conversation))["message"]
    path = f"/messages/{message['id']}/feedback"
    assert (await member.client.put(path, json={"rating": "thumbs_up"})).status_code == 404
    await owner.client.patch(f"/conversations/{conversation['id']}", json={"is_shared": True})
    assert (await member.client.put(path, json={"rating": "thumbs_up"})).json() == {"rating": "thumbs_up", "text": None}
    down = {"rating": "thumbs_down", "text": "Not the year I asked for."}
    for body in ({"rating": "thumbs_up"}, down):
        assert (await owner.client.put(path, json=body)).status_code == 200
    assert (await history(owner, conversation))[0]["feedback"] == down
    assert (await history(member, conversation))[0]["feedback"] == {"rating": "thumbs_up", "text": None}
    assert (await owner.client.delete(path)).status_code == 204
    assert (await history(owner, conversation))[0]["feedback"] is None


@pytest.mark.parametrize("piece", ["a_b_", "1_", "1-a-", "~/", "<!--", "a.b/", "&a", "-1"])
async def test_the_words_of_any_message_are_read_in_linear_time(app: App, owner: Person, piece: str):
    """Four times the text would take sixteen times as long if it were not."""
    best = dict[int, float]()
    async with app.db.begin(WorkspaceLister()) as tx:
        for size in (25_000, 100_000):
            words = messages.build_search_vector(piece * (size // len(piece)))
            taken = select(
                func.length(words), func.extract("epoch", func.clock_timestamp() - func.statement_timestamp())
            )
            best[size] = min([float((await tx.session.execute(taken)).one()[1]) for _ in range(3)])
    assert best[100_000] < 8 * best[25_000] + 0.2


async def test_a_message_of_one_endless_word_is_found_by_its_beginning(owner: Person):
    conversation = await begin(owner)
    await say(owner, conversation, "copper_tin_" * 1000)
    assert [each["id"] for each in await listed(owner, q="copper")] == [conversation["id"]]
