"""Extract what tests need of schema.org's vocabulary: types, their parents, properties and the kinds of their values.

The vocabulary is read from schema-dts, which Google makes from each release of schema.org (Apache License 2.0; the
vocabulary itself is CC BY-SA 3.0). Run in a scratch folder, once per release that is wanted:

    npm pack schema-dts@2.1.0 && tar xzf schema-dts-*.tgz
    .venv/bin/python -m tests.schemas.schema_org package/dist/schema.d.ts > tests/schemas/schema-org.json
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

WANTED = ("TechArticle", "Dataset", "DataDownload", "PropertyValue", "Organization")
INTERFACE = re.compile(r"^interface (\w+)Base extends ([^{]+) \{\n(.*?)^\}", re.M | re.S)
PROPERTY = re.compile(r'^    "(\w+)"\?: SchemaValue<(.*), "\w+">;$', re.M)
# How the typings say that a value may be a reference by @id.
REFERENCE = "IdReference"


def vocabulary(typings: str) -> dict[str, Any]:
    """Return type → its parents and its own properties with the types of their values, ancestors included."""
    found = {m[1]: (m[2], m[3]) for m in INTERFACE.finditer(typings)}
    types: dict[str, Any] = {}
    wanted = list(WANTED)
    while wanted:
        name = wanted.pop()
        if name in types:
            continue
        extends, body = found[name]
        parents = re.findall(r"\b(\w+)Base\b", extends)
        own = {p: sorted({*kinds.split(" | ")} - {REFERENCE}) for p, kinds in PROPERTY.findall(body)}
        types[name] = {"parents": parents, "properties": dict(sorted(own.items()))}
        wanted += parents
    return dict(sorted(types.items()))


if __name__ == "__main__":
    print(json.dumps(vocabulary(Path(sys.argv[1]).read_text("utf-8")), indent=1))
