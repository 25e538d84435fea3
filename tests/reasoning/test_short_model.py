"""Weak models: one short thing a call, and nothing is told but what stands in a sentence that they copied."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.reasoning.model import settings
from tests.reasoning.passages import ACME, NEWS, answered, passage, task
from tests.support.model_server import ModelServer, Reply

from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.adapters.short_model import ShortModelReasoner
from intelli.reasoning.citation_stream import citation_tag
from intelli.reasoning.short.believe import QuoteReply, find_evidence, says_something
from intelli.reasoning.short.passages import LONGEST_PASSAGE, MOST_PASSAGES, select_passages
from intelli.reasoning.verbs.answer import AnswerInput
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.understand import UnderstandInput

QUESTION = "Who founded Acme?"
BRIEF = Brief(title="t", question=QUESTION, findings=())
ASKED = AnswerInput(question=QUESTION, brief=BRIEF, passages=(ACME, NEWS))
FOUNDED = "Acme was founded in 1990 by Jane Doe."
CITED = citation_tag(ACME.identifier)


@pytest.fixture
async def short(server: ModelServer) -> AsyncIterator[ShortModelReasoner]:
    reasoner = ShortModelReasoner(settings(server), ExtractiveReasoner())
    yield reasoner
    await reasoner.close()


def quoted(quote: str = FOUNDED, answer: str = "Jane Doe", *, found: bool = True) -> Reply:
    return Reply(data={"found": found, "quote": quote, "answer": answer}, when="Copy the one sentence")


def replied(answer: str) -> Reply:
    return Reply(data={"answer": answer}, when="as few words as possible")


def phrased(text: str) -> Reply:
    return Reply(text=text, when="one short sentence")


async def tell(server: ModelServer, short: ShortModelReasoner, *replies: Reply) -> str:
    server.script(*replies)
    _, end = await answered(short, ASKED)
    return end.answer.text


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Jane Doe founded Acme in 1990.", "Jane Doe founded Acme in 1990."),
        ("Jane Doe founded Acme in 1991.", FOUNDED),
        ("Jane Doe did not found Acme.", FOUNDED),
        ("Jane Doe founded Acme with her brother from Chicago and two partners.", FOUNDED),
        ("NOT FOUND", FOUNDED),
    ],
)
async def test_the_model_s_sentence_is_told_only_where_the_source_s_carries_it(
    server: ModelServer, short: ShortModelReasoner, sentence: str, told: str
) -> None:
    assert await tell(server, short, quoted(), replied("Jane Doe"), phrased(sentence)) == f"{told} {CITED}"


async def test_forms_that_disagree_leave_the_source_s_own_sentence(
    server: ModelServer, short: ShortModelReasoner
) -> None:
    told = await tell(server, short, quoted(), replied("Globex"), phrased("Jane Doe founded Acme."))

    assert told == f"{FOUNDED} {CITED}"


@pytest.mark.parametrize(
    "reply",
    [
        quoted("Acme was founded by Bill Gates in a garage of Albuquerque.", "Bill Gates"),
        quoted(FOUNDED, "Bill Gates"),
        quoted(FOUNDED, "Acme"),
        quoted("", ""),
        quoted("NOT FOUND", "NOT FOUND", found=False),
        quoted("Globex Corp bought a bakery in Berlin.", "a bakery in Oslo"),
    ],
)
async def test_what_stands_in_no_sentence_is_not_told(
    server: ModelServer, short: ShortModelReasoner, reply: Reply
) -> None:
    assert await tell(server, short, reply) == "The sources do not answer this question."


async def test_a_quote_that_no_other_form_confirms_is_not_told(server: ModelServer, short: ShortModelReasoner) -> None:
    told = await tell(server, short, quoted(), replied("NOT FOUND"), phrased("NOT FOUND"))

    assert told == "The sources do not answer this question."
    assert len(server.requests) == 3


async def test_where_the_model_has_nothing_the_sources_own_words_are_told_and_said_to_be_that(
    server: ModelServer, short: ShortModelReasoner
) -> None:
    server.script(quoted("", "", found=False))
    _, end = await answered(short, ASKED.model_copy(update={"tasks": (task(QUESTION),)}))

    assert end.answer.text == f"{FOUNDED} {CITED}"
    assert "the sources' own words" in end.answer.notice


async def test_every_form_begins_with_the_same_passages(server: ModelServer, short: ShortModelReasoner) -> None:
    await tell(server, short, quoted(), replied("Jane Doe"), phrased("Jane Doe founded Acme."))
    prompts = server.prompts()
    end = prompts[0].index("Question:")

    assert {prompt[:end] for prompt in prompts} == {prompts[0][:end]}
    assert ACME.text in prompts[0]


async def test_each_part_of_a_question_is_asked_for_itself(server: ModelServer, short: ShortModelReasoner) -> None:
    asked = ASKED.model_copy(update={"tasks": (task(QUESTION), task("What did Globex pay?"))})
    server.script(quoted(), replied("Jane Doe"), phrased(FOUNDED), quoted("", "", found=False))
    _, end = await answered(short, asked)

    assert end.answer.is_answered
    assert end.answer.text.startswith(f"{FOUNDED} {CITED}\n\n")
    assert "What did Globex pay?" in end.answer.text


async def test_all_other_verbs_are_done_without_the_model(server: ModelServer, short: ShortModelReasoner) -> None:
    understood, usage = await short.do(UnderstandInput(question=QUESTION))

    assert understood.plan is not None
    assert (usage.calls, server.requests) == (0, [])


async def test_the_ceiling_bounds_what_all_forms_cost(server: ModelServer, short: ShortModelReasoner) -> None:
    server.script(quoted(), replied("Jane Doe"), phrased(FOUNDED))
    _, end = await answered(short, ASKED)

    assert end.usage.calls == 3
    assert 0 < end.usage.cost <= short.ceiling(ASKED)


def test_a_quote_whose_pronoun_was_replaced_is_found_and_one_with_another_number_is_not() -> None:
    source = passage("The firm was sold in 2019. It paid 40 million euros for the northern plant in Oslo.")

    def found(quote: str) -> Any:
        reply = QuoteReply(found=True, quote=quote, answer="the northern plant")
        return find_evidence(reply, "What did the firm pay 40 million euros for?", [source])

    assert found("The firm paid 40 million euros for the northern plant in Oslo.") is not None
    assert found("The firm paid 90 million euros for the northern plant in Oslo.") is None


def test_few_passages_are_shown_each_cut_to_what_bears_on_the_question() -> None:
    padding = " ".join(f"Sentence number {number} says nothing of interest." for number in range(60))
    long = [passage(f"{padding} {FOUNDED} {padding}", str(number)) for number in range(9)]
    chosen = select_passages(QUESTION, long, is_ranked=True)

    assert len(chosen) == MOST_PASSAGES
    assert all(FOUNDED in each.text and len(each.text) <= LONGEST_PASSAGE for each in chosen)


def test_words_for_nothing_are_no_answer() -> None:
    assert not any(map(says_something, ["NOT FOUND", " not found.", "", "\u2026", "None", "nicht angegeben"]))
    assert says_something("Notting Hill")
