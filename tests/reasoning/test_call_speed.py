"""How long a call will take is learnt from the endpoint's own calls, and not guessed before one was measured."""

import pytest
from tests.reasoning.passages import ACME, NEWS, answered
from tests.support.model_server import ModelServer, Reply

from intelli.reasoning.adapters.call_speed import CallSpeed
from intelli.reasoning.adapters.model import ModelReasoner
from intelli.reasoning.verbs.answer import AnswerInput
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.title import TitleInput

ASKED = AnswerInput(question="q", brief=Brief(title="t", question="q", findings=()), passages=(ACME, NEWS))
TITLE = TitleInput(question="Who founded Acme?")


def test_nothing_is_said_before_a_call_was_measured() -> None:
    speed = CallSpeed()

    assert speed.estimate_first_word_s(1000) is None
    assert speed.estimate_reply_s("Title", 1000) is None


def test_a_longer_prompt_takes_longer() -> None:
    speed = CallSpeed()
    speed.observe_first_word(1000, 2.0)

    assert speed.estimate_first_word_s(10_000) == pytest.approx(20.0)
    assert speed.estimate_reply_s("Title", 1000) is None


def test_the_speed_follows_the_endpoint() -> None:
    speed = CallSpeed()
    for seconds in (2.0, *[8.0] * 10):
        speed.observe_first_word(1000, seconds)

    assert speed.estimate_first_word_s(1000) == pytest.approx(8.0, rel=0.01)


def test_a_whole_reply_bounds_the_time_of_reading_until_a_stream_was_measured() -> None:
    speed = CallSpeed()
    speed.observe_reply("Plan", characters=900, written=100, seconds=10.0)

    assert speed.estimate_first_word_s(1000) == pytest.approx(10.0)
    assert speed.estimate_reply_s("Plan", 450) == pytest.approx(5.0)
    speed.observe_first_word(1000, 1.0)
    assert speed.estimate_first_word_s(1000) == pytest.approx(1.0)


async def test_a_reasoner_estimates_by_what_its_model_took(server: ModelServer, reasoner: ModelReasoner) -> None:
    assert reasoner.estimate_s(ASKED) is None
    assert reasoner.estimate_s(TITLE) is None
    server.script(Reply(text="Jane Doe [s1].", delay_s=0.3), Reply(delay_s=0.3))
    await answered(reasoner, ASKED)
    await reasoner.do(TITLE)
    first, title = reasoner.estimate_s(ASKED), reasoner.estimate_s(TITLE)

    assert first is not None
    assert title is not None
    assert first >= 0.3
    assert title >= 0.3
