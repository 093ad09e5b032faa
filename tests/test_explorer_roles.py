"""The part a condition plays is told from the words of its key and from its values; doubt keeps rows apart."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from site_src.explorer.roles import Role, is_measured, is_quantity, role, tells_length, tells_load

D = Decimal
CASES: list[tuple[str, Any, Role]] = [
    ("repetitions", D(3), Role.REPEATS),
    ("experiment_date", "2025-01-02", Role.NOTE),
    ("finished_at", "2025-01-02T03:04:05Z", Role.NOTE),
    ("condition_notes", "see text", Role.NOTE),
    ("memory_scope", "per card", Role.MEASURE),
    ("timing", "as the client saw it", Role.MEASURE),
    ("prompt_tokens", D(4096), Role.WORKLOAD),
    ("inputTokens", D(4096), Role.WORKLOAD),
    ("input_length_label", "128K", Role.WORKLOAD),
    ("counted_prompt_tokens", D(2968), Role.WORKLOAD),
    ("requested_output_cap", D(256), Role.WORKLOAD),
    ("output_tokens", D(256), Role.WORKLOAD),
    ("concurrency", D(4), Role.WORKLOAD),
    ("max_concurrency", D(4), Role.WORKLOAD),
    ("request_rate", D("2.5"), Role.WORKLOAD),
    ("context_length", D(4096), Role.WORKLOAD),
    ("cache_state", "cold", Role.WORKLOAD),
    ("temperature", D("0.8"), Role.WORKLOAD),
    ("top_p", D("0.95"), Role.WORKLOAD),
    ("dataset", "ShareGPT", Role.WORKLOAD),
    ("tensor_parallel", D(2), Role.MACHINES),
    ("parallelism", "TP2", Role.MACHINES),
    ("gpus", D(8), Role.MACHINES),
    ("node_count", D(1), Role.MACHINES),
    ("gpu", "H100", Role.SUBJECT),
    ("system", "two cards", Role.SUBJECT),
    ("model_revision", "abc1234", Role.SUBJECT),
    ("engine_version", "0.9.1", Role.SUBJECT),
    ("kv_cache_dtype", "fp8", Role.SUBJECT),
    ("context_limit_tokens", D(393216), Role.SUBJECT),
    ("speculative_tokens", D(3), Role.SUBJECT),
    ("actual_output_tokens", D(1024), Role.OUTCOME),
    ("output_tokens_in_all", D(88), Role.OUTCOME),
    ("requests_completed", D(10), Role.OUTCOME),
    ("group_wall_seconds", D("42.8"), Role.OUTCOME),
    ("finish_reasons", "stop", Role.OUTCOME),
    ("ttft_ms", D(12), Role.OUTCOME),
    ("throttle", "open", Role.UNKNOWN),
    ("fan_curve", None, Role.UNKNOWN),
]


@pytest.mark.parametrize(("key", "value", "expected"), CASES, ids=[key for key, _, _ in CASES])
def test_role(key: str, value: Any, expected: Role) -> None:
    assert role(key, [value]) is expected


def test_a_limit_that_was_set_is_no_outcome() -> None:
    assert role("ttft_slo_ms", [D(200)]) is not Role.OUTCOME
    assert role("e2e_timeout_seconds", [D(200)]) is not Role.OUTCOME


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([D("2.5"), D("3.75"), None], True),
        ([D(2), D(3)], False),
        ([D("0.5"), D("0.5"), D("0.7")], False),
        ([D("0.5")], False),
        (["2.5", D("3.5")], False),
    ],
)
def test_what_was_measured_is_told_from_what_was_set(values: list[Any], expected: bool) -> None:
    assert is_measured(values) is expected


@pytest.mark.parametrize("value", [D(16), "128K", "~240K", "4 streams", [D(1), D(2)]])
def test_a_quantity_is_seen(value: Any) -> None:
    assert is_quantity(["open", value])


@pytest.mark.parametrize("value", ["open", True, None, "v2", {"a": D(1)}])
def test_a_name_is_no_quantity(value: Any) -> None:
    assert not is_quantity([value])


def test_length_and_load() -> None:
    assert tells_length("prompt_tokens") and not tells_length("concurrency")
    assert tells_load("concurrency") and not tells_load("prompt_tokens")
