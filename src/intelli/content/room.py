"""Content's face to the composition root."""

from intelli.content import jobs, routes, verify
from intelli.kit.room import Room

ROOM = Room(
    name="content", routers=routes.ROUTERS, uploads=("/artifacts",), jobs=(jobs.COLLECT,), verify=verify.findings
)
