"""Intelli: a self-hosted research workbench for people whose work must be checkable."""
