"""What things cost: each figure a ratio to a named baseline of the same run, one file a question. Writes nothing."""
