"""Engines of every shape, as small as shows it: a folder for each, in the forms that tools write.

Each function writes one engine and is all there is to adding one. Numbers come from a counter, so
that the same files are written each time."""

from __future__ import annotations

import json
import pathlib

DIMS = [1, 32, 28, 28]


def tensor(name, dtype="FP16", dims=None, layout="NCHW"):
    port = {"tensor": name, "dims": DIMS if dims is None else dims}
    return port | {k: v for k, v in (("dtype", dtype), ("layout", layout)) if v is not None}


def layer(name, kind="Convolution", ms=None, reads="x", writes="y", **more):
    """A layer of a plan: one input, one output, a median and a mean that is a little above it."""
    entry = {"name": name, "type": kind, "inputs": [tensor(reads)], "outputs": [tensor(writes)]}
    if ms is not None:
        entry |= {"median_ms": ms, "mean_ms": round(ms * 1.03, 9), "count": 100}
    return entry | more


def chain(count, kinds=("Convolution", "Pooling", "Relu", "MatMul"), ms=0.01, **more):
    """Layers one behind the other, each a little slower than the one before."""
    return [
        layer(
            f"layer{i}",
            kinds[i % len(kinds)],
            ms and round(ms + i * 0.000137, 9),
            f"t{i}",
            f"t{i + 1}",
            **({"macs": 1000 + i, "weight_bytes": 64 * i} if i % len(kinds) == 0 else {}),
            **more,
        )
        for i in range(count)
    ]


def plan(folder: pathlib.Path, layers, **more):
    document = {
        "schema": "planex.plan/1",
        "engine": {"name": folder.name, "producer": "mycompiler"},
        "layers": layers,
    } | more
    (folder / "engine.plan.json").write_text(json.dumps(document), "utf-8")


def tensorrt(folder: pathlib.Path, layers, bindings=("t0",)):
    (folder / "engine.graph.json").write_text(
        json.dumps({"Layers": layers, "Bindings": list(bindings)}), "utf-8"
    )


def profile(folder: pathlib.Path, times: dict[str, float], medians=True):
    rows = [{"count": 100}]
    for name, ms in times.items():
        row = {"name": name, "timeMs": ms * 100, "averageMs": ms}
        rows.append(row | ({"medianMs": ms} if medians else {}) | {"percentage": 1})
    (folder / "engine.profile.json").write_text(json.dumps(rows), "utf-8")


def tensorrt_layer(name, kind="CaskConvolution", reads="t0", writes="t1", **more):
    end = {"Dimensions": DIMS, "Format/Datatype": "Row major linear FP16 format"}
    return {
        "Name": name,
        "LayerType": kind,
        "Inputs": [{"Name": reads} | end],
        "Outputs": [{"Name": writes} | end],
    } | more


def write_chain(folder):
    plan(folder, chain(12), iterations={"latency_ms": [0.14, 0.15, 0.13] * 20})


def write_one_layer(folder):
    plan(folder, [layer("all", "Myelin", 1.5)])


def write_no_layers(folder):
    plan(folder, [])


def write_no_times(folder):
    plan(folder, chain(9, ms=None))


def write_no_work_known(folder):
    plan(folder, [{"name": f"n{i}", "median_ms": 0.1} for i in range(5)])


def write_thousands(folder):
    plan(folder, chain(4000, ms=0.001))


def write_branches(folder):
    layers = [layer("head", ms=0.02, reads="x", writes="h")]
    for branch in range(2):
        layers += [
            layer(
                f"b{branch}.{i}",
                ms=0.01,
                reads=f"b{branch}.{i}" if i else "h",
                writes=f"b{branch}.{i + 1}",
                stream=branch,
            )
            for i in range(4)
        ]
    join = layer("join", "Concat", 0.015, "b0.4", "y")
    join["inputs"].append(tensor("b1.4"))
    plan(folder, [*layers, join])


def write_conditional(folder):
    """A third of the time is the condition's own: in Σ, and in no group of layers."""
    layers = [
        layer("before", ms=0.02, reads="x", writes="a"),
        layer("choose", "If", 0.05, "a", "y", role="control"),
        layer("then", ms=0.03, reads="a", writes="b", block_id=0),
        layer("else", "MatMul", 0.04, "a", "c", block_id=0),
    ]
    plan(folder, layers, blocks=[{"name": "choose", "kind": "conditional"}])


def write_body(folder):
    """A conditional that is nearly all of the engine, and tells nothing of what is in it."""
    first = layer("in", ms=0.01, reads="x", writes="a", macs=5)
    plan(folder, [first, layer("all", "If", 2.0, "a")])


def write_loop(folder):
    body = [layer(f"body{i}", "MatMul", 0.03, f"s{i}", f"s{i + 1}", block_id=0) for i in range(3)]
    again = layer("again", "Loop", 0.012, "s3", "y", role="control")
    plan(
        folder,
        [layer("init", ms=0.01, reads="x", writes="s0"), again, *body],
        blocks=[{"name": "again", "kind": "loop"}],
    )


def write_signals_and_shapes(folder):
    """Records of many kinds have times, some of them 0."""
    kinds = [("signal", "Signal"), ("wait", "Wait"), ("shape", "shape_call"), ("noop", "NoOp")]
    others = [
        {"name": f"r{i}", "type": kind, "role": role, "median_ms": 0.002 * i, "mean_ms": 0.0021 * i}
        for i, (role, kind) in enumerate(kinds)
    ]
    plan(folder, chain(5) + others)


def write_constants(folder):
    """A constant's weights are read by the layer behind it, and move once."""
    constant = {"name": "w", "type": "Constant", "role": "constant", "weight_bytes": 4096}
    constant |= {"outputs": [tensor("w")]}
    plan(folder, [constant, *chain(4)])


def write_reformats_only(folder):
    layers = [layer(f"r{i}", "Reformat", 0.01 + i / 1000, f"t{i}", f"t{i + 1}") for i in range(6)]
    for i, entry in enumerate(layers):
        entry["outputs"][0]["dtype"] = "FP32" if i % 2 else "FP16"
    plan(folder, layers)


def write_few_conversions(folder):
    """5 % of the time converts, one layer takes 85 %: the headline is about the layer."""
    plan(
        folder,
        [
            layer("r0", "Reformat", 0.05, "x", "a"),
            layer("slow", "MatMul", 0.85, "a", "b"),
            *[layer(f"p{i}", "Relu", 0.02, f"b{i}", f"b{i + 1}") for i in range(5)],
        ],
    )


def write_equal_attention(folder):
    """Twelve equal kernels take a fifth; no single layer takes much."""
    layers = []
    for i in range(12):
        layers += [
            layer(f"_gemm_mha_v2_{i}", "kgen", 0.0219, f"t{4 * i}", f"t{4 * i + 1}", tactic="mha"),
            layer(
                f"fc{i}",
                "MatMul",
                0.03 + i / 1000,
                f"t{4 * i + 1}",
                f"t{4 * i + 2}",
                tactic=f"gemm{i}",
            ),
            layer(
                f"mlp{i}",
                "MatMul",
                0.04 + i / 1000,
                f"t{4 * i + 2}",
                f"t{4 * i + 4}",
                tactic=f"mlp{i}",
            ),
        ]
    plan(folder, layers)


def write_opaque(folder):
    """Blocks that hide what is in them, some with times, none with work or weights."""
    layers = [
        layer("{ForeignNode[a...b]}", "Myelin", 0.4, "x", "m"),
        layer("__myl_MulAdd_0", "kgen", 0.02, "m", "n"),
        layer("{ForeignNode[c...d]}", "Myelin", None, "n", "y"),
    ]
    plan(folder, layers)


def write_unknown_types(folder):
    """Types, dimensions and layouts are missing here and there."""
    layers = chain(8)
    for i, entry in enumerate(layers):
        if i % 2:
            entry["type"] = None
        if i % 3 == 0:
            entry["inputs"][0] = {"tensor": f"t{i}"}
        if i % 4 == 0:
            entry["outputs"][0]["dtype"] = None
    plan(folder, layers)


def write_unknown_weights(folder):
    """Two in three layers do not list their weights: bytes moved are a lower bound."""
    layers = chain(9, ("Convolution",))
    for i, entry in enumerate(layers):
        if i % 3:
            del entry["weight_bytes"]
    plan(folder, layers)


def write_dynamic(folder):
    layers = chain(6)
    for entry in layers:
        entry["inputs"][0]["dims"] = [-1, 32, 28, 28]
    plan(folder, layers)


def write_some_times(folder):
    layers = chain(10)
    for entry in layers[::3]:
        for key in ("median_ms", "mean_ms", "count"):
            del entry[key]
    plan(folder, layers)


def write_some_medians(folder):
    """Where one layer has no median, sums are of means."""
    layers = chain(10)
    for entry in layers[::4]:
        del entry["median_ms"]
    plan(folder, layers, iterations={"latency_ms": [0.1, 0.11, 0.1] * 20})


def write_zero_times(folder):
    plan(folder, [layer(f"z{i}", ms=0.0, reads=f"t{i}", writes=f"t{i + 1}") for i in range(4)])


def write_large_numbers(folder):
    layers = chain(3)
    for entry in layers:
        entry |= {"median_ms": 90000.0, "mean_ms": 91000.0, "macs": 10**15, "weight_bytes": 10**14}
    plan(folder, layers)


def write_two_profiles(folder):
    layers = [dict(entry, profile_index=i % 2) for i, entry in enumerate(chain(8))]
    for entry in layers[1::2]:
        for key in ("median_ms", "mean_ms", "count"):
            del entry[key]
    engine = {"name": folder.name, "profile_index": 0, "profile_count": 2}
    plan(folder, layers, engine=engine)


def write_hostile_names(folder):
    layers = [
        layer("a\x1b[31mred", "Con\x1b]0;title\x07v", 0.1, "x", "a"),
        layer("=cmd()", "<b>&amp;|`", 0.1, "a", "b"),
        layer("‮right-to-left", "Σ layers", 0.1, "b", "c"),
    ]
    plan(folder, layers)


def write_tensorrt_chain(folder):
    names = [f"conv{i}" for i in range(7)]
    tensorrt(
        folder,
        [tensorrt_layer(n, reads=f"t{i}", writes=f"t{i + 1}") for i, n in enumerate(names)],
    )
    profile(folder, {name: 0.01 + i / 500 for i, name in enumerate(names)})


def write_tensorrt_means(folder):
    """As profiles before 8.4 are: no medians."""
    names = [f"conv{i}" for i in range(5)]
    tensorrt(
        folder,
        [tensorrt_layer(n, reads=f"t{i}", writes=f"t{i + 1}") for i, n in enumerate(names)],
    )
    profile(folder, {name: 0.01 + i / 500 for i, name in enumerate(names)}, medians=False)


def write_tensorrt_generated(folder):
    """Kernels that a compiler generated and that only move or cast are reformats, too."""
    layers = [
        tensorrt_layer("__myl_Cast_myl0_0", "kgen", "t0", "t1"),
        tensorrt_layer("__myl_MoveTran_myl0_1", "kgen", "t1", "t2"),
        tensorrt_layer("conv", reads="t2", writes="t3"),
        tensorrt_layer("Reformatting CopyNode for Output Tensor 0 to conv", "Reformat", "t3", "t4"),
    ]
    tensorrt(folder, layers)
    profile(folder, {entry["Name"]: 0.01 for entry in layers})


NAMES = [
    name
    for i in range(8)
    for name in (f"Reformatting CopyNode for Input Tensor 0 to conv{i}", f"conv{i} + relu{i}")
]


def write_tensorrt_names(folder):
    tensorrt(folder, NAMES)


def write_tensorrt_names_and_profile(folder):
    tensorrt(folder, NAMES)
    profile(folder, {name: 0.01 + i / 500 for i, name in enumerate(NAMES)})


def write_tensorrt_names_that_tell_nothing(folder):
    tensorrt(folder, [f"n{i}" for i in range(5)])


def write_quantized(folder):
    """An engine of OpenVINO with what quantizing lost: a layer of two tensors, one of none."""
    layers = [
        layer("conv", ms=0.02, reads="x", writes="t0", sources=[{"op_name": "conv"}]),
        layer("relu", "Relu", ms=0.01, reads="t0", writes="t1", sources=[{"op_name": "relu"}]),
        layer("head", "MatMul", ms=0.03, reads="t1", writes="y", sources=[{"op_name": "head"}]),
    ]
    tensors = [("x", None, None), ("t0", "conv", 43.25), ("t1", "relu", 18.5)]
    plan(
        folder,
        layers,
        engine={"name": folder.name, "producer": "openvino"},
        calibration=[
            {"tensor": name, "op_name": op, "threshold": 1.5, "histogram": [5, 1]}
            for name, op, _ in tensors
        ],
        accuracy=[
            {"tensor": name, "op_name": op, "simulated_db": db + 1.125, "engine_db": db}
            for name, op, db in tensors
            if db is not None
        ],
        accuracy_outputs=[
            {"tensor": "y", "record": "accuracy", "compared": "simulated", "sqnr_db": 21.75},
            {"tensor": "y", "record": "accuracy", "compared": "engine", "sqnr_db": -1.5},
        ],
    )


def write_tensorrt_profile_alone(folder):
    profile(folder, {name: 0.01 + i / 500 for i, name in enumerate(NAMES)})


def write_all(folder: pathlib.Path) -> list[pathlib.Path]:
    """Writes all engines below `folder`."""
    engines = []
    for name, write in sorted(globals().items()):
        if name.startswith("write_") and name != "write_all":
            engines.append(folder / name.removeprefix("write_").replace("_", "-"))
            engines[-1].mkdir(parents=True)
            write(engines[-1])
    return engines
