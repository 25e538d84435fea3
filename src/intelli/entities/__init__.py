"""Entities: what a run found, made or was asked, each with the artifact that holds its content.

It owns the types and their rows. Words: entity, held content, identifier, reference.
"""
