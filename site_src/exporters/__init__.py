"""A checked record in the formats of other programs, so that people who do not trust pinpress can judge it."""
