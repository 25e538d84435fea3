"""Fixtures of the tests about reading files."""

from tests.library.extraction.reading import read

__all__ = ["read"]
