"""Entities: things that a run found, made or was asked, each with the artifact of its content.

Owns the twelve entity types and their rows. Terms: entity, entity content, identifier, reference.
"""
