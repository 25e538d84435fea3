"""Audit's face to the composition root."""

from intelli.audit import chain, routes
from intelli.kit.room import Room

ROOM = Room(name="audit", routers=(routes.router,), verify=chain.findings)
