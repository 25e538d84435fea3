"""A conversation on the screen: asking, answers and their citations."""

import re
from dataclasses import dataclass

from playwright.async_api import FilePayload, Locator, Page, expect
from tests.browser.conftest import PICTURES
from tests.browser.files import Shelf, file, pdf, word
from tests.browser.person import Person

FILLER = [
    f"Page {number} of the report speaks of other things.\nNothing here is of interest." for number in range(1, 6)
]
FINDING = "The kingfisher returned to the northern lake\nafter the sluice was opened in spring 2024."
COUNT = "The count rose to 14 breeding pairs."
REPORT = file("report.pdf", pdf(*FILLER, f"{FINDING}\n{COUNT}"))
LETTER = file("letter.docx", word("Letter", "Dear Ada,", "The roof of the boathouse will cost 4200 euros.", "Yours"))
QUESTION = "When did the kingfisher return to the northern lake?"
# Whether a mark lies inside of what its scrolling frame shows, and the frame has not moved the shell.
SEEN = """() => {
  const scroller = document.querySelector('[role=region]:is([aria-label=Pages], [aria-label=Text])');
  const frame = scroller?.getBoundingClientRect();
  const marks = [...document.querySelectorAll('.paper-mark, mark.evidence')].map(mark => mark.getBoundingClientRect());
  return frame && marks.some(box => box.top >= frame.top && box.bottom <= frame.bottom)
    && document.scrollingElement.scrollTop === 0 && document.querySelector('#root').scrollTop === 0;
}"""


@dataclass
class Talk:
    """The conversation page of a person."""

    person: Person

    @property
    def page(self) -> Page:
        return self.person.page

    @property
    def field(self) -> Locator:
        """Where one asks."""
        return self.page.get_by_role("textbox", name="Your question")

    @property
    def answers(self) -> Locator:
        """The answers that are written and checked."""
        return self.page.locator("[data-message]")

    @property
    def chips(self) -> Locator:
        """The citations, in the order of the text."""
        return self.page.locator("main [data-citation]")

    async def bring(self, *files: FilePayload) -> None:
        """Put files into the library and wait until they are read."""
        await self.person.open("/library")
        await Shelf(self.person).add(*files)

    async def ask(self, question: str) -> None:
        """Ask on the page that is open."""
        await self.field.fill(question)
        await self.page.keyboard.press("Enter")

    async def begin(self, question: str = QUESTION) -> None:
        """Begin a conversation and wait for its answer."""
        await self.person.open("/")
        await self.ask(question)
        await expect(self.page).to_have_url(re.compile("/c/"))
        await expect(self.answers).to_have_count(1)

    async def picture(self, name: str) -> None:
        """Keep how the page looks."""
        await self.page.screenshot(path=PICTURES / f"conversation-{name}.png")
