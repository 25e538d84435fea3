"""An endpoint with a model and a test of it, as if an admin had connected them."""

from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.models.tables import ModelEndpoint, ModelTest, WorkspaceModel

_ADDRESS = "http://127.0.0.1:9/v1"


async def fill_models(tx: Tx) -> dict[str, str]:
    """Give a workspace a row in each table of models; ids that routes name."""
    endpoint_id, model_id = uuid7(), uuid7()
    limits = {"context_tokens": 32000, "output_tokens": 4000, "timeout_s": 60, "concurrency": 1}
    rows = (
        ModelEndpoint(tenant_id=tx.tenant_id, id=endpoint_id, provider="compatible", base_url=_ADDRESS),
        WorkspaceModel(tenant_id=tx.tenant_id, id=model_id, endpoint_id=endpoint_id, name="m", **limits),
        ModelTest(tenant_id=tx.tenant_id, base_url=_ADDRESS, name="m"),
    )
    for row in rows:
        tx.session.add(row)
        await tx.session.flush()
    return {"endpoint_id": str(endpoint_id), "model_id": str(model_id)}
