#!/usr/bin/env python3
"""Which layers of the text recognizer stay in float: planex search beside the first N layers.

    quantize_search.py PLANEX MODELS [--work DIR] [--goal 20] [--most 4] [--options ...]

PLANEX is the program, with planex-openvino beside it. MODELS has rec.onnx of
ocr_models.py. Prints bar B9, a line each:

goal     how many layers `planex search` leaves in float for the goal in dB, and its judged SQNR
front    each point of the front, written by `planex quantize` and measured again: none is beaten
prefix   the least N with the first N layers in float for the same SQNR, found by bisection, as
         `polygraphy debug precision` looks for it

Exits 1 where more than --most layers are in float, a point is beaten, or the prefix needs no more.
Needs Pillow, NumPy and the DejaVu fonts, as ocr_data.py does.
"""

import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import time

BENCH = pathlib.Path(__file__).resolve().parent
MODEL = "rec.onnx"
PICTURES = 96
SETTINGS = [
    *["--prep", "color=bgr,mean=127.5,std=127.5"],
    *["--samples", "64", "--judge-samples", "24"],
]


class Bench:
    def __init__(self, planex: str, model: pathlib.Path, work: pathlib.Path, options: list[str]):
        self.planex, self.model, self.work = planex, model, work
        self.lines = work / "lines"
        if not self.lines.is_dir():
            subprocess.run(
                [
                    *[sys.executable, BENCH / "ocr_data.py", "lines", self.lines],
                    *["--count", str(PICTURES)],
                ],
                check=True,
            )
        self.settings = ["--data", str(self.lines), *SETTINGS, *options, "--format", "json"]

    def run(self, verb: str, *words: str) -> dict:
        done = subprocess.run(
            [self.planex, verb, str(self.model), *self.settings, *words],
            stdout=subprocess.PIPE,
            check=False,
        )
        if done.returncode not in (0, 1):
            raise SystemExit(f"planex {verb} failed with {done.returncode}")
        return json.loads(done.stdout)

    def search(self, goal_db: float) -> dict:
        # Search without a state of before: the time is that of all of it.
        output = self.work / "search.onnx"
        (self.work / "search.onnx.search-state").unlink(missing_ok=True)
        return self.run("search", "-o", str(output), "--goal", f"{goal_db}dB")

    def quantized_db(self, kept: list[str], method: str) -> float:
        """Simulated SQNR of the model with these nodes in float, on the held-back samples."""
        names = self.work / "kept.txt"
        names.write_text("".join(f"{node}\n" for node in kept), "utf-8")
        told = self.run(
            *["quantize", "-o", str(self.work / "kept.onnx"), "--method", method],
            *["--keep", f"@{names}"],
        )
        return min(output["sqnr_db"] for output in told["scores"][0]["simulated"])

    def least_prefix(self, layers: list[str], method: str, wanted_db: float) -> int:
        """The least N that bisection finds; len(layers) - 1 layers at most are in float."""
        low, high = 0, len(layers) - 1
        while low < high:
            middle = (low + high) // 2
            if self.quantized_db(layers[:middle], method) >= wanted_db:
                high = middle
            else:
                low = middle + 1
        return high


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("planex")
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("build/search-bench"))
    parser.add_argument("--goal", type=float, default=20)
    parser.add_argument("--most", type=int, default=4)
    parser.add_argument("--options", nargs="*", default=[], help="more words for planex")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    options = [f"--{word}" for word in arguments.options]
    bench = Bench(arguments.planex, arguments.models / MODEL, arguments.work, options)
    is_good = True

    start = time.monotonic()
    told = bench.search(arguments.goal)
    seconds = time.monotonic() - start
    reached_db = told["simulated"][0]["sqnr_db"]
    count = len(told["kept"])
    is_good &= told["is_reached"] and count <= arguments.most
    print(
        f"goal {arguments.goal:g} dB: {count} of {len(told['layers'])} layers in float, "
        f"{reached_db:.2f} dB on {told['judge_count']} samples; all in INT8 "
        f"{told['front'][0]['judged_sqnr_db']:.2f} dB; scales by {told['method']}, weights on "
        f"{told['weight_bits']} bits; {seconds:.0f} s"
    )

    again = [
        (len(point["kept"]), bench.quantized_db(point["kept"], told["method"]))
        for point in told["front"]
    ]
    is_beaten = any(two[0] <= one[0] or two[1] <= one[1] for one, two in itertools.pairwise(again))
    is_good &= not is_beaten
    words = ", ".join(f"{layers}: {db:.2f} dB" for layers, db in again)
    print(
        f"front measured again: {'a point is beaten' if is_beaten else 'none is beaten'}: {words}"
    )

    names = [layer["node"] for layer in told["layers"]]
    prefix = bench.least_prefix(names, told["method"], reached_db)
    is_good &= prefix > count
    print(f"prefix: the first {prefix} layers in float for the same {reached_db:.2f} dB")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
