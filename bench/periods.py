"""Is an undated question answered for the newest of several yearly reports, with its year, and are years ever mixed?"""

import asyncio
import random
import re
from dataclasses import dataclass

from bench.answers.product import ServedProduct, served
from bench.figures import Comparison, Size

QUESTION = __doc__
_SEED = 97
_COMPANIES = ("Alder", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Juniper", "Larch", "Maple", "Oak")
_MEASURES = {
    "revenue": ("Revenue came to {0} million euros", "What was the revenue of {0}?"),
    "employees": ("The company had {0} employees at the end of the year", "How many employees does {0} have?"),
    "dividend": ("The dividend is {0} cents a share", "What is the dividend of {0}?"),
}
_FORMS = ("{0} in {1}.", "{0}.")


@dataclass(frozen=True)
class YearlyFolder:
    """The yearly reports of one company: the figure of each measure by year; the newest also has a forecast."""

    company: str
    figures: dict[str, dict[int, str]]

    def documents(self) -> dict[str, bytes]:
        """Return the reports; every other company writes no year in its sentences."""
        years = sorted(next(iter(self.figures.values())))
        form = _FORMS[len(self.company) % len(_FORMS)]
        made = {}
        for year in years:
            said = [
                form.format(_MEASURES[name][0].format(by_year[year]), year) for name, by_year in self.figures.items()
            ]
            text = [f"# {self.company} AG: Annual Report {year}", "## Key figures", *said]
            made[f"{self.company}/annual-report-{year}.md"] = "\n\n".join([*text, ""]).encode()
        return made


def yearly_folders(count: int) -> list[YearlyFolder]:
    """Make folders of three to five reports, each figure with no twin."""
    chance = random.Random(_SEED)
    folders = []
    for number in range(count):
        company = f"{_COMPANIES[number % len(_COMPANIES)]}{'' if number < len(_COMPANIES) else ' Works'}"
        last = chance.randint(2022, 2025)
        years = range(last - chance.randint(2, 4), last + 1)
        taken = iter(chance.sample(range(1_100, 9_900), len(years) * len(_MEASURES)))
        folders.append(YearlyFolder(company, {name: {year: str(next(taken)) for year in years} for name in _MEASURES}))
    return folders


async def measure(size: Size) -> list[Comparison]:
    """Ask each company's figures without a year."""
    return await asyncio.to_thread(_measure, size.of(20, 1))


def _measure(count: int) -> list[Comparison]:
    folders = yearly_folders(count)
    with served({path: content for each in folders for path, content in each.documents().items()}) as product:
        told = [_ask(product, folder, name) for folder in folders for name in _MEASURES]
    names = ("the newest figure", "its year with it", "an older figure without its year")
    figures = {f"{name}, of {len(told)}": float(sum(each[at] for each in told)) for at, name in enumerate(names)}
    return [Comparison("undated questions", "answers", figures)]


def _ask(product: ServedProduct, folder: YearlyFolder, measure: str) -> tuple[bool, bool, bool]:
    conversation = product.user.post("/conversations", {})
    product.say(conversation["id"], _MEASURES[measure][1].format(folder.company))
    messages = product.user.get(f"/conversations/{conversation['id']}/messages")["items"]
    text = re.sub(r"<[^>]*>", "", next((each["content"] for each in reversed(messages) if each["role"] == "agent"), ""))
    by_year = folder.figures[measure]
    newest = max(by_year)
    statements = re.split(r"(?<=[.!?])\s+|\n", text)
    mixed = any(
        figure in statement and str(year) not in statement
        for statement in statements
        for year, figure in by_year.items()
        if year != newest
    )
    return by_year[newest] in text, by_year[newest] in text and str(newest) in text, mixed
