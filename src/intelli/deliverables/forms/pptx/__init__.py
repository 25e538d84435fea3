"""PowerPoint form: title placeholders, editable charts, tables, sources at the foot and quotes in the notes."""
