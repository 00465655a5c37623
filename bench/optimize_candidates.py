#!/usr/bin/env python3
"""Makes of a model what another tool makes of it, with the settings that its documents begin with.

    optimize_candidates.py PEER MODEL CALIBRATE.npz OUT.onnx
    optimize_candidates.py --list

Runs in the environment of tools/optimize_env.sh. Prints JSON: versions, and what was done.
"""

import importlib.metadata
import json
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator

import numpy


def samples_of(path: pathlib.Path) -> Iterator[dict[str, numpy.ndarray]]:
    with numpy.load(path) as stored:
        arrays = {name: stored[name] for name in stored.files}
    for place in range(len(next(iter(arrays.values())))):
        # A scalar that is taken out of an array is no array.
        yield {name: numpy.asarray(values[place]) for name, values in arrays.items()}


def optimize_offline(level: str) -> Callable[[pathlib.Path, pathlib.Path, pathlib.Path], None]:
    """ONNX Runtime's optimizer, which writes the graph that it would run."""

    def make(model: pathlib.Path, _: pathlib.Path, out: pathlib.Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, level)
        options.optimized_model_filepath = str(out)
        options.intra_op_num_threads = 1
        onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])

    return make


def quantize_statically(model: pathlib.Path, data: pathlib.Path, out: pathlib.Path) -> None:
    from onnxruntime import quantization
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Reader(quantization.CalibrationDataReader):
        def __init__(self) -> None:
            self.left = samples_of(data)

        def get_next(self):
            return next(self.left, None)

    with tempfile.TemporaryDirectory() as folder:
        prepared = pathlib.Path(folder) / "prepared.onnx"
        try:
            quant_pre_process(str(model), str(prepared))
        except Exception as error:  # Whatever its symbolic shapes don't know.
            print(f"without symbolic shapes: {error}", file=sys.stderr)
            quant_pre_process(str(model), str(prepared), skip_symbolic_shape=True)
        quantization.quantize_static(
            str(prepared), str(out), Reader(), quant_format=quantization.QuantFormat.QDQ
        )


def quantize_with_nncf(model: pathlib.Path, data: pathlib.Path, out: pathlib.Path) -> None:
    import nncf
    import onnx
    from onnx import version_converter

    loaded = onnx.load(model)
    opset = max(one.version for one in loaded.opset_import if one.domain in ("", "ai.onnx"))
    if opset < 13:  # NNCF's least.
        loaded = version_converter.convert_version(loaded, 13)
    samples = list(samples_of(data))
    quantized = nncf.quantize(
        loaded,
        nncf.Dataset(samples),
        preset=nncf.QuantizationPreset.MIXED,
        subset_size=len(samples),
    )
    onnx.save(quantized, out)


def slim(model: pathlib.Path, _: pathlib.Path, out: pathlib.Path) -> None:
    import onnxslim

    onnxslim.slim(str(model), str(out))


def optimize_with_olive(model: pathlib.Path, _: pathlib.Path, out: pathlib.Path) -> None:
    """`olive auto-opt` as its help shows it. It takes no samples without a script of the user's, so
    it quantizes dynamically."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["auto-opt", "-m", str(model.resolve()), "-o", folder, "--device", "cpu"]
        words += ["--provider", "CPUExecutionProvider", "--precision", "int8"]
        words += ["--disable_telemetry"]
        # Its cache goes into the folder where it runs.
        command = [sys.executable, "-m", "olive", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        made = sorted(pathlib.Path(folder).glob("*.onnx"))
        if done.returncode != 0 or not made:
            lines = (done.stderr + done.stdout).strip().splitlines()
            sys.exit(f"Olive wrote no model: {lines[-1] if lines else 'it does not say why'}")
        out.write_bytes(made[0].read_bytes())


# By name: how it is made, and the package whose version counts.
PEERS = {
    "ort-basic": (optimize_offline("ORT_ENABLE_BASIC"), "onnxruntime"),
    "ort-extended": (optimize_offline("ORT_ENABLE_EXTENDED"), "onnxruntime"),
    "ort-static": (quantize_statically, "onnxruntime"),
    "nncf": (quantize_with_nncf, "nncf"),
    "onnxslim": (slim, "onnxslim"),
    "olive": (optimize_with_olive, "olive-ai"),
}


def main() -> None:
    if sys.argv[1:] == ["--list"]:
        print(json.dumps({name: package for name, (_, package) in PEERS.items()}))
        return
    if len(sys.argv) != 5 or sys.argv[1] not in PEERS:
        sys.exit(__doc__)
    make, package = PEERS[sys.argv[1]]
    try:
        version = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        sys.exit(f"{package} is not installed")
    make(*map(pathlib.Path, sys.argv[2:]))
    print(json.dumps({"version": f"{package} {version}"}))


if __name__ == "__main__":
    main()
