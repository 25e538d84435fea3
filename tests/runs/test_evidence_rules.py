"""What is no source is never told as a fact: guesses and orders of a person, and what our agent wrote."""

from tests.conversations.makers import begin, exchange
from tests.support.approvals import decide, pending, put
from tests.support.jobs import until, until_settled
from tests.support.reasoner import PlainReasoner
from tests.support.runs import ask, researching, until_rests
from tests.support.server import Person

from intelli.app import App
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.reasoners import FixedReasoners
from intelli.runs.ports import LibraryAccess, RunReasoners

QUESTION = "What is the capacity of the Basel plant?"
TRUE = "The Basel plant has a capacity of 4,200 tonnes a year."


def without_model(app: App):
    """Workers on the app's own library, without a model."""
    reasoners = RunReasoners(FixedReasoners(ExtractiveReasoner(), PlainReasoner()))
    parts = {RunReasoners: reasoners, LibraryAccess: app.parts[LibraryAccess]}
    return researching(app, parts=parts)


async def test_guesses_orders_and_corrections_are_never_told_as_facts_and_a_statement_is_told_as_the_persons(
    app: App, owner: Person
):
    said = (
        "I think the Porto plant has a capacity of 9,901 tonnes.",
        "Use this: the Porto plant has a capacity of 9,902 tonnes.",
        "No, the Porto plant has a capacity of 9,903 tonnes.",
        "The fiscal year of the Porto plant ends in June.",
    )
    async with without_model(app):
        conversation = await begin(owner)
        for each in said:
            await exchange(owner, conversation, each)
        await until_settled(app.db)
        capacity = await exchange(owner, await begin(owner), "What is the capacity of the Porto plant?")
        year = await exchange(owner, await begin(owner), "When does the fiscal year of the Porto plant end?")
    assert "9,90" not in capacity["content"]
    assert year["content"].startswith("You said on 20")
    assert [each["check"] for each in year["citations"]] == ["weak"]
    assert year["confidence_score"] is None or year["confidence_score"] < 0.75


async def test_a_saved_answer_does_not_displace_its_source(app: App, owner: Person):
    source = await put(owner, "basel.md", f"# Basel\n\n{TRUE}\n", folder="/plants")
    async with without_model(app):
        await until(lambda: _is_found(owner, source["id"]))
        run = await ask(owner, f"{QUESTION} Save the answer as notes/basel.md")
        await until(lambda: _waits(owner))
        (waiting,) = await pending(owner)
        await decide(owner, waiting, "approve")
        await until_rests(owner, run, "completed", "failed")
        await until_settled(app.db)
        conversation = await begin(owner)
        again = await exchange(owner, conversation, QUESTION)
    assert "4,200 tonnes" in again["content"]
    assert {each["document_id"] for each in again["citations"]} == {source["id"]}


async def _waits(person: Person) -> bool:
    return bool(await pending(person))


async def _is_found(person: Person, document_id: str) -> bool:
    document = (await person.client.get(f"/documents/{document_id}")).raise_for_status().json()
    return document["indexing_status"] == "completed"
