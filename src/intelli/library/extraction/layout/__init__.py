"""Layout analysis: turns positioned words of a page into text in reading order, with blocks and word boxes."""
