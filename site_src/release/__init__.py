"""Published sites: read, checked against their manifests, packed, attested, rebuilt and compared."""
