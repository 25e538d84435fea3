"""HTTP routes of the library: each opens a transaction, calls a rule and returns a wire model."""

from intelli.library.routes import artifacts, documents, folders, overview, read, sources, tables, uploads, versions

ROUTERS = (
    artifacts.router,
    folders.router,
    documents.router,
    uploads.router,
    versions.router,
    read.router,
    tables.router,
    overview.router,
    sources.router,
)
