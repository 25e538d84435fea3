"""Alembic's entry: runs the migrations on the connection that `schema.py` hands over."""

from alembic import context

from intelli.migrations.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata(), compare_type=True, transaction_per_migration=True)
with context.begin_transaction():
    context.run_migrations()
