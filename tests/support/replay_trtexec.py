#!/usr/bin/env python3
"""A trtexec that replays recorded runs: it refuses the options that its version refuses, writes the
files that it is asked for, and prints what a real one printed. The build and the two runs that load
the engine are told apart as trtexec does, by --onnx and --loadEngine.

PLANEX_TEST_DATA  the recorded engines
REPLAY_VERSION    8.2, 8.5, 8.6, 10.16, 11.0, 11.1
REPLAY_FAULT      STEP:FAULT, of build, times or profile, and of hang, kill, crash, fail, disk
REPLAY_TUNING     a folder: build routes of 11.1 change its times, see tuned_trtexec.py
"""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import sys
import time

import tuned_trtexec

ENGINES = pathlib.Path(os.environ["PLANEX_TEST_DATA"]) / "engines"
A100 = "resnet18-a100-qat-residual/resnet-qat-residual.onnx.engine."
TRT10 = "resnet18-trt10-fp16/resnet18_fp16."
QAT82 = "mobilenet-titanrtx-qat-trt8.2/mobilenet.qat.onnx.engine."

# Version -> number in the banner, layers, profile, times, log. Where a version has no recorded
# times, those of a near one: what is tested is what becomes of files.
RECORDED = {
    "8.2": (8203, QAT82 + "graph.json", QAT82 + "profile.json", QAT82 + "timing.json",
            "mnist-trt8.2.3-names-only/result-FP16.txt"),
    "8.5": (8502, "yolo-orin-trt8.5.2-names-only/layer_info.json",
            "yolo-orin-trt8.5.2-names-only/profile.json", A100 + "timing.json",
            "yolo-orin-trt8.5.2-names-only/trt.out"),
    "8.6": (8600, "controlnet-a10-trt8.6/layerinfo.json", "controlnet-a10-trt8.6/profile.json",
            A100 + "timing.json", "mnist-trt8.6.0-names-only/result-02.log"),
    "10.16": (101601, TRT10 + "graph.json", TRT10 + "profile.json", TRT10 + "timing.json",
              "mnist-trt10.14.1-logs/result-01.log"),
    "11.0": (110000, TRT10 + "graph.json", TRT10 + "profile.json", TRT10 + "timing.json",
             "mnist-b200-trt11.0-build-log/result-09.log"),
    "11.1": (110100, TRT10 + "graph.json", TRT10 + "profile.json", TRT10 + "timing.json",
             "mnist-b200-trt11.0-build-log/result-09.log"),
    "12.3": (120300, TRT10 + "graph.json", TRT10 + "profile.json", TRT10 + "timing.json",
             "mnist-b200-trt11.0-build-log/result-09.log"),
}  # fmt: skip
ROUTES = {"helpBuildRoute", "setBuildRoute"}
# What the option parsers of these releases do not know.
UNKNOWN = {
    "8.2": {*ROUTES, "skipInference", "memPoolSize", "infStreams", "bf16"},
    "8.5": {*ROUTES, "skipInference", "infStreams", "bf16", "fp8"},
    "8.6": {*ROUTES, "bf16", "stronglyTyped"},
    "10.16": {*ROUTES, "buildOnly", "workspace", "explicitBatch"},
    "11.0": {*ROUTES, "buildOnly", "workspace", "fp16", "int8", "bf16", "best", "calib"},
    "11.1": {"buildOnly", "workspace", "fp16", "int8", "bf16", "best", "calib"},
    "12.3": {"buildOnly", "workspace", "fp16", "int8", "bf16", "best", "calib"},
}


def copy(value: str | None, source: str) -> None:
    if value:
        shutil.copyfile(ENGINES / source, value)


def main() -> int:
    version = os.environ.get("REPLAY_VERSION", "8.6")
    if version == "silent":
        print("what is this?")
        return 0
    if version == "8.0":
        print("&&&& RUNNING TensorRT.trtexec [TensorRT v8003] # trtexec --help")
        return 0
    number, layers, profile, times, log = RECORDED[version]
    command = " ".join(["trtexec", *sys.argv[1:]])
    print(f"&&&& RUNNING TensorRT.trtexec [TensorRT v{number}] # {command}", flush=True)
    options = {}
    for word in sys.argv[1:]:
        name, _, value = word.removeprefix("--").partition("=")
        if name in UNKNOWN[version] or not word.startswith("--"):
            print(f"[11/24/2026-10:00:00] [E] Unknown option: {word}", file=sys.stderr)
            print(f"&&&& FAILED TensorRT.trtexec [TensorRT v{number}] # {command}")
            return 1
        options[name] = value
    if "help" in options:
        print("=== Model Options ===\n  --onnx=<file>  ONNX model")
        return 0
    tuning = tuned_trtexec.tuning()
    if tuning and "helpBuildRoute" in options:
        print(tuning.help_text())
        print(f"&&&& PASSED TensorRT.trtexec [TensorRT v{number}] # {command}")
        return 0
    route = options.get("setBuildRoute", "")
    if tuning and tuning.unknown(route):
        said = f"Unknown build route: {tuning.unknown(route)}"
        print(f"[11/24/2026-10:00:00] [E] {said}", file=sys.stderr)
        print(f"&&&& FAILED TensorRT.trtexec [TensorRT v{number}] # {command}")
        return 1
    step = "build" if "onnx" in options else "times" if "exportTimes" in options else "profile"
    source = options.get("onnx") or options.get("loadEngine")
    if not source or not pathlib.Path(source).is_file():
        print(f"[11/24/2026-10:00:00] [E] Error opening engine file: {source}", file=sys.stderr)
        return 1
    at, _, fault = os.environ.get("REPLAY_FAULT", "").partition(":")
    copy(options.get("exportLayerInfo"), layers)
    if at == step:
        if fault == "hang":
            time.sleep(1000)
        if fault in ("kill", "crash"):
            os.kill(os.getpid(), signal.SIGKILL if fault == "kill" else signal.SIGSEGV)
        if fault == "fail":
            said = '[TRT] ModelImporter.cpp:771: While parsing node number 3 [Foo -> "y"]:'
            print(f"[11/24/2026-10:00:00] [E] {said}", file=sys.stderr)
            print("[11/24/2026-10:00:00] [E] Parsing model failed", file=sys.stderr)
            print(f"&&&& FAILED TensorRT.trtexec [TensorRT v{number}] # {command}")
            return 1
        if fault == "disk":
            print("[11/24/2026-10:00:00] [E] Saving engine to file failed.", file=sys.stderr)
            return 1
    if options.get("saveEngine"):
        level = tuning.level(route) if tuning else 1
        engine = b"ftrt" + str(level).encode().ljust(32) + bytes(4064)
        pathlib.Path(options["saveEngine"]).write_bytes(engine)
    if tuning and step != "build":
        level = float(pathlib.Path(source).read_bytes()[4:36])
        if step == "times":
            text = tuned_trtexec.scaled_times(ENGINES / times, level, tuning.folder)
        else:
            text = tuned_trtexec.scaled_profile(ENGINES / profile, level)
        output = options["exportTimes" if step == "times" else "exportProfile"]
        pathlib.Path(output).write_text(text)
    else:
        copy(options.get("exportProfile"), profile)
        copy(options.get("exportTimes"), times)
    recorded = (ENGINES / log).read_text("utf-8", "replace").splitlines()
    print("\n".join(line for line in recorded if not line.startswith("&&&&")))
    print(f"&&&& PASSED TensorRT.trtexec [TensorRT v{number}] # {command}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
