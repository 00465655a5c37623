"""Inference of a model on samples, in an engine: its outputs as arrays."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
from collections.abc import Mapping

import numpy as np
import onnx

ONNXRUNTIME = """
import json, sys
import numpy, onnxruntime
model, feeds, out = sys.argv[1:]
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
values = session.run(None, dict(numpy.load(feeds)))
numpy.savez(out, *values)
"""


def names_of(model: pathlib.Path) -> tuple[dict[str, list[int]], list[str]]:
    graph = onnx.load(model).graph
    constants = {tensor.name for tensor in graph.initializer}
    shapes = {
        value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        for value in graph.input
        if value.name not in constants
    }
    return shapes, [value.name for value in graph.output]


def by_onnxruntime(python: str, model: pathlib.Path, feeds: dict[str, np.ndarray]) -> list:
    inputs, outputs = model.with_suffix(".in.npz"), model.with_suffix(".out.npz")
    np.savez(inputs, **feeds)
    subprocess.run([python, "-c", ONNXRUNTIME, model, inputs, outputs], check=True)
    with np.load(outputs) as stored:
        return [stored[name] for name in stored.files]


def by_openvino(
    driver: str,
    model: pathlib.Path,
    feeds: dict[str, np.ndarray],
    config: dict[str, str],
    environment: Mapping[str, str],
) -> list:
    """A job of planex-openvino; stores only what the model gives anyway, so taps nothing."""
    folder = model.with_suffix(".samples")
    folder.mkdir(exist_ok=True)
    (folder / "0.bin").write_bytes(b"".join(value.tobytes() for value in feeds.values()))
    index = {
        "schema": "planex.samples/1",
        "inputs": [
            {"name": name, "type": str(value.dtype), "shape": list(value.shape)}
            for name, value in feeds.items()
        ],
        "preparation": [],
        "samples": [{"name": "0", "label": ""}],
    }
    (folder / "samples.json").write_text(json.dumps(index), "utf-8")
    _, outputs = names_of(model)
    job = {
        "schema": "planex.inference-job/1",
        "samples": str(folder),
        "output_dir": str(folder),
        "passes": [
            {
                "models": [
                    {"id": "m", "path": str(model), "arithmetic": "engine", "config": config}
                ],
                "stored": [{"model": "m", "tensor": name} for name in outputs],
            }
        ],
    }
    file = folder / "job.json"
    file.write_text(json.dumps(job), "utf-8")
    words, quiet = [driver, "infer", file], subprocess.DEVNULL
    subprocess.run(words, check=True, stdout=quiet, env=os.environ | environment)
    result = json.loads(file.with_suffix(".result.json").read_text("utf-8"))
    stored = {entry["tensor"]: entry["path"] for entry in result["passes"][0]["stored"]}
    return [np.load(stored[name])[0] for name in outputs]


def difference(reference: list, subject: list) -> dict:
    """Of all outputs together: the least SQNR of one, the greatest errors."""
    worst = {"sqnr_db": None, "max_abs": 0.0, "max_rel": 0.0, "is_equal": True}
    for left, right in zip(reference, subject, strict=True):
        a, b = left.astype(np.float64).reshape(-1), right.astype(np.float64).reshape(-1)
        if a.size != b.size:
            raise ValueError(f"{left.shape} and {right.shape}")
        error = np.abs(a - b)
        worst["is_equal"] = worst["is_equal"] and bool(np.array_equal(a, b))
        worst["max_abs"] = max(worst["max_abs"], float(error.max()))
        worst["max_rel"] = max(worst["max_rel"], float(error.max() / max(np.abs(a).max(), 1e-30)))
        power = float((error**2).sum())
        if power > 0:
            decibel = 10 * float(np.log10(max((a**2).sum(), 1e-30) / power))
            if worst["sqnr_db"] is None or decibel < worst["sqnr_db"]:
                worst["sqnr_db"] = decibel
    return worst


def distance(reference: list, subject: list) -> dict:
    """The least SQNR of one output, null where all are equal or not finite; whether all are."""
    is_finite = all(bool(np.isfinite(value).all()) for value in subject)
    found = {"sqnr_db": None, "is_finite": is_finite}
    if is_finite:
        found["sqnr_db"] = difference(reference, subject)["sqnr_db"]
    return found
