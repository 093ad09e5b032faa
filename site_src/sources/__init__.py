"""Fetch and verify: the only code with a network."""
