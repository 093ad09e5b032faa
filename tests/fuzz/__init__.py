"""Fuzzing of everything that reads what others wrote: `make fuzz` runs it, `found/` keeps what it ever found."""
