"""Of messages that give different values for what is asked, the later one stands first, and nothing else moves."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from tests.memory.memory_server import MemoryServer, day, message

from intelli.memory import updates, values
from intelli.memory.relevance import Relevant
from intelli.memory.store.recall import ClaimedValue
from intelli.memory.updates import FoundMessage
from intelli.retrieval import analysis

_BEGIN = datetime(2025, 1, 1, tzinfo=UTC)


def said(*texts: str, role_type: str = "user", group_id: str = "team") -> list[FoundMessage]:
    """Messages, a day after each other."""
    return [
        FoundMessage(uuid4(), group_id, role_type, (_BEGIN + timedelta(days=n), n), text)
        for n, text in enumerate(texts)
    ]


def updated(query: str, messages: list[FoundMessage]) -> dict[int, int]:
    """Which messages later ones correct, by their places."""
    words = analysis.parse_query(query, ["en"])
    worth = {term: 1.0 for word in words for term in word.terms}
    found = updates.find_updates(messages, values.parse_value_query(query, words, worth), [])
    place = {each.id: n for n, each in enumerate(messages)}
    return {place[earlier]: place[later] for earlier, later in found.items()}


@pytest.mark.parametrize(
    ("query", "earlier", "later"),
    [
        (
            "How many commits are merged into the main branch?",
            "The release has 150 commits merged into the main branch.",
            "The commits merged into the main branch have now reached 165.",
        ),
        (
            "When is the meeting with the director?",
            "The meeting with the director is on April 21.",
            "The meeting with the director moved to April 22.",
        ),
        (
            "What is the test coverage?",
            "Test coverage is at 65%.",
            "Our test coverage recently improved to 78 percent.",
        ),
        (
            "What is the budget for the party?",
            "The budget for the party is $1,200.",
            "We raised the budget for the party to $1,500.",
        ),
        (
            "How many days a week do I work remotely?",
            "I work remotely two days a week.",
            "I now work remotely three days a week.",
        ),
    ],
)
def test_a_later_message_with_another_value_of_the_same_thing_is_an_update(query: str, earlier: str, later: str):
    assert updated(query, said(earlier, later)) == {0: 1}


@pytest.mark.parametrize(
    ("query", "earlier", "later"),
    [
        (
            "How many employees does the Berlin office have?",
            "The Berlin office has 42 employees.",
            "The Rome office now has 30 employees.",
        ),
        ("What is the test coverage?", "Test coverage is at 65%.", "Test coverage is still at 65%, I checked 3 times."),
        ("What is the test coverage?", "Test coverage is at 65%.", "We now have 12 people in the team."),
        (
            "How many days lie between the two releases?",
            "The first release was on May 3.",
            "The second release moved to May 9.",
        ),
        ("Why did the test coverage change?", "Test coverage is at 65%.", "Test coverage is now at 78%."),
    ],
)
def test_what_is_of_another_thing_or_says_the_same_or_is_not_asked_for_updates_nothing(
    query: str, earlier: str, later: str
):
    assert updated(query, said(earlier, later)) == {}


def test_neither_what_an_assistant_answered_nor_another_group_updates_anything():
    query, texts = "What is the test coverage?", ("Test coverage is at 65%.", "Test coverage is now at 78%.")
    assert updated(query, said(*texts, role_type="assistant")) == {}
    here, _ = said(*texts)
    _, there = said(*texts, group_id="other")
    assert updated(query, [here, there]) == {}


def test_claims_of_a_slot_with_one_value_update_by_their_own_time_and_not_by_when_they_were_said():
    first, second = said("She works for Globex.", "Back then she worked for Acme.")
    slot = uuid4()
    now = ClaimedValue(first.id, slot, "globex", (_BEGIN, 0, 0))
    then = ClaimedValue(second.id, slot, "acme", (_BEGIN - timedelta(days=900), 1, 0))
    assert updates.find_updates([first, second], None, [now, then]) == {second.id: first.id}
    assert updates.find_updates([first, second], None, [now]) == {}


def test_the_latest_takes_the_best_rank_and_no_other_rank_changes():
    messages = said("one", "two", "three", "four", "five")
    ids = [each.id for each in messages]
    found = [Relevant(each, 1 - n / 10) for n, each in enumerate([ids[1], ids[0], ids[3], ids[2], ids[4]])]
    ordered = updates.order_later_first(found, messages, {ids[1]: ids[3], ids[3]: ids[4]})
    assert [each.id for each in ordered] == [ids[4], ids[0], ids[3], ids[2], ids[1]]
    assert [each.relevance for each in ordered] == [each.relevance for each in found]
    assert updates.order_later_first(found, messages, {}) == found


@pytest.mark.asyncio(loop_scope="module")
async def test_search_tells_the_later_message_first_and_says_of_the_earlier_what_updates_it(server: MemoryServer):
    await server.tell(
        "updates",
        message("I secured 3 interviews for producer roles, is that a good sign for my resume?", at=day(1)),
        message("The weather in Lima was grey.", at=day(2)),
        message("Between you and me, I have now secured 5 interviews for my resume.", at=day(3)),
    )
    body = {"group_ids": ["updates"], "query": "How many interviews have I secured for producer roles?"}
    found = (await server.client.post("/memory/search", json=body)).json()["episodes"]
    by_text: dict[str, dict[str, UUID]] = {each["content"]: each for each in found}
    (earlier,) = (each for text, each in by_text.items() if "3 interviews" in text)
    assert "5 interviews" in found[0]["content"]
    assert (earlier["updated_by"], found[0]["updated_by"]) == (found[0]["id"], None)
