"""Every query of conversations, by what it is about."""
