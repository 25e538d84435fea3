"""Every query of the library: one module for each thing that is asked about."""
