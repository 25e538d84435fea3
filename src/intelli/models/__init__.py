"""Language models that a workspace thinks with: connected in the product, found on this machine, or installed on it.

The room owns endpoints with their encrypted keys, models with the role they have and what a test showed they can do,
and the model server that we run ourselves. Words: ability, endpoint, local model, provider, role.

A run asks `WorkspaceReasoners` for its reasoner, in the transaction in which it is claimed: the workspace's own choice,
else the model of the settings, else the local model, else none. A reasoner lives as long as what it was made of is
unchanged, so a change in the settings page takes effect with the next run, without a restart.
"""
