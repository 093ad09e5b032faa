"""A record's text, or a sidecar's → the same text in one canonical layout. Nothing here touches a file."""
