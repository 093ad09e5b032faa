"""One module an entry point; each has a TARGET, what takes one input and where to begin."""
