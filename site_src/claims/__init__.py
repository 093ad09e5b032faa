"""Numbers in prose ↔ fields of the record: found, proposed, frozen in a lock, proved, published."""
