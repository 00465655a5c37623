"""Runs a case: both models built, judged, compared and measured in turns."""

from __future__ import annotations

import json
import pathlib
import re
import statistics

import numpy as np
import onnx
from judging import EvidenceError, Tools, asked, call, findings_of, judge_placement

import feeding
from models import Advised, Broken, Case, Cast, Quantized

TURNS = 9
# Short: what counts is the median of many turns. Layers are timed in the first alone.
DURATION_MS = 150
PROFILE_MS = 300
SAMPLES = 8
# So much nearer to the float model are results at least where a rule is about them.
NEARER_DB = 1.0


def write_samples(model: pathlib.Path, case: Case) -> pathlib.Path:
    """What is calibrated with: some samples of each input."""
    random = np.random.default_rng(11)
    shapes, _ = feeding.names_of(model)
    file = model.with_suffix(".samples.npz")
    arrays = {
        name: random.uniform(*case.input_range, size=[SAMPLES, *dims]).astype(np.float32)
        for name, dims in shapes.items()
    }
    np.savez(file, **arrays)
    return file


def write_models(
    case: Case, tools: Tools, folder: pathlib.Path, engine: str
) -> dict[str, pathlib.Path]:
    """The models before and after; "float" where the case has one."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {side: folder / f"{side}.onnx" for side in ("float", "before", "after")}
    for path in paths.values():
        path.unlink(missing_ok=True)
    makes = {"float": case.float_model, "before": case.before, "after": case.after}
    # What is broken is made of the model after.
    is_broken = isinstance(case.before, Broken)
    for side in ("float", "after", "before") if is_broken else ("float", "before", "after"):
        make = makes[side]
        if isinstance(make, Cast):
            call([tools.planex, "cast", "--to", make.to, paths["before"], "-o", paths[side]])
        elif isinstance(make, Advised | Quantized):
            write_by_planex(case, make, paths, side, engine, tools)
        elif isinstance(make, Broken):
            model = onnx.load(paths["after"])
            make.edit(model)
            onnx.save(model, paths[side])
        elif make is not None:
            onnx.save(make(), paths[side])
    return {side: path for side, path in paths.items() if makes[side] is not None}


def write_by_planex(
    case: Case, make: Advised | Quantized, paths: dict, side: str, engine: str, tools: Tools
) -> None:
    if isinstance(make, Advised):
        source, words = paths["before"], ["advise", "--apply"]
    else:
        source, words = paths["float"], ["quantize", *make.words]
        # One is quick, and which of them is best is not the question here.
        if make.has_data:
            words += ["--method", "minmax"]
    data = ["--data", write_samples(source, case)] if make.has_data else []
    call([tools.planex, *words, "--target", engine, *data, source, "-o", paths[side]])


def process(case: Case, engine: str, side: str, model: pathlib.Path, tools: Tools, turn: int):
    """Builds and measures once: the folder."""
    folder = model.parent / f"{side}-{turn}"
    words = case.before_words if side == "before" else case.after_words
    python = [] if engine == "openvino" else ["--python", tools.python]
    command = [tools.planex, "process", model, "-o", folder, "--engine", engine, *python, *words]
    if engine != "tensorrt-rtx":
        profile = PROFILE_MS if turn == 0 else 1
        command += ["--", "--duration-ms", DURATION_MS, "--profile-ms", profile]
    call(command, case.environment)
    return folder


def times_of(folder: pathlib.Path) -> dict:
    (file,) = folder.glob("*.times.json")
    times = json.loads(file.read_text("utf-8"))
    columns = times["columns"]
    key = "latency_ms" if "latency_ms" in columns else "end_ms"
    values = columns[key]
    if key == "end_ms":
        values = [end - start for start, end in zip(columns["start_ms"], values, strict=True)]
    return {
        "median_ms": statistics.median(values),
        "cpu_ms": times["cpu_ms"] / times["count"] if times.get("cpu_ms") else None,
    }


def version_of(folder: pathlib.Path) -> str:
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    version = manifest["result"]["engine"]["producer_version"]
    return version.split("-")[0]


def outputs_of(
    case: Case, engine: str, side: str, model: pathlib.Path, feeds: dict, tools: Tools
) -> list:
    words = case.before_words if side == "before" else case.after_words
    if engine == "onnxruntime":
        return feeding.by_onnxruntime(tools.python, model, feeds)
    config = {}
    if "--precision" in words:
        kind = {"fp32": "f32", "bf16": "bf16", "fp16": "f16"}[words[words.index("--precision") + 1]]
        config["INFERENCE_PRECISION_HINT"] = kind
    return feeding.by_openvino(tools.driver, model, feeds, config, case.environment)


def feeds_of(case: Case, model: pathlib.Path, random: np.random.Generator) -> dict:
    shapes, _ = feeding.names_of(model)
    return {
        name: random.uniform(*case.input_range, size=dims).astype(np.float32)
        for name, dims in shapes.items()
    }


def from_float(case: Case, engine: str, paths: dict[str, pathlib.Path], tools: Tools) -> dict:
    """How far what the engine makes of each model is from the float model's results."""
    feeds = feeds_of(case, paths["float"], np.random.default_rng(7))
    reference = feeding.by_onnxruntime(tools.python, paths["float"], feeds)
    if all(np.ptp(value) == 0 for value in reference):
        raise EvidenceError("the outputs are constant: they show nothing")
    sides = ["after"] if case.about == "refused" else ["before", "after"]
    return {
        side: feeding.distance(reference, outputs_of(case, engine, side, paths[side], feeds, tools))
        for side in sides
    }


def is_nearer(distances: dict) -> bool:
    before, after = distances["before"], distances["after"]
    if not after["is_finite"] or not before["is_finite"]:
        return after["is_finite"]
    if before["sqnr_db"] is None:
        return False
    return after["sqnr_db"] is None or after["sqnr_db"] >= before["sqnr_db"] + NEARER_DB


def results(case: Case, engine: str, paths: dict[str, pathlib.Path], tools: Tools) -> dict:
    random = np.random.default_rng(7)
    shapes, _ = feeding.names_of(paths["before"])
    feeds = feeds_of(case, paths["before"], random)
    quantized = None
    if case.quantized_input is not None:
        # Values that the quantizer in the model meets exactly.
        scale, zero = case.quantized_input
        (name,) = feeds
        quantized = random.integers(0, 256, size=shapes[name]).astype(np.uint8)
        feeds = {name: ((quantized.astype(np.int64) - zero) * np.float32(scale)).astype(np.float32)}
    reference = outputs_of(case, engine, "before", paths["before"], feeds, tools)
    names, _ = feeding.names_of(paths["after"])
    given = feeds.values() if quantized is None else [quantized]
    turned = {}
    for place, (name, value) in enumerate(zip(names, given, strict=True)):
        order = case.turned_inputs.get(place)
        turned[name] = np.ascontiguousarray(value.transpose(order)) if order else value
    if case.requests > 1:
        turned = {n: np.repeat(v, case.requests, axis=0) for n, v in turned.items()}
    subject = outputs_of(case, engine, "after", paths["after"], turned, tools)
    if case.requests > 1:
        subject = [value[: value.shape[0] // case.requests] for value in subject]
    subject = [
        value.transpose(case.turned_outputs[place]) if place in case.turned_outputs else value
        for place, value in enumerate(subject)
    ]
    if all(np.ptp(value) == 0 for value in reference):
        raise EvidenceError("the outputs are constant: they show nothing")
    return feeding.difference(reference, subject)


def rounded(value):
    """Six digits: what a record holds of a measurement."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return value


def gain(before: list[float], after: list[float]) -> tuple[float, float]:
    """The median of what the turns gained, and twice its standard error: by the quartiles, since
    turns that other work disturbed are outliers. One turn says nothing of noise: infinite."""
    gained = [first - second for first, second in zip(before, after, strict=True)]
    if len(gained) < 3:
        return statistics.median(gained), float("inf")
    low, mid, high = statistics.quantiles(gained, n=4, method="inclusive")
    # Of a normal distribution the quartiles are 1.349 deviations apart, and a median scatters
    # 1.253 times as far as a mean.
    error = 1.253 * (high - low) / 1.349 / len(gained) ** 0.5
    return mid, 2 * error


def head_of(case: Case, engine: str, folder: pathlib.Path) -> dict:
    return {
        "schema": "planex.evidence/1",
        "kind": case.kind,
        "rule": case.rule,
        "engine": engine,
        "version": version_of(folder),
        "model": case.model,
        "change": case.change,
    }


def run_refused(case: Case, engine: str, paths: dict, tools: Tools) -> dict:
    """The record of a case of which the engine takes the model after alone."""
    try:
        process(case, engine, "before", paths["before"], tools, 0)
    except EvidenceError as error:
        found = re.search(case.message, str(error))
        if not found:
            raise EvidenceError(f"refused by other words: {error}") from error
    else:
        raise EvidenceError("the engine takes the model before")
    made = process(case, engine, "after", paths["after"], tools, 0)
    record = head_of(case, engine, made)
    record["refused"] = found.group()
    record["after_ms"] = times_of(made)["median_ms"]
    if "float" in paths:
        record["from_float"] = from_float(case, engine, paths, tools)
    return record


def compare(case: Case, engine: str, paths: dict, tools: Tools) -> dict:
    """What the record says of results; EvidenceError where they are not what the rule promises."""
    found = {}
    if "float" in paths:
        found["from_float"] = from_float(case, engine, paths, tools)
    if case.about == "results":
        if not is_nearer(found["from_float"]):
            raise EvidenceError(f"results are no nearer to float: {found['from_float']}")
        return found
    found["results"] = results(case, engine, paths, tools)
    decibel = found["results"]["sqnr_db"]
    found["results"]["are_same"] = decibel is None or decibel >= case.same_db
    if not found["results"]["are_same"]:
        raise EvidenceError(f"results differ: {found}")
    return found


def judge_findings(case: Case, first: dict, tools: Tools) -> dict:
    found, status = findings_of(first["before"], case.rule, tools)
    left, _ = findings_of(first["after"], case.rule, tools)
    if not found:
        raise EvidenceError(f"does not fire before: {status['status']}, {status['reason']}")
    if left:
        raise EvidenceError(f"still fires: {left[0]['message']}; {left[0]['fix']}")
    return {
        "asked": asked(first["before"], case.rule, tools),
        "fix": found[0]["fix"],
        "promised_ms": status["estimated_ms"],
    }


def run(case: Case, engine: str, tools: Tools, turns: int = TURNS) -> dict:
    """The record; EvidenceError where the advice does not hold, but for its gain."""
    folder = tools.folder / case.kind / engine / case.rule
    paths = write_models(case, tools, folder, engine)
    if case.kind == "placement":
        judge_placement(case, engine, paths, tools)
    if case.about == "refused":
        return run_refused(case, engine, paths, tools)
    measured = {"before": [], "after": []}
    if engine == "tensorrt-rtx":
        turns = 1  # it compiles only
    for turn in range(turns):
        # A B, B A, …: what grows over time falls on both alike.
        for side in ("before", "after") if turn % 2 == 0 else ("after", "before"):
            made = process(case, engine, side, paths[side], tools, turn)
            measured[side].append(times_of(made) if engine != "tensorrt-rtx" else None)
    first = {side: folder / f"{side}-0" for side in measured}
    record = head_of(case, engine, first["before"])
    if case.kind == "lint":
        record |= judge_findings(case, first, tools)
    if engine == "tensorrt-rtx":
        return record
    record |= compare(case, engine, paths, tools)
    sides = {
        "before": [turn["median_ms"] for turn in measured["before"]],
        "after": [turn["median_ms"] / case.requests for turn in measured["after"]],
    }
    for side, values in sides.items():
        record[f"{side}_ms"] = statistics.median(values)
    record["gain_ms"], record["noise_ms"] = gain(sides["before"], sides["after"])
    record["turns"] = turns
    return record
