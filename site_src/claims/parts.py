"""Which parts of a record a prose field speaks of first: a label of its own row, a note of the field it explains."""

from __future__ import annotations

from typing import Any


def parts(data: Any) -> dict[str, frozenset[str]]:
    """Return for each part that holds prose the pointers of the parts its numbers are looked for first."""
    found: dict[str, frozenset[str]] = {}
    ids = {r.get("id"): f"/relations/{i}" for i, r in enumerate(data.get("relations") or ())}
    campaigns = {c.get("id"): f"/campaigns/{i}" for i, c in enumerate(data.get("campaigns") or ())}
    for index, result in enumerate(data.get("reported_results") or ()):
        own = f"/reported_results/{index}"
        found[own] = frozenset(filter(None, (own, campaigns.get(result.get("campaign")))))
    for name in ("profiles", "campaigns"):
        for index in range(len(data.get(name) or ())):
            found[f"/{name}/{index}"] = frozenset({f"/{name}/{index}"})
    for index, relation in enumerate(data.get("relations") or ()):
        rows = [part for row in _inputs(relation) for part in found.get(row, {row})]
        found[f"/relations/{index}"] = frozenset({f"/relations/{index}", *rows})
    for index, comparison in enumerate(data.get("comparisons") or ()):
        own, campaign = f"/comparisons/{index}", campaigns.get(comparison.get("campaign"))
        found[own] = frozenset(filter(None, (own, campaign)))
    for index, figure in enumerate(data.get("key_figures") or ()):
        own = ids.get(figure.get("relation")) or _part(str(figure.get("pointer") or ""))
        found[f"/key_figures/{index}"] = frozenset({own, *found.get(own, ())})
    for index, row in enumerate(data.get("envelope") or ()):
        named = [ids.get(row.get("combined")), ids.get(row.get("remaining"))]
        inputs = [p for at in named if at for p in found.get(at, ())]
        found[f"/envelope/{index}"] = frozenset([*filter(None, named), *inputs])
    return found


def _inputs(relation: Any) -> list[str]:
    """Return the rows that a relation takes its inputs from."""
    pointers = [str(i.get("pointer") or "") for i in (relation.get("inputs") or {}).values() if isinstance(i, dict)]
    return [_part(p) for p in pointers if p]


def _part(pointer: str) -> str:
    return "/".join(pointer.split("/")[:3])
