"""import: result files → measurements. Every format, its traps, and the proof that evidence points right."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from site_src.cli import CONTENT, DONE, USAGE, main
from site_src.importers import formats
from site_src.importers.result_file import ResultFile
from site_src.importers.shape import Imported, Quantity, Run
from site_src.importing import record_id_of
from site_src.layout.form import canonical
from site_src.parse import json_data, yaml_data
from site_src.problems import Rejected
from site_src.serial import json_text
from tests import result_files as made
from tests.records import COMMIT, sound
from tests.repositories import commit, git
from tests.result_files import FILES

SHARED: Final = Path(__file__).resolve().parents[2] / "shared" / "samples"
BASE: Final = f"https://github.com/brook-labs/runs/blob/{COMMIT}/out/"
NAMES: Final = [f.name for f in formats.FORMATS]


def read(raw: bytes, name: str = "run.json", form: str | None = None) -> Imported:
    return formats.read(ResultFile(name, raw), form)[1]


def of(value: Any) -> Imported:
    return read(json.dumps(value).encode())


def only(imported: Imported) -> Run:
    [run] = imported.runs
    return run


def quantity(run: Run, metric: str, statistic: str = "") -> Quantity:
    [found] = [q for q in run.quantities if q.metric == metric and q.statistic.startswith(statistic)]
    return found


def refusal(raw: bytes, name: str = "run.json", form: str | None = None) -> tuple[str, str]:
    with pytest.raises(Rejected) as caught:
        formats.read(ResultFile(name, raw), form)
    [problem] = caught.value.problems
    return problem.code, problem.message


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "records").mkdir()
    (tmp_path / "out").mkdir()
    return tmp_path


def put(project: Path, name: str, raw: bytes) -> Path:
    held = project / "snapshots" / "by-hash" / hashlib.sha256(raw).hexdigest()
    held.parent.mkdir(parents=True, exist_ok=True)
    held.write_bytes(raw)
    file = project / "out" / name
    file.write_bytes(raw)
    return file


def run_import(project: Path, *words: str) -> int:
    return main(["import", *words, "--project", str(project), "--quiet"])


def imported(project: Path, name: str, raw: bytes) -> Path:
    assert run_import(project, str(put(project, name, raw)), "--into", "brook", "--source-url", BASE) == DONE
    return project / "records" / "brook.yml"


def outcomes(project: Path) -> tuple[Counter[str], list[str]]:
    main(["verify", "--project", str(project), "--snapshots", str(project / "snapshots"), "--quiet"])
    receipt = json.loads((project / "records" / "brook.verified.json").read_text())
    return Counter(v["outcome"] for v in receipt["values"]), receipt.get("unlined", [])


# --- every format


@pytest.mark.parametrize("name", FILES)
def test_each_file_is_of_one_format(name: str) -> None:
    form, raw = FILES[name]
    file = ResultFile(name, raw)
    known = [f.name for f in formats.FORMATS if f.recognise(file)]
    assert formats.read(file)[0].name == form
    assert [f for f in known if f != "markdown"] == [f for f in [form] if f != "markdown"]
    assert formats.read(file, form)[0].name == form


def test_every_format_has_a_file() -> None:
    assert {form for form, _ in FILES.values()} == set(NAMES)
    assert len(set(NAMES)) == len(NAMES) == 12


@pytest.mark.parametrize("name", FILES)
def test_what_is_imported_verifies_against_the_file(name: str, project: Path) -> None:
    """The proof that evidence points right: the file itself is asked for every value and every condition."""
    record = imported(project, name, FILES[name][1])
    assert main(["check", "--project", str(project), "--quiet"]) == DONE
    found, unlined = outcomes(project)
    data = yaml_data(record.read_text(), "brook.yml")
    assert set(found) == {"verified"}
    assert found["verified"] >= len(data["reported_results"]) > 0
    assert unlined == []


@pytest.mark.parametrize("name", FILES)
def test_a_changed_value_is_found(name: str, project: Path) -> None:
    """The proof can fail: each value in turn is made another one, and the file denies it."""
    record = imported(project, name, FILES[name][1])
    text = record.read_text()
    results = yaml_data(text, "brook.yml")["reported_results"]
    at = next(i for i, r in enumerate(results) if isinstance(r["value"], Decimal) and "value_text" not in r)
    held = f"    value: {results[at]['value']:f}\n"
    other = f"    value: {results[at]['value'] + Decimal('0.1'):f}\n"
    # Without the printed cells, which check alone would hold against the value.
    record.write_text(re.sub(r', exact: ("[^"]*"|[^,}]*)', "", text.replace(held, other, 1)))
    assert main(["verify", "--project", str(project), "--snapshots", str(project / "snapshots")]) == CONTENT
    found, _ = outcomes(project)
    assert found["value-absent"] >= 1


@pytest.mark.parametrize("name", FILES)
def test_importing_twice_changes_nothing(name: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = imported(project, name, FILES[name][1])
    before = record.read_bytes()
    file = str(project / "out" / name)
    assert main(["import", file, "--into", "brook", "--source-url", BASE, "--project", str(project)]) == DONE
    assert record.read_bytes() == before
    assert "unchanged" in capsys.readouterr().out


def test_a_draft_is_named_after_the_whole_name_of_its_file() -> None:
    names = ["glm5.1_conc8.json", "glm5.2_conc8.json", "run.json", "....json", "R\u00e9sum\u00e9.csv"]
    found = [record_id_of(Path(name)) for name in names]
    assert found == ["glm5-1-conc8", "glm5-2-conc8", "run", "draft", "r-sum"]


@pytest.mark.parametrize("ending", ["yml", "json"])
@pytest.mark.parametrize("name", FILES)
def test_what_is_imported_is_laid_out_as_the_record_is(name: str, ending: str, project: Path) -> None:
    draft = imported(project, name, FILES[name][1])
    assert main(["fmt", "--check", "--project", str(project)]) == DONE
    [source] = yaml_data(draft.read_text("utf-8"), "")["sources"]
    own = project / "records" / f"heron.{ending}"
    head = {k: v for k, v in sound().items() if k not in {"reported_results", "schema_version"}}
    text = json_text({"schema_version": "1.1.0", **head, "id": "heron", "path": "/guides/heron/"})
    for is_laid_out in (True, False):
        own.write_text(canonical(text, f"records/{own.name}") if is_laid_out else f"{text}\n\n")
        url = str(source["pinned_url"])
        assert run_import(project, str(project / "out" / name), "--into", "heron", "--source-url", url) == DONE
        assert main(["fmt", "heron", "--check", "--project", str(project)]) == (DONE if is_laid_out else CONTENT)


@pytest.mark.parametrize("name", FILES)
def test_the_file_is_the_source(name: str, project: Path) -> None:
    raw = FILES[name][1]
    data = yaml_data(imported(project, name, raw).read_text(), "brook.yml")
    [source] = data["sources"]
    assert source["document_sha256"] == hashlib.sha256(raw).hexdigest()
    assert source["pinned_url"] == BASE + name
    assert (source["publisher"], source["revision"]) == ("brook-labs", COMMIT)
    assert data["draft"] is True
    assert all(r["campaign"] == source["document_id"] for r in data["reported_results"])
    assert all(r["site_reproduced"] is False for r in data["reported_results"])


# --- digits, nulls and deviations


def test_digits_are_those_of_the_file(project: Path) -> None:
    raw = json.dumps(made.VLLM).replace("20.5", "20.500").encode()
    text = imported(project, "run.json", raw).read_text()
    assert "value: 20.500\n" in text
    assert "burstiness: 1.0\n" in text


def test_nan_is_null_with_what_stands_there(project: Path) -> None:
    run = only(read(FILES["genai.json"][1]))
    mean = quantity(run, "time_to_first_token", "mean")
    assert mean.uncertainty is None
    odd = next(r for r in read(FILES["lm4.json"][1]).runs if r.label == "odd")
    score = quantity(odd, "acc")
    assert (score.value, score.null_reason, score.in_file) == (None, "not_reported", "NaN")
    assert "value_in_file: NaN" in imported(project, "lm4.json", FILES["lm4.json"][1]).read_text()


def test_nan_is_refused_of_a_tool_that_does_not_write_it() -> None:
    for value in ("NaN", "Infinity", "-Infinity"):
        raw = FILES["benchy.json"][1].replace(b"1968.5", value.encode())
        assert refusal(raw)[0] == "not-finite"
    assert refusal(FILES["aiperf.json"][1].replace(b"25165.309598402982", b"NaN"))[0] == "not-finite"


def test_a_key_that_stands_twice_is_refused() -> None:
    for name in ("vllm.json", "lm3.json", "aiperf.json"):
        raw = FILES[name][1].lstrip().replace(b"{", b'{"x": 1, "x": 2, ', 1)
        assert refusal(raw, name)[0] == "duplicate-key", name


def test_a_run_without_a_completed_request_is_refused() -> None:
    zeros = {k: 0.0 if k.endswith("_ms") else v for k, v in made.VLLM.items()} | {"completed": 0}
    assert refusal(json.dumps(zeros).encode())[0] == "import-empty"
    lines = [*made.SGLANG[:2], {**made.SGLANG[2], "completed": 0}]
    assert refusal(b"".join(json.dumps(x).encode() + b"\n" for x in lines))[0] == "import-empty"
    assert refusal(json.dumps({**made.INFERENCEX, "num_requests_successful": 0}).encode())[0] == "import-empty"
    assert refusal(json.dumps({**made.FIXED, "tput_per_gpu": 0.0}).encode())[0] == "import-empty"
    none = {**made.AIPERF, "request_count": {"unit": "requests", "avg": 0.0}}
    assert refusal(json.dumps(none).encode())[0] == "import-empty"
    assert refusal(made.AIPERF_CSV.replace(b"Request Count,40.00", b"Request Count,0.00"), "a.csv")[0] == "import-empty"
    assert refusal(made.GENAI_CSV.replace(b"(requests/sec),2.50", b"(requests/sec),0.00"), "a.csv")[0] == "import-empty"
    assert (
        refusal(b"\nNo warnings encountered during test.\n\nNo errors encountered during test.\n")[0] == "import-empty"
    )


def test_the_deviation_of_one_sample_is_null() -> None:
    both = read(FILES["llama.json"][1]).runs
    two, one = (r.quantities[0] for r in both)
    assert (two.n, one.n) == (2, 1)
    assert two.uncertainty is not None
    assert two.uncertainty["sample_standard_deviation"] == Decimal("2.05")
    assert one.uncertainty is None
    table = [r.quantities[0].uncertainty for r in read(made.LLAMA_MD, "x.log").runs]
    assert table[0] is not None
    assert table[1] is None, "± 0.00 of an untold count tells nothing"
    assert [r.quantities[0].uncertainty is None for r in read(made.LLAMA_CSV, "x.csv").runs] == [False, True]
    alone = read(FILES["benchy.json"][1]).runs[1]
    assert quantity(alone, "generation_throughput_total").uncertainty is None
    single = of({**made.VLLM, "completed": 1})
    assert quantity(only(single), "time_to_first_token", "mean").uncertainty is None


def test_population_and_sample_deviation_are_told_apart() -> None:
    named = {
        "vllm.json": "population_standard_deviation",
        "sglang.jsonl": "population_standard_deviation",
        "benchy.json": "population_standard_deviation",
        "agentic.json": "population_standard_deviation",
        "llama.json": "sample_standard_deviation",
        "lm3.json": "standard_error",
    }
    for name, kind in named.items():
        spreads = [q.uncertainty for r in read(FILES[name][1], name).runs for q in r.quantities if q.uncertainty]
        assert spreads
        assert all(kind in spread for spread in spreads), name


def test_a_deviation_over_time_is_not_called_one_of_requests() -> None:
    for name in ("aiperf.json", "aiperf.csv"):
        run = only(read(FILES[name][1], name))
        over_time = quantity(run, "effective_concurrency", "mean").uncertainty
        over_requests = quantity(run, "request_latency", "mean").uncertainty
        assert over_time is not None and "standard_deviation" in over_time
        assert over_requests is not None and "population_standard_deviation" in over_requests
    genai = only(read(FILES["genai.json"][1]))
    assert quantity(genai, "request_latency", "mean").statistic == "mean over requests"
    one = {**made.GENAI, "request_count": {"unit": "count", "avg": 1.0}}
    assert quantity(only(of(one)), "request_latency", "mean").uncertainty is None


def test_a_test_of_llama_bench_is_prompt_generation_and_depth() -> None:
    prompt, generation = read(FILES["llama.json"][1]).runs
    assert prompt.label == "brook 12B Q4_K - Medium, pp512 at depth 4096"
    assert (prompt.conditions["prompt_tokens"], prompt.conditions["depth_tokens"]) == (512, 4096)
    assert [q.metric for q in generation.quantities] == ["text_generation_throughput", "test_duration"]
    both = {**made.LLAMA_ROW, "n_gen": 128}
    assert only(of(both)).quantities[0].metric == "prompt_and_generation_throughput"
    table = read(made.LLAMA_MD, "x.log").runs[0]
    assert (table.conditions["prompt_tokens"], table.conditions["size"]) == (2048, "6.84 GiB")
    csv = read(made.LLAMA_CSV, "x.csv").runs[0]
    assert csv.conditions["build_commit"] == "1234567", "a commit of digits is no number"
    assert csv.conditions["model_size_bytes"] == 7340032000


def test_a_deviation_without_its_mean_is_a_value() -> None:
    found = quantity(read(FILES["sglang.jsonl"][1]).runs[0], "end_to_end_latency", "mean")
    assert found.uncertainty is not None
    without = [{k: v for k, v in x.items() if k != "mean_e2e_latency_ms"} for x in made.SGLANG[:1]]
    alone = quantity(only(of(without[0])), "end_to_end_latency")
    assert alone.statistic == "population standard deviation over completed requests"


def test_an_exponent_is_read_and_shown_as_printed(project: Path) -> None:
    cell = read(FILES["matrix.json"][1]).runs[1]
    found = quantity(cell, "time_to_second_token")
    assert found.value == Decimal("0.000075")
    assert found.value_text == "7.5e-05"
    text = imported(project, "matrix.json", FILES["matrix.json"][1]).read_text()
    assert "value: 0.000075\n    value_text: 7.5e-05\n" in text
    assert refusal(FILES["vllm.json"][1].replace(b"410.25", b"1e999"))[0] == "import-shape"


# --- what each format means


def test_concurrency_is_cap_submitted_and_observed() -> None:
    run = only(of(made.VLLM))
    said = {k: str(run.conditions[k]) for k in ("concurrency_cap", "requests_submitted", "requests_completed")}
    assert said == {"concurrency_cap": "16", "requests_submitted": "64", "requests_completed": "63"}
    assert run.conditions["concurrency_observed_peak_second"] == 17
    assert "concurrency" not in run.conditions
    assert run.conditions["gpu"] == "Heron 48", "what --metadata adds is kept"


def test_observed_concurrency_is_computed_from_the_times_of_requests() -> None:
    times = {"start_times": [0.0, 0.5, 2.0], "ttfts": [1.0, 1.0, 1.0], "itls": [[1.0], [0.5, 0.5], []], "duration": 4.0}
    run = only(of({**made.VLLM, **times}))
    # 2 s + 2 s + 1 s in 4 s; the third starts where the first has ended.
    assert str(run.conditions["concurrency_observed_mean"]).startswith("1.25, computed at import")
    assert str(run.conditions["concurrency_observed_peak"]).startswith("2, computed at import")
    assert "concurrency_observed_mean" not in only(of({**made.VLLM, **times, "itls": [[1.0]]})).conditions
    sglang = {**made.SGLANG[0], **times, "input_lens": [1, 2, 3, 4], "errors": ["", "x", ""]}
    told = only(of(sglang)).conditions
    assert told["concurrency_observed_mean"] == Decimal("3.125"), "what the tool reports comes first"
    assert str(told["requests_submitted"]).startswith("4, counted at import")
    assert str(told["requests_failed"]).startswith("1, counted at import")


def test_a_bound_of_random_lengths_is_none_of_sharegpt() -> None:
    told = only(of({**made.SGLANG[0], "dataset_name": "sharegpt"})).conditions
    assert not any(name.endswith("_length_bound") for name in told)
    assert told["random_input_len_not_used"] == 1024
    assert only(of(made.SGLANG[0])).conditions["input_length_bound"] == 1024


def test_every_line_of_sglang_is_a_run() -> None:
    runs = read(FILES["sglang.jsonl"][1]).runs
    assert [r.conditions["request_rate"] for r in runs] == [2, 4, "Infinity"]
    assert [r.quantities[0].spot.line for r in runs] == [1, 2, 3]
    assert len({r.label for r in runs}) == 3
    assert runs[0].conditions["input_length_bound"] == 1024
    assert runs[0].conditions["model"] == "brook-labs/Brook-12B"


def test_per_gpu_rates_say_what_they_count() -> None:
    run = only(of(made.INFERENCEX))
    assert quantity(run, "total_token_throughput_per_gpu").divided_by == (
        "benchmark duration and GPUs; input and output tokens counted"
    )
    assert quantity(run, "output_token_throughput_per_gpu").unit == "tokens/s/GPU"


def test_the_tail_of_interactivity_is_kept() -> None:
    def tail(value: dict[str, Any]) -> str:
        [found] = {q.divided_by or "" for q in only(of(value)).quantities if q.metric == "interactivity"}
        return found

    assert "fast tail" in tail(made.INFERENCEX)
    assert "slow tail" in tail(made.FIXED)
    later = {k: v for k, v in made.INFERENCEX.items() if "intvty" not in k and "tpot" not in k}
    later |= {f"{s}_intvty": 1 / later[f"{s}_itl"] for s in ("mean", "p75", "p95")} | {"std_intvty": 8.5}
    assert "slow tail" in tail(later)
    assert quantity(only(of(later)), "interactivity", "mean").uncertainty is not None
    assert "cannot be told" in tail({**made.INFERENCEX, "p95_intvty": 20.5})
    assert "slow tail" in tail(made.NESTED)
    spread = quantity(only(of(made.NESTED)), "interactivity", "mean").uncertainty
    assert spread is not None
    assert spread["population_standard_deviation"] == Decimal("8.25")
    other_order = {
        "_".join(reversed(k.split("_"))) if "tpot" in k or "intvty" in k else k: v for k, v in made.FIXED.items()
    }
    assert "intvty_p99" in other_order
    assert "slow tail" in tail(other_order)


def test_the_reciprocal_of_a_deviation_is_no_deviation() -> None:
    assert quantity(only(of(made.FIXED)), "interactivity", "mean").uncertainty is None
    assert quantity(only(of(made.FIXED)), "time_per_output_token_after_first", "mean").uncertainty is not None


def test_units_come_from_the_format() -> None:
    milliseconds, seconds = only(of(made.VLLM)), only(of(made.EXPERIMENT))
    assert quantity(milliseconds, "time_to_first_token", "median").unit == "ms"
    assert quantity(seconds, "time_to_first_token", "median").unit == "s"
    assert quantity(only(read(made.MLPERF, "x.txt")), "query_latency", "minimum").unit == "ns"


def test_two_exports_of_one_run_agree_and_windows_are_no_throughput() -> None:
    agree(only(of(made.AIPERF)), only(of(made.INFERENCEX)))


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared/samples")
def test_the_two_real_exports_of_one_run_agree() -> None:
    aiperf = read((SHARED / "aiperf_profile_export__same_run.json").read_bytes())
    inferencex = read((SHARED / "inferencemax_agg__glm5.1_mi355x_conc8.json").read_bytes())
    assert agree(only(aiperf), only(inferencex)) >= 15


def agree(aiperf: Run, inferencex: Run) -> int:
    """Hold what both report against each other: times differ by a thousand, nothing else, to nine digits."""
    pairs = [
        ("time_to_first_token", "time_to_first_token", 1000),
        ("request_latency", "end_to_end_latency", 1000),
        ("inter_token_latency", "inter_token_latency", 1000),
        ("output_token_throughput", "output_token_throughput", 1),
        ("output_token_throughput_per_user", "interactivity", 1),
        ("input_sequence_length", "input_sequence_length", 1),
    ]
    compared = 0
    for one, other, factor in pairs:
        for theirs in (q for q in inferencex.quantities if q.metric == other and q.value is not None):
            name = theirs.statistic.partition(" ")[0]
            mine = [q for q in aiperf.quantities if q.metric == one and q.statistic.partition(" ")[0] == name]
            for q in mine:
                assert q.value is not None and theirs.value is not None
                assert abs(q.value - theirs.value * factor) <= abs(q.value) * Decimal("1e-9"), (one, name)
                compared += 1
    assert compared > 8
    throughput = quantity(aiperf, "request_throughput").value
    windows = quantity(inferencex, "request_completions_per_window", "mean")
    assert "request_throughput" not in {q.metric for q in inferencex.quantities}
    assert throughput is not None and windows.value is not None
    assert abs(windows.value - throughput) > throughput * Decimal("1e-4")
    return compared


def test_an_invalid_run_says_so() -> None:
    run = only(read(made.MLPERF, "x.txt"))
    assert run.label.startswith("INVALID: ")
    assert run.conditions["validity"] == "INVALID"
    assert run.conditions["target_qps_asked_for"] == Decimal("83.5")
    valid = made.MLPERF.replace(b"INVALID", b"VALID")
    assert not only(read(valid, "x.txt")).label.startswith("INVALID")
    for change in ({"was_cancelled": True}, {"metadata": {"submission_valid": False}}):
        assert only(of({**made.AIPERF, **change})).label.startswith("INVALID: ")


def test_a_rate_that_a_summary_gives_twice_must_be_one() -> None:
    raw = made.MLPERF.replace(b"per second                 : 24593.75", b"per second                 : 24593.76")
    assert refusal(raw, "x.txt")[0] == "duplicate-key"


def test_a_zero_for_requests_that_none_completed_is_null() -> None:
    imported_runs = read(FILES["matrix.json"][1])
    prefill, cell, other = imported_runs.runs
    latency = quantity(cell, "end_to_end_latency")
    assert (latency.value, latency.null_reason, latency.in_file) == (None, "not_reported", "0.0")
    assert quantity(prefill, "prompt_processing_throughput").value == 16866
    assert other.conditions["requests_running_mean"] == Decimal("1.75")
    assert other.conditions["concurrency_asked_for"] == 4
    assert imported_runs.notes == ("The cell concurrency 64, context 16384 measured nothing and was left out.",)


def test_metric_and_filter_of_lm_eval_are_apart() -> None:
    gsm = read(FILES["lm4.json"][1]).runs[0]
    strict, flexible = gsm.quantities
    assert (strict.conditions["filter"], flexible.conditions["filter"]) == ("strict-match", "flexible-extract")
    assert strict.uncertainty is not None
    assert flexible.uncertainty is None, '"N/A" is no number'
    assert gsm.conditions["documents_asked"] == 100
    assert quantity(read(FILES["lm3.json"][1]).runs[1], "word_perplexity").unit == "as the metric defines"


def test_a_count_of_documents_is_no_score_of_lm_eval() -> None:
    runs = {run.label: run for run in read(FILES["lm4.json"][1]).runs}
    for name, asked in (("verse", 40), ("all", 1419)):
        assert [q.metric for q in runs[name].quantities] == ["acc"]
        assert runs[name].conditions["documents_asked"] == asked
    gsm = {**made.LM_EVAL_4["results"]["gsm"], "sample_len": 101}
    both = only(of({**made.LM_EVAL_4, "results": {"gsm": gsm}}))
    assert both.conditions["documents_asked"] == 100, "what n-samples tells comes first"
    assert both.conditions["model"] is None, "an empty name is none"


def test_the_readings_behind_a_unit_of_go_are_no_part_of_it() -> None:
    _, load, rate = read(FILES["data.js"][1], "data.js").runs
    assert (load.quantities[0].unit, rate.quantities[0].unit) == ("ns/op", "MB/s")
    assert load.conditions["unit_in_file"] == "ns/op\t   4.14 MB/s\t     344 B/op"
    assert "unit_in_file" not in rate.conditions
    assert load.conditions["extra"] == "140 times\n4 procs"


def test_what_genai_perf_could_not_count_is_null() -> None:
    found = [q for q in only(read(made.GENAI_CSV, "a.csv")).quantities if q.metric == "inter_token_latency"]
    assert len(found) == 9
    assert {(q.value, q.null_reason, q.in_file) for q in found} == {(None, "not_reported", "N/A")}
    raw = made.GENAI_CSV.replace(b"(requests/sec),2.50", b"(requests/sec),N/A")
    assert refusal(raw, "a.csv")[0] == "import-empty"
    assert refusal(made.GENAI_CSV.replace(b"N/A", b"none"), "a.csv")[0] == "import-shape"


def test_what_an_import_leaves_to_write_is_refused_once_it_is_no_draft(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = imported(project, "llama.json", FILES["llama.json"][1])
    record.write_text(record.read_text("utf-8").replace("draft: true\n", ""), "utf-8")
    assert main(["check", "--project", str(project), "-q"]) == DONE
    capsys.readouterr()
    assert main(["check", "--strict", "--project", str(project)]) == CONTENT
    told = re.findall(r"  (\w+) was left unwritten: .+\[left-unwritten\]$", capsys.readouterr().err, re.M)
    assert sorted(told) == ["answer", "body_markdown", "summary", "title"]


def test_a_finding_gives_values_with_units_and_its_text(project: Path) -> None:
    found = read(made.FINDING, "finding.md")
    assert [(q.metric, q.unit, q.statistic, str(q.value)) for q in found.runs[1].quantities] == [
        ("rate", "tok/s", "not stated", "21.40"),
        ("ttft_p50", "ms", "p50", "612"),
        ("pool", "GiB", "not stated", "3.66"),
    ]
    assert len(found.runs) == 2, "a table without a unit holds no measurement"
    data = yaml_data(imported(project, "finding.md", made.FINDING).read_text(), "brook.yml")
    assert data["body_markdown"] == made.FINDING.decode()
    assert data["title"] == "Two lanes on one card"


def test_an_entry_without_a_unit_is_refused() -> None:
    entry = json.dumps([{"name": "decode", "value": 4, "unit": " "}]).encode()
    assert refusal(entry)[0] == "import-shape"


# --- refusals have a place and a remedy


def test_an_unknown_format_lists_the_known_ones() -> None:
    with pytest.raises(Rejected) as caught:
        formats.read(ResultFile("x.json", b'{"a": 1}'))
    [problem] = caught.value.problems
    assert problem.code == "import-format"
    assert all(name in problem.remedy for name in NAMES)
    assert refusal(b"{}", "x.json", "excel")[0] == "import-format"
    assert refusal(FILES["vllm.json"][1], "x.json", "lm-eval")[0] == "import-format"


def test_broken_json_lines_are_told_on_their_line(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = FILES["sglang.jsonl"][1].replace(b'"duration": 101.5', b'"duration": ,')
    file = put(project, "broken.jsonl", raw)
    assert main(["import", str(file), "--into", "brook", "--source-url", BASE, "--project", str(project)]) == CONTENT
    said = capsys.readouterr().err
    assert "out/broken.jsonl:2:" in said
    assert "[broken-json]" in said
    assert not list((project / "records").iterdir())


def test_a_file_outside_the_project_is_told_with_its_place(
    project: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path_factory.mktemp("elsewhere") / "run.json"
    file.write_bytes(json.dumps({**made.VLLM, "completed": 0}, indent=1).encode())
    assert main(["import", str(file), "--source-url", BASE, "--project", str(project)]) == CONTENT
    said = capsys.readouterr().err
    assert f"{file.as_posix()}:14:15  /completed is 0" in said


def test_a_control_character_is_refused() -> None:
    raw = json.dumps({**made.VLLM, "model_id": "a\x1b[31m"}).encode()
    with pytest.raises(Rejected):
        _run_for(raw)


def _run_for(raw: bytes) -> None:
    from site_src import importing

    file = ResultFile("x.json", raw)
    importing.refuse_control_characters(file, formats.read(file)[1])


# --- the source is never made up


@pytest.mark.parametrize(
    ("urls", "said"),
    [
        ([], "does not tell where it is published"),
        (["https://github.com/brook-labs/runs/blob/main/out/run.json"], "does not tell revision"),
        (["nonsense"], "neither a web address"),
        ([f"https://github.com/brook-labs/runs/tree/{COMMIT}"], "does not tell document_path"),
    ],
)
def test_a_source_that_is_not_known_is_asked_for(
    urls: list[str], said: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = put(project, "run.json", FILES["vllm.json"][1])
    words = [w for url in urls for w in ("--source-url", url)]
    assert main(["import", str(file), "--into", "brook", *words, "--project", str(project)]) == CONTENT
    told = capsys.readouterr().err
    assert said in told
    assert "[import-source]" in told
    assert not list((project / "records").iterdir())


def test_a_page_needs_no_commit_and_a_publisher_can_be_named(project: Path) -> None:
    file = put(project, "run.json", FILES["vllm.json"][1])
    url = "https://example.org/runs/run.json"
    assert run_import(project, str(file), "--into", "b", "--source-url", url, "--publisher", "Brook Labs") == DONE
    [source] = yaml_data((project / "records" / "b.yml").read_text(), "b.yml")["sources"]
    assert (source["publisher"], source["public_URL_is_immutable"]) == ("Brook Labs", False)


def test_a_clone_settles_a_branch_and_denies_other_bytes(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = FILES["vllm.json"][1]
    clone = project / "clone"
    clone.mkdir()
    git(clone, "init", "-q")
    head = commit(clone, {"out/run.json": raw}, "2026-03-02T10:00:00+00:00")
    words = ["--clone", f"brook-labs/runs={clone}", "--source-url", "https://github.com/brook-labs/runs/blob/main/out/"]
    assert run_import(project, str(put(project, "run.json", raw)), "--into", "brook", *words) == DONE
    [source] = yaml_data((project / "records" / "brook.yml").read_text(), "x")["sources"]
    assert (source["revision"], source["last_commit_at"]) == (head, "2026-03-02T10:00:00Z")
    other = put(project, "run.json", raw + b" ")
    assert run_import(project, str(other), "--into", "other", *words) == CONTENT
    assert "holds other bytes" in capsys.readouterr().err


def test_addresses_pair_with_files(project: Path) -> None:
    files = [str(put(project, n, FILES[n][1])) for n in ("vllm.json", "mlperf.txt", "lm3.json")]
    assert run_import(project, *files, "--source-url", BASE + "vllm.json") == USAGE
    assert run_import(project, *files, "--into", "all", "--source-url", BASE) == DONE
    data = yaml_data((project / "records" / "all.yml").read_text(), "all.yml")
    assert [s["document_path"] for s in data["sources"]] == ["out/vllm.json", "out/mlperf.txt", "out/lm3.json"]
    assert len(data["campaigns"]) == 3
    with pytest.raises(SystemExit):
        run_import(project, files[0], "--into", "a/b")


# --- an existing record


def _records(kind: str) -> list[str]:
    data = sound()
    if kind == "json":
        return [json_text(data) + "\n", json.dumps(data, default=float), json.dumps(data, default=float, indent=4)]
    lines = ["# kept", *json_text({k: v for k, v in data.items() if k != "reported_results"}).splitlines()]
    block = [f"{k}: {json.dumps(v, default=float)}  # why" for k, v in data.items()]
    return ["\n".join(lines[:1] + block) + "\n", "\r\n".join(block) + "\r\n"]


@pytest.mark.parametrize(("kind", "number"), [("json", 0), ("json", 1), ("json", 2), ("yml", 0), ("yml", 1)])
def test_an_existing_record_gains_results_and_keeps_its_bytes(kind: str, number: int, project: Path) -> None:
    record = project / "records" / f"brook.{kind}"
    before = _records(kind)[number]
    record.write_text(before, newline="")
    raw = FILES["sglang.jsonl"][1]
    file = str(put(project, "sglang.jsonl", raw))
    assert run_import(project, file, "--into", "brook", "--source-url", BASE) == DONE
    after = record.read_bytes().decode()
    parse: Callable[[str, str], Any] = json_data if kind == "json" else yaml_data
    old, new = parse(before, "x"), parse(after, "x")
    assert {k: v for k, v in new.items() if k not in {"sources", "campaigns", "reported_results"}} == {
        k: v for k, v in old.items() if k not in {"sources", "reported_results"}
    }
    assert new["sources"][:1] == old["sources"]
    assert new["reported_results"][:1] == old["reported_results"]
    assert len(new["reported_results"]) > 10
    rest = iter(after)
    assert all(character in rest for character in before), "nothing that stood there is gone or moved"
    assert "draft" not in new
    assert main(["check", "--project", str(project), "--quiet"]) == DONE
    again = record.read_bytes()
    assert run_import(project, file, "--into", "brook", "--source-url", BASE) == DONE
    assert record.read_bytes() == again


def test_what_an_editor_changed_is_kept(project: Path) -> None:
    record = imported(project, "vllm.json", FILES["vllm.json"][1])
    text = record.read_text().replace("statistic: one run", "statistic: a single run", 1)
    record.write_text(text)
    assert run_import(project, str(project / "out" / "vllm.json"), "--into", "brook", "--source-url", BASE) == DONE
    assert record.read_text() == text


def test_two_files_of_one_name_are_two_documents(project: Path) -> None:
    record = imported(project, "vllm.json", FILES["vllm.json"][1])
    other = put(project, "vllm.json", json.dumps({**made.VLLM, "duration": 30.5}).encode())
    url = BASE.replace(COMMIT, "d" * 40)
    assert run_import(project, str(other), "--into", "brook", "--source-url", url) == DONE
    data = yaml_data(record.read_text(), "brook.yml")
    assert [s["document_id"] for s in data["sources"]] == ["vllm", "vllm-2"]
    assert {r["evidence"]["document"] for r in data["reported_results"]} == {"vllm", "vllm-2"}
    assert main(["check", "--project", str(project), "--quiet"]) == DONE


def test_metrics_can_be_chosen(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(put(project, "vllm.json", FILES["vllm.json"][1]))
    words = [file, "--into", "brook", "--source-url", BASE, "--metric"]
    assert run_import(project, *words, "time_to_first_token") == DONE
    data = yaml_data((project / "records" / "brook.yml").read_text(), "x")
    assert {r["metric"] for r in data["reported_results"]} == {"time_to_first_token"}
    assert run_import(project, *words, "joy") == CONTENT
    assert "has no metric joy" in capsys.readouterr().err


def test_a_dry_run_prints_and_writes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(put(project, "vllm.json", FILES["vllm.json"][1]))
    assert run_import(project, file, "--into", "brook", "--source-url", BASE, "--dry-run") == DONE
    assert yaml_data(capsys.readouterr().out, "x")["id"] == "brook"
    assert not list((project / "records").iterdir())


def test_a_strict_check_of_the_draft_tells_what_is_missing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    imported(project, "llama.log", made.LLAMA_MD)
    assert main(["check", "--strict", "--project", str(project)]) == CONTENT
    assert "[open-claims]" in capsys.readouterr().err


# --- real files and any bytes

REFUSED: Final = {
    "llama_benchy__report_schema.json": "import-format",
    "mlperf_loadgen_server_accuracy__llama2-70b.txt": "import-empty",
    "vllm_bench_serve__all_100_failed_zeros.json": "import-empty",
}


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared/samples")
def test_every_real_file_is_imported_or_refused_for_its_reason() -> None:
    files = sorted(p for p in SHARED.iterdir() if p.name != "README.md")
    assert len(files) > 15
    for file in files:
        if file.name in REFUSED:
            assert refusal(file.read_bytes(), file.name)[0] == REFUSED[file.name]
        else:
            form, found = formats.read(ResultFile(file.name, file.read_bytes()))
            assert form.name.partition("-")[0] == file.name.partition("_")[0].replace("inferencemax", "inferencex")
            assert any(q.value is not None for r in found.runs for q in r.quantities), file.name


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared/samples")
@pytest.mark.parametrize(
    "start", ["inferencemax", "mlperf_loadgen_server__", "llama_bench__md", "sglang_bench_serving__q"]
)
def test_real_files_verify(start: str, project: Path) -> None:
    [file] = [p for p in SHARED.iterdir() if p.name.startswith(start)]
    imported(project, file.name, file.read_bytes())
    found, unlined = outcomes(project)
    assert set(found) == {"verified"}
    assert unlined == []


def tolerant(name: str, raw: bytes, form: str | None) -> None:
    try:
        _, found = formats.read(ResultFile(name, raw), form)
    except Rejected as rejected:
        assert all(p.message and p.remedy for p in rejected.problems)
    else:
        assert isinstance(found, Imported)


@settings(deadline=None, max_examples=150)
@given(st.binary(max_size=300), st.sampled_from([None, *NAMES]), st.sampled_from(["a.json", "a.csv", "a.md", "a"]))
def test_any_bytes_are_read_or_refused(raw: bytes, form: str | None, name: str) -> None:
    tolerant(name, raw, form)


ODD: Final = st.sampled_from(
    [
        b"null",
        b"true",
        b'"x"',
        b"[]",
        b"{}",
        b"-1",
        b"1e400",
        b"NaN",
        b"[[1]]",
        b'{"avg": []}',
        b"\x00",
        b"\xff",
        b"0",
        b"",
    ]
)


@settings(deadline=None, max_examples=400)
@given(st.sampled_from(sorted(FILES)), st.data())
def test_any_file_with_a_part_replaced_is_read_or_refused(name: str, data: st.DataObject) -> None:
    raw = FILES[name][1]
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, min(len(raw), start + 60)))
    tolerant(name, raw[:start] + data.draw(ODD) + raw[end:], data.draw(st.sampled_from([None, FILES[name][0]])))


@settings(deadline=None, max_examples=400)
@given(st.sampled_from(sorted(n for n in FILES if n.endswith(".json"))), st.data())
def test_any_value_of_a_json_file_may_be_anything(name: str, data: st.DataObject) -> None:
    whole = json.loads(FILES[name][1])
    held: Any = whole
    while True:
        keys = list(held) if isinstance(held, dict) else list(range(len(held)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(held[key], dict | list) or not held[key] or data.draw(st.booleans()):
            break
        held = held[key]
    held[key] = data.draw(st.sampled_from([None, True, "x", [], {}, -1, 0, 1.5, [1], {"a": None}, float("inf")]))
    tolerant(name, json.dumps(whole).encode(), data.draw(st.sampled_from([None, FILES[name][0]])))
