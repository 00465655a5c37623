"""The report's explanations, written as columns, say what `planex explain` says."""

from __future__ import annotations

import json

import pytest

ENGINES = [
    "resnet18-a100-qat",
    "controlnet-a10-trt8.6",
    "openvino2026.4-resnet18-qdq-naive-b8",
    "rtx1.7-resnet18-qdq-naive",
    "rtx1.7-transformer12-fp16",
    "mnist-trt8.2.3-names-only",
]


class Table:
    """Rows of a table of the report as dictionaries."""

    def __init__(self, wire, strings):
        self.rows = [{} for _ in range(wire["row_count"])]
        for name, column in wire["columns"].items():
            assert len(column["values"]) == len(self.rows)
            for row, value in zip(self.rows, column["values"], strict=True):
                is_text = column["type"] == "text" and value is not None
                row[name] = strings[value] if is_text else value

    def __iter__(self):
        return iter(self.rows)

    def __getitem__(self, index):
        return self.rows[index]

    def __len__(self):
        return len(self.rows)


@pytest.fixture(params=ENGINES)
def engine(request, planex, engines):
    path = engines / request.param
    data = json.loads(planex("report", path, "--format", "json", "-o", "-").stdout)["engines"][0]

    def explain(topic):
        return json.loads(planex("explain", topic, path, "--format", "json").stdout)

    def table(wire):
        return Table(wire, data["strings"])

    data["layers"] = table(data["tables"]["layers"])
    data["ports"] = table(data["tables"]["ports"])
    return data, explain, table


def shared(ours, theirs, schema):
    """Members that are in both documents, whole."""
    assert ours["schema"] == schema
    both = set(ours) & set(theirs) - {"schema"}
    same = {key for key in both if ours[key] == theirs[key]}
    return same


def close(a, b):
    return a is None if b is None else a == pytest.approx(b, rel=1e-6, abs=1e-12)


def test_speed(engine):
    data, explain, table = engine
    ours, theirs = data["explain"]["speed"], explain("speed")
    assert shared(ours, theirs, "planex.report-speed/2") == {
        "device",
        "basis",
        "total",
        "others_ms",
        "floor_ms",
        "layers_time_ms",
        "by_type",
        "best_seen",
        "faster_than_bound",
        "overhead",
        "no_measure",
        "at_once",
    }
    rows = table(ours["layers"])
    assert len(rows) == len(data["layers"])
    time = f"{theirs['basis']}_ms"
    for layer in theirs["layers"]:
        row, facts = rows[layer["layer_id"]], data["layers"][layer["layer_id"]]
        for key in ("memory_ms", "compute_ms", "observed_bound_ms"):
            assert close(row.get(key), layer[key]), key
        for key in ("limit", "rate_type", "rate_evidence"):
            assert row.get(key) == layer[key], key
        bound = row.get(f"{row['limit']}_ms") if row.get("limit") else None
        assert close(bound, layer["bound_ms"])
        if layer["headroom_ms"] is not None:
            assert facts[time] - bound == pytest.approx(layer["headroom_ms"], rel=1e-6, abs=1e-9)
            assert bound / facts[time] == pytest.approx(layer["reached"], rel=1e-6)
        # A strided 1×1 convolution reads a part of its input.
        for key, amount in (("bytes_per_s", layer["bytes"]), ("flops_per_s", facts.get("flops"))):
            if layer[key] is not None:
                assert amount / facts[time] * 1e3 == pytest.approx(layer[key])
    quiet = {i for i, row in enumerate(rows) if any(value is not None for value in row.values())}
    assert quiet <= {layer["layer_id"] for layer in theirs["layers"]}


def test_reformats(engine):
    data, explain, table = engine
    ours, theirs = data["explain"]["reformats"], explain("reformats")
    assert shared(ours, theirs, "planex.report-reformats/2") >= {
        "layers_time_ms",
        "totals",
        "by_kind",
        "by_type",
        "by_origin",
    }
    rows, groups = table(ours["reformats"]), table(ours["groups"])
    assert len(rows) == len(theirs["reformats"]) and len(groups) == len(theirs["groups"])
    time = f"{theirs['time_basis']}_ms"

    def pairs(row, key):
        flat = row.get(key) or []
        return list(zip(flat[::2], flat[1::2], strict=True))

    for row, whole in zip(rows, theirs["reformats"], strict=True):
        facts = data["layers"][row["layer_id"]]
        assert row["layer_id"] == whole["layer_id"]
        for key in (
            "kind",
            "from_dtype",
            "to_dtype",
            "verdict",
            "changed_by",
            "reason",
            "confidence",
            "cause",
            "advice",
            "io_format",
            "cause_layer_id",
            "group",
            "at_engine_input",
            "at_engine_output",
        ):
            assert row.get(key) == whole[key], key
        assert (row.get("differs") or "").split() == whole["differs"]
        assert [data["strings"][t] for t in row.get("tensors") or []] == whole["tensors"]
        for key in ("from", "to"):
            port = row.get(f"{key}_port")
            assert (port is None) == (whole[key] is None)
            if port is not None:
                assert data["ports"][port]["tensor"] == whole[key]["tensor"]
                assert data["ports"][port]["layer_id"] == row["layer_id"]
        for key in ("producers", "consumers"):
            assert [layer for layer, _ in pairs(row, key)] == [n["layer_id"] for n in whole[key]]
            for (layer, port), neighbour in zip(pairs(row, key), whole[key], strict=True):
                assert data["ports"][port]["layer_id"] == layer
                assert data["ports"][port].get("dtype") == neighbour["dtype"]
        # Left to the table of layers.
        assert facts.get(time) == whole["time_ms"]
        assert facts.get("input_bytes") == whole["input_bytes"]
        assert whole["worth_ms"] == (whole["time_ms"] if row["verdict"] == "avoidable" else None)
    for i, group in enumerate(theirs["groups"]):
        assert groups[i].get("tensor") == group["tensor"]
        writer = group["writer"]["layer_id"] if group["writer"] else None
        assert groups[i].get("writer_layer_id") == writer
        assert [row["layer_id"] for row in rows if row["group"] == i] == group["layer_ids"]


def test_precision(engine):
    data, explain, table = engine
    ours, theirs = data["explain"]["precision"], explain("precision")
    assert shared(ours, theirs, "planex.report-precision/1") >= {
        "layers_time_ms",
        "totals",
        "transitions",
        "island_base",
    }
    # The cells follow from the layers' types and the exceptions.
    read = {row["layer_id"]: row.get("dtype") for row in table(ours["read_dtype"])}
    cells = {}
    for row in data["layers"]:
        if row["role"] != "work":
            continue
        if row.get("profile_index") not in (None, data["summary"]["engine"]["profile_index"]):
            continue
        source = read.get(row["layer_id"], row.get("precision"))
        key = (source, row.get("output_precision"))
        cells[key] = cells.get(key, 0) + 1
    assert cells == {(c["from"], c["to"]): c["all"]["count"] for c in theirs["transitions"]}
    islands = table(ours["islands"])
    assert len(islands) == len(theirs["islands"])
    for row, whole in zip(islands, theirs["islands"], strict=True):
        for key in ("ends", "tensor", "dtype", "tensor_count", "wide_bytes", "narrow_bytes"):
            assert row.get(key) == whole[key], key
        assert row["layer_ids"] == [layer["layer_id"] for layer in whole["layers"]]
        assert [data["strings"][r] for r in row["roles"]] == [x["role"] for x in whole["layers"]]


def test_blocks(engine):
    data, explain, table = engine
    ours, theirs = data["explain"]["blocks"], explain("blocks")
    assert shared(ours, theirs, "planex.report-blocks/2") == {"basis", "total", "repeated"}
    attention, opaque = table(ours["attention"]), table(ours["opaque"])
    assert [row["layer_ids"] for row in attention] == [b["layer_ids"] for b in theirs["attention"]]
    for row, whole in zip(opaque, theirs["opaque"], strict=True):
        for key in ("layer_id", "operation_count", "first", "last"):
            assert row.get(key) == whole[key], key
        types = [data["strings"][t] for t in row.get("part_types") or []]
        parts = list(zip(types, row.get("part_counts") or [], strict=True))
        assert parts == [(part["type"], part["count"]) for part in whole["parts"]]


def test_operations_and_windows(engine, request):
    data, _, table = engine
    pointwise, windows = data["explain"]["pointwise"], data["explain"]["windows"]
    assert pointwise["schema"] == "planex.report-pointwise/1"
    rows = table(pointwise["layers"])
    assert len(rows) == pointwise["all"]["count"]
    counts = {}
    for row in rows:
        counts[row["operation_count"]] = counts.get(row["operation_count"], 0) + 1
        assert len(row["operations"]) == min(row["operation_count"], 64)
    found = {g["operation_count"]: g["totals"]["count"] for g in pointwise["groups"]}
    assert found == counts
    assert windows["schema"] == "planex.report-windows/1"
    for row in table(windows["layers"]):
        layer = data["layers"][row["layer_id"]]
        assert layer["family"] == "convolution"
        kernel = 1
        for size in row["kernel"]:
            kernel *= size
        # Columns without a value are left out.
        if layer.get("macs") is not None:
            assert layer["gemm_m"] * layer["gemm_n"] * layer["gemm_k"] == layer["macs"]
            assert layer["gemm_k"] % kernel == 0


def test_a_device_that_is_named(planex, engines):
    path = engines / "controlnet-a10-trt8.6"
    words = ["report", path, "--format", "json", "-o", "-"]
    speed = json.loads(planex(*words).stdout)["engines"][0]["explain"]["speed"]
    assert speed["device"]["limits"] is None
    report = json.loads(planex(*words, "--device", "A10").stdout)
    speed = report["engines"][0]["explain"]["speed"]
    said = json.loads(
        planex("explain", "speed", path, "--device", "A10", "--format", "json").stdout
    )
    assert speed["device"] == said["device"]
    assert speed["total"] == said["total"]
    run = planex(*words, "--device", "no such", code=2)
    assert '--device "no such": the device is not in the table' in run.stderr


def test_a_device_table_of_ones_own(planex, engines, tmp_path):
    table = tmp_path / "mine.json"
    table.write_text(
        json.dumps(
            {
                "schema": "planex.devices/1",
                "devices": [
                    {"name": "my board", "memory_gb_per_s": 200, "matrix_tflops": {"FP16": 10}}
                ],
            }
        )
    )
    words = ["report", engines / "controlnet-a10-trt8.6", "--format", "json", "-o", "-"]
    report = json.loads(planex(*words, "--devices", table, "--device", "my board").stdout)
    limits = report["engines"][0]["explain"]["speed"]["device"]["limits"]
    assert limits["name"] == "my board"
    assert limits["bytes_per_s"] == 200e9
