#!/usr/bin/env python3
"""Writes records of quantizing beside an engine of OpenVINO.

quantized_records.py GRAPH FOLDER [--worse DB]: DB less in the engine, from the middle on.

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


def drawn(tensor: str, shown: str, step: float, middle: float) -> dict:
    """A hill of 40 cells by 12."""
    height, width = 12, 40
    cells = [
        round(255 * math.exp(-9 * ((x / width - middle) ** 2 + (y / height - 0.5) ** 2)))
        for y in range(height)
        for x in range(width)
    ]
    return {
        "tensor": tensor,
        "shown": shown,
        "channels": 64,
        "tensor_height": 24,
        "tensor_width": 80,
        "height": height,
        "width": width,
        "step": step,
        "cells": cells,
    }


def maps(layers: list[dict]) -> list[dict]:
    """Of the two tensors that lose most, and only one of them of the engine."""
    worst = sorted(
        (layer for layer in layers if layer["tap"] == "verified"),
        key=lambda layer: layer["engine_db"],
    )[:2]
    found = []
    for at, layer in enumerate(worst):
        found.append(drawn(layer["tensor"], "float", 0.012, 0.4))
        found.append(drawn(layer["tensor"], "simulated", 0.001, 0.7))
        if at == 0:
            found.append(drawn(layer["tensor"], "engine", 0.004, 0.7))
    return found


def search(graph: dict) -> dict:
    """planex.search/1."""
    names = [name for name, kind in operations(graph) if kind in ("Conv", "Gemm", "MatMul")]
    front = []
    for kept, db in ((0, 16.25), (1, 21.5), (2, 24.0), (4, 26.75)):
        ms = 1.9 + 0.15 * kept
        front.append(
            {
                "kept": names[:kept],
                "float_layers": kept,
                "macs_ratio": kept / len(names),
                "weight_bytes": 36864 * kept,
                "ms": None,
                "median_ms": ms,
                "median_low_ms": ms - 0.03,
                "median_high_ms": ms + 0.04,
                "sqnr_db": db + 0.25,
                "top1_ratio": 1,
                "judged_sqnr_db": db,
                "judged_top1_ratio": 1,
                "is_chosen": kept == 1,
            }
        )
    return {
        "schema": "planex.search/1",
        "goal": "20 dB",
        "cost": "macs",
        "target": "openvino",
        "front": front,
        "path": [],
        "layers": [],
        "simulated": [output(21.5, 1)],
    }


def records(graph: dict, worse_db: float = 0) -> tuple[dict, dict]:
    """planex.quantize/1 and planex.layer-accuracy/1."""
    common = {"runtime_version": "2026.4.1-22982-e213a147257", "isa": "avx2"}
    names = operations(graph)
    layers = []
    for at, (name, kind) in enumerate(names):
        simulated = round(48 - 22 * at / len(names) + at * 7 % 3, 3)
        gap = 0.5 if at < len(names) // 2 else 9 + at % 3 + worse_db
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
        "maps": maps(layers),
    }
    return quantize, accuracy


def main() -> int:
    graph, folder = map(pathlib.Path, sys.argv[1:3])
    worse_db = float(sys.argv[4]) if sys.argv[3:4] == ["--worse"] else 0
    engine = json.loads(graph.read_text("utf-8"))
    quantize, accuracy = records(engine, worse_db)
    name = graph.name.removesuffix(".graph.json")
    (folder / f"{name}.quantize.json").write_text(json.dumps(quantize, indent=1), "utf-8")
    (folder / f"{name}.search.json").write_text(json.dumps(search(engine), indent=1), "utf-8")
    (folder / "accuracy.json").write_text(json.dumps(accuracy, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
