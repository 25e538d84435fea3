"""axe-core: no serious or critical finding on a page as it stands."""

from pathlib import Path
from typing import Any

from playwright.async_api import Page

# Colours on their way to others have the contrast of neither.
_SETTLED = """() => Promise.all(document.getAnimations()
    .filter(each => Number.isFinite(each.effect?.getComputedTiming().endTime))
    .map(each => each.finished.catch(() => null)))
    .then(() => null)"""
_SCRIPT = Path(__file__).parents[2] / "ui/node_modules/axe-core/axe.min.js"
_GRAVE = {"serious", "critical"}


async def findings(page: Page, *, only: str | None = None) -> list[str]:
    """What axe holds to be serious or critical, one line each; by one of its rules alone if so told."""
    if not await page.evaluate("() => 'axe' in window"):
        # By evaluation: the page's content policy rightly refuses an inline script.
        await page.evaluate(_SCRIPT.read_text())
    options = {"resultTypes": ["violations"], **({"runOnly": [only]} if only else {})}
    await page.evaluate(_SETTLED)
    result: dict[str, Any] = await page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in result["violations"]
        if violation["impact"] in _GRAVE
        for node in violation["nodes"]
    ]
