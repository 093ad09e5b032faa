"""Cited documents: their bytes, and whether they still print what a record says. The only code with a network."""
