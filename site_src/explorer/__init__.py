"""The results explorer: every reported result of the site, in tables of rows that may be read side by side."""
