"""Adapters of the ports, one module each. `reasoning.embedders` and `reasoning.reasoners` choose among them."""
