"""Audit's face to the composition root."""

from intelli.audit import verify
from intelli.kit.room import Room, Routers


def _routers() -> Routers:
    from intelli.audit import routes

    return (routes.router,)


ROOM = Room(name="audit", routers=_routers, verify=verify.find_defects)
