"""Domain-free parts that every room stands on. The kit knows no room, no settings and no business word."""
