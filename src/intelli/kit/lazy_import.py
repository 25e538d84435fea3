"""Import of slow modules in a thread: some take seconds, which would block the event loop."""

import asyncio
import importlib


async def load(name: str) -> None:
    """Import a module in a thread, so that a following import statement takes no time."""
    await asyncio.to_thread(importlib.import_module, name)
