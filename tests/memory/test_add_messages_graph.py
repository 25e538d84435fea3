"""Adding messages, criteria 16 to 31: context, extraction and resolution with a model, one write, communities."""

from datetime import timedelta

import psycopg
import pytest
from tests.memory.memory_server import MemoryServer, Script, day, fact, message, named
from tests.support.jobs import until

from intelli.reasoning.verbs.extract import Attribute, ExtractedFacts, NamedThing
from intelli.reasoning.verbs.resolve import Resolution, ResolveInput, Same

pytestmark = pytest.mark.asyncio(loop_scope="module")


def _says(script: Script, text: str, *things: NamedThing, facts: tuple[object, ...] = ()) -> str:
    script.things[text] = ExtractedFacts(things=things, facts=facts)  # type: ignore[arg-type]  # made by `fact`
    return text


def _lives(script: Script, who: str, where: str, **told: str) -> str:
    text = f"{who} lives in {where}."
    things = (*named(who), *named(where, kind="place"))
    return _says(script, text, *things, facts=(fact(who, "lives in", where, text, **told),))


async def test_criterion_16_explicit_previous_episodes_are_the_context(thinking_desk: MemoryServer, script: Script):
    await thinking_desk.tell("c16", *(message(f"Said {number}.", at=day(number)) for number in range(1, 8)))
    episodes = await thinking_desk.rows("memory_episodes", "c16", order="seq")
    chosen = [str(episodes[0].id), str(episodes[2].id)]
    await thinking_desk.tell("c16", message("And now?", at=day(9)), previous_episode_ids=chosen)
    assert [passage.identifier for passage in script.asked[-1].before] == chosen  # type: ignore[union-attr]
    await thinking_desk.tell("c16", message("And then?", at=day(9)), previous_episode_ids=[])
    assert script.asked[-1].before == ()  # type: ignore[union-attr]


async def test_criterion_16_a_previous_episode_of_another_group_fails_the_job(thinking_desk: MemoryServer):
    await thinking_desk.tell("c16-x", "Said there.")
    (episode,) = await thinking_desk.rows("memory_episodes", "c16-x")
    await thinking_desk.tell("c16-y", "Said here.", previous_episode_ids=[str(episode.id)])
    assert (await thinking_desk.group("c16-y"))["dead_letters"][0]["code"] == "memory_episode_not_found"


async def test_criterion_17_else_the_last_messages_before_the_timestamp_of_the_same_group_are(
    thinking_desk: MemoryServer, script: Script
):
    await thinking_desk.tell("c17-other", message("Elsewhere.", at=day(4)))
    await thinking_desk.tell("c17", *(message(f"Said {number}.", at=day(number)) for number in range(1, 11)))
    await thinking_desk.tell("c17", message("Meanwhile?", at=day(8) + timedelta(hours=1)))
    before = [passage.text for passage in script.asked[-1].before]  # type: ignore[union-attr]
    assert before == [f"Uma(user): Said {number}." for number in (5, 6, 7, 8)]


async def test_criteria_18_and_20_no_entities_and_no_relations_are_fine(thinking_desk: MemoryServer):
    await thinking_desk.tell("c18", "Hm.", "", "\u2026")
    assert len(await thinking_desk.rows("memory_episodes", "c18")) == 3
    assert await thinking_desk.nodes("c18") == {}
    assert await thinking_desk.facts("c18") == []


async def test_criteria_19_21_and_24_duplicates_are_found_remapped_and_linked(
    thinking_desk: MemoryServer, script: Script
):
    await thinking_desk.tell("c19", message(_lives(script, "Robert Smith", "Rome"), at=day(1)))
    text = _lives(script, "Robert J. Smith", "Paris")
    script.resolved[text] = Resolution(same=(Same(name="Robert J. Smith", known="Robert Smith"),))
    await thinking_desk.tell("c19", message(text, at=day(5)))
    nodes = await thinking_desk.nodes("c19")
    assert nodes["Robert J. Smith"].merged_into == nodes["Robert Smith"].id
    (link,) = await thinking_desk.rows("memory_duplicates", "c19")
    assert (link.node_id, link.duplicate_of) == (nodes["Robert J. Smith"].id, nodes["Robert Smith"].id)
    assert await thinking_desk.facts("c19") == [
        ("Robert Smith", "lives_in", "Rome", day(1), day(5)),
        ("Robert Smith", "lives_in", "Paris", day(5), None),
    ]


async def test_names_that_differ_in_a_code_are_not_even_asked_about(thinking_desk: MemoryServer, script: Script):
    await thinking_desk.tell("codes", message(_lives(script, "Unit Alpha 7", "Rome")))
    await thinking_desk.tell("codes", message(_lives(script, "Unit Alpha 8", "Rome")))
    assert not [each for each in script.asked if isinstance(each, ResolveInput) and "Unit" in each.passage.text]
    assert {"Unit Alpha 7", "Unit Alpha 8"} <= set(await thinking_desk.nodes("codes"))


async def test_all_ways_to_write_a_name_make_one_node(thinking_desk: MemoryServer, script: Script):
    for name in ("Ada Byron", "ada byron", "  ADA  BYRON ", "\u201cAda Byron\u201d", "Ada Byron's"):
        await thinking_desk.tell("ways", message(_says(script, f"Here is {name}!", *named(name))))
    assert len(await thinking_desk.nodes("ways")) == 1
    assert len(await thinking_desk.rows("memory_mentions", "ways")) == 5


async def test_criterion_22_relations_are_accepted_or_invalidated_with_a_reason(
    thinking_desk: MemoryServer, script: Script
):
    await thinking_desk.tell("c22", message(_lives(script, "Ada", "Rome"), at=day(1)))
    await thinking_desk.tell("c22", message(_lives(script, "Ada", "Oslo"), at=day(7)))
    rome, oslo = await thinking_desk.rows("memory_facts", "c22", order="valid_at")
    assert (rome.invalid_at, rome.end_reason, rome.ended_by_fact) == (day(7), "superseded", oslo.id)
    assert rome.ended_by_episode == (await thinking_desk.rows("memory_episodes", "c22", order="seq"))[1].id
    assert rome.expired_at == oslo.known_at
    assert (oslo.invalid_at, oslo.end_reason) == (None, None)


async def test_a_model_may_see_a_contradiction_that_no_rule_knows(thinking_desk: MemoryServer, script: Script):
    loves, left = "Ada loves Bob.", "Ada cannot bear Bob."
    pair = named("Ada", "Bob")
    _says(script, loves, *pair, facts=(fact("Ada", "loves", "Bob", loves),))
    _says(script, left, *pair, facts=(fact("Ada", "cannot bear", "Bob", left),))
    script.resolved[left] = Resolution(contradicted=(1,))
    await thinking_desk.tell("bear", message(loves, at=day(1)), message(left, at=day(3)))
    old, new = await thinking_desk.rows("memory_facts", "bear", order="valid_at")
    assert (old.invalid_at, old.end_reason, new.invalid_at) == (day(3), "contradicted", None)


async def test_another_persons_facts_are_never_in_question(thinking_desk: MemoryServer, script: Script):
    await thinking_desk.tell("others", message(_lives(script, "Ada", "Rome"), at=day(1)))
    await thinking_desk.tell("others", message(_lives(script, "Bob", "Oslo"), at=day(2)))
    assert [row[4] for row in await thinking_desk.facts("others")] == [None, None]


async def test_criterion_23_attributes_are_applied_and_reinforced_values_stand(
    thinking_desk: MemoryServer, script: Script
):
    for number, hair in enumerate(("grey", "grey", "red")):
        told = NamedThing(name="Ada", kind="person", confidence=0.9, attributes=(Attribute(name="hair", value=hair),))
        await thinking_desk.tell("c23", message(_says(script, f"Ada {number} {hair}", told), at=day(number + 1)))
    assert (await thinking_desk.nodes("c23"))["Ada"].attributes["hair"]["value"] == "grey"
    assert (await thinking_desk.nodes("c23"))["Ada"].labels == ["person"]


async def test_criteria_25_and_26_mentions_and_the_facts_of_an_episode_are_recorded(
    thinking_desk: MemoryServer, script: Script
):
    await thinking_desk.tell("c25", message(_lives(script, "Ada", "Rome")))
    (episode,) = await thinking_desk.rows("memory_episodes", "c25")
    mentioned = {row.node_id for row in await thinking_desk.rows("memory_mentions", "c25", "true", "node_id")}
    assert mentioned == {row.id for row in (await thinking_desk.nodes("c25")).values()}
    (claim,) = await thinking_desk.rows("memory_claims", "c25")
    (known,) = await thinking_desk.rows("memory_facts", "c25")
    assert (claim.episode_id, claim.fact_id) == (episode.id, known.id)
    assert episode.content[claim.quote_start : claim.quote_end] == "Ada lives in Rome."


async def test_criterion_27_all_is_written_at_once_and_a_failure_in_the_middle_leaves_nothing(
    thinking_desk: MemoryServer, script: Script
):
    text = _lives(script, "Ada", "Rome")
    with psycopg.connect(thinking_desk.app.engine.admin_url, autocommit=True) as admin:
        admin.execute("""
            create function boom() returns trigger language plpgsql as $$
            begin if new.group_id = 'c27' then raise exception 'boom'; end if; return new; end $$;
            create trigger boom before insert on memory_claims for each row execute function boom()
        """)
        await thinking_desk.tell("c27", message(text))
        admin.execute("drop trigger boom on memory_claims; drop function boom()")
    for table in (
        "memory_groups",
        "memory_episodes",
        "memory_nodes",
        "memory_mentions",
        "memory_facts",
        "memory_terms",
    ):
        assert await thinking_desk.rows(table, "c27", order="tenant_id") == [], table
    assert (await thinking_desk.group("c27"))["dead_letters"][0]["code"] == "unexpected"
    await thinking_desk.client.post("/memory/groups/c27/retry")
    await thinking_desk.settled("c27")
    assert len(await thinking_desk.facts("c27")) == 1


async def test_criterion_27_an_episode_takes_at_most_twelve_statements_in_its_transaction(
    thinking_desk: MemoryServer, script: Script
):
    text = _lives(script, "Ada", "Rome")
    with thinking_desk.counted() as made:
        await thinking_desk.tell("few", message(text))
    begun = [number for number, statement in enumerate(made) if "intelli_enter" in statement]
    parts = [made[start:end] for start, end in zip(begun, [*begun[1:], len(made)], strict=True)]
    (writing,) = [part for part in parts if any("insert into memory_claims" in each for each in part)]
    assert len(writing) <= 12


async def test_criteria_28_and_29_names_and_statements_get_vectors(thinking_desk: MemoryServer, script: Script):
    await thinking_desk.tell("c28", message(_lives(script, "Ada", "Rome")))
    vectors = {row.item_id: row.kind for row in await thinking_desk.rows("memory_vectors", "c28", order="kind")}
    nodes, facts = await thinking_desk.nodes("c28"), await thinking_desk.rows("memory_facts", "c28")
    assert {vectors[row.id] for row in nodes.values()} == {"node"}
    assert {vectors[row.id] for row in facts} == {"fact"}
    assert sorted(vectors.values()) == ["episode", "fact", "node", "node"]


async def test_criterion_30_suppressed_content_is_gone_before_it_is_written(
    thinking_desk: MemoryServer, script: Script
):
    await thinking_desk.tell("c30", message(_lives(script, "Ada", "Rome")), keep_content=False)
    (episode,) = await thinking_desk.rows("memory_episodes", "c30")
    assert episode.content is None
    (claim,) = await thinking_desk.rows("memory_claims", "c30")
    assert (claim.quote_start, claim.quote_end) == (None, None)
    kinds = {row.kind for row in await thinking_desk.rows("memory_terms", "c30", order="kind")}
    assert kinds == {"node", "fact"}
    assert await thinking_desk.rows("memory_arrivals", "c30") == []
    assert len(await thinking_desk.facts("c30")) == 1


async def test_criterion_31_communities_change_only_when_that_is_asked_for(thinking_desk: MemoryServer, script: Script):
    text = _lives(script, "Ada", "Rome")
    await thinking_desk.tell("c31-without", message(text))
    await thinking_desk.tell("c31", message(text), update_communities=True)

    async def made() -> bool:
        return bool(await thinking_desk.rows("memory_community_members", "c31", order="node_id"))

    await until(made)
    assert await thinking_desk.rows("memory_communities", "c31-without") == []
