"""HTTP routes of memory."""

from intelli.memory.routes import change, ingest, read

ROUTERS = (ingest.router, read.router, change.router)
