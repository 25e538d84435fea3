"""PowerPoint: title placeholders, charts that can be edited, tables, sources at the foot and quotes in the notes."""
