"""Schemas that written files are held against, each with where it comes from."""
