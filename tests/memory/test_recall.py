"""Runs recall what was said before, and cite the episode: exact characters of a record that stays."""

from uuid import UUID

from tests.conversations.makers import begin, exchange
from tests.memory.makers import ask, get, remember, said
from tests.support.jobs import until_settled
from tests.support.reasoner import PlainReasoner
from tests.support.runs import FakeLibrary, log_of, researching, until_rests
from tests.support.runs import ask as start
from tests.support.server import Person

from intelli.app import App
from intelli.kit.context import System
from intelli.memory.recall import find_excerpt
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.reasoners import FixedReasoners
from intelli.runs import replay
from intelli.runs.ports import RunReasoners

QUESTION = "Where does Ada Lovelace work?"
ADA = said("Ada Lovelace works for Globex Corp.", "2025-01-01T00:00:00Z")


async def mine(person: Person) -> str:
    return f"user:{(await person.me())['user']['id']}"


async def answered(app: App, person: Person, question: str = QUESTION, **more: object) -> dict[str, object]:
    async with researching(app, library=FakeLibrary({})):
        return await until_rests(person, await start(person, question, **more))


async def replay_of(app: App, run_id: UUID, person: Person) -> replay.ReplayResult:
    who = System(UUID((await person.me())["workspace"]["id"]), UUID((await person.me())["user"]["id"]))
    async with app.db.begin(who) as tx:
        recording = await replay.load(tx, run_id, max_tasks=app.settings.budget.max_tasks)
    return await replay.replay(recording, PlainReasoner())


async def citations(person: Person, run: dict[str, object]) -> list[dict[str, object]]:
    log = await log_of(person, run)
    message = log[-1]["event"]["message"]["id"]
    return (await person.client.get(f"/messages/{message}/citations")).raise_for_status().json()["items"]


async def test_a_run_recalls_an_episode_and_its_citation_resolves_to_the_very_characters(app: App, owner: Person):
    await remember(app, owner, ADA, said("The tower is 300 metres high."), group=await mine(owner))
    run = await answered(app, owner)
    assert "Globex" in run["agent_response"]
    (cited,) = await citations(owner, run)
    assert (cited["source_type"], cited["file_status"], cited["check"]) == ("memory", "active", "verified")
    assert cited["group_id"] == await mine(owner)
    episode = await get(owner, f"episodes/{cited['episode_id']}")
    record = (await owner.client.get(f"/artifacts/{cited['text_sha256']}/content")).raise_for_status().text
    assert record[cited["char_start"] : cited["char_end"]] == cited["quote"]
    assert cited["quote"] in episode["content"]
    again = await owner.client.post(f"/citations/{cited['id']}/recheck")
    assert again.json()["check"] == "verified"
    told = (await owner.client.delete(f"/memory/episodes/{cited['episode_id']}")).json()
    assert (told["episodes"], told["copies"]) == (1, 1)
    kept = (await citations(owner, run))[0]
    assert (kept["file_status"], kept["quote"]) == ("active", cited["quote"])


async def test_a_question_that_only_memory_answers_is_answered_with_the_later_of_two_values(app: App, owner: Person):
    """By the reasoner that needs no model, as it comes."""
    await remember(
        app,
        owner,
        said("Ada lives in Lisbon", role=""),
        said("The office opens at nine", role=""),
        said("My Zotero library has 45 sources", "2025-01-01T00:00:00Z", role=""),
        said("My Zotero library has grown to 52 sources", "2025-02-01T00:00:00Z", role=""),
    )
    asked = {
        "Where does Ada live?": "Ada lives in Lisbon",
        "When does the office open?": "The office opens at nine",
        "How many sources are in my Zotero library?": "My Zotero library has grown to 52 sources",
    }
    reasoner = ExtractiveReasoner()
    for question, words in asked.items():
        async with researching(
            app, library=FakeLibrary({}), parts={RunReasoners: RunReasoners(FixedReasoners(reasoner, reasoner))}
        ):
            run = await until_rests(owner, await start(owner, question))
        assert run["agent_response"].startswith(words), question
        assert "45 sources" not in run["agent_response"]
        (cited,) = await citations(owner, run)
        assert (cited["source_type"], cited["quote"]) == ("memory", words)


async def test_a_question_for_a_time_is_answered_with_what_held_then(app: App, owner: Person):
    await remember(
        app,
        owner,
        said("The price of the Falcon frame is 420 euros since February 2025.", "2025-02-01T00:00:00Z", role=""),
        said("The price of the Falcon frame is 455 euros since June 2025.", "2025-06-01T00:00:00Z", role=""),
        said("In March 2025 the Kestrel workshop repaired 12 bikes.", "2025-07-01T00:00:00Z", role=""),
    )
    asked = {
        "What was the price of the Falcon frame in March 2025?": "420 euros",
        "What was the price of the Falcon frame in August 2025?": "455 euros",
        "How many bikes did the Kestrel workshop repair in March 2025?": "12 bikes",
    }
    reasoner = ExtractiveReasoner()
    for question, words in asked.items():
        async with researching(
            app, library=FakeLibrary({}), parts={RunReasoners: RunReasoners(FixedReasoners(reasoner, reasoner))}
        ):
            run = await until_rests(owner, await start(owner, question))
        assert words in run["agent_response"]
        (cited,) = await citations(owner, run)
        assert words in cited["quote"]


async def test_what_is_recalled_from_a_persons_own_memory_stays_theirs(app: App, owner: Person, member: Person):
    await remember(app, owner, ADA, group=await mine(owner))
    run = await answered(app, owner)
    (cited,) = await citations(owner, run)
    listed = (await member.client.get("/artifacts", params={"limit": 200})).raise_for_status().json()["items"]
    assert cited["text_sha256"] not in {each["sha256"] for each in listed}
    path = f"/artifacts/{cited['text_sha256']}"
    assert (await member.client.get(path)).status_code == 404
    assert (await member.client.get(f"{path}/content")).status_code == 404
    other = await answered(app, member)
    assert "Globex" not in other["agent_response"]
    recording = await replay_of(app, UUID(run["id"]), owner)
    assert recording.is_same
    assert recording.different == ()


async def test_memory_gives_only_what_is_evidence_and_only_when_it_is_to_be_looked_at(app: App, owner: Person):
    told = said("Ada Lovelace works for Globex Corp.", role="", role_type="assistant")
    await remember(app, owner, told, said("Where does Ada Lovelace work?"), said("where does Ada work, at Globex Corp"))
    assert "Globex" not in (await answered(app, owner))["agent_response"]
    await remember(app, owner, ADA)
    (await owner.client.post("/folders", json={"name": "Reports"})).raise_for_status()
    aside = [await answered(app, owner, context=each) for each in ({"memory": False}, {"folders": ["/Reports"]})]
    assert ["Globex" in run["agent_response"] for run in aside] == [False, False]
    assert "Globex" in (await answered(app, owner))["agent_response"]


async def test_what_a_person_states_in_a_conversation_is_remembered_for_them_alone_and_no_question_or_answer_is(
    app: App, owner: Person, member: Person
):
    conversation = await begin(owner)
    async with researching(app):
        await exchange(owner, conversation, "Ada Lovelace works for Globex Corp. What did revenue come to?")
        await until_settled(app.db)
    group = await mine(owner)
    found = (await ask(owner, "Ada Lovelace revenue", group=group))["episodes"]
    assert [(each["role"], each["role_type"]) for each in found] == [("Owner", "user")]
    assert found[0]["content"] == "Owner(user): Ada Lovelace works for Globex Corp."
    assert all(each["source_description"] == f"conversation {conversation['id']}" for each in found)
    assert (await ask(member, "Ada Lovelace revenue", group=group))["episodes"] == []
    assert (await member.client.get(f"/memory/episodes/{found[0]['id']}")).status_code == 404


def test_a_long_text_is_recalled_where_it_has_the_words():
    filler = "Nothing of note happened on that day in the office. " * 60
    text = f"{filler}The copper contract was signed in Lima. {filler}"
    start_at, end_at = find_excerpt(text, "When was the copper contract signed?")
    assert "copper contract was signed in Lima" in text[start_at:end_at]
    assert end_at - start_at <= 1500
    assert find_excerpt("Short.", "anything") == (0, 6)
