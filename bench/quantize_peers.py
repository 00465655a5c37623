#!/usr/bin/env python3
"""Quantizes a net with a peer: ONNX Runtime or NNCF.

    quantize_peers.py ort:MinMax|ort:Percentile|ort:Entropy|nncf MODEL DATA OUT [--count 64]

Each as its documents show it: ONNX Runtime with weights per channel and symmetric int8, as the
file's Q/DQ; NNCF with its defaults. Prints JSON: seconds and peak memory, imports included.
"""

import argparse
import json
import pathlib
import resource
import time

from ocr_judge import sample


def pictures_in(folder: pathlib.Path, count: int) -> list[pathlib.Path]:
    every = sorted(path for path in folder.rglob("*.png") if path.parent.name != "masks")
    return every[:count]


def with_onnxruntime(
    method: str, model: pathlib.Path, pictures: list[pathlib.Path], out: pathlib.Path
) -> None:
    from onnxruntime import quantization

    class Reader(quantization.CalibrationDataReader):
        def __init__(self) -> None:
            self.left = iter(pictures)

        def get_next(self):
            path = next(self.left, None)
            return None if path is None else {"x": sample(path)}

    quantization.quantize_static(
        model,
        out,
        Reader(),
        quant_format=quantization.QuantFormat.QDQ,
        op_types_to_quantize=["Conv", "ConvTranspose", "MatMul", "Gemm"],
        per_channel=True,
        activation_type=quantization.QuantType.QInt8,
        weight_type=quantization.QuantType.QInt8,
        calibrate_method=quantization.CalibrationMethod[method],
        extra_options={"ActivationSymmetric": True, "WeightSymmetric": True},
    )


def with_nncf(model: pathlib.Path, pictures: list[pathlib.Path], out: pathlib.Path) -> None:
    import nncf
    import onnx

    data = nncf.Dataset(pictures, lambda path: {"x": sample(path)})
    onnx.save(nncf.quantize(onnx.load(model), data, subset_size=len(pictures)), out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("peer")
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=64)
    arguments = parser.parse_args()
    pictures = pictures_in(arguments.data, arguments.count)
    start = time.perf_counter()
    name, _, method = arguments.peer.partition(":")
    if name == "ort":
        with_onnxruntime(method, arguments.model, pictures, arguments.out)
    else:
        with_nncf(arguments.model, pictures, arguments.out)
    peak_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"seconds": time.perf_counter() - start, "peak_bytes": peak_kb * 1024}))


if __name__ == "__main__":
    main()
