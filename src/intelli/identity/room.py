"""Identity's face to the composition root."""

from intelli.identity import jobs, routes
from intelli.kit.room import Room

ROOM = Room(name="identity", routers=routes.ROUTERS, jobs=(jobs.SWEEP,))
