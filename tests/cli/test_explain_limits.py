"""planex explain speed, memory and blocks, and planex probe."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

TOPICS = ["speed", "memory", "blocks"]
ENGINES = [
    "controlnet-a10-trt8.6",
    "depth-anything-v2-rtx30-trt10",
    "resnet18-a100-fp16",
    "resnet18-a100-qat",
    "resnet18-trt10-fp16",
    "rtx1.7-branches-streams",
    "rtx1.7-transformer12-fp16",
    "rtx1.7-transformer-dynamic",
    "openvino2026.4-resnet18-fp32-b8",
    "mnist-trt8.2.3-names-only",
    "mnist-b200-trt11.0-build-log",
]
DEVICE = {
    "schema": "planex.devices/1",
    "devices": [
        {
            "name": "slow board",
            "memory_gb_per_s": 100,
            "matrix_tflops": {"INT8": 50},
            "vector_tflops": {"FP32": 1},
            "source": "made up",
        }
    ],
}


def close(a, b):
    return abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("engine", ENGINES)
def test_every_format_of_every_engine(planex, engines, valid, display_width, topic, engine):
    words = ["explain", topic, engines / engine]
    valid(planex(*words, "--format", "json").stdout, f"explain-{topic}")
    rows = list(csv.reader(io.StringIO(planex(*words, "--format", "csv").stdout)))
    assert len({len(row) for row in rows}) == 1
    assert planex(*words, "--format", "markdown").stdout.startswith("### ")
    text = planex(*words, "--width", "80", "--color", "never").stdout
    for line in text.splitlines():
        assert line == line.rstrip(), line
        assert display_width(line) <= 80 or " " not in line.strip(), line
    assert planex(*words, "--width", "80").stdout == text, "the same bytes each time"
    colored = planex(*words, "--width", "80", "--color", "always").stdout
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == text


@pytest.mark.parametrize("engine", ["resnet18-a100-qat", "controlnet-a10-trt8.6"])
def test_sums_close(planex, engines, engine):
    summary = json.loads(planex("summary", engines / engine, "--format", "json").stdout)
    layers_ms = summary["time"]["layers_median_ms"] or summary["time"]["layers_mean_ms"]
    words = [engines / engine, "--format", "json"]
    speed = json.loads(planex("explain", "speed", *words, "--device", "A10").stdout)
    for group in [speed["total"], *speed["by_type"]]:
        parts = (group["bound_ms"] or 0) + (group["headroom_ms"] or 0) + group["unknown_bound_ms"]
        assert close(parts, group["time_ms"]), group
    assert close(speed["total"]["time_ms"], layers_ms)
    assert close(sum(group["time_ms"] for group in speed["by_type"]), layers_ms)
    blocks = json.loads(planex("explain", "blocks", *words).stdout)
    total = blocks["total"]
    assert close((total["in_blocks_ms"] or 0) + (total["rest_ms"] or 0), layers_ms)
    memory = json.loads(planex("explain", "memory", *words).stdout)
    assert max(memory["frames"]["live_bytes"]) == memory["peak"]["bytes"]
    assert sum(holder["bytes"] for holder in memory["contributors"]) == memory["peak"]["bytes"]
    tensors = memory["tensors"]
    at = memory["peak"]["layer_id"]
    held = zip(*(tensors[c] for c in ("first_layer_id", "last_layer_id", "bytes")), strict=True)
    assert sum(b for first, last, b in held if first <= at <= last) == memory["peak"]["bytes"]
    assert memory["offsets"] == "packed"
    assert memory["height_bytes"] >= memory["peak"]["bytes"]


def test_a_device_by_name(planex, engines):
    engine = engines / "controlnet-a10-trt8.6"
    text = planex("explain", "speed", engine).stdout
    assert "name it with --device" in " ".join(text.split())
    named = json.loads(
        planex("explain", "speed", engine, "--device", "nvidia a10", "--format", "json").stdout
    )
    assert named["device"]["limits"]["bytes_per_s"] == 600e9
    assert named["device"]["limits"]["matrix_flops_per_s"]["FP16"] == 125e12
    wrong = planex("explain", "speed", engine, "--device", "A1O", code=2)
    assert 'did you mean "A10"' in wrong.stderr


def test_a_table_of_ones_own(planex, engines, tmp_path):
    table = tmp_path / "devices.json"
    table.write_text(json.dumps(DEVICE))
    engine = engines / "resnet18-a100-qat"
    words = ["explain", "speed", engine, "--devices", table, "--format", "json"]
    speed = json.loads(planex(*words, "--device", "slow board").stdout)
    # MaxPool_12: 102.76 MB in, 25.69 MB out, at 100 GB/s.
    pool = next(row for row in speed["layers"] if row["layer"] == "MaxPool_12")
    assert pool["limit"] == "memory"
    assert close(pool["bound_ms"], (32 * 64 * 112 * 112 * 4 + 32 * 64 * 56 * 56 * 4) / 100e9 * 1e3)
    assert speed["faster_than_bound"]["count"] > 0  # an A100 is faster than that
    # Not the device that the files name, and the table has no architectures: bandwidth alone.
    limits = json.loads(planex(*words).stdout)["device"]["limits"]
    assert limits["matrix_flops_per_s"] == {}
    assert close(limits["bytes_per_s"], 2 * 1.512e9 * 5120 / 8)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[]", "not a device table"),
        ('{"schema": "planex.devices/1", "devices": [{}]}', "a row without a name"),
        (
            '{"schema": "planex.devices/1", "devices": [{"name": "x", "memory_gb_per_s": -1}]}',
            "a rate must be above zero",
        ),
        (
            '{"schema": "planex.devices/1", "devices": [{"name": "x", "matrix_tflops": {"Q": 1}}]}',
            '"Q" is not a type',
        ),
        ('{"schema": "planex.devices/9"}', "9"),
    ],
)
def test_bad_tables_are_errors(planex, engines, tmp_path, content, says):
    table = tmp_path / "devices.json"
    table.write_text(content)
    run = planex("explain", "speed", engines / "resnet18-a100-qat", "--devices", table, code=3)
    assert says in run.stderr
    assert "devices.json" in run.stderr


def test_the_cpu_is_measured_once(planex, engines, tmp_path):
    env = {"XDG_CACHE_HOME": str(tmp_path)}
    engine = engines / "openvino2026.4-resnet18-fp32-b8"
    asked = planex("explain", "speed", engine, env=env)
    assert "--probe" in asked.stdout
    assert not list(tmp_path.iterdir()), "nothing is measured that nobody asked for"
    words = ["explain", "speed", engine, "--probe", "--format", "json"]
    first = planex(*words, env=env)
    assert "measuring this machine's CPU" in first.stderr
    limits = json.loads(first.stdout)["device"]["limits"]
    assert limits["bytes_per_s"] > 1e8
    assert limits["vector_flops_per_s"]["FP32"] > 1e8
    if "other programs used" in first.stdout:
        # No peak: the next time may be quieter.
        assert not list(tmp_path.glob("planex/*"))
        return
    again = planex(*words, env=env)
    assert again.stderr == ""
    assert again.stdout == first.stdout
    table = json.loads(next((tmp_path / "planex").iterdir()).read_text())
    assert table["schema"] == "planex.devices/1"


def test_a_probe_is_a_device_table(planex, engines, tmp_path):
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    table = tmp_path / "devices.json"
    planex("probe", "-o", table, env=env)
    row = json.loads(table.read_text())["devices"][0]
    engine = engines / "openvino2026.4-resnet18-fp32-b8"
    speed = json.loads(
        planex(
            *["explain", "speed", engine, "--devices", table],
            *["--device", row["name"], "--format", "json"],
        ).stdout
    )
    assert close(speed["device"]["limits"]["bytes_per_s"], row["memory_gb_per_s"] * 1e9)
    assert speed["total"]["bound_ms"] > 0
