#!/usr/bin/env python3
"""How far what an engine makes of a model is from the float model's results: one measure for all.

    optimize_accuracy.py reference MODEL JUDGE.npz REFERENCE.npz
    optimize_accuracy.py compare ENGINE MODEL JUDGE.npz REFERENCE.npz [WORD…]

The reference is ONNX Runtime's without optimizations. WORDs are those of planex process, with which
the engine is measured: it judges the same thing. Prints JSON: SQNR in dB of the worst output, null
where all values are equal.
"""

import json
import math
import os
import sys
from collections.abc import Callable

import numpy

Feeds = dict[str, numpy.ndarray]
Infer = Callable[[Feeds], list[numpy.ndarray]]

LEVELS = {"disable": "DISABLE_ALL", "basic": "ENABLE_BASIC", "extended": "ENABLE_EXTENDED"}
LEVELS |= {"layout": "ENABLE_LAYOUT", "all": "ENABLE_ALL"}
PRECISIONS = {"fp32": "f32", "fp16": "f16"}


def pairs_of(words: list[str]) -> list[tuple[str, str]]:
    """--option VALUE, or --option=VALUE."""
    left, found = list(words), []
    while left:
        option, is_joined, value = left.pop(0).partition("=")
        if not option.startswith("--") or not (is_joined or left):
            sys.exit(f"optimize_accuracy: {option} is not an option with a value")
        found.append((option, value if is_joined else left.pop(0)))
    return found


def with_onnxruntime(model: str, words: list[str]) -> Infer:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    for option, value in pairs_of(words):
        if option == "--config":
            options.add_session_config_entry(*value.split("=", 1))
        elif option == "--optimization":
            level = getattr(onnxruntime.GraphOptimizationLevel, f"ORT_{LEVELS[value]}")
            options.graph_optimization_level = level
        elif option != "--threads":
            # Results by other options than those measured would say nothing.
            sys.exit(f"optimize_accuracy: {option} of ONNX Runtime is not known here: add it")
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    names = {one.name for one in session.get_inputs()}

    def infer(feeds: Feeds) -> list[numpy.ndarray]:
        return session.run(None, {name: feeds[name] for name in names})

    return infer


def with_openvino(model: str, words: list[str]) -> Infer:
    config = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": "1", "NUM_STREAMS": "1"}
    for option, value in pairs_of(words):
        if option == "--config":
            name, _, setting = value.partition("=")
            config[name] = setting
        elif option == "--precision":
            config["INFERENCE_PRECISION_HINT"] = PRECISIONS.get(value, value)
        elif option == "--isa":
            os.environ["ONEDNN_MAX_CPU_ISA"] = value
        elif option not in ("--threads", "--streams"):
            sys.exit(f"optimize_accuracy: {option} of OpenVINO is not known here: add it")
    import openvino

    core = openvino.Core()
    loaded = core.read_model(model)
    compiled = core.compile_model(loaded, "CPU", config)
    request = compiled.create_infer_request()
    places = {name: place for place, one in enumerate(compiled.inputs) for name in one.names}

    def infer(feeds: Feeds) -> list[numpy.ndarray]:
        # What is not among them was unused, and a tool dropped it.
        results = request.infer({places[name]: feeds[name] for name in feeds if name in places})
        return [numpy.array(results[one]) for one in compiled.outputs]

    return infer


ENGINES = {"onnxruntime": with_onnxruntime, "openvino": with_openvino}


def samples_of(path: str):
    with numpy.load(path) as stored:
        arrays = {name: stored[name] for name in stored.files}
    for place in range(len(next(iter(arrays.values())))):
        # A scalar that is taken out of an array is no array.
        yield {name: numpy.asarray(values[place]) for name, values in arrays.items()}


def write_reference(model: str, data: str, out: str) -> None:
    infer = with_onnxruntime(model, ["--optimization", "disable"])
    each = [infer(feeds) for feeds in samples_of(data)]
    stacked = [numpy.stack(values) for values in zip(*each, strict=True)]
    # Under another name until it is whole.
    numpy.savez(f"{out}.part.npz", *stacked)
    os.replace(f"{out}.part.npz", out)


def sqnr_db(reference: numpy.ndarray, subject: numpy.ndarray) -> float | None:
    """null: no value differs."""
    wanted, found = reference.astype(numpy.float64), subject.astype(numpy.float64)
    noise = float(((wanted - found) ** 2).sum())
    if noise == 0:
        return None
    return 10 * math.log10(max(float((wanted**2).sum()), 1e-30) / noise)


def compare(engine: str, model: str, data: str, reference: str, words: list[str]) -> dict:
    infer = ENGINES[engine](model, words)
    each = [infer(feeds) for feeds in samples_of(data)]
    found = [numpy.stack(values) for values in zip(*each, strict=True)]
    with numpy.load(reference) as stored:
        wanted = [stored[name] for name in stored.files]
    if len(found) != len(wanted):
        sys.exit(f"it has {len(found)} outputs, the float model {len(wanted)}")
    decibels = []
    for place, (left, right) in enumerate(zip(wanted, found, strict=True)):
        if left.size != right.size:
            sys.exit(
                f"output {place} has shape {right.shape[1:]}, the float model's {left.shape[1:]}"
            )
        if not numpy.isfinite(right.astype(numpy.float64)).all():
            sys.exit(f"output {place} has values that are not finite")
        decibels.append(sqnr_db(left, right.reshape(left.shape)))
    known = [value for value in decibels if value is not None]
    return {"sqnr_db": min(known) if known else None, "by_output_db": decibels}


def main() -> None:
    words = sys.argv[1:]
    if len(words) == 4 and words[0] == "reference":
        write_reference(*words[1:])
    elif len(words) >= 5 and words[0] == "compare" and words[1] in ENGINES:
        print(json.dumps(compare(*words[1:5], words[5:])))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
