"""Runs: durable research. A run works on one question until it is answered, even when its worker process dies.

The room owns runs with their plan, the event log, the ledger of model and tool calls, and the research graph.
Words: event, interaction, journal, lease, plan, recorded call, replay, run, task.
"""
