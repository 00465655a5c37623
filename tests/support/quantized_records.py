#!/usr/bin/env python3
"""Writes records of quantizing beside an engine of OpenVINO: quantized_records.py GRAPH FOLDER

The operations are those of the engine's layers; the figures are made up, the same each time. For
pages and tests that need an engine with accuracy and no model to run.
"""

from __future__ import annotations

import json
import math
import pathlib
import sys

COMPUTES = ("Conv", "Gemm", "MatMul", "Relu", "Add")
BINS = 128


def operations(graph: dict) -> list[tuple[str, str]]:
    """Name and type of what the layers compute, in execution order, each once."""
    found = {}
    for layer in graph["layers"]:
        for source in layer.get("sources", []):
            if layer["role"] == "work" and source["op_type"] in COMPUTES:
                found.setdefault(source["op_name"], source["op_type"])
    return list(found.items())


def output(sqnr_db: float, top1: float) -> dict:
    figures = {"cosine": 0.99, "max_abs": 0.5, "is_equal": False, "nan_count": 0, "inf_count": 0}
    return {"tensor": "logits", "sqnr_db": sqnr_db, **figures} | {
        "row_count": 32,
        "top1_ratio": top1,
        "top5_ratio": 1,
    }


def calibrated(name: str, node: str | None, at: int) -> dict:
    top = 4 + at % 5
    return {
        "tensor": name,
        "node": node,
        "min": -1 if node is None else 0,
        "max": top,
        "threshold": 0.75 * top,
        "scale": 0.75 * top / 127,
        "is_unsigned": False,
        "scale_group": at,
        "clipped_ratio": 0.0004 * at,
        "sqnr_db": 38 - 0.4 * at,
        "histogram_max": top,
        "histogram": [round(50_000 * math.exp(-bin / 11)) for bin in range(BINS)],
    }


def records(graph: dict) -> tuple[dict, dict]:
    """planex.quantize/1 and planex.layer-accuracy/1."""
    common = {"runtime_version": "2026.4.1-22982-e213a147257", "isa": "avx2"}
    names = operations(graph)
    layers = []
    for at, (name, kind) in enumerate(names):
        simulated = round(48 - 22 * at / len(names) + at * 7 % 3, 3)
        gap = 0.5 if at < len(names) // 2 else 9 + at % 3
        layers.append(
            {
                "tensor": f"{name}_output",
                "node": name,
                "op_type": kind,
                "simulated_db": simulated,
                "simulated_is_equal": False,
                "engine_db": None if at == 2 else round(simulated - gap, 3),
                "engine_is_equal": False,
                "engine_not_finite_count": 0,
                "tap": "missing" if at == 2 else "disturbed" if at % 9 == 4 else "verified",
            }
        )
    quantize = {
        "schema": "planex.quantize/1",
        "target": "openvino",
        "method": "mse",
        "weight_bits": 8,
        "calibration_count": 64,
        "judge_count": 16,
        **common,
        "scores": [{"method": "mse", "is_chosen": True, "simulated": [output(26.25, 1)]}],
        "engine": [output(16.5, 0.9375)],
        "engine_to_simulated": [output(17.125, 0.9375)],
        "tensors": [calibrated("input", None, 0)]
        + [
            calibrated(f"{name}_output", name, at + 1)
            for at, (name, kind) in enumerate(names)
            if kind == "Relu"
        ],
    }
    accuracy = {
        "schema": "planex.layer-accuracy/1",
        "reference": "model.onnx",
        "subject": "model.int8.onnx",
        "sample_count": 32,
        **common,
        "simulated": [output(26, 1)],
        "engine": [output(16.25, 0.9375)],
        "engine_to_simulated": [output(17, 0.9375)],
        "layers": layers,
    }
    return quantize, accuracy


def main() -> int:
    graph, folder = map(pathlib.Path, sys.argv[1:])
    quantize, accuracy = records(json.loads(graph.read_text("utf-8")))
    name = graph.name.removesuffix(".graph.json")
    (folder / f"{name}.quantize.json").write_text(json.dumps(quantize, indent=1), "utf-8")
    (folder / "accuracy.json").write_text(json.dumps(accuracy, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
