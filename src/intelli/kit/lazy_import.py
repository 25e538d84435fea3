"""Loading a module while the event loop goes on: some take seconds, in which nothing else would be answered."""

import asyncio
import importlib


async def load(name: str) -> None:
    """Have a module there, so that an import statement that follows takes no time."""
    await asyncio.to_thread(importlib.import_module, name)
