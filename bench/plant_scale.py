#!/usr/bin/env python3
"""Copies of a quantized model with one scale of an activation times 8 in each.

    plant_scale.py MODEL FOLDER [--count 10]

Writes JSON: {"planted": [{"path", "tensor"}]}, evenly over the graph.
"""

import argparse
import json
import pathlib

import onnx
from onnx import numpy_helper

FACTOR = 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=10)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    model = onnx.load(arguments.model)
    scales = {tensor.name: place for place, tensor in enumerate(model.graph.initializer)}
    pairs = [node for node in model.graph.node if node.op_type == "QuantizeLinear"]
    planted = []
    for number in range(arguments.count):
        node = pairs[number * len(pairs) // arguments.count]
        copy = onnx.ModelProto()
        copy.CopyFrom(model)
        scale = copy.graph.initializer[scales[node.input[1]]]
        larger = numpy_helper.to_array(scale) * scale_type(scale, FACTOR)
        scale.CopyFrom(numpy_helper.from_array(larger, scale.name))
        path = arguments.folder / f"{number}.onnx"
        onnx.save(copy, path)
        planted.append({"path": str(path), "tensor": node.input[0]})
    print(json.dumps({"planted": planted}))


def scale_type(scale: onnx.TensorProto, value: float):
    return numpy_helper.to_array(scale).dtype.type(value)


if __name__ == "__main__":
    main()
