"""What a conversation is about, by the document's id, and whether memory is used: by a person, in a conversation."""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
_KEY = ["tenant_id", "initialization_document_id"]


def upgrade() -> None:
    op.add_column("users", sa.Column("uses_memory", sa.Boolean, server_default="true", nullable=False))
    op.add_column("conversations", sa.Column("uses_memory", sa.Boolean, server_default="true", nullable=False))
    op.add_column("conversations", sa.Column("initialization_document_id", sa.Uuid))
    op.create_index("conversations_tenant_id_initialization_document_id_idx", "conversations", _KEY)
    op.create_foreign_key(
        "conversations_tenant_id_initialization_document_id_fkey",
        "conversations",
        "documents",
        _KEY,
        ["tenant_id", "id"],
        ondelete="SET NULL (initialization_document_id)",
    )


def downgrade() -> None:
    op.drop_column("conversations", "initialization_document_id")
    op.drop_column("conversations", "uses_memory")
    op.drop_column("users", "uses_memory")
