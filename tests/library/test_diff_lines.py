"""Comparing texts: what is said to be the same is, in order, and large texts take no longer than they are long."""

import time

from hypothesis import given
from hypothesis import strategies as st

from intelli.library.diff import lines as diff_lines
from intelli.library.diff import versions
from intelli.library.wire import LineKind

LINES = st.lists(st.sampled_from(["a", "b", "c", "d", "", "long line"]), max_size=60)


@given(LINES, LINES)
def test_matches_are_the_same_lines_in_both_orders(before: list[str], after: list[str]):
    at = (0, 0)
    for match in diff_lines.matches(before, after):
        assert match.size > 0
        assert match.before >= at[0]
        assert match.after >= at[1]
        assert before[match.before : match.before + match.size] == after[match.after : match.after + match.size]
        at = (match.before + match.size, match.after + match.size)


@given(LINES, LINES)
def test_hunks_turn_one_text_into_the_other(before: list[str], after: list[str]):
    hunks, truncated = versions.build_hunks(before, after)
    assert not truncated
    made, at = list[str](), 0
    for hunk in hunks:
        made += before[at : hunk.before_start - 1]
        assert len(made) == hunk.after_start - 1
        made += [line.text for line in hunk.lines if line.kind is not LineKind.REMOVED]
        at = hunk.before_start - 1 + sum(line.kind is not LineKind.ADDED for line in hunk.lines)
    assert made + before[at:] == after


@given(LINES)
def test_a_text_does_not_differ_from_itself(lines: list[str]):
    assert versions.build_hunks(lines, lines) == ([], False)


def test_a_change_in_a_long_text_is_found_at_once_and_shown_alone():
    before = [f"line {number}" for number in range(200_000)]
    after = [*before[:100_000], "new", *before[100_001:]]
    begun = time.process_time()
    (hunk,), truncated = versions.build_hunks(before, after)
    assert time.process_time() - begun < 10
    assert (hunk.before_start, hunk.after_start, truncated) == (99_998, 99_998, False)
    assert [line.kind for line in hunk.lines].count(LineKind.SAME) == 6


def test_texts_without_a_line_in_common_and_texts_of_one_repeated_line_end():
    repeated, other = ["same"] * 100_000, [f"{number}" for number in range(100_000)]
    hunks, truncated = versions.build_hunks(repeated, other)
    assert (len(hunks), truncated) == (1, True)
    assert versions.build_hunks(repeated, repeated[:50_000])[1]
