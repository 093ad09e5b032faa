"""The words of the interface, a file a language."""
