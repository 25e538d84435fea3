"""Parts for tests of reasoning."""

from tests.reasoning.model import reasoner, server

__all__ = ["reasoner", "server"]
