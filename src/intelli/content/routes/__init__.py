"""HTTP routes of content: each opens a transaction, calls a rule and returns a wire model."""

from intelli.content.routes import artifacts, manifests, pointers

ROUTERS = (artifacts.router, manifests.router, pointers.router)
