"""Every slip of every bound number of the shipped records is caught, and the counts on the method page are true."""

from __future__ import annotations

import pytest

from site_src import binding, mutation
from site_src.project import RESOURCES, Project

pytestmark = pytest.mark.audit

SAMPLE = 90


def test_every_slip_is_caught_and_the_published_counts_are_those() -> None:
    project = Project(RESOURCES)
    records = binding.bindings(project, [])
    outcomes = mutation.mutate(project, records, SAMPLE, None)
    assert {o.record: o.survivors for o in outcomes if o.survivors} == {}
    assert {o.record: o.disagreeing for o in outcomes if o.disagreeing} == {}
    assert sum(o.sampled for o in outcomes) >= SAMPLE
    for record, outcome in zip(records, outcomes, strict=True):
        published = record.explainer.claims.mutated
        assert published is not None, f"{outcome.record} was bound anew: run mutate --write"
        # Evidence lines need the documents, which are not part of the project.
        counts = {kind: count for kind, count in published.kinds.items() if kind != mutation.LINES}
        assert counts == outcome.counts()
