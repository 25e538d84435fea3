"""Runs: durable research. A run is one question, worked on until it is answered, whatever dies meanwhile.

It owns runs with their plan, the event log that tells what happens, the ledger of model and tool calls, and the graph
that does the research. Words: event, interaction, journal, lease, plan, recorded call, replay, run, task.
"""
