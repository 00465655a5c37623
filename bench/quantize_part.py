"""The part quantize: what planex's quantizing must reach, beside ONNX Runtime's and NNCF's.

Each bar has a number, a figure and a verdict. The nets are three of PP-OCR, the data is drawn
(ocr_data.py), and what the files compute is judged without planex (ocr_judge.py). Figures in dB and
shares are the same on each run; times are not.
"""

import dataclasses
import hashlib
import json
import os
import pathlib
import subprocess
import tempfile
import time

import quantize_verbs
from benchmark_app import resnet18
from measuring import Skip
from quantize_verbs import PREPARATION
from workspace import ROOT, Workspace


@dataclasses.dataclass(frozen=True)
class Net:
    name: str
    kind: str  # of ocr_data.py
    calibration: int
    judged: int
    least_db: float
    least_metric: float
    metric: str


NETS = (
    Net("rec", "lines", 64, 96, 15.0, 0.97, "lines read right"),
    Net("cls", "turned", 64, 256, 23.5, 0.99, "directions as the float model's"),
    Net("det", "pages", 16, 32, 22.5, 0.935, "IoU with the float model's mask"),
)
LARGE_COUNT = 640
OPSETS = (13, 19, 21)
# Of the recognizer, whose products sum up 120 and 240 values: no multiple of a block.
FORMATS = {
    "fp8-tensorrt": ("--to", "fp8", "--target", "tensorrt", "--method", "minmax"),
    "fp8-rtx": ("--to", "fp8", "--target", "tensorrt-rtx", "--method", "minmax"),
    "int4-rtx": ("--to", "int4", "--target", "tensorrt-rtx", "--block-size", "channel"),
}


class Bars:
    """Runs the programs, and prints a line a bar."""

    nets = NETS

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.planex = workspace.build / "planex"
        if not self.planex.exists() or not (workspace.build / "planex-openvino").exists():
            raise Skip("planex and planex-openvino are not built")
        tool = ROOT / "tools/quantize_env.sh"
        done = subprocess.run([str(tool)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Skip("the environment of requirements/quantize.txt can't be made")
        self.python = done.stdout.strip()
        self.folder = workspace.data / "quantize"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.verdicts: list[tuple[str, str, str]] = []

    # --- Programs ---

    def run_python(self, script: str, *words: object) -> str:
        command = [self.python, str(ROOT / "bench" / script), *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Skip(f"{script} {words[0]} failed: {done.stderr.strip().splitlines()[-1:]}")
        # Tools print what they do, too; the answer is the last object.
        return done.stdout

    def answer(self, script: str, *words: object) -> dict:
        text = self.run_python(script, *words)
        return json.loads(text[text.index("{") :])

    def run_planex(self, *words: object) -> str:
        command = [str(self.planex), *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Skip(f"planex {words[0]} failed: {done.stderr.strip()}")
        return done.stdout

    def data(self, net: Net, use: str, count: int) -> pathlib.Path:
        folder = self.folder / f"{net.kind}-{use}-{count}"
        if not folder.is_dir():
            part = folder.with_name(f"part-{folder.name}")
            seed = {"calibrate": 1, "judge": 2, "choose": 3}[use]
            self.run_python("ocr_data.py", net.kind, part, "--count", count, "--seed", seed)
            os.replace(part, folder)
        return folder

    def model(self, net: Net) -> pathlib.Path:
        folder = self.folder / "nets"
        if not folder.is_dir():
            part = self.folder / "part-nets"
            self.run_python("ocr_models.py", part)
            os.replace(part, folder)
        return folder / f"{net.name}.onnx"

    def quantize(self, net: Net, name: str, *options: object, count: int = 0) -> dict:
        """The document of planex quantize; the model is `name` in the folder."""
        output = self.folder / f"{net.name}-{name}.onnx"
        count = count or net.calibration
        text = self.run_planex(
            *["quantize", self.model(net), "--data", self.data(net, "calibrate", count)],
            *["--prep", PREPARATION, "--samples", count, "-o", output, "--format", "json"],
            *options,
        )
        return json.loads(text)

    def judged(self, net: Net, *names: str, engine: bool = False) -> list[dict]:
        """Of each model the SQNR and the metric, without planex."""
        words = [net.name, self.model(net)]
        words += [self.folder / f"{net.name}-{name}.onnx" for name in names]
        words += ["--data", self.data(net, "judge", net.judged), "--count", net.judged]
        if engine:
            words.append("--engine")
        return self.answer("ocr_judge.py", *words)["subjects"]

    def taken(self, net: Net, count: int) -> tuple[float, float]:
        """Seconds and peak MB of calibrating and writing, planex-openvino included."""
        output = self.folder / f"{net.name}-timed.onnx"
        data = self.data(net, "calibrate", count)
        command = [str(self.planex), "quantize", str(self.model(net)), "--data", str(data)]
        command += ["--prep", PREPARATION, "--samples", str(count), "--judge-samples", "0"]
        command += ["--method", "mse", "-o", str(output)]
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise Skip("planex quantize failed")
        return time.perf_counter() - start, usage.ru_maxrss / 1e3

    # --- Verdicts ---

    def say(self, bar: str, what: str, figure: str, *, ok: bool | None) -> None:
        verdict = "not there" if ok is None else "pass" if ok else "FAIL"
        self.verdicts.append((bar, what, verdict))
        print(f"  {bar:4} {verdict:9}  {what}: {figure}", flush=True)
        self.workspace.report.measurements.append(
            {"name": f"quantize {bar}", "what": what, "figure": figure, "verdict": verdict}
        )

    def attempt(self, bar: str, check) -> None:
        """A bar that can't be measured does not keep the others from it."""
        try:
            check(self)
        except Skip as why:
            self.say(bar, "not measured", str(why), ok=False)


def quantize(workspace: Workspace) -> None:
    bars = Bars(workspace)
    workspace.report.heading("Quantize: bars, simulated where nothing else is said")
    checks = {
        "B1": losses,
        "B2": peers,
        "B3": cost,
        "B4": quantize_verbs.thresholds,
        "B5": runtimes,
        "B6": quantize_verbs.engine_faults,
        "B7": taps,
        "B8": quantize_verbs.planted_faults,
        "B9": quantize_verbs.search,
        "B10": cache,
        "B11": quantize_verbs.formats,
        "B12": placement,
        "B13": quantize_verbs.advice,
        "B14": tensorrt,
        "B15": same_bytes,
        "QAT": quantize_verbs.trained,
        "text": quantize_verbs.transformer,
    }
    for bar, check in checks.items():
        bars.attempt(bar, check)
    reached = sum(verdict == "pass" for _, _, verdict in bars.verdicts)
    print(f"\n  {reached} of {len(bars.verdicts)} figures pass")
    workspace.report.ratio(
        "quantize-bars",
        "bars that fail",
        float(sum(verdict == "FAIL" for _, _, verdict in bars.verdicts)),
        0,
    )


def losses(bars: Bars) -> None:
    for net in NETS:
        # 8 bits, whatever this processor can: simulated is the file's arithmetic.
        # All of the calibration data calibrates; the method is chosen on other pictures, and judged
        # on others again.
        choose = bars.data(net, "choose", net.calibration)
        told = bars.quantize(net, "auto", "--weight-bits", 8, "--judge", choose)
        best = max(score["simulated"][0]["sqnr_db"] or 0 for score in told["scores"])
        bars.say(
            "B1",
            f"{net.name}, the best method (at least {net.least_db:g} dB)",
            f"{best:.1f} dB",
            ok=best >= net.least_db,
        )
        chosen = bars.judged(net, "auto")[0]
        bars.say(
            "B1",
            f"{net.name}, {net.metric}, with {told['method']} (at least {net.least_metric:.1%})",
            f"{chosen['metric']:.1%} of {net.judged}, {chosen['sqnr_db']:.1f} dB",
            ok=chosen["metric"] >= net.least_metric,
        )


def peers(bars: Bars) -> None:
    rec, cls = NETS[0], NETS[1]
    for net in (rec, cls):
        names = []
        for method in ("MinMax", "Percentile"):
            output = bars.folder / f"{net.name}-ort-{method}.onnx"
            words = [f"ort:{method}", bars.model(net), bars.data(net, "calibrate", net.calibration)]
            taken = bars.answer("quantize_peers.py", *words, output, "--count", net.calibration)
            names.append(f"ort-{method}")
            print(
                f"       ONNX Runtime {method}, {net.name}: {taken['seconds']:.1f} s, "
                f"{taken['peak_bytes'] / 1e6:.0f} MB"
            )
        theirs = max(one["sqnr_db"] for one in bars.judged(net, *names))
        ours = bars.judged(net, "auto")[0]["sqnr_db"]
        least = 2.0 if net is rec else -0.3
        bars.say(
            "B2",
            f"{net.name} over ONNX Runtime's best method (at least {least:+.1f} dB)",
            f"{ours:.1f} and {theirs:.1f} dB",
            ok=ours - theirs >= least,
        )
    output = bars.folder / "cls-nncf.onnx"
    words = ["nncf", bars.model(cls), bars.data(cls, "calibrate", cls.calibration), output]
    bars.answer("quantize_peers.py", *words, "--count", cls.calibration)
    bars.quantize(cls, "engine")
    theirs, ours = bars.judged(cls, "nncf", "engine", engine=True)
    simulated = bars.judged(cls, "nncf", "engine")
    print(
        f"       simulated: NNCF {simulated[0]['sqnr_db']:.1f} dB, "
        f"planex {simulated[1]['sqnr_db']:.1f} dB"
    )
    bars.say(
        "B2",
        "cls in the engine over NNCF (at least +10 dB)",
        f"{ours['sqnr_db']:.1f} and {theirs['sqnr_db']:.1f} dB",
        ok=ours["sqnr_db"] - theirs["sqnr_db"] >= 10,
    )


def cost(bars: Bars) -> None:
    rec = NETS[0]
    seconds, few = bars.taken(rec, rec.calibration)
    bars.say("B3", "rec, calibrated and written (at most 8 s)", f"{seconds:.1f} s", ok=seconds <= 8)
    _, many = bars.taken(rec, LARGE_COUNT)
    bars.say(
        "B3",
        f"peak memory, {rec.calibration} and {LARGE_COUNT} pictures (at most 400 MB, 10 % apart)",
        f"{few:.0f} and {many:.0f} MB",
        ok=max(few, many) <= 400 and abs(many / few - 1) <= 0.1,
    )


def runtimes(bars: Bars) -> None:
    for net in NETS:
        words = [
            net.name,
            bars.model(net),
            bars.folder / f"{net.name}-auto.onnx",
            "--count",
            net.judged,
        ]
        words += ["--data", bars.data(net, "judge", net.judged)]
        ours = bars.answer("ocr_judge.py", *words)["subjects"][0]["sqnr_db"]
        theirs = bars.answer("ocr_judge.py", *words, "--onnxruntime")["subjects"][0]["sqnr_db"]
        bars.say(
            "B5",
            f"{net.name}, loss as OpenVINO and ONNX Runtime simulate it (at most 0.5 dB apart)",
            f"{ours:.2f} and {theirs:.2f} dB",
            ok=abs(ours - theirs) <= 0.5,
        )


def taps(bars: Bars) -> None:
    all_verified, all_tapped, each = 0, 0, []
    for net in NETS:
        told = json.loads(
            bars.run_planex(
                *["accuracy", bars.model(net), bars.folder / f"{net.name}-auto.onnx", "--all"],
                *["--data", bars.data(net, "judge", net.judged), "--prep", PREPARATION],
                *["--samples", 4, "--alone", 0, "--format", "json"],
            )
        )
        kinds = [layer["tap"] for layer in told["layers"]]
        verified = kinds.count("verified")
        tapped = verified + kinds.count("disturbed")
        each.append(f"{net.name} {verified} of {tapped}")
        all_verified += verified
        all_tapped += tapped
    bars.say(
        "B7",
        "taps that leave the engine as it was, the rest marked (at least 95 %)",
        ", ".join(each),
        ok=all_verified >= 0.95 * all_tapped,
    )


def cache(bars: Bars) -> None:
    cls = NETS[1]
    path = bars.folder / "cls.cache"
    told = bars.quantize(cls, "cached", "--method", "mse", "--judge-samples", 0, "--cache", path)
    head, *lines = path.read_text("ascii").splitlines()
    scales = {}
    for line in lines:
        name, _, digits = line.rpartition(": ")
        scales[name] = int(digits, 16)
    import struct

    wrong = 0
    for tensor in told["tensors"]:
        bits = struct.unpack(">I", struct.pack(">f", tensor["threshold"] / 127))[0]
        wrong += abs(scales[tensor["tensor"]] - bits) > 1
    bars.say(
        "B10",
        "calibration cache, scales as Python reads them",
        f"{len(lines) - wrong} of {len(told['tensors'])} equal, {head.split('-')[-1]}",
        ok=wrong == 0 and len(lines) == len(told["tensors"]),
    )
    quantize_verbs.unit_tests(
        bars, "B10", "round trip of caches, byte-equal", "quantize", "CalibrationCache*"
    )


def placement(bars: Bars) -> None:
    model = resnet18(bars.workspace)
    output = bars.folder / "resnet18-int8.onnx"
    data = bars.folder / "resnet18.npy"
    bars.run_python("random_array.py", data, 1, 3, 224, 224, "--samples", 4)
    words = ["--method", "minmax", "--judge-samples", 0, "-o", output, "--format", "json"]
    bars.run_planex("quantize", model, "--data", data, *words)
    with tempfile.TemporaryDirectory() as folder:
        bars.run_planex("process", output, "-o", folder, "--", "--duration-ms", 1000)
        layers = json.loads(bars.run_planex("layers", folder, "--format", "json"))["rows"]
    bars.say(
        "B12",
        "ResNet-18 as planex places Q/DQ, layers of the engine (at most 26)",
        f"{len(layers)}",
        ok=len(layers) <= 26,
    )


def is_clean(bars: Bars, name: str) -> bool:
    told = bars.answer("check_onnx.py", bars.folder / f"{name}.onnx")
    return told["error"] == "" and told["nonzero_zero_points"] == 0


def tensorrt(bars: Bars) -> None:
    cls = NETS[1]
    clean = []
    for opset in OPSETS:
        name = f"tensorrt-{opset}"
        options = ["--target", "tensorrt", "--opset", max(opset, 17), "--method", "mse"]
        bars.quantize(cls, name, *options, "--judge-samples", 0)
        clean.append(is_clean(bars, f"cls-{name}"))
    bars.say(
        "B14",
        "cls for TensorRT: onnx.checker clean, zero points 0, opsets 17, 19, 21",
        f"{sum(clean)} of {len(clean)}",
        ok=all(clean),
    )
    clean = []
    for name, words in FORMATS.items():
        bars.quantize(NETS[0], name, *words, "--judge-samples", 0)
        clean.append(is_clean(bars, f"{NETS[0].name}-{name}"))
    bars.say(
        "B14",
        "rec in FP8 and INT4: onnx.checker clean, zero points 0",
        f"{sum(clean)} of {len(clean)}",
        ok=all(clean),
    )
    done = subprocess.run(
        [str(ROOT / "tools/drivers_env.sh")], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        bars.say("B14", "builds with TensorRT-RTX", "its package can't be installed", ok=None)
        return
    bars.quantize(cls, "rtx", "--target", "tensorrt-rtx", "--method", "mse", "--judge-samples", 0)
    built = []
    files = ["cls-rtx", "cls-tensorrt-19", *(f"{NETS[0].name}-{name}" for name in FORMATS)]
    for name in files:
        command = [done.stdout.strip(), str(ROOT / "bench/build_rtx.py")]
        command.append(str(bars.folder / f"{name}.onnx"))
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        built.append(result.returncode == 0)
        if result.returncode != 0:
            print(f"       {name}: {result.stderr.strip().splitlines()[-1:]}")
    bars.say("B14", "builds with TensorRT-RTX", f"{sum(built)} of {len(built)}", ok=all(built))


def same_bytes(bars: Bars) -> None:
    cls = NETS[1]
    digests = set()
    for name, threads in (("first", 1), ("second", 1), ("threads", 2)):
        options = ["--method", "mse", "--judge-samples", 0, "--threads", threads]
        bars.quantize(cls, name, *options)
        content = (bars.folder / f"cls-{name}.onnx").read_bytes()
        digests.add(hashlib.sha256(content).hexdigest())
    bars.say(
        "B15",
        "twice, and with two threads: the same bytes",
        f"{len(digests)} different",
        ok=len(digests) == 1,
    )
