"""The part grid: the latencies of `planex sweep`, beside OpenVINO's own benchmark_app.

Two runs of one program differ by some per cent, as each draws other pages of memory. So many short
runs say more than few long ones, and the runs of a cell take turns with benchmark_app's.
"""

import json
import math
import pathlib
import shutil
import statistics
import subprocess

from benchmark_app import Settings, app_latency, find_programs, resnet18
from measuring import Skip
from workspace import Workspace

LIMIT_GRID_DEVIATION = 0.02
SECONDS = 1
# The time of a cell grows with both; the slowest takes some 0.1 s an inference.
BATCHES = "1,2,3,4,5,6"
PIXELS = 64


def grid(workspace: Workspace) -> None:
    planex, _, app = find_programs(workspace, "planex", "planex-openvino")
    model = resnet18(workspace)
    folder = workspace.data / "grid"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    axes = [f"batch={BATCHES}", "threads=1,2", kernel_axis()]
    sweep = [planex, "sweep", str(model), "-o", str(folder / "sweep")]
    sweep += ["--shape", f"input=1x3x{PIXELS}x{PIXELS}", "--repeat", str(workspace.runs)]
    for axis in axes:
        sweep += ["--vary", axis]
    # Counters are not what is measured here: as few inferences with them as there can be.
    flags = ["--", "--duration-ms", str(SECONDS * 1000)]
    flags += ["--rounds", "1", "--round-iterations", "1", "--round-warmup", "0"]

    cells = {cell["id"]: cell for cell in planned(planex, sweep, flags, folder)}
    theirs: dict[str, list[float]] = {ident: [] for ident in cells}
    for run in runs_of(sweep, flags):
        ident, _, number = run.rpartition("/")
        settings = settings_of(cells[ident])
        turns = [
            lambda run=run: subprocess.run(
                [*sweep, "--run", run, *flags], check=True, stderr=subprocess.PIPE
            ),
            lambda ident=ident, settings=settings: theirs[ident].append(
                app_latency(app, model, folder, SECONDS, settings)
            ),
        ]
        # Which of the two is first, and so warmer or colder, changes with each round.
        for turn in turns if int(number) % 2 == 0 else reversed(turns):
            turn()
    show(workspace, folder, axes, document(planex, folder)["cells"], theirs)


def kernel_axis() -> str:
    """What makes other kernels of the same model, on this processor."""
    flags = pathlib.Path("/proc/cpuinfo").read_text("utf-8")
    if "avx512_bf16" in flags or "amx_bf16" in flags:
        return "precision=f32,bf16"
    if "avx2" not in flags:
        raise Skip("the grid needs a processor with AVX2")
    return "isa=AVX2,SSE41"


def planned(planex: str, sweep: list[str], flags: list[str], folder: pathlib.Path) -> list[dict]:
    runs_of(sweep, flags)  # writes the plan
    return document(planex, folder)["cells"]


def runs_of(sweep: list[str], flags: list[str]) -> list[str]:
    """In the order in which the sweep would do them."""
    listed = subprocess.run([*sweep, "--list-runs", *flags], check=True, capture_output=True)
    return [json.loads(line)["run"] for line in listed.stdout.splitlines()]


def document(planex: str, folder: pathlib.Path) -> dict:
    command = [planex, "sweep", str(folder / "sweep"), "--format", "json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def settings_of(cell: dict) -> Settings:
    batch, threads, kernels = cell["values"]
    is_precision = kernels in ("f32", "bf16")
    return Settings(
        shape=(int(batch), 3, PIXELS, PIXELS),
        threads=int(threads),
        precision=kernels if is_precision else "f32",
        isa="" if is_precision else kernels,
    )


def show(
    workspace: Workspace,
    folder: pathlib.Path,
    axes: list[str],
    cells: list[dict],
    theirs: dict[str, list[float]],
) -> None:
    workspace.report.heading(
        f"Grid: ResNet-18 at {PIXELS} pixels, {len(cells)} cells ({'; '.join(axes)}), "
        f"{workspace.runs} runs of {SECONDS} s each, in turn"
    )
    rows, deviations, of_pairs, of_means = [], [], [], []
    for cell in cells:
        ident = cell["id"]
        ours = run_medians(folder / "sweep/cells" / ident, workspace.runs)
        medians = statistics.median(ours), statistics.median(theirs[ident])
        pairs = statistics.median(a / b for a, b in zip(ours, theirs[ident], strict=True))
        # What the sweep says of a cell, and the same of the other's runs.
        mean = cell["latency_ms"] / math.exp(statistics.fmean(map(math.log, theirs[ident])))
        ratios = medians[0] / medians[1], pairs, mean
        for values, ratio in zip((deviations, of_pairs, of_means), ratios, strict=True):
            values.append(ratio - 1)
        rows.append(
            [
                ident,
                *(f"{median:.3f}" for median in medians),
                *(f"{(ratio - 1) * 100:+.2f}" for ratio in ratios),
            ]
        )
        workspace.report.measurements.append(
            {
                "name": f"grid, {ident}",
                "runs": len(ours),
                "planex_ms": {"median": medians[0], "sweep": cell["latency_ms"], "runs": ours},
                "benchmark_app_ms": {"median": medians[1], "runs": theirs[ident]},
            }
        )
    header = ["cell", "planex ms", "benchmark_app ms", "deviation %", "of pairs %", "of means %"]
    workspace.report.table(header, rows)
    slower = sum(deviation > 0 for deviation in deviations)
    print(f"\n  planex slower in {slower} of {len(cells)} cells")
    print(f"  median deviation with its sign: {statistics.median(deviations) * 100:+.2f} %")
    for name, values in [("pairs of runs", of_pairs), ("geometric means of runs", of_means)]:
        print(f"  median |deviation| of {name}: {median_size(values) * 100:.2f} %")
    workspace.report.ratio(
        "grid-latency",
        "median |deviation| from benchmark_app, of medians of runs",
        median_size(deviations) * 100,
        LIMIT_GRID_DEVIATION * 100,
        " %",
    )


def median_size(values: list[float]) -> float:
    return statistics.median(map(abs, values))


def run_medians(folder: pathlib.Path, runs: int) -> list[float]:
    medians = []
    for run in range(1, runs + 1):
        (times,) = (folder / str(run)).glob("*.times.json")
        columns = json.loads(times.read_text(encoding="utf-8"))["columns"]
        medians.append(statistics.median(columns["latency_ms"]))
    return medians
