"""The library's face to the composition root: routers, jobs and checks."""

from intelli.kit.room import Room, Routers
from intelli.library import extract, read_structure, sweep, verify


def _routers() -> Routers:
    from intelli.library import routes

    return routes.ROUTERS


ROOM = Room(
    name="library",
    routers=_routers,
    uploads=("/artifacts", "/documents", "/documents/batch", "/documents/*/content"),
    jobs=(*extract.JOBS, *read_structure.JOBS, sweep.SWEEP),
    verify=verify.findings,
)
