"""Runs a case: both models built, judged, compared and measured in turns."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import statistics
import subprocess

import numpy as np
import onnx

import feeding
from models import Advised, Case

TURNS = 9
# Short: what counts is the median of many turns. Layers are timed in the first alone.
DURATION_MS = 150
PROFILE_MS = 300


class EvidenceError(Exception):
    """A rule whose advice does not hold, or a case that can't be run."""


@dataclasses.dataclass(frozen=True)
class Tools:
    planex: str
    driver: str  # planex-openvino
    python: str  # with the engines' packages
    folder: pathlib.Path


def call(words: list, *, codes=(0,)) -> str:
    done = subprocess.run(
        [str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if done.returncode not in codes:
        raise EvidenceError(f"exit code {done.returncode} of {words}\n{done.stderr[-2000:]}")
    return done.stdout


def write_models(case: Case, tools: Tools, folder: pathlib.Path) -> dict[str, pathlib.Path]:
    folder.mkdir(parents=True, exist_ok=True)
    paths = {side: folder / f"{side}.onnx" for side in ("before", "after")}
    for path in paths.values():
        path.unlink(missing_ok=True)
    onnx.save(case.before(), paths["before"])
    if isinstance(case.after, Advised):
        call([tools.planex, *case.after.words, paths["before"], "-o", paths["after"]])
    else:
        onnx.save(case.after(), paths["after"])
    return paths


def process(case: Case, engine: str, side: str, model: pathlib.Path, tools: Tools, turn: int):
    """Builds and measures once: the folder."""
    folder = model.parent / f"{side}-{turn}"
    words = case.before_words if side == "before" else case.after_words
    python = [] if engine == "openvino" else ["--python", tools.python]
    command = [tools.planex, "process", model, "-o", folder, "--engine", engine, *python, *words]
    if engine != "tensorrt-rtx":
        profile = PROFILE_MS if turn == 0 else 1
        command += ["--", "--duration-ms", DURATION_MS, "--profile-ms", profile]
    call(command)
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


def findings_of(folder: pathlib.Path, rule: str, tools: Tools) -> tuple[list[dict], dict]:
    # Alone, so that nothing folds into a finding of another rule.
    words = ["--rule", rule, "--format", "json"]
    document = json.loads(call([tools.planex, "lint", folder, *words]))
    found = [entry for entry in document["findings"] if entry["rule"] == rule]
    (status,) = [entry for entry in document["rules"] if entry["id"] == rule] or [None]
    return found, status


def asked(folder: pathlib.Path, rule: str, tools: Tools) -> str:
    """What kind of thing the rule asks for first: "edit", "option", "caller"."""
    words = ["--rule", rule, "--format", "json"]
    document = json.loads(call([tools.planex, "lint", folder, *words]))
    return document["actions"][0]["kind"]


def advice_of(model: pathlib.Path, target: str, tools: Tools) -> set[str]:
    """The placement rules that the model's Q/DQ break."""
    words = [tools.planex, "advise", model, "--target", target, "--format", "json"]
    return {entry["rule"] for entry in json.loads(call(words))["advice"]}


def version_of(folder: pathlib.Path) -> str:
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    version = manifest["result"]["engine"]["producer_version"]
    return version.split("-")[0]


def outputs_of(engine: str, model: pathlib.Path, feeds: dict, words, tools: Tools) -> list:
    if engine == "onnxruntime":
        return feeding.by_onnxruntime(tools.python, model, feeds)
    config = {}
    if "--precision" in words:
        kind = {"fp32": "f32", "bf16": "bf16", "fp16": "f16"}[words[words.index("--precision") + 1]]
        config["INFERENCE_PRECISION_HINT"] = kind
    return feeding.by_openvino(tools.driver, model, feeds, config)


def results(case: Case, engine: str, paths: dict[str, pathlib.Path], tools: Tools) -> dict:
    random = np.random.default_rng(7)
    shapes, _ = feeding.names_of(paths["before"])
    feeds = {
        name: random.uniform(*case.input_range, size=dims).astype(np.float32)
        for name, dims in shapes.items()
    }
    quantized = None
    if case.quantized_input is not None:
        # Values that the quantizer in the model meets exactly.
        scale, zero = case.quantized_input
        (name,) = feeds
        quantized = random.integers(0, 256, size=shapes[name]).astype(np.uint8)
        feeds = {name: ((quantized.astype(np.int64) - zero) * np.float32(scale)).astype(np.float32)}
    reference = outputs_of(engine, paths["before"], feeds, case.before_words, tools)
    names, _ = feeding.names_of(paths["after"])
    given = feeds.values() if quantized is None else [quantized]
    turned = {}
    for place, (name, value) in enumerate(zip(names, given, strict=True)):
        order = case.turned_inputs.get(place)
        turned[name] = np.ascontiguousarray(value.transpose(order)) if order else value
    if case.requests > 1:
        turned = {n: np.repeat(v, case.requests, axis=0) for n, v in turned.items()}
    subject = outputs_of(engine, paths["after"], turned, case.after_words, tools)
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


def run(case: Case, engine: str, tools: Tools, turns: int = TURNS) -> dict:
    """The record; EvidenceError where the advice does not hold, but for its gain."""
    folder = tools.folder / case.kind / engine / case.rule
    paths = write_models(case, tools, folder)
    measured = {"before": [], "after": []}
    if engine == "tensorrt-rtx":
        turns = 1  # it compiles only
    for turn in range(turns):
        # A B, B A, …: what grows over time falls on both alike.
        for side in ("before", "after") if turn % 2 == 0 else ("after", "before"):
            made = process(case, engine, side, paths[side], tools, turn)
            measured[side].append(times_of(made) if engine != "tensorrt-rtx" else None)
    first = {side: folder / f"{side}-0" for side in paths}
    record = {
        "schema": "planex.evidence/1",
        "kind": case.kind,
        "rule": case.rule,
        "engine": engine,
        "version": version_of(first["before"]),
        "model": case.model,
        "change": case.change,
    }
    if case.kind == "lint":
        found, status = findings_of(first["before"], case.rule, tools)
        left, _ = findings_of(first["after"], case.rule, tools)
        if not found:
            raise EvidenceError(f"does not fire before: {status['status']}, {status['reason']}")
        if left:
            raise EvidenceError(f"still fires: {left[0]['message']}; {left[0]['fix']}")
        record["asked"] = asked(first["before"], case.rule, tools)
        record["fix"] = found[0]["fix"]
        record["promised_ms"] = status["estimated_ms"]
    else:
        for side, is_there in (("before", True), ("after", False)):
            if (case.rule in advice_of(paths[side], engine, tools)) != is_there:
                raise EvidenceError(f"{'no' if is_there else 'still'} advice of it {side}")
    if engine == "tensorrt-rtx":
        return record
    record["results"] = results(case, engine, paths, tools)
    decibel = record["results"]["sqnr_db"]
    record["results"]["are_same"] = decibel is None or decibel >= case.same_db
    if not record["results"]["are_same"]:
        raise EvidenceError(f"results differ: {record['results']}")
    sides = {
        "before": [turn["median_ms"] for turn in measured["before"]],
        "after": [turn["median_ms"] / case.requests for turn in measured["after"]],
    }
    for side, values in sides.items():
        record[f"{side}_ms"] = statistics.median(values)
    record["gain_ms"], record["noise_ms"] = gain(sides["before"], sides["after"])
    record["turns"] = turns
    return record
