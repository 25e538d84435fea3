"""`python -m intelli.cli` is `intelli`."""

from intelli.cli import main

main()
