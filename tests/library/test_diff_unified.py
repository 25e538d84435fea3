"""Unified diffs: whoever applies one gets the text that it was made for."""

import re

from hypothesis import given
from hypothesis import strategies as st

from intelli.library.diff.unified import unified

_HUNK = re.compile(r"@@ -(\d+),(\d+) \+(\d+),(\d+) @@")
_texts = st.lists(st.sampled_from(["a", "b", "", "- c", "+ d", "@@ e"]), max_size=40).map("\n".join)


@given(before=_texts, after=_texts)
def test_a_diff_leads_from_one_text_to_the_other(before: str, after: str):
    assert _applied(before.splitlines(), unified(before, after, path="/a.md")) == after.splitlines()


def test_what_is_created_or_deleted_comes_from_nothing_or_goes_there():
    assert unified(None, "one\ntwo", path="/a.md") == "--- /dev/null\n+++ /a.md\n@@ -0,0 +1,2 @@\n+one\n+two"
    assert unified("one", None, path="/a.md") == "--- /a.md\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one"


def test_a_diff_without_end_is_cut_and_says_so():
    diff = unified("", "\n".join(str(number) for number in range(20_000)), path="/a.md")
    assert len(diff.splitlines()) < 6_000
    assert diff.endswith("@@ the rest is too long to be shown @@")


def _applied(lines: list[str], diff: str) -> list[str]:
    """What `patch` would make of it."""
    made: list[str] = []
    at = 0
    for line in diff.splitlines()[2:]:
        if hunk := _HUNK.fullmatch(line):
            start = int(hunk[1]) - (1 if int(hunk[2]) else 0)
            made += lines[at:start]
            at = start
        elif line[0] == "+":
            made.append(line[1:])
        else:
            assert lines[at] == line[1:]
            made += [line[1:]] if line[0] == " " else []
            at += 1
    return made + lines[at:]
