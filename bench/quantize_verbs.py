"""Bars of the part quantize that are about other verbs, or that tests hold: those are run.

`bars` is a Bars of quantize_part.py.
"""

import json
import os
import shutil
import subprocess
import sys

from benchmark_app import resnet18
from measuring import Skip
from workspace import ROOT

PREPARATION = "color=bgr,mean=127.5,std=127.5"
# A layer alone whose engine is so much below its simulation is the engine's fault.
CERTAIN_GAP_DB = 30
PLANTED = 10  # places in each of two nets
MOST_COMPILES = 12


# --- By tests ---


def unit_tests(bars, bar: str, what: str, module: str, names: str) -> None:
    """Runs tests in C++ where a build of them is there: a release build has none."""
    for preset in ("dev", "asan"):
        binary = ROOT / f"build/{preset}/src/{module}/planex_{module}_test"
        if not binary.exists():
            continue
        done = subprocess.run(
            [str(binary), f"--gtest_filter={names}", "--gtest_brief=1"],
            capture_output=True,
            text=True,
            check=False,
        )
        last = done.stdout.strip().splitlines()[-1:]
        bars.say(bar, what, f"{module}: {' '.join(last)}", ok=done.returncode == 0)
        return
    bars.say(bar, what, f"no tests of {module} are built: tools/build.sh dev", ok=None)


def python_tests(bars, bar: str, what: str, file: str, names: str) -> None:
    environment = {**os.environ, "PLANEX_BIN": str(bars.planex)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", str(ROOT / file), "-k", names],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    last = done.stdout.strip().splitlines()[-1:]
    bars.say(bar, what, " ".join(last), ok=done.returncode == 0)


def thresholds(bars) -> None:
    unit_tests(bars, "B4", "thresholds beside NumPy's, 20 histograms", "quantize", "Thresholds.*")


def formats(bars) -> None:
    what = "Polygraphy's JSON and trtexec's output are read or refused"
    unit_tests(bars, "B11", what, "arrays", "Polygraphy.*:TrtexecOutput.*")


def advice(bars) -> None:
    file = "tests/e2e/test_advise.py"
    what = "ResNet-18 from naive to shared, 35 to 26 layers at most, float layers 2 at most"
    python_tests(bars, "B12", what, file, "orders_the_placements or makes_the_best_placement")
    what = "trained scales stay bit by bit, at most 0.2 dB are lost"
    python_tests(bars, "B13", what, file, "trained_scales or new_scales")


def trained(bars) -> None:
    what = "a net that QAT trained: scales stay, at most 1 of 72 characters is read otherwise"
    python_tests(bars, "QAT", what, "tests/e2e/test_trained.py", "")


# --- By verbs ---


def accuracy(bars, net, model, *options: object) -> dict:
    words = ["accuracy", bars.model(net), model, "--prep", PREPARATION, "--format", "json"]
    words += ["--data", bars.data(net, "judge", net.judged), *options]
    return json.loads(bars.run_planex(*words))


def engine_faults(bars) -> None:
    _, cls, _ = bars.nets
    bars.quantize(cls, "eight", "--method", "minmax", "--weight-bits", 8, "--judge-samples", 0)
    fixed = bars.folder / "cls-cured.onnx"
    words = ["--samples", 8, "--cured", fixed]
    told = accuracy(bars, cls, bars.folder / "cls-eight.onnx", *words)
    if told["has_vnni"]:
        raise Skip("this processor has VNNI: its sums of 8 bits do not overflow")
    # Which layer depends on the scales: Conv@4 where all is signed, Conv@0 with zero points.
    faults = [layer for layer in told["layers"] if layer["fault"] == "engine"]
    gaps = [layer["alone_simulated_db"] - layer["alone_engine_db"] for layer in faults]
    gap = max(gaps, default=0)
    found = faults[gaps.index(gap)] if faults else None
    bars.say(
        "B6",
        f"cls: a layer alone is named as the engine's fault (gap at least {CERTAIN_GAP_DB} dB)",
        f"{found['node']}, {gap:.1f} dB, {found['cause']}" if found else "none named",
        ok=gap >= CERTAIN_GAP_DB,
    )
    cured = told["cured"]
    simulated, engine = (
        min(one["sqnr_db"] for one in cured[kind]) for kind in ("simulated", "engine")
    )
    bars.say(
        "B6",
        "cls, cured: engine below simulated (at most 1.5 dB)",
        f"{simulated:.1f} and {engine:.1f} dB",
        ok=simulated - engine <= 1.5,
    )
    what = "det: the signed tensor behind Concat and Resize, in a small net with one"
    file = "tests/e2e/test_accuracy_faults.py"
    python_tests(bars, "B6", what, file, "lost_sign")


def transformer(bars) -> None:
    """all-MiniLM-L6-v2: a range so wide that few steps are left for most of it, in each block."""
    folder = bars.folder / "text"
    if not folder.is_dir():
        if shutil.which("mvn") is None:
            raise Skip("the model is got with mvn, which is not installed")
        part = folder.with_name("part-text")
        bars.run_python("text_model.py", "get", part)
        bars.run_python("text_model.py", "data", part)
        os.replace(part, folder)
    model, output = folder / "model.onnx", bars.folder / "text-int8.onnx"
    words = ["--data", folder / "calibrate.npz", "--judge", folder / "judge.npz"]
    words += ["--judge-samples", 32, "-o", output, "--format", "json"]
    told = json.loads(bars.run_planex("quantize", model, *words))
    judged = bars.answer("text_model.py", "judge", folder, output)
    db = min(one["sqnr_db"] for one in told["engine"])
    bars.say(
        "text",
        f"all-MiniLM-L6-v2 in the engine, weights on {told['weight_bits']} bits, "
        f"{told['method']}: likeness of sentences as the float model's (at least 0.98)",
        f"{judged['correlation']:.3f}, embeddings {judged['cosine']:.3f}, tokens {db:.1f} dB",
        ok=judged["correlation"] >= 0.98,
    )


def planted_faults(bars) -> None:
    rec = bars.nets[0]
    bars.quantize(rec, "planted", "--method", "mse", "--weight-bits", 8, "--judge-samples", 0)
    data = ["--data", bars.data(rec, "judge", rec.judged), "--prep", PREPARATION]
    planted_in(bars, "rec", bars.model(rec), bars.folder / "rec-planted.onnx", data)
    model, output = resnet18(bars.workspace), bars.folder / "resnet18-planted.onnx"
    data = ["--data", bars.folder / "resnet18.npy"]
    bars.run_python("random_array.py", data[1], 1, 3, 224, 224, "--samples", 4)
    words = ["--method", "minmax", "--weight-bits", 8, "--judge-samples", 0, "-o", output]
    bars.run_planex("quantize", model, *data, *words, "--format", "json")
    planted_in(bars, "ResNet-18", model, output, data)


def planted_in(bars, name: str, model: object, quantized: object, data: list[object]) -> None:
    folder = bars.folder / f"planted-{name}"
    told = bars.answer("plant_scale.py", quantized, folder, "--count", PLANTED)
    right, most = 0, 0
    for one in told["planted"]:
        words = ["--samples", 4, "--outputs-only", "--alone", 0, "--bisect", "--format", "json"]
        answer = json.loads(bars.run_planex("accuracy", model, one["path"], *data, *words))
        found = answer["bisection"]
        right += found["tensor"] == one["tensor"]
        most = max(most, found["compile_count"])
    bars.say(
        "B8",
        f"{name}: a scale times 8 is found (all, at most {MOST_COMPILES} compilations)",
        f"{right} of {len(told['planted'])}, {most} compilations",
        ok=right == len(told["planted"]) and most <= MOST_COMPILES,
    )


def search(bars) -> None:
    words = [bars.planex, bars.folder / "nets", "--work", bars.folder / "search"]
    command = [bars.python, ROOT / "bench/quantize_search.py", *words, "--options=weight-bits=8"]
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False
    )
    lines = done.stdout.strip().splitlines()
    for line in lines[1:]:
        print(f"       {line}")
    if not lines:
        raise Skip(f"quantize_search.py failed: {done.stderr.strip().splitlines()[-1:]}")
    bars.say(
        "B9",
        "rec, 20 dB with at most 4 layers in float, fewer than a prefix needs, none beaten",
        lines[0],
        ok=done.returncode == 0,
    )
