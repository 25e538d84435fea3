"""Which passages a model is given to answer a question from."""

from dataclasses import replace

from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.runs.graph.sources import TaskSearchResult, mark_whole_tables, select_sources


def passage(name: str, score: float, *, length: int = 1_000, start: int = 0) -> Passage:
    span = Span(name[0] * 64, start, start + length)
    return Passage(span=span, text="x" * length, title=name, path=name, mime_type="text/plain", score=score)


def search(task: int, *passages: Passage) -> TaskSearchResult:
    return TaskSearchResult(task, "q", passages)


def test_what_scores_much_less_than_the_best_of_its_task_is_left_out() -> None:
    found = [search(0, passage("a", 0.9), passage("b", 0.3)), search(0, passage("c", 0.07), passage("d", 0.06))]
    assert [each.title for each in select_sources(found)] == ["a", "c", "b"]
    assert [each.title for each in select_sources([*found, search(1, passage("e", 0.03))])] == ["a", "c", "e", "b"]


def test_what_earlier_runs_were_given_is_chosen_as_it_was() -> None:
    found = [search(0, passage("a", 0.9), passage("b", 0.03)), search(0, passage("c", 0.07), passage("d", 0.06))]
    assert [each.title for each in select_sources(found, by_task=False)] == ["a", "c", "b", "d"]


def test_a_table_that_goes_on_in_the_next_source_is_not_called_cut() -> None:
    parts = [replace(passage("a", 0.9, start=start), is_cut=True) for start in (0, 1_000)]
    assert [each.is_cut for each in mark_whole_tables([*parts, passage("b", 0.9)])] == [False, True, False]


def test_the_best_of_each_search_come_first_and_each_passage_once() -> None:
    found = [search(0, passage("a", 0.9), passage("b", 0.8)), search(1, passage("c", 0.3), passage("a", 0.29))]
    assert [each.title for each in select_sources(found)] == ["a", "c", "b"]


def test_a_passage_within_another_is_left_out() -> None:
    chosen = select_sources([search(0, passage("a", 0.9), passage("a2", 0.8, length=100, start=50))])
    assert [each.title for each in chosen] == ["a"]


def test_several_tasks_have_more_room_than_one_and_a_long_passage_is_never_the_reason_for_none() -> None:
    many = [passage(letter, 0.9, length=2_000) for letter in "abcdefghij"]
    assert len(select_sources([search(0, *many)])) == 3
    assert len(select_sources([search(0, *many[:5]), search(1, *many[5:])])) == 4
    assert len(select_sources([search(0, passage("a", 0.9, length=50_000))])) == 1
