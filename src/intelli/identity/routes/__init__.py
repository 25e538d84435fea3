"""HTTP routes of identity: each opens a transaction, calls a rule and returns a wire model."""

from intelli.identity.routes import auth, keys, workspace

ROUTERS = (auth.router, workspace.router, keys.router)
