"""A model reasoner on a local server, for tests."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from decimal import Decimal

import pytest
from tests.support.model_server import ModelServer

from intelli.reasoning.adapters.model import ModelReasoner
from intelli.reasoning.model_settings import ModelSettings


def settings(server: ModelServer, **given: object) -> ModelSettings:
    usual: dict[str, object] = {
        "name": "test-model",
        "base_url": server.base_url,
        "api_key": "sk-test",
        "timeout_s": 60,
        "backoff_s": 0,
        "input_price": Decimal("2.50"),
        "output_price": Decimal("10.00"),
    }
    return ModelSettings(**{**usual, **given})  # type: ignore[arg-type]


@asynccontextmanager
async def reasoner_on(server: ModelServer, **given: object) -> AsyncIterator[ModelReasoner]:
    reasoner = ModelReasoner(settings(server, **given))
    try:
        yield reasoner
    finally:
        await reasoner.close()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
async def reasoner(server: ModelServer) -> AsyncIterator[ModelReasoner]:
    async with reasoner_on(server) as reasoner:
        yield reasoner
