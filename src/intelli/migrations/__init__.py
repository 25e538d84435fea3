"""Alembic migrations: the only way the schema changes. Each one is small and reversible."""
