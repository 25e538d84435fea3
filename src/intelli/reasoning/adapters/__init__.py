"""Adapters of the ports: one file each. `reasoning.embedders` is the one list of them."""
