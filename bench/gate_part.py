"""The part gate: how often the verdict on two engines is wrong, and how often it is right."""

import csv
import json
import pathlib
import subprocess

from measuring import Skip
from workspace import SHARED_DATA, Workspace

THRESHOLD = 0.03
PAIRS = 500

# Of pairs without a difference, in percent: that fail, and that are called slower or faster. What
# chance adds to 500 pairs of a true rate of 5 % is 2 % in 19 of 20, the worst of 22 kinds 3 %.
LIMIT_FALSE_ALARMS = 5.0
LIMIT_FALSE_VERDICTS = 8.0
# Of pairs with a true slow-down, in percent: of 10 % with one run a side, of 5 % with two, where
# samples spread by 2 % or less and the machine holds its clock.
LIMIT_FOUND = 90.0
PROMISED = ("quiet", "usual", "memory 0.5", "spikes", "warm-up 30 %")
# More runs find more; what chance takes from 500 pairs of the same rate.
LIMIT_LESS_FOUND = -3.0
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
# Runs of base and candidate that the table of docs/design/0023 has.
RUNS = ("1", "2", "3", "5")
COLUMNS = (("said", "0"), ("failed", "0"), ("failed", "0.05"), ("failed", "0.1"))

Row = dict[str, str]


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
        f"Verdicts and a gate of {THRESHOLD:.0%}, in percent of {PAIRS} pairs of engines; "
        "missed: the truth is outside of the 95 % interval"
    )
    workspace.report.table(
        ["kind", "truth", "runs", "spread", *COUNTS],
        [
            [
                row["kind"],
                f"{float(row['truth']):.0%}",
                runs_text(row),
                "known" if row["known spread"] else "",
                *percents(row),
            ]
            for row in rows
        ],
    )
    workspace.report.measurements.append({"name": "gate", "command": command, "rows": rows})
    table = workspace.data / "gate" / "rates.md"
    table.write_text(markdown(rows), encoding="utf-8")
    print(f"\n  {table}: the table of docs/design/0023\n")
    hold_limits(workspace, rows)


def runs_text(row: Row) -> str:
    base, candidate = row["base runs"], row["candidate runs"]
    return base if base == candidate else f"{base}, {candidate}"


def by_runs(rows: list[Row]) -> dict[tuple[str, str, str], Row]:
    """Kind, truth and runs a side: the row."""
    return {
        (row["kind"], row["truth"], row["base runs"]): row
        for row in rows
        if row["base runs"] == row["candidate runs"] and not row["known spread"]
    }


def markdown(rows: list[Row]) -> str:
    """Per kind, with 1, 2, 3 and 5 runs a side, in percent."""
    found = by_runs(rows)
    runs = " / ".join(RUNS)
    lines = [
        f"| runs a side: {runs} | said at 0 | fails at 0 | fails at 5 % | fails at 10 % |",
        "|---|--:|--:|--:|--:|",
    ]
    for kind in dict.fromkeys(row["kind"] for row in rows):
        cells = [
            " / ".join(f"{share(found[kind, truth, count], what):.0f}" for count in RUNS)
            for what, truth in COLUMNS
        ]
        lines.append(f"| {kind} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def share(row: Row, what: str) -> float:
    if what == "said":
        return percent(row, "slower") + percent(row, "faster")
    return percent(row, what)


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


def percent(row: Row, count: str) -> float:
    return 100 * int(row[count]) / int(row["pairs"])


def percents(row: Row) -> list[str]:
    return [f"{percent(row, count):.1f}" for count in COUNTS]


def hold_limits(workspace: Workspace, rows: list[Row]) -> None:
    same = [row for row in rows if row["truth"] == "0" and not row["known spread"]]
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
        max(share(row, "said") for row in same),
        LIMIT_FALSE_VERDICTS,
        " %",
    )
    found = by_runs(rows)
    kinds = list(dict.fromkeys(row["kind"] for row in rows))

    def failed(kind: str, truth: str, runs: str) -> float:
        return percent(found[kind, truth, runs], "failed")

    workspace.report.ratio(
        "gate-more-runs",
        "found at a true 5 %, three runs a side less one, worst kind",
        min(failed(kind, "0.05", "3") - failed(kind, "0.05", "1") for kind in kinds),
        LIMIT_LESS_FOUND,
        " %",
        at_least=True,
    )
    for truth, runs in (("0.1", "1"), ("0.05", "2"), ("0.05", "3")):
        workspace.report.ratio(
            f"gate-found-{truth}-{runs}",
            f"failed at a true {float(truth):.0%}, runs a side: {runs}, worst steady kind",
            min(failed(kind, truth, runs) for kind in PROMISED),
            LIMIT_FOUND,
            " %",
            at_least=True,
        )
    real = [kind for kind in STEADY if kind in kinds]
    if real:
        workspace.report.ratio(
            "gate-found-real",
            "failed at a true 5 %, three runs a side, real series that hold their clock",
            sum(failed(kind, "0.05", "3") for kind in real) / len(real),
            LIMIT_FOUND,
            " %",
            at_least=True,
        )
