"""Questions to tables: filter, join, group, sum, rank and sort, with the cells that each figure was made of."""
