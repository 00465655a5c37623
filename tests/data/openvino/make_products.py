"""Compiles one of each kind of product that OpenVINO has layers of their own for.

    python make_products.py FOLDER

needs openvino and numpy, and writes FOLDER/exec_graph.xml.
"""

from __future__ import annotations

import pathlib
import sys

import numpy as np
import openvino
from openvino import opset13 as ops


def parameter(name: str, *dims: int):
    return ops.parameter(list(dims), np.float32, name)


def named(name: str, node):
    node.set_friendly_name(name)
    return node


def main(folder: pathlib.Path) -> None:
    random = np.random.default_rng(0)

    def weight(name: str, *dims: int):
        data = (random.standard_normal(dims) * 0.1).astype(np.float32)
        return named(name, ops.constant(data))

    q, k = parameter("q", 2, 4, 16, 32), parameter("k", 2, 4, 20, 32)
    v, mask = parameter("v", 2, 4, 20, 24), parameter("m", 1, 1, 16, 20)
    attention = named(
        "ScaledDotProductAttention_1", ops.scaled_dot_product_attention(q, k, v, mask)
    )
    x, h, c = parameter("x", 2, 10, 32), parameter("h", 2, 1, 64), parameter("c", 2, 1, 64)
    steps = ops.constant(np.array([10, 10], np.int32))
    w, r, b = weight("lw", 1, 256, 32), weight("lr", 1, 256, 64), weight("lb", 1, 256)
    lstm = named("lstm", ops.lstm_sequence(x, h, c, steps, w, r, b, 64, "forward"))
    w, r, b = weight("gw", 1, 192, 32), weight("gr", 1, 192, 64), weight("gb", 1, 192)
    gru = named("gru", ops.gru_sequence(x, h, steps, w, r, b, 64, "forward"))
    x1, h1 = parameter("x1", 2, 32), parameter("h1", 2, 64)
    w, r, b = weight("cw", 64, 32), weight("cr", 64, 64), weight("cb", 64)
    cell = named("cell", ops.rnn_cell(x1, h1, w, r, b, 64, ["tanh"], [], []))
    results = [node.output(0) for node in (attention, lstm, gru, cell)]
    model = openvino.Model(results, [q, k, v, mask, x, h, c, x1, h1], "products")

    compiled = openvino.Core().compile_model(
        model,
        "CPU",
        {"INFERENCE_PRECISION_HINT": "f32", "PERF_COUNT": "YES", "INFERENCE_NUM_THREADS": 1},
    )
    request = compiled.create_infer_request()
    inputs = {
        port.any_name: random.standard_normal(list(port.shape)).astype(np.float32)
        for port in compiled.inputs
    }
    for _ in range(3):
        request.infer(inputs)
    folder.mkdir(parents=True, exist_ok=True)
    openvino.serialize(compiled.get_runtime_model(), str(folder / "exec_graph.xml"))
    (folder / "exec_graph.bin").unlink()  # empty


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
