"""Checks on the screen, and a model that writes an answer, judges its statements and writes anew what was rejected."""

import json
import re
from dataclasses import dataclass, field
from threading import Event
from typing import Any

from playwright.async_api import Locator, Page, expect
from tests.browser.conftest import PICTURES
from tests.browser.person import Person
from tests.support import rule_based_model

Body = dict[str, Any]
JUDGE = "You check whether statements are supported"
REVISE = "A check rejected some of its sentences"
_STATEMENT = re.compile(r"^(\d+)\. (.+)\n   Cites: (.*)$", re.MULTILINE)
# Long enough for a busy machine; a test that passes never holds a judge that long.
_HOLD_S = 120


@dataclass
class CarefulModel:
    """Judges as it is told, knows a sentence of its sources from an altered one, and does all else by rules.

    `verdicts` are by a part of the statement. While `goes_on` is clear, a judge does not answer.
    """

    verdicts: dict[str, Body] = field(default_factory=dict)
    goes_on: Event = field(default_factory=Event)

    def __post_init__(self) -> None:
        self.goes_on.set()

    def answer(self, body: Body) -> str:
        """Answer a request of the protocol."""
        prompt = rule_based_model.prompt_of(body)
        if JUDGE not in prompt:
            return rule_based_model.answer(body)
        self.goes_on.wait(_HOLD_S)
        sources = dict(rule_based_model.sources(prompt))
        judgements = [self._judge(found, sources) for found in _STATEMENT.finditer(prompt)]
        return json.dumps({"judgements": judgements})

    def _judge(self, found: re.Match[str], sources: dict[str, str]) -> Body:
        text = found[2]
        told = next((verdict for part, verdict in self.verdicts.items() if part in text), None)
        is_copied = any(text in " ".join(source.split()) for source in sources.values())
        usual = {"verdict": "supported" if is_copied else "contradicted", "reason": "", "calculation": ""}
        cited = [handle for handle in re.findall(r"s\d+", found[3]) if handle in sources]
        return {"statement": int(found[1]), "sources": cited, "elsewhere": [], **(told or usual)}


@dataclass
class CheckPages:
    """The pages where texts are checked, of a person."""

    person: Person

    @property
    def page(self) -> Page:
        return self.person.page

    @property
    def statements(self) -> Locator:
        """The statements that have a verdict, in the order of the text."""
        return self.page.locator("[data-statement]")

    @property
    def panel(self) -> Locator:
        """What was found on the statement that is chosen."""
        return self.page.get_by_role("complementary", name="Sources")

    async def paste(self, text: str) -> None:
        """Paste a text and have it checked."""
        await self.person.open("/check")
        await self.page.get_by_label("Text", exact=True).fill(text)
        await self.person.button("Check").click()
        await expect(self.page).to_have_url(re.compile("/check/"))

    async def picture(self, name: str) -> None:
        """Keep how the page looks."""
        await self.page.screenshot(path=PICTURES / f"check-{name}.png")
