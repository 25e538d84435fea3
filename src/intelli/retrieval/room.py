"""Retrieval's face to the composition root: routers and jobs."""

from intelli.kit.room import Room, Routers
from intelli.retrieval import jobs


def _routers() -> Routers:
    from intelli.retrieval import routes

    return routes.ROUTERS


ROOM = Room(
    name="retrieval",
    routers=_routers,
    jobs=(jobs.INDEX, jobs.ENCODE, jobs.MAINTAIN, jobs.REANALYSE, jobs.LOOK_AFTER),
)
