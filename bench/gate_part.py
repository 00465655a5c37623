"""The part gate: how often the verdict on two engines is wrong, and how often it is right."""

import csv
import json
import pathlib
import subprocess

from measuring import Skip
from workspace import SHARED_DATA, Workspace

THRESHOLD = 0.03
PAIRS = 1000

# Of pairs without a difference, in percent: that fail, and that are called slower or faster. What
# chance adds to 1 000 pairs of a true rate of 5 % is 1.2 % in 19 of 20.
LIMIT_FALSE_ALARMS = 5.0
LIMIT_FALSE_VERDICTS = 6.2
# What is beyond the promise of one run a side, and has to hold with three: runs that differ by more
# than is assumed, and a clock that steps so early that its first level passes for warm-up.
BEYOND_ONE_RUN = {"clock step 6 %", "runs differ 1.5 %", "runs differ 3 %"}
# Of pairs with a true slow-down of 5 %, in percent: where samples spread by 2 % or less and the
# machine holds its clock.
LIMIT_FOUND = 90.0
PROMISED = ("quiet", "usual", "memory 0.5", "spikes", "warm-up 30 %")
# Real series without steps.
STEADY = (
    "mobilenet-titanrtx-qat",
    "mobilenet-titanrtx-qat-trt8.2",
    "resnet18-a100-qat",
    "resnet18-a100-qat-residual",
    "resnet18-a100-qat-residual-qgap",
    "resnet50-rtx3090-fp32",
)

COUNTS = ("slower", "faster", "within noise", "unclear", "failed", "passed", "undecided", "missed")


def gate(workspace: Workspace) -> None:
    program = workspace.programs / "gate_rates"
    if not program.exists():
        raise Skip("gate_rates is not built")
    series = real_series(workspace)
    files = [f"{name}={path}" for name, path in series.items()]
    command = [str(program), str(PAIRS), *files]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = list(csv.DictReader(done.stdout.splitlines(), delimiter="\t"))
    workspace.report.heading(
        f"Verdicts and a gate of {THRESHOLD:.0%}, in percent of {PAIRS} pairs of runs; "
        "missed: the truth is outside of the 95 % interval"
    )
    workspace.report.table(
        ["kind", "truth", "runs", *COUNTS],
        [[row["kind"], f"{float(row['truth']):.0%}", row["runs"], *percents(row)] for row in rows],
    )
    workspace.report.measurements.append({"name": "gate", "command": command, "rows": rows})
    print()
    hold_limits(workspace, rows)


def real_series(workspace: Workspace) -> dict[str, pathlib.Path]:
    """Compute times of the real engines, one a line, without what a model would make of them."""
    folder = workspace.data / "gate"
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for path in sorted((SHARED_DATA / "engines").glob("*/*.timing.json")):
        samples = [row["computeMs"] for row in json.loads(path.read_text("utf-8"))]
        found[path.parent.name] = folder / f"{path.parent.name}.txt"
        found[path.parent.name].write_text("".join(f"{ms}\n" for ms in samples), encoding="utf-8")
    if not found:
        workspace.report.skip("gate on real series", f"none in {SHARED_DATA}")
    return found


def percent(row: dict[str, str], count: str) -> float:
    return 100 * int(row[count]) / int(row["pairs"])


def percents(row: dict[str, str]) -> list[str]:
    return [f"{percent(row, count):.1f}" for count in COUNTS]


def hold_limits(workspace: Workspace, rows: list[dict[str, str]]) -> None:
    same = [
        row
        for row in rows
        if float(row["truth"]) == 0 and (row["runs"] != "1" or row["kind"] not in BEYOND_ONE_RUN)
    ]
    workspace.report.ratio(
        "gate-false-alarms",
        "failed without a difference, worst kind",
        max(percent(row, "failed") for row in same),
        LIMIT_FALSE_ALARMS,
        " %",
    )
    workspace.report.ratio(
        "gate-false-verdicts",
        "called slower or faster without a difference, worst kind",
        max(percent(row, "slower") + percent(row, "faster") for row in same),
        LIMIT_FALSE_VERDICTS,
        " %",
    )
    found = {
        (row["kind"], row["runs"]): percent(row, "failed")
        for row in rows
        if row["truth"] == "0.05" and row["kind"] not in BEYOND_ONE_RUN
    }
    gains = [found[kind, "3"] - found[kind, "1"] for kind, runs in found if runs == "3"]
    workspace.report.ratio(
        "gate-more-runs",
        "found at a true 5 %, three runs a side less one, worst kind",
        min(gains),
        0.0,
        " %",
        at_least=True,
    )
    wanted = {*PROMISED, *STEADY}
    slower = [
        row
        for row in rows
        if row["truth"] == "0.05" and row["runs"] == "1" and row["kind"] in wanted
    ]
    workspace.report.ratio(
        "gate-found",
        "failed at a true 5 %, worst kind of steady machine",
        min(percent(row, "failed") for row in slower if row["kind"] in PROMISED),
        LIMIT_FOUND,
        " %",
        at_least=True,
    )
    real = [row for row in slower if row["kind"] in STEADY]
    if real:
        workspace.report.ratio(
            "gate-found-real",
            "the same, real series that hold their clock, all pairs",
            sum(percent(row, "failed") for row in real) / len(real),
            LIMIT_FOUND,
            " %",
            at_least=True,
        )
