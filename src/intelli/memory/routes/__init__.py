"""HTTP edges of memory."""

from intelli.memory.routes import changing, ingest, reading

ROUTERS = (ingest.router, reading.router, changing.router)
