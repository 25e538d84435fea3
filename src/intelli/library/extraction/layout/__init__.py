"""Layout: from words that stand somewhere on a page to its text, in reading order, with blocks and word boxes."""
