"""Markdown of strangers: it keeps its shape and its words, and whoever shows it fetches and runs nothing."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from intelli.kit import safe_markdown

EVIL = "http://evil.example/x"
ATTACKS = (
    f"![s]({EVIL}.png)",
    f"[![a]({EVIL})]({EVIL})",
    f"![s][r]\n\n[r]: {EVIL}",
    f"[r]: <{EVIL}>\n![r]",
    f"<img src={EVIL}>",
    f"<script src={EVIL}></script>",
    f"<{EVIL}>",
    f"<svg onload=alert(1)><a href='{EVIL}'>x</a>",
    f"<!-- x --><iframe src={EVIL}>",
    f"<div>\n![x]({EVIL})\n</div>",
    f"`<img src=x>` \\`<img src={EVIL}>`",
    f"``` a`b\n<img src={EVIL}>\n```",
    f"```\n<img src={EVIL}>",
    f"- ```\n<img src={EVIL}>\n  ```",
    f"| a | `b \\| <img src={EVIL}> |\n|---|---|\n| `x | <img src={EVIL}>` |",
    f"&lt;img src={EVIL}&gt; &#60;script&#62;",
    f"> > > <img src={EVIL}>\n1. ![x]({EVIL})",
    f"a\n===\n![x\n]({EVIL})",
    f"[x](javascript:alert(1)) [y](data:text/html,x) [^1]\n\n[^1]: {EVIL}",
    f"![[{EVIL}]] [[{EVIL}]] {{{{< figure src={EVIL} >}}}}",
    f"\\![x]({EVIL}) \\\\![x]({EVIL}) !\\[x]({EVIL})",
    "\x00\x01![x](http://evil.example)\u2028<img src=x>\u2029\x85<script>",
    f"    <img src={EVIL}>\n\n\t![x]({EVIL})",
    f"*a*![b]({EVIL})*c* **<b onclick=x>**",
    "<a href=x", "<![CDATA[<img src=x>]]>", "<?php ?>", "</script>", "<!DOCTYPE x>",
)  # fmt: skip
PIECES = st.one_of(
    st.sampled_from(
        [*ATTACKS, *"\\`*_[]()<>!#|~&-+.:=>\n\t ", "\n\n", "```\n", "    ", "1. ", "- ", "| a | b |\n|---|---|\n"]
    ),
    st.text(max_size=8),
)
LIVE = {"img", "script", "a", "iframe", "svg", "div", "link", "style", "object", "embed", "form", "video", "audio", "b"}


def shown(markdown: str) -> LexborHTMLParser:
    """As a reader of CommonMark shows it who believes every HTML."""
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown)
    return LexborHTMLParser(f"<body>{html}</body>")


def live(markdown: str) -> set[str]:
    return {node.tag or "" for node in shown(markdown).css("*")} & LIVE


def words(page: LexborHTMLParser) -> str:
    """What is read, without what tells emphasis and lists."""
    return re.sub(r"[\s*_`|\ufffd\x00-\x1f\x7f-\x9f\u2028\u2029-]", "", page.text())


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_that_a_stranger_wrote_is_fetched_or_run(attack: str):
    assert live(safe_markdown.sanitize(attack)) == set()
    assert live(safe_markdown.escape_line(attack)) == set()


@given(st.lists(PIECES, max_size=12).map("".join))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_put_together_nothing_of_it_is_live(text: str):
    again = safe_markdown.sanitize(text)
    assert live(again) == set()
    # Whoever makes links of bare addresses finds none.
    assert not [each for each in _prose(again) if re.search(r"https?://|www\.|\w@\w", each)]
    assert live(f"# {safe_markdown.escape_line(text)}") == set()
    # Written anew again it says the same.
    assert words(shown(safe_markdown.sanitize(again))) == words(shown(again))


def _prose(markdown: str) -> list[str]:
    """Words outside of code, parted where a sign is escaped."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").disable("text_join").parse(markdown)
    inline = [child for token in tokens for child in token.children or ()]
    return [child.content for child in inline if child.type == "text"]


def test_what_is_harmless_keeps_its_shape():
    text = (
        "## Copper\n\nIt is **dear** and *red*, see `x < y`.\nA second line.\n\n"
        "- one\n- two\n  1. deep\n  2. deeper\n\n| a | b |\n| --- | ---: |\n| 1 | 2 |\n\n"
        "> quoted\n\n```python\nif a < b: print('<img>')\n```\n\n---"
    )
    assert safe_markdown.sanitize(text) == text


def test_addresses_stay_to_be_read():
    written = safe_markdown.sanitize("See [the study](https://example.org/study) and ![it](https://example.org/i.png).")
    assert shown(written).text().strip() == (
        "See [the study](https://example.org/study) and ![it](https://example.org/i.png)."
    )


def test_the_attacks_are_live_as_they_are_written():
    assert sum(bool(live(attack)) for attack in ATTACKS) > len(ATTACKS) // 2
