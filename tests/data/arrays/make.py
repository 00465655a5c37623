#!/usr/bin/env python3
"""Makes the files of this folder: python make.py, with polygraphy 0.53.6, numpy 2 and ml_dtypes.

Run once; the files are committed, since the point is what those programs wrote. trtexec's files are
written by hand after its format, as there is no GPU where this runs.
"""

import base64
import io
import json
import os
from pathlib import Path

import ml_dtypes
import numpy as np
from polygraphy.comparator import IterationResult, RunResults
from polygraphy.json import save_json

HERE = Path(__file__).resolve().parent

# As many kinds of arrays as inference has; values that every one of them holds exactly.
TENSORS = {
    "logits": np.arange(10, dtype=np.float32).reshape(2, 5) / 8,
    "half": np.array([1, -2, 0.5], dtype=np.float16),
    "ids": np.array([[16777217, -3]], dtype=np.int64),
    "mask": np.array([True, False, True]),
    "scalar": np.array(2.5, dtype=np.float32),
    "fortran": np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)),
    "double": np.array([0.1, 1e300]),
    "empty": np.zeros((0, 3), dtype=np.float32),
}


def outputs(shift: float) -> dict:
    changed = dict(TENSORS)
    changed["logits"] = changed["logits"] + np.float32(shift)
    return changed


def run_results() -> RunResults:
    results = RunResults()
    for runner, shift in (
        ("onnxrt-runner-N0-11/25/26-20:40:00", 0.0),
        ("trt-runner-N0-11/25/26-20:40:00", 0.25),
    ):
        results.append(
            (
                runner,
                [
                    IterationResult(outputs(shift + i), runtime=0.0125, runner_name=runner)
                    for i in range(2)
                ],
            )
        )
    return results


def npy(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def results_with(encoded: dict, marker: dict) -> dict:
    outputs = {"x": encoded}
    return {
        "lst": [["old", [{"outputs": outputs, "runtime": 1.0, "runner_name": "old", **marker}]]],
        **marker,
    }


def old_spellings() -> None:
    """As older releases wrote arrays: by a key of the class's name, as text or as an .npz."""
    legacy = "polygraphy_serialized_json_type"
    array = TENSORS["logits"]
    as_text = {"array": npy(array).decode("latin-1"), "__polygraphy_encoded_ndarray": legacy}
    (HERE / "polygraphy-old-text.json").write_text(
        json.dumps(results_with(as_text, {"__polygraphy_encoded_RunResults": legacy}))
    )
    buffer = io.BytesIO()
    np.savez(buffer, array)
    as_npz = {
        "array": base64.b64encode(buffer.getvalue()).decode(),
        "__polygraphy_encoded_ndarray": legacy,
    }
    (HERE / "polygraphy-old-npz.json").write_text(json.dumps(results_with(as_npz, {})))
    torch = {
        "values": {"tensor": "UEsDBAAA", "polygraphy_class": "Tensor"},
        "polygraphy_class": "LazyArray",
    }
    (HERE / "polygraphy-torch.json").write_text(json.dumps(results_with(torch, {})))


def main() -> None:
    os.chdir(HERE)
    save_json(run_results(), "polygraphy-outputs.json")
    save_json(
        [{"input": TENSORS["fortran"], "ids": TENSORS["ids"]}, {"input": TENSORS["fortran"] + 1}],
        "polygraphy-inputs.json",
    )
    Path("polygraphy-folder").mkdir(exist_ok=True)
    for i, (runner, iterations) in enumerate(run_results()):
        save_json(RunResults([(runner, iterations[:1])]), f"polygraphy-folder/{i}.json")
    old_spellings()
    np.savez("stored.npz", **TENSORS)
    np.savez_compressed(
        "packed.npz", logits=TENSORS["logits"] + np.float32(0.25), zeros=np.zeros((64, 64))
    )
    Path("debug-tensors").mkdir(exist_ok=True)
    np.save("debug-tensors/logits.npy", TENSORS["logits"])
    np.save("debug-tensors/bfloat.npy", np.array([1, -0.5], dtype=ml_dtypes.bfloat16))
    np.save("debug-tensors/swapped.npy", np.array([1, 256], dtype=">i4"))
    Path("raw-bindings").mkdir(exist_ok=True)
    Path("raw-bindings/logits.output.2.5.FP32.raw").write_bytes(TENSORS["logits"].tobytes())
    Path("raw-bindings/half.output.3.FP16.raw").write_bytes(TENSORS["half"].tobytes())
    Path("raw-bindings/x.input.2.3.FP32.raw").write_bytes(bytes(24))
    # What must not be read.
    np.save("pickle.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)


if __name__ == "__main__":
    main()
