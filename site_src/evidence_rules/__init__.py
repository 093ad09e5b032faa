"""The rules that find defects of the evidence, by what they look at: sources, values, conditions, lengths, wording."""
