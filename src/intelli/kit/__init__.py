"""Domain-free parts that every room builds on. The kit imports no room and uses no term of the domain."""
