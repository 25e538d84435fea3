"""Benchmarks, one module per question; each figure is a ratio to a named baseline of the same run. Writes no files."""
