#!/usr/bin/env python3
"""Asks onnx.checker about a model, and counts zero points that are not 0. Prints JSON."""

import json
import sys

import onnx
from onnx import numpy_helper


def main() -> None:
    model = onnx.load(sys.argv[1])
    error = ""
    try:
        onnx.checker.check_model(model, full_check=True)
    except onnx.checker.ValidationError as why:
        error = str(why)
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    nonzero = 0
    for node in model.graph.node:
        if node.op_type not in ("QuantizeLinear", "DequantizeLinear") or len(node.input) < 3:
            continue
        point = constants.get(node.input[2])
        nonzero += point is None or bool(numpy_helper.to_array(point).any())
    print(json.dumps({"error": error, "nonzero_zero_points": nonzero}))


if __name__ == "__main__":
    main()
