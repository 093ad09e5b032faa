"""pinpress: explainer records in, a site out on which every number leads to its pinned source line."""
