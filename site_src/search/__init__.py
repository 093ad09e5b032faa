"""What the search page searches: exact things by an index of our own, prose by Pagefind, names from A to Z."""
