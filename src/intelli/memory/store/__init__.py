"""Every query of memory."""
