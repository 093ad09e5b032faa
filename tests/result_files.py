"""Result files of every format, written for tests: made-up runs in the shape in which each tool writes them."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any, Final


def _json(value: Any, **told: Any) -> bytes:
    return (json.dumps(value, **told) + "\n").encode()


VLLM: Final[dict[str, Any]] = {
    "date": "20260301-120000",
    "endpoint_type": "openai-chat",
    "backend": "openai-chat",
    "label": None,
    "model_id": "brook-labs/Brook-12B",
    "tokenizer_id": "brook-labs/Brook-12B",
    "num_prompts": 64,
    "gpu": "Heron 48",
    "request_rate": "inf",
    "burstiness": 1.0,
    "max_concurrency": 16,
    "duration": 20.5,
    "completed": 63,
    "failed": 1,
    "total_input_tokens": 64512,
    "total_output_tokens": 8064,
    "request_throughput": 3.073170731707317,
    "request_goodput": None,
    "output_throughput": 393.3658536585366,
    "total_token_throughput": 3540.2926829268295,
    "max_output_tokens_per_s": 512.0,
    "max_concurrent_requests": 17,
    "mean_ttft_ms": 410.25,
    "median_ttft_ms": 399.5,
    "std_ttft_ms": 55.125,
    "p99_ttft_ms": 611.0,
    "mean_itl_ms": 12.5,
    "std_itl_ms": 3.25,
    "p99.9_e2el_ms": 5012.75,
}
SGLANG: Final[list[dict[str, Any]]] = [
    {
        "tag": None,
        "backend": "sglang",
        "dataset_name": "random",
        "request_rate": rate,
        "max_concurrency": None,
        "random_input_len": 1024,
        "random_output_len": 256,
        "random_range_ratio": 0.0,
        "server_info": {"model_path": "brook-labs/Brook-12B", "tp_size": 2, "version": "0.5.0", "enable_x": False},
        "duration": 100.5 + n,
        "completed": 200 + n,
        "total_input_tokens": 102400 + n,
        "total_output_tokens": 25600 + n,
        "output_throughput": 254.72636815920397 + n,
        "mean_e2e_latency_ms": 1500.5 + n,
        "std_e2e_latency_ms": 20.25 + n,
        "median_ttft_ms": 88.75 + n,
        "concurrency": 3.125 + n,
        "accept_length": None,
    }
    for n, rate in enumerate([2.0, 4.0, float("inf")])
]
LLAMA_ROW: Final[dict[str, Any]] = {
    "build_commit": "1234567",
    "build_number": 7001,
    "cpu_info": "Wren 8",
    "gpu_info": "Heron 48",
    "backends": "Vulkan",
    "model_filename": "/m/brook-12b-q4.gguf",
    "model_type": "brook 12B Q4_K - Medium",
    "model_size": 7340032000,
    "model_n_params": 12000000000,
    "n_batch": 2048,
    "flash_attn": True,
    "tensor_split": "0.00",
    "n_prompt": 512,
    "n_gen": 0,
    "n_depth": 4096,
    "test_time": "2026-03-01T12:00:00Z",
    "avg_ns": 500000000,
    "stddev_ns": 1000000,
    "avg_ts": 1024.125,
    "stddev_ts": 2.05,
    "samples_ns": [499000000, 501000000],
    "samples_ts": [1026.18, 1022.07],
}
LLAMA_ONE: Final[dict[str, Any]] = {
    **LLAMA_ROW,
    "n_prompt": 0,
    "n_gen": 128,
    "n_depth": 0,
    "avg_ts": 41.5,
    "stddev_ts": 0.0,
    "stddev_ns": 0,
    "samples_ns": [3084337349],
    "samples_ts": [41.5],
}
LLAMA_MD: Final = b"""\
found 1 Vulkan devices
| model                |     size |  params | backend | ngl | fa |            test |            t/s |
| -------------------- | -------: | ------: | ------- | --: | -: | --------------: | -------------: |
| brook 12B Q4_K       | 6.84 GiB | 12.00 B | Vulkan  |  99 |  1 |  pp2048 @ d8192 |  911.30 \xc2\xb1 2.50 |
| brook 12B Q4_K       | 6.84 GiB | 12.00 B | Vulkan  |  99 |  1 |    tg32 @ d8192 |   36.50 \xc2\xb1 0.00 |

build: 1234567 (7001)
"""
_CSV_KEYS: Final = [k for k in LLAMA_ROW if not k.startswith("samples")]
LLAMA_CSV: Final = "".join(
    ",".join(cells) + "\n"
    for cells in (
        _CSV_KEYS,
        [f'"{LLAMA_ROW[k]}"' for k in _CSV_KEYS],
        [f'"{LLAMA_ONE[k]}"' for k in _CSV_KEYS],
    )
).encode()
BENCHY: Final[dict[str, Any]] = {
    "version": "0.3.0",
    "timestamp": "2026-03-01 12:00:00Z",
    "latency_mode": "api",
    "latency_ms": 1.25,
    "model": "brook",
    "prefix_caching_enabled": False,
    "max_concurrency": 2,
    "benchmarks": [
        {
            "concurrency": 2,
            "context_size": 4096,
            "prompt_size": 2048,
            "response_size": 32,
            "is_context_prefill_phase": False,
            "pp_throughput": {"mean": 1968.5, "std": 2.5, "values": [1966.0, 1971.0]},
            "tg_throughput": {"mean": 98.75, "std": 0.25, "values": [98.5, 99.0]},
            "tg_req_throughput": {"mean": 49.5, "std": 0.5, "values": [49.0, 50.0, 49.0, 50.0]},
            "e2e_ttft": {"mean": 2076.5, "std": 4.0, "values": [2072.5, 2080.5]},
            "peak_throughput": None,
        },
        {
            "concurrency": 1,
            "context_size": 0,
            "prompt_size": 2048,
            "response_size": 32,
            "is_context_prefill_phase": False,
            "tg_throughput": {"mean": 51.25, "std": 0.0, "values": [51.25]},
        },
    ],
}
# One made-up run, as AIPerf exports it and as InferenceX aggregates it: a thousandth of the milliseconds.
_MS: Final = {"time_to_first_token": "ttft", "request_latency": "e2el", "inter_token_latency": "itl"}
AIPERF: Final[dict[str, Any]] = {
    "schema_version": "1.1",
    "aiperf_version": "0.8.0",
    "request_throughput": {"unit": "requests/sec", "avg": 0.125},
    "request_count": {"unit": "requests", "avg": 40.0},
    "time_to_first_token": {
        **{"unit": "ms", "avg": 25165.309598402982, "p75": 40149.5696915, "p95": 70921.52420354998},
        **{"std": 22684.149811094765, "count": 40, "sum": 1006612.25},
    },
    "request_latency": {"unit": "ms", "avg": 85572.5, "p75": 101167.25, "p95": 316889.5, "std": 103158.25, "count": 40},
    "inter_token_latency": {"unit": "ms", "avg": 204.5, "p75": 97.75, "p95": 188.25, "std": 1348.5, "count": 40},
    "output_token_throughput": {"unit": "tokens/sec", "avg": 50.25},
    "output_token_throughput_per_user": {
        **{"unit": "tokens/sec/user", "avg": 16.9528898346, "p75": 25.7533807854, "p95": 26.5979619855},
        **{"std": 8.14711953497, "count": 40, "sum": 678.0},
    },
    "effective_concurrency": {"unit": "requests", "avg": 6.25, "p50": 7.0, "std": 1.5},
    "min_request_timestamp": {"unit": "ns", "avg": 1.780507374197372e18},
    "was_cancelled": False,
    "input_config": {
        "endpoint": {"model_names": ["brook-labs/Brook-12B"], "type": "chat", "streaming": True},
        "loadgen": {"concurrency": 8, "benchmark_duration": 320.0},
        "scenario": "replay",
    },
    "metadata": {"submission_valid": True},
}


def _thousandth(value: float) -> float:
    return float(Decimal(str(value)) / 1000)


INFERENCEX: Final[dict[str, Any]] = {
    "hw": "heron48",
    "conc": 8,
    "model": "brook-labs/Brook-12B",
    "framework": "sglang",
    "precision": "fp8",
    "scenario_type": "agentic-coding",
    "tp": 2,
    "num_requests_total": 41,
    "num_requests_successful": 40,
    "mean_qps": 0.13,
    "p95_qps": 1.0,
    "std_qps": 0.25,
    **{
        f"{name}_{short}": _thousandth(AIPERF[metric][key])
        for metric, short in _MS.items()
        for name, key in (("mean", "avg"), ("p75", "p75"), ("p95", "p95"), ("std", "std"))
    },
    "mean_intvty": 16.9528898346,
    "p75_intvty": 25.7533807854,
    "p95_intvty": 26.5979619855,
    "std_intvty": 8.14711953497,
    "output_tput_tps": 50.25,
    "total_tput_tps": 5880.5,
    "tput_per_gpu": 2940.25,
    "output_tput_per_gpu": 25.125,
    "server_gpu_cache_hit_rate": None,
    "duration_seconds": 320.5,
}
NESTED: Final[dict[str, Any]] = {
    **{k: INFERENCEX[k] for k in ("hw", "conc", "model", "framework", "precision", "tp", "num_requests_successful")},
    "request_metrics": {
        "qps": {"window_seconds": 1.0, "samples": 320, "mean": 0.13, "p95": 1.0, "std": 0.25},
        "latency": {
            "ttft": {"mean": 25.25, "p95": 70.5, "std": 22.5},
            "itl": {"mean": 0.2, "p95": 0.25, "std": 1.5},
            "tpot": {"mean": 0.2, "p95": 0.25, "std": 1.5},
            "intvty": {"mean": 5.0, "p95": 4.0, "std": 8.25},
        },
        "tokens": {"input": {"mean": 79472.5}, "output_actual": {"mean": 683.75}},
        "throughput": {"total": {"tokens_per_second": 5880.5}, "duration_seconds": 320.5},
    },
}
FIXED: Final[dict[str, Any]] = {
    "hw": "heron48",
    "tp": 4,
    "conc": 32,
    "model": "brook-labs/Brook-12B",
    "framework": "vllm",
    "precision": "fp8",
    "tput_per_gpu": 1000.5,
    "output_tput_per_gpu": 500.25,
    "mean_tpot": 0.02,
    "mean_intvty": 50.0,
    "p99_tpot": 0.04,
    "p99_intvty": 25.0,
    "std_tpot": 0.005,
    "std_intvty": 200.0,
}
EXPERIMENT: Final[dict[str, Any]] = {
    "date": "20260301-120000",
    "model_id": "brook-labs/Brook-12B",
    "num_prompts": 32,
    "request_rate": "inf",
    "max_concurrency": 16,
    "duration": 214.5,
    "completed": 32,
    "request_throughput": 0.75,
    "input_throughput": 7633.25,
    "output_throughput": 95.5,
    "median_ttft": 3.125,
    "p99_tpot": 0.1875,
}
AIPERF_CSV: Final = b"""\
Metric,avg,min,max,sum,p1,p50,p99,std
Effective Concurrency,6.25,1.00,8.00,,,7.00,8.00,1.50
Request Latency (ms),85572.30,760.42,625628.83,3422892.00,837.09,50398.93,466732.97,103158.54

Metric,Value
Maximum Response Timestamp (ns),1780509201136361216.00
Request Count,40.00
Request Throughput (requests/sec),0.13

Endpoint,GPU_Index,GPU_Name,GPU_UUID,Metric,avg
"""
GENAI: Final[dict[str, Any]] = {
    "request_throughput": {"unit": "requests/sec", "avg": 2.5},
    "request_latency": {"unit": "ms", "avg": 812.5, "p99": 990.25, "min": 700.0, "max": 1000.0, "std": 33.5},
    "time_to_first_token": {"unit": "ms", "avg": 40.25, "p99": 61.5, "std": float("nan")},
    "output_sequence_length": {"unit": "tokens", "avg": 128.0, "p50": 127.0},
    "request_count": {"unit": "count", "avg": 50.0},
    "input_config": {"model": ["brook-12b"], "concurrency": 4, "endpoint_type": "chat", "streaming": True},
}
GENAI_CSV: Final = b"""\
Metric,avg,min,max,p99,p95,p90,p75,p50,p25\r
Request Latency (ms),"1,812.50",700.00,"2,000.00",990.25,980.00,970.00,900.00,810.00,750.00\r
Output Sequence Length,128.00,100.00,130.00,130.00,130.00,130.00,129.00,128.00,127.00\r
Inter Token Latency (ms),N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A\r
\r
Metric,Value\r
Output Token Throughput (tokens/sec),320.00\r
Request Throughput (requests/sec),2.50\r
"""
MLPERF: Final = b"""\
================================================
MLPerf Results Summary
================================================
SUT name : HeronSUT
Scenario : Server
Mode     : PerformanceOnly
Completed samples per second    : 81.50
Completed tokens per second: 24593.75
Result is : INVALID
  Performance constraints satisfied : NO
  Min duration satisfied : Yes
Recommendations:
 * Reduce target QPS to improve latency.

================================================
Additional Stats
================================================
Scheduled samples per second : 83.25
Min latency (ns)                : 980187992
Mean latency (ns)               : 43579602295
99.90 percentile latency (ns)   : 159705402675
Completed tokens per second                 : 24593.75
Mean First Token latency (ns)                : 918456323
99.00 percentile time to output token (ns)   : 193380124

================================================
Test Parameters Used
================================================
samples_per_query : 1
target_qps : 83.5
ttft_latency (ns): 2000000000
min_duration (ms): 600000

No errors encountered during test.
"""
MATRIX: Final[dict[str, Any]] = {
    "metadata": {"version": "0.4.17", "engine": "vllm", "model": "Brook", "max_tokens": 2048, "ignore_eos": True},
    "prefill": {"8192": {"ttft_seconds": 0.515, "tok_per_sec": 16866.0}},
    "results": [
        {
            "concurrency": level,
            "context_tokens": context,
            "aggregate_tps": rate,
            "per_request_avg_tps": 10.25,
            "ttft_avg": 0.0905,
            "ttft_p50": 0.09,
            "time_to_second_token_p50": 7.5e-05,
            "request_latency_avg": 0.0,
            "completed_request_count": 0,
            "num_completed": done,
            "num_errors": 0,
            "avg_running_reqs": 1.75,
        }
        for level, context, rate, done in ((2, 0, 20.5, 2), (4, 16384, 30.75, 4), (64, 16384, 0.0, 0))
    ],
    "summary_table": {"0": {"2": 20.5}},
}
LM_EVAL_3: Final[dict[str, Any]] = {
    "results": {"sums_2d": {"acc": 0.918, "acc_stderr": 0.0061}, "prose": {"word_perplexity": 10.75}},
    "versions": {"sums_2d": 0, "prose": 1},
    "config": {"model": "hf", "model_args": "pretrained=brook", "num_fewshot": 5, "limit": None},
}
LM_EVAL_4: Final[dict[str, Any]] = {
    "results": {
        "gsm": {
            "alias": "gsm",
            "exact_match,strict-match": 0.5,
            "exact_match_stderr,strict-match": 0.0138,
            "exact_match,flexible-extract": 0.55,
            "exact_match_stderr,flexible-extract": "N/A",
        },
        "odd": {"alias": "odd", "acc,none": float("nan"), "acc_stderr,none": float("nan")},
        # As releases from 0.4.10 on write them, a group last.
        "verse": {"name": "verse", "alias": "verse", "sample_len": 40, "acc,none": 0.725},
        "all": {
            "name": "all",
            "alias": "all",
            "sample_len": 1419,
            "acc,none": 0.61,
            "acc_stderr,none": 0.004,
            "sample_count": {"acc,none": 1419},
        },
    },
    "configs": {"gsm": {"task": "gsm"}},
    "versions": {"gsm": 3.0, "odd": 1.0},
    "n-shot": {"gsm": 5, "odd": 0},
    "n-samples": {"gsm": {"original": 1319, "effective": 100}},
    "config": {"model": "vllm", "model_args": "pretrained=brook", "limit": 100.0},
    "git_hash": "abc1234",
    "date": 1780000000.5,
    "lm_eval_version": "0.4.11",
    "model_name": "",
    "total_evaluation_time_seconds": "663.19447",
}
ACTION: Final[list[dict[str, Any]]] = [
    {"name": "decode", "value": 41.25, "unit": "tokens/s", "range": "± 3%", "extra": "median of 5"},
    {"name": "load", "value": 12, "unit": "s"},
]
ACTION_JS: Final = b"""window.BENCHMARK_DATA = {
  "lastUpdate": 1780000000000,
  "repoUrl": "https://github.com/brook-labs/runs",
  "entries": {
    "Decode": [
      {
        "commit": {"id": "3c9f2d1b7a6e5d4c3b2a19087f6e5d4c3b2a1908", "timestamp": "2026-03-01T12:00:00Z"},
        "date": 1780000000000,
        "tool": "customBiggerIsBetter",
        "benches": [{"name": "decode", "value": 41.25, "unit": "tokens/s"}]
      }
    ],
    "Go": [
      {
        "commit": {"author": {"name": "a"}, "id": "a1b2c3d4e5f60718293a4b5c6d7e8f9001122334", "message": "One\\nTwo"},
        "date": 1780000000001,
        "tool": "go",
        "benches": [
          {
            "name": "BenchmarkLoad",
            "value": 7721,
            "unit": "ns/op\\t   4.14 MB/s\\t     344 B/op",
            "extra": "140 times\\n4 procs"
          },
          {"name": "BenchmarkLoad - MB/s", "value": 4.14, "unit": "MB/s", "extra": "140 times\\n4 procs"}
        ]
      }
    ]
  }
}
"""
FINDING: Final = b"""# Two lanes on one card

We sent two requests at once.

| lanes | rate (tok/s) | TTFT p50 (ms) | pool |
|---|---:|---:|---:|
| two | 12.50 | 480 | 3.66 GiB |
| four | 21.40 | **612** | 3.66 GiB |

| part | count |
|---|---|
| spindle | 4 |
"""
FILES: Final[dict[str, tuple[str, bytes]]] = {
    "vllm.json": ("vllm-serve", _json(VLLM)),
    "vllm-lines.jsonl": ("vllm-serve", _json(VLLM) + _json({**VLLM, "max_concurrency": 32, "duration": 21.5})),
    "sglang.jsonl": ("sglang-serving", b"".join(map(_json, SGLANG))),
    "llama.json": ("llama-bench", _json([LLAMA_ROW, LLAMA_ONE], indent=2)),
    "llama.jsonl": ("llama-bench", _json(LLAMA_ROW, separators=(",", ":")) + _json(LLAMA_ONE)),
    "llama.csv": ("llama-bench", LLAMA_CSV),
    "llama.log": ("llama-bench", LLAMA_MD),
    "benchy.json": ("llama-benchy", _json(BENCHY, indent=2)),
    "aiperf.json": ("aiperf", _json(AIPERF, indent=2)),
    "aiperf.csv": ("aiperf", AIPERF_CSV),
    "genai.json": ("genai-perf", _json(GENAI, indent=2)),
    "genai.csv": ("genai-perf", GENAI_CSV),
    "agentic.json": ("inferencex", _json(INFERENCEX, indent=2)),
    "fixed.json": ("inferencex", _json([FIXED], indent=2)),
    "nested.json": ("inferencex", _json(NESTED, indent=2)),
    "experiment.json": ("inferencex", _json(EXPERIMENT)),
    "mlperf.txt": ("mlperf-loadgen", MLPERF),
    "matrix.json": ("llm-inference-bench", _json(MATRIX, indent=2)),
    "lm3.json": ("lm-eval", _json(LM_EVAL_3, indent=2)),
    "lm4.json": ("lm-eval", _json(LM_EVAL_4, indent=2)),
    "action.json": ("github-action-benchmark", _json(ACTION)),
    "data.js": ("github-action-benchmark", ACTION_JS),
    "finding.md": ("markdown", FINDING),
}
"""A file of each format and syntax: its name, the name of the format, and its bytes."""
