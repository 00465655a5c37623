"""The part align: how many layers of two engines are matched rightly, and how long it takes."""

import dataclasses
import json
import pathlib
import subprocess
import sys

from measuring import Skip
from workspace import SHARED_DATA, Workspace

SHAPES = ("resnet", "branchy", "hubs", "transformer")
SCHEMAS = (8, 10)
# Layers, changes between the two engines, and seeds: what the predecessor's figures were counted
# on first, then as many changes a layer on larger ones.
SMALL, MEDIUM, LARGE = 1_000, 10_000, 100_000
CHANGES = {SMALL: 60, MEDIUM: 600, LARGE: 6_000}
SEEDS = {SMALL: (1, 2, 3, 4, 5), MEDIUM: (1, 2, 3), LARGE: (1,)}
# A file of 100 000 layers is 150 MB, so there is one a shape.
SCHEMAS_OF = {SMALL: SCHEMAS, MEDIUM: SCHEMAS, LARGE: (8,)}

# What the engines are asked to hide: nothing, what they stem from, and how layers are called too.
HIDDEN = {"none": "all", "sources": "no sources", "names": "no names"}

LIMIT_FOUND_PERCENT = 99.0
LIMIT_WRONG_PERCENT = 0.5
LIMIT_MEDIUM_S = 1.0
LIMIT_LARGE_S = 15.0


@dataclasses.dataclass
class Aligned:
    """All pairs of engines of one shape and size."""

    shape: str
    layers: int
    pairs: int = 0
    right: int = 0
    wrong: int = 0
    min_right: float = 1.0
    max_wrong: float = 0.0
    ms: float = 0.0
    cpu_ms: float = 0.0

    def add(self, result: dict) -> None:
        pairs = result["truth_pairs"]
        self.pairs += pairs
        self.right += result["right"]
        self.wrong += result["wrong"]
        self.min_right = min(self.min_right, result["right"] / pairs)
        self.max_wrong = max(self.max_wrong, result["wrong"] / pairs)
        self.ms = max(self.ms, result["ms"])
        self.cpu_ms = max(self.cpu_ms, result["cpu_ms"])


def align(workspace: Workspace) -> None:
    program = workspace.programs / "align_bench"
    tool = SHARED_DATA.parent / "tools/make_plan.py"
    if not program.exists():
        raise Skip("align_bench is not built")
    if not tool.exists():
        raise Skip(f"no {tool}, which makes engines with the truth about them")
    best = {
        hidden: [
            aligned(workspace, program, tool, shape, layers, "best", hidden)
            for layers in CHANGES
            for shape in SHAPES
        ]
        for hidden in HIDDEN
    }
    report(workspace, best)
    report_predecessor(workspace, program, tool)
    hold_limits(workspace, best["none"])


def engines(
    workspace: Workspace, tool: pathlib.Path, shape: str, schema: int, layers: int, seed: int
) -> pathlib.Path:
    """The common part of the names of the pair's files; made once."""
    folder = workspace.data / "align"
    name = f"{shape}-s{schema}-{layers}-{seed}"
    if not (folder / f"{name}.truth.json").exists():
        command = [sys.executable, str(tool), "--layers", str(layers), "--shape", shape]
        command += ["--schema", str(schema), "--seed", str(seed), "--profile", "--name", name]
        command += ["--variant", str(CHANGES[layers]), "--out", str(folder)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder / name


def aligned(
    workspace: Workspace,
    program: pathlib.Path,
    tool: pathlib.Path,
    shape: str,
    layers: int,
    rule: str,
    hidden: str,
    seeds: tuple[int, ...] | None = None,
) -> Aligned:
    total = Aligned(shape, layers)
    for schema in SCHEMAS_OF[layers]:
        for seed in seeds or SEEDS[layers]:
            stem = engines(workspace, tool, shape, schema, layers, seed)
            command = [str(program), f"{stem}.graph.json", f"{stem}-variant.graph.json"]
            command += [f"{stem}.truth.json", rule, hidden, str(min(workspace.runs, 3))]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            result = json.loads(done.stdout)
            workspace.report.measurements.append(
                {"name": f"align {stem.name}, {rule}, hidden: {hidden}", **result}
            )
            total.add(result)
    return total


def report(workspace: Workspace, best: dict[str, list[Aligned]]) -> None:
    workspace.report.heading(
        "Align: pairs of the truth that are found, and wrong ones, % of the truth; the worst pair "
        "of engines in brackets; the slowest alignment"
    )
    header = ["engines", "layers", "hidden", "pairs", "found %", "wrong %", "ms", "CPU ms"]
    rows = [
        [
            one.shape,
            f"{one.layers}",
            HIDDEN[hidden],
            f"{one.pairs}",
            f"{100 * one.right / one.pairs:.2f} ({100 * one.min_right:.2f})",
            f"{100 * one.wrong / one.pairs:.2f} ({100 * one.max_wrong:.2f})",
            f"{one.ms:.1f}",
            f"{one.cpu_ms:.1f}",
        ]
        for hidden, all_aligned in best.items()
        for one in all_aligned
    ]
    workspace.report.table(header, rows)


def report_predecessor(workspace: Workspace, program: pathlib.Path, tool: pathlib.Path) -> None:
    """The predecessor's figures, which were recorded when it was studied, beside its rules here."""
    path = SHARED_DATA / "expected/match-accuracy.json"
    if not path.exists():
        workspace.report.skip("the predecessor's figures", f"no {path}")
        return
    recorded = {
        (result["case"], result["mode"]): result
        for result in json.loads(path.read_text("utf-8"))["results"]
    }
    workspace.report.heading(
        f"Align: {SMALL} layers, seed 1, schema 8: the predecessor, its rules here, and planex"
    )
    rows = []
    for shape in SHAPES:
        theirs = recorded[f"{shape}-s8", "exact"]
        rows.append(
            [
                f"{shape}, TREx 0.2.1",
                f"{100 * theirs['correct'] / theirs['truth_pairs']:.2f}",
                f"{theirs['wrong']}",
                f"{theirs['seconds'] * 1e3:.0f}",
            ]
        )
        for rule in ("exact-shapes", "first-shapes", "best"):
            ours = aligned(workspace, program, tool, shape, SMALL, rule, "none", (1,))
            rows.append(
                [
                    f"{shape}, {rule}",
                    f"{100 * ours.right / ours.pairs:.2f}",
                    f"{ours.wrong // len(SCHEMAS)}",
                    f"{ours.ms:.1f}",
                ]
            )
    workspace.report.table(["rule", "found %", "wrong", "ms"], rows)


def hold_limits(workspace: Workspace, best: list[Aligned]) -> None:
    small = [one for one in best if one.layers == SMALL]
    least = min(small, key=lambda one: one.min_right)
    most = max(small, key=lambda one: one.max_wrong)
    print()
    workspace.report.ratio(
        "align-found",
        f"pairs found of the truth, {SMALL} layers, the least, {least.shape}",
        100 * least.min_right,
        LIMIT_FOUND_PERCENT,
        " %",
        at_least=True,
    )
    workspace.report.ratio(
        "align-wrong",
        f"wrong pairs of the truth, {SMALL} layers, the most, {most.shape}",
        100 * most.max_wrong,
        LIMIT_WRONG_PERCENT,
        " %",
    )
    for ident, layers, limit in (
        ("align-medium", MEDIUM, LIMIT_MEDIUM_S),
        ("align-large", LARGE, LIMIT_LARGE_S),
    ):
        slowest = max((one for one in best if one.layers == layers), key=lambda one: one.ms)
        workspace.report.ratio(
            ident, f"{layers} layers, {slowest.shape}", slowest.ms / 1e3, limit, " s"
        )
