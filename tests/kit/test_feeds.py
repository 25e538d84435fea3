"""Feeds: one that cannot be read ends its own streams, and nothing else."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from intelli.kit.context import SCOPES_OF_ROLE, AuthMethod, Role, UserContext
from intelli.kit.feeds import ACCESS_CHANNEL, EventFrame, Feed, FeedKey, Feeds, FeedSource, FramePage
from intelli.kit.live import Live

TENANT, GOOD, BAD = UUID(int=1), UUID(int=2), UUID(int=3)
WHO = UserContext(UUID(int=4), TENANT, Role.MEMBER, SCOPES_OF_ROLE[Role.MEMBER], AuthMethod.JWT)


class OneIsBad(FeedSource):
    """A source in which one thing cannot be read."""

    channel = "things"

    async def read(self, feeds: Sequence[Feed]) -> Sequence[Feed]:
        for feed in feeds:
            if feed.key.id == BAD:
                raise ValueError("a row that cannot be read")
            feed.begin(0)
            feed.add([EventFrame(1, b"good")])
        return ()

    async def page(self, feed: Feed, who: UserContext, *, after: int) -> FramePage:
        raise NotImplementedError

    async def check(self, who: UserContext, key: FeedKey) -> datetime | None:
        return None


async def test_a_feed_that_cannot_be_read_ends_and_the_others_go_on():
    live = Live("", ("things", ACCESS_CHANNEL))
    feeds = Feeds(OneIsBad(), live)
    bad, good = [await feeds.open(WHO, FeedKey(TENANT, thing), after=0) for thing in (BAD, GOOD)]
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        group.create_task(feeds.run())
        with bad, good:
            assert await bad.read() is None
            assert await good.read() == b"good"
        live.close()
