"""Questions are drawn as they should be, replies outlive a kill, and outcomes are counted."""

import json
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path

import pytest
from bench.answer_cache import AnswerCache, Cited, Key, Reply
from bench.answer_scores import Outcome, contains
from bench.answer_sets import Plan, Question, load
from bench.counting_proxy import CountingProxy, prompt_tokens
from bench.local_model import Scored, better_peer, table, tally
from tests.support.model_server import ModelServer
from tests.support.model_server import Reply as ModelReply

from bench import data

KEY = Key("dev", "Intelli", "1", "rules", "q1", "en")
REPLY = Reply("He was 38.", 2.0, 3, 900, ("p1",), (Cited("at 38", "He won at 38.", "verified"),), notes={"a": 1})
_WORDS = ("amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath", "islet", "jetty", "knoll", "ledge")
_NUMBERS = ("north", "south", "east", "west", "upper")


@pytest.fixture
def articles(tmp_path: Path):
    """Twelve articles of five paragraphs in two languages; the last paragraph of each repeats an answer."""
    (tmp_path / "xquad").mkdir()
    rows = {"corpus": [], "queries": []}
    pairs = ["query-id\tcorpus-id\tscore"]
    for article in _WORDS:
        for number, side in enumerate(_NUMBERS):
            name, answer = f"{article}{number}", f"{article}{side}"
            more = f" So does {article}north." if number == 4 else ""
            rows["corpus"].append({"_id": name, "title": article.title(), "text": f"The gate is {answer}.{more}"})
            rows["queries"].append({"_id": f"q{name}", "text": f"Which gate is {side}?", "answers": [answer]})
            rows["queries"].append({"_id": f"said{name}", "text": f"Is it {answer}?", "answers": [answer]})
            pairs += [f"q{name}\t{name}\t1", f"said{name}\t{name}\t1"]
    for language in ("en", "de"):
        for kind, lines in rows.items():
            text = "".join(f"{json.dumps(line)}\n" for line in lines)
            (tmp_path / "xquad" / f"{kind}.{language}.jsonl").write_text(text)
    (tmp_path / "xquad" / "qrels.tsv").write_text("\n".join(pairs))
    with data.placed_at(tmp_path):
        yield


@pytest.mark.usefixtures("articles")
def test_questions_are_drawn_as_planned_and_the_same_each_time():
    plan = Plan(8, 4, (0.0, 0.5), seed=1)
    split = load("dev", plan)
    assert load("dev", plan) == split
    kinds = Counter((each.is_answerable, each.language) for each in split.questions)
    assert kinds == {(True, "en"): 6, (True, "de"): 2, (False, "en"): 3, (False, "de"): 1}
    assert not any(each.name.startswith("said") for each in split.questions)


@pytest.mark.usefixtures("articles")
def test_the_library_has_what_answers_and_nothing_of_what_does_not():
    split = load("dev", Plan(8, 4, (0.0, 0.5), seed=1))
    names = {each.name for each in split.library}
    for question in split.questions:
        assert (question.paragraph in names) is question.is_answerable
        if not question.is_answerable:
            assert not any(contains(each.text, question.answers[0]) for each in split.library)
    assert len(split.library) == 2 * (12 * 5 - 4)


@pytest.mark.usefixtures("articles")
def test_splits_share_no_article():
    def drawn(name: str, share: tuple[float, float]) -> set[str]:
        return {each.paragraph[:-1] for each in load(name, Plan(8, 4, share, seed=1)).questions}

    assert not drawn("dev", (0.0, 0.5)) & drawn("test", (0.5, 1.0))


def test_replies_outlive_a_kill(tmp_path: Path):
    path = tmp_path / "new" / "replies.jsonl"
    AnswerCache(path).keep(KEY, REPLY)
    with path.open("a") as file:
        file.write('{"key": {"split": "d')
    again = AnswerCache(path)
    assert again.find(KEY) == REPLY
    other = Key("dev", "Intelli", "1", "rules", "q2", "en")
    again.keep(other, REPLY)
    assert AnswerCache(path).find(other) == REPLY
    assert AnswerCache(path).find(Key("dev", "Intelli", "2", "rules", "q1", "en")) is None


def _asked(name: str, *, is_answerable: bool) -> Question:
    return Question(name, "en", "How old was he?", ("38",), "p1", is_answerable)


def _scored(name: str) -> Scored:
    replies = {
        "He was 38.": True, "He was 12.": True, "The sources do not say.": True, "He was 40.": False, "Not found": False
    }  # fmt: skip
    made = [
        (_asked(text, is_answerable=is_answerable), Reply(text, 4, 1, 100, citations=REPLY.citations))
        for text, is_answerable in replies.items()
    ]
    back = Reply("Which one?", 1, 1, 100, notes={"is_asked_back": True})
    broken = Reply("38", 1, 1, 100, error="failed")
    return tally(name, [*made, (_asked("b", is_answerable=True), back), (_asked("c", is_answerable=True), broken)])


def test_outcomes_are_counted():
    scored = _scored("Intelli")
    assert scored.answerable == {
        Outcome.RIGHT: 1, Outcome.WRONG: 1, Outcome.ABSTAINED: 2, Outcome.FAILED: 1
    }  # fmt: skip
    assert scored.unanswerable == {Outcome.MADE_UP: 1, Outcome.ABSTAINED: 1}
    assert (scored.right, scored.misleading, scored.good) == (1, 2, 2)
    assert (scored.cited_words, scored.cited_passages, scored.near, scored.seconds) == (1, 1, 0, 4)


@pytest.mark.usefixtures("articles")
def test_the_table_holds_ours_against_the_better_peer():
    split = load("dev", Plan(8, 4, (0.0, 0.5), seed=1))
    ours, worse, better = _scored("Intelli"), _scored("A"), _scored("B")
    worse.answerable[Outcome.RIGHT] = 0
    assert better_peer([ours, worse, better]) is better
    assert better_peer([ours]) is None
    shown = table(split, [ours, worse, better])
    assert "Intelli against the better peer, B:\n  right 1 / 1 = 1.00; wrong or made up 2 / 2 = 1.00" in shown


_ASKED = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}


def test_the_proxy_passes_on_and_counts_whole_and_streamed_answers():
    with ModelServer() as server, CountingProxy(server.base_url, "secret") as proxy:
        server.script(ModelReply(text="one", usage=(70, 2)), ModelReply(text="two", usage=(30, 2)))
        whole = json.loads(_post(proxy.base_url, _ASKED))
        streamed = _post(
            proxy.base_url,
            {
                "model": "m",
                "messages": [{"role": "user", "content": "Hello"}],
                "stream": True,
                "stream_options": {"include_usage": True},
            },
        )
        counted = proxy.take()
        assert whole["choices"][0]["message"]["content"] == "one"
        assert "two" in streamed
        assert server.headers[0]["authorization"] == "Bearer secret"
    assert (counted.calls, counted.prompt_tokens, counted.failures) == (2, 100, 0)


def test_the_proxy_counts_what_fails():
    with ModelServer() as server, CountingProxy(server.base_url, "") as proxy:
        server.script(ModelReply(status=500))
        with pytest.raises(urllib.error.HTTPError, match="500"):
            _post(proxy.base_url, _ASKED)
        assert proxy.take().failures == 1
        assert proxy.take().calls == 0


def _post(url: str, body: object) -> str:
    request = urllib.request.Request(
        f"{url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read().decode()


def test_tokens_are_read_from_timings_or_reckoned():
    assert prompt_tokens(b"", b'data: {"timings": {"prompt_n": 5, "cache_n": 7}}\n\ndata: [DONE]\n') == 12
    assert prompt_tokens(b"x" * 40, b"no JSON") == 10
