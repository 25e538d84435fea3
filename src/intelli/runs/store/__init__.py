"""Every query of the room, by what it asks about."""
