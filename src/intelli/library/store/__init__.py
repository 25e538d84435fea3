"""All SQL of the library, one module for each kind of row."""
