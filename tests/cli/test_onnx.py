"""Operations of source models, against what the onnx package reads of the same files."""

from __future__ import annotations

import collections
import json
import pathlib

import pytest

onnx = pytest.importorskip("onnx")

# Types that the model has a word for. The data of the others is compared all the same.
DTYPES = {
    "FLOAT": "FP32",
    "DOUBLE": "FP64",
    "FLOAT16": "FP16",
    "BFLOAT16": "BF16",
    "FLOAT8E4M3FN": "FP8",
    "FLOAT8E4M3FNUZ": "FP8",
    "FLOAT8E5M2": "FP8",
    "FLOAT8E5M2FNUZ": "FP8",
    "FLOAT4E2M1": "FP4",
}
SAME_NAMES = ["INT64", "INT32", "INT16", "INT8", "INT4"]
SAME_NAMES += ["UINT64", "UINT32", "UINT16", "UINT8", "BOOL"]
DTYPES |= {name: name for name in SAME_NAMES}
BITS = {"INT4": 4, "FP4": 4, "INT64": 64, "UINT64": 64, "FP64": 64}
BITS |= {"INT8": 8, "UINT8": 8, "FP8": 8, "BOOL": 8}
BITS |= {"FP16": 16, "BF16": 16, "INT16": 16, "UINT16": 16}


def dtype_of(number: int) -> str | None:
    return DTYPES.get(onnx.TensorProto.DataType.Name(number))


def weight_facts(tensor) -> tuple:
    dtype = dtype_of(tensor.data_type)
    count = 1
    for dim in tensor.dims:
        count *= dim
    stored = (count * BITS.get(dtype, 32) + 7) // 8
    if tensor.raw_data:
        assert stored == len(tensor.raw_data), tensor.name
    return list(tensor.dims), dtype, stored


def value_facts(value) -> tuple:
    if not value.type.HasField("tensor_type"):
        return None, None, None
    tensor = value.type.tensor_type
    dims = None
    if tensor.HasField("shape"):
        dims = [d.dim_value if d.HasField("dim_value") else -1 for d in tensor.shape.dim]
    return dims, dtype_of(tensor.elem_type), None


def graph_facts(graph, around: dict) -> dict:
    """Dims, type and stored bytes by tensor name, as nodes of the graph see them."""
    own = {}
    for value in [*graph.input, *graph.output, *graph.value_info]:
        own.setdefault(value.name, value_facts(value))
    for node in graph.node:
        for attribute in node.attribute:
            if node.op_type == "Constant" and attribute.name == "value":
                own[node.output[0]] = weight_facts(attribute.t)
    own |= {tensor.name: weight_facts(tensor) for tensor in graph.initializer}
    return around | own


def expected_operations(model) -> list[dict]:
    """The main graph's nodes, then those of its subgraphs, level by level."""
    operations = []
    waiting = collections.deque([(model.graph, {}, None)])
    while waiting:
        graph, around, path = waiting.popleft()
        facts = graph_facts(graph, around)
        for node in graph.node:
            ports = [("input", i, name) for i, name in enumerate(node.input)]
            ports += [("output", i, name) for i, name in enumerate(node.output)]
            unknown = (None, None, None)
            operations.append(
                {
                    "name": node.name or None,
                    "type": node.op_type,
                    "domain": node.domain or None,
                    "subgraph": path,
                    "ports": [
                        (side, index, name or None, *facts.get(name, unknown))
                        for side, index, name in ports
                    ],
                }
            )
            for attribute in node.attribute:
                graphs = [attribute.g] if attribute.HasField("g") else attribute.graphs
                for inner in graphs:
                    name = node.name or f"node_of_{node.output[0]}"
                    steps = [f"{inner.name} ({attribute.name})", f"{name} ({node.op_type})"]
                    inner_path = " | ".join([*steps, *([path] if path else [])])
                    waiting.append((inner, facts, inner_path))
    return operations


def models() -> list[pathlib.Path]:
    root = pathlib.Path(__file__).resolve().parent.parent
    return sorted((root / "data").rglob("*.onnx"))


def rows_of(planex, folder, sql: str) -> list[dict]:
    document = json.loads(planex("query", folder, sql, "--format", "json").stdout)
    names = [column["name"] for column in document["columns"]]
    return [dict(zip(names, row, strict=True)) for row in document["rows"]]


def check(planex, tmp_path, path: pathlib.Path) -> None:
    model = onnx.load(path, load_external_data=False)
    folder = tmp_path / path.stem
    folder.mkdir()
    # An engine without layers of its own, so that only the model is seen.
    (folder / "m.graph.json").write_text('{"Layers": ["a"]}', "utf-8")
    (folder / "m.onnx").symlink_to(path)
    ports = collections.defaultdict(list)
    columns = 'SELECT operation_id, direction, "index", tensor, dims, dtype, stored_bytes'
    for row in rows_of(planex, folder, columns + " FROM operation_ports"):
        dims = row["dims"]
        ports[row.pop("operation_id")].append(
            tuple({**row, "dims": json.loads(dims) if isinstance(dims, str) else dims}.values())
        )
    found = rows_of(planex, folder, "SELECT name, type, domain, subgraph FROM operations")
    operations = [{**row, "ports": ports[index]} for index, row in enumerate(found)]
    expected = expected_operations(model)
    assert len(operations) == len(expected)
    for operation, wanted in zip(operations, expected, strict=True):
        assert operation == wanted
    sums = "SELECT coalesce(sum(stored_bytes), 0) AS bytes FROM operation_ports WHERE direction = "
    (total,) = rows_of(planex, folder, sums + "'input'")
    assert total["bytes"] == sum(
        port[5] or 0 for operation in expected for port in operation["ports"] if port[0] == "input"
    )
    counts = "SELECT key, value FROM metadata WHERE section = 'source model'"
    facts = {row["key"]: row["value"] for row in rows_of(planex, folder, counts)}
    assert facts["nodes"] == str(len(expected))
    assert facts["ir_version"] == str(model.ir_version)


@pytest.mark.parametrize("path", models(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_operations_of_our_own_files(planex, tmp_path, path):
    check(planex, tmp_path, path)


def test_operations_of_real_models(planex, tmp_path, engines):
    paths = sorted(engines.rglob("*.onnx"))
    assert paths
    for path in paths:
        check(planex, tmp_path, path)
