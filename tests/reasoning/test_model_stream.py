"""The model's answer as a stream: whole citations only, nothing repeated, nothing shown as whole that is not."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reasoning.model import reasoner_on
from tests.reasoning.passages import ACME, NEWS, answered
from tests.support.model_server import ModelServer, Reply, broken, busy

from intelli.reasoning import untrusted
from intelli.reasoning.adapters.model import ModelReasoner
from intelli.reasoning.citation_stream import CitationStream, citation_tag
from intelli.reasoning.errors import AnswerUnusable, ModelRefused, ModelUnavailable
from intelli.reasoning.values import SourceDisagreement, SourceValue
from intelli.reasoning.verbs.answer import AnswerInput
from intelli.reasoning.verbs.brief import Brief

EMPTY = Brief(title="t", question="q", findings=())
ASKED = AnswerInput(question="Who founded Acme?", brief=EMPTY, passages=(ACME, NEWS))
REPORT = citation_tag("acme-report")


async def test_handles_become_citations_of_the_passages(server: ModelServer, reasoner: ModelReasoner) -> None:
    server.script(Reply(text="Jane Doe [s1]. Both say so [s1, s2] and [s1][s2].", chunk=3))
    deltas, end = await answered(reasoner, ASKED)

    both = REPORT + citation_tag("news")
    assert end.answer.text == f"Jane Doe {REPORT}. Both say so {both} and {both}."
    assert "".join(deltas) == end.answer.text
    assert len(deltas) > 5
    assert all(delta.count("<") == delta.count("/>") for delta in deltas)


async def test_usage_of_a_stream_is_counted(server: ModelServer, reasoner: ModelReasoner) -> None:
    server.script(Reply(text="Jane Doe [s1].", usage=(500, 20)))
    _, end = await answered(reasoner, ASKED)

    assert (end.usage.input_tokens, end.usage.output_tokens, end.usage.calls) == (500, 20, 1)
    assert end.usage.cost <= reasoner.ceiling(ASKED)


async def test_unknown_handles_and_tags_of_the_model_s_own_cite_nothing_and_are_marked(
    server: ModelServer, reasoner: ModelReasoner
) -> None:
    server.script(Reply(text='A [s9] b <gml-inlinecitation identifier="bank"/> c < GML-x> d [note] e [s1] a<b [1]'))
    _, end = await answered(reasoner, ASKED)

    assert end.answer.text == (f"A [?] b [?] c &lt; GML-x> d [note] e {REPORT} a<b [1]")
    assert end.answer.unknown == ("s9", "bank")


async def test_tags_that_name_a_handle_or_a_source_count_as_citations(
    server: ModelServer, reasoner: ModelReasoner
) -> None:
    server.script(Reply(text=f'A <gml-inlinecitation identifier="s1"/> b {REPORT} c <gml-inlinecitation identifier="'))
    _, end = await answered(reasoner, ASKED)

    assert end.answer.text == f'A {REPORT} b {REPORT} c &lt;gml-inlinecitation identifier="'
    assert end.answer.unknown == ()


async def test_an_answer_without_any_citation_is_no_answer(server: ModelServer, reasoner: ModelReasoner) -> None:
    server.script(Reply(text="The sources do not say."))
    _, end = await answered(reasoner, ASKED)

    assert not end.answer.is_answered
    assert end.answer.is_complete


async def test_a_contradiction_that_the_brief_found_is_given_to_the_writer(
    server: ModelServer, reasoner: ModelReasoner
) -> None:
    sides = (
        SourceValue(value="$3.4 billion", identifier="acme-report"),
        SourceValue(value="$3.9 billion", identifier="news"),
    )
    told = SourceDisagreement(about="Revenue in 2020", readings=sides)
    brief = Brief(title="t", question="q", findings=(), disagreements=(told,))
    server.script(Reply(text="It was $3.4 billion [s1]. It was $3.9 billion [s2]."))
    await answered(reasoner, AnswerInput(question="Revenue of Acme?", brief=brief, passages=(ACME, NEWS)))

    assert "Revenue in 2020: $3.4 billion / $3.9 billion" in server.prompts()[-1]


@pytest.mark.parametrize(
    "broken_off",
    [
        Reply(text="Jane Doe founded it [s1]. And then she", cut_after=30),
        Reply(text="Jane Doe founded it [s1]. And then she", finish_reason="length"),
        Reply(text="Jane Doe founded it [s1]. And then she", finish_reason="content_filter"),
    ],
)
async def test_what_breaks_off_is_kept_and_marked_incomplete(
    server: ModelServer, reasoner: ModelReasoner, broken_off: Reply
) -> None:
    server.script(broken_off)
    deltas, end = await answered(reasoner, ASKED)

    assert not end.answer.is_complete
    assert end.answer.reason
    assert end.answer.text.startswith(f"Jane Doe founded it {REPORT}.")
    assert "".join(deltas) == end.answer.text
    assert len(server.requests) == 1


async def test_a_model_that_falls_silent_midway_ends_incomplete(server: ModelServer) -> None:
    server.script(Reply(text="Jane Doe. Then silence.", chunk=9, chunk_delay_s=1))
    async with reasoner_on(server, timeout_s=0.2) as reasoner:
        deltas, end = await answered(reasoner, ASKED)

    assert deltas == ["Jane Doe."]
    assert not end.answer.is_complete
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "fault", [busy(), broken(), Reply(text=""), Reply(text="Jane", cut_after=0), Reply(raw="data: {")]
)
async def test_before_the_first_word_a_fault_is_overcome(
    server: ModelServer, reasoner: ModelReasoner, fault: Reply
) -> None:
    server.script(fault, Reply(text="Jane Doe [s1]."))
    deltas, end = await answered(reasoner, ASKED)

    assert end.answer.text == f"Jane Doe {REPORT}."
    assert "".join(deltas) == end.answer.text


async def test_a_stream_that_never_starts_fails_before_any_word(server: ModelServer, reasoner: ModelReasoner) -> None:
    server.script(broken(), broken())
    with pytest.raises(ModelUnavailable):
        await answered(reasoner, ASKED)
    server.script(Reply(status=401, error="no"))
    with pytest.raises(ModelRefused):
        await answered(reasoner, ASKED)


async def test_leaving_a_stream_early_frees_its_place(server: ModelServer) -> None:
    async with reasoner_on(server, concurrency=1) as reasoner:
        for _ in range(3):
            stream = reasoner.answer(ASKED)
            await anext(stream)
            await stream.aclose()
        _, end = await answered(reasoner, ASKED)

    assert end.answer.is_complete


@given(
    st.lists(st.sampled_from(["[", "]", "s1", "s2", "s9", ",", " ", "<", "gml-", "/", "x", "\n", "[s1]", "[s1, s2]"])),
    st.lists(st.integers(0, 60)),
)
def test_any_cutting_of_a_text_gives_the_same_citations(parts: list[str], cuts: list[int]) -> None:
    text = "".join(parts)
    edges = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    pieces = [text[start:end] for start, end in pairwise(edges)]
    whole, cut = (
        CitationStream(untrusted.assign_handles([ACME, NEWS])),
        CitationStream(untrusted.assign_handles([ACME, NEWS])),
    )

    at_once = whole.feed(text) + whole.end()
    in_pieces = "".join(cut.feed(piece) for piece in pieces) + cut.end()
    assert in_pieces == at_once
    assert cut.cited == whole.cited
    assert "[s1]" not in at_once


READING = ASKED.model_copy(update={"may_read_on": True})


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("READ s1", [("acme-report", True)]),
        ("READ s2 before\n", [("news", False)]),
        ("READ [s1], s2 before", [("acme-report", True), ("news", False)]),
    ],
)
async def test_a_model_may_ask_to_read_on_instead_of_answering(
    server: ModelServer, reasoner: ModelReasoner, said: str, wanted: list[tuple[str, bool]]
) -> None:
    server.script(Reply(text=said, chunk=2))
    deltas, end = await answered(reasoner, READING)

    assert "READ s3" in server.prompts()[0]
    assert deltas == []
    assert [(each.identifier, each.is_after) for each in end.answer.wanted] == wanted


async def test_what_only_begins_like_a_request_is_streamed_as_soon_as_it_is_none(
    server: ModelServer, reasoner: ModelReasoner
) -> None:
    server.script(Reply(text="Reading on: Jane Doe [s1].", chunk=2))
    deltas, end = await answered(reasoner, READING)

    assert deltas[0] == "Re"
    assert "".join(deltas) == end.answer.text == f"Reading on: Jane Doe {REPORT}."


async def test_nothing_is_read_on_where_it_was_not_offered(server: ModelServer, reasoner: ModelReasoner) -> None:
    server.script(Reply(text="READ s1"))
    _, end = await answered(reasoner, ASKED)

    assert "READ" not in server.prompts()[0]
    assert (end.answer.text, end.answer.wanted) == ("READ s1", ())


async def test_a_request_for_what_is_not_there_is_no_answer(server: ModelServer, reasoner: ModelReasoner) -> None:
    server.script(Reply(text="READ s9"))

    with pytest.raises(AnswerUnusable):
        await answered(reasoner, READING)
