"""The part align: how many layers of two engines are matched rightly, and how long it takes."""

import dataclasses
import json
import pathlib
import subprocess
import sys

from engine_shapes import SHAPES
from measuring import Skip
from workspace import ROOT, Workspace

SMALL, MEDIUM, LARGE = 1_000, 10_000, 100_000
# Shares of the layers that are changed, in percent, and seeds. A pair of 100 000 layers is 300 MB,
# so there is one of each shape.
CHANGED_PERCENT = {SMALL: (6, 25, 40), MEDIUM: (6, 40), LARGE: (25,)}
SEEDS = {SMALL: (1, 2, 3), MEDIUM: (1,), LARGE: (1,)}

# What the engines are asked to hide: nothing, their names (each counts its own), and all that tells
# what layers stem from and are called.
HIDDEN = {"none": "nothing", "numbers": "names differ", "names": "no names"}

LIMIT_FOUND_PERCENT = 99.0
LIMIT_WRONG_PERCENT = 0.5
LIMIT_MEDIUM_S = 1.3
LIMIT_LARGE_S = 15.0


@dataclasses.dataclass
class Aligned:
    """All pairs of engines of one shape, size and share of changed layers."""

    shape: str
    layers: int
    percent: int
    hidden: str
    pairs: int = 0
    right: int = 0
    min_right: float = 1.0
    max_wrong: float = 0.0
    ms: float = 0.0
    cpu_ms: float = 0.0

    def add(self, result: dict) -> None:
        pairs = result["truth_pairs"]
        self.pairs += pairs
        self.right += result["right"]
        self.min_right = min(self.min_right, result["right"] / pairs)
        self.max_wrong = max(self.max_wrong, result["wrong"] / result["layers_a"])
        self.ms = max(self.ms, result["ms"])
        self.cpu_ms = max(self.cpu_ms, result["cpu_ms"])


def align(workspace: Workspace) -> None:
    program = workspace.programs / "align_bench"
    if not program.exists():
        raise Skip("align_bench is not built")
    every = [
        aligned(workspace, program, Aligned(shape, layers, percent, hidden))
        for layers, percents in CHANGED_PERCENT.items()
        for percent in percents
        for shape in SHAPES
        for hidden in HIDDEN
    ]
    report(workspace, every)
    hold_limits(workspace, every)


def engines(workspace: Workspace, shape: str, layers: int, percent: int, seed: int) -> pathlib.Path:
    """The common part of the names of the pair's files; made once."""
    stem = workspace.data / "align" / f"{shape}-{layers}-{percent}-{seed}"
    # Written last.
    if not stem.with_name(f"{stem.name}.truth.json").exists():
        command = [sys.executable, str(ROOT / "bench/make_engine.py"), "--layers", str(layers)]
        command += ["--shape", shape, "--output", str(stem), "--seed", str(seed)]
        command += ["--changed", str(percent / 100)]
        subprocess.run(command, check=True)
    return stem


def aligned(workspace: Workspace, program: pathlib.Path, total: Aligned) -> Aligned:
    for seed in SEEDS[total.layers]:
        stem = engines(workspace, total.shape, total.layers, total.percent, seed)
        command = [str(program), f"{stem}.graph.json", f"{stem}-variant.graph.json"]
        command += [f"{stem}.truth.json", "best", total.hidden, str(min(workspace.runs, 3))]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        result = json.loads(done.stdout)
        workspace.report.measurements.append(
            {"name": f"align {stem.name}, hidden: {total.hidden}", **result}
        )
        total.add(result)
    return total


def report(workspace: Workspace, every: list[Aligned]) -> None:
    workspace.report.heading(
        "Align: pairs of the truth that are found, % (of the worst pair of engines); wrong ones, % "
        "of the layers, the most; the slowest alignment"
    )
    header = ["engines", "layers", "changed %", "hidden", "found %", "wrong %", "ms", "CPU ms"]
    rows = [
        [
            one.shape,
            f"{one.layers}",
            f"{one.percent}",
            HIDDEN[one.hidden],
            f"{100 * one.right / one.pairs:.2f} ({100 * one.min_right:.2f})",
            f"{100 * one.max_wrong:.2f}",
            f"{one.ms:.1f}",
            f"{one.cpu_ms:.1f}",
        ]
        for one in every
    ]
    workspace.report.table(header, rows)


def hold_limits(workspace: Workspace, every: list[Aligned]) -> None:
    named = [one for one in every if one.hidden == "none" and one.percent == 6]
    least = min(named, key=lambda one: one.min_right)
    most = max(every, key=lambda one: one.max_wrong)
    print()
    workspace.report.ratio(
        "align-found",
        f"pairs found of the truth, 6 % changed, the least, {least.shape}, {least.layers} layers",
        100 * least.min_right,
        LIMIT_FOUND_PERCENT,
        " %",
        at_least=True,
    )
    workspace.report.ratio(
        "align-wrong",
        f"wrong pairs, the most, {most.shape}, {most.layers} layers, {most.percent} % changed, "
        f"{HIDDEN[most.hidden]}",
        100 * most.max_wrong,
        LIMIT_WRONG_PERCENT,
        " %",
    )
    for ident, layers, limit in (
        ("align-medium", MEDIUM, LIMIT_MEDIUM_S),
        ("align-large", LARGE, LIMIT_LARGE_S),
    ):
        slowest = max((one for one in every if one.layers == layers), key=lambda one: one.ms)
        workspace.report.ratio(
            ident, f"{layers} layers, {slowest.shape}", slowest.ms / 1e3, limit, " s"
        )
