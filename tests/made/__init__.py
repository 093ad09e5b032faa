"""Pages of docs/ that are made: every code with an example, every field of a record, the picture in the README."""
