"""A workspace to put documents into and search."""

import pytest
from tests.retrieval.makers import Shelf

from intelli.kit.context import System
from intelli.kit.db import Database


@pytest.fixture
def shelf(database: Database, who: System) -> Shelf:
    return Shelf(database, who)
