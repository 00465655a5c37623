"""The parts start, scale, verbs and million: how long the verbs take on engines of any size."""

import os
import re
import shutil

from measuring import Measurement, Skip, ratio_of_fastest, ratio_of_medians, take_turns
from workspace import SHARED_DATA, SIZES, Workspace

MILLION = 1_000_000
# The engines that the start is measured with: the largest real layer file; a small one; the two
# with most times of inferences (2.9 and 3.2 MB).
REAL_ENGINES = (
    "controlnet-a10-trt8.6",
    "resnet18-a100-fp16",
    "resnet18-trt10-fp16",
    "mobilenet-titanrtx-qat-residual",
)

# The budgets. A ratio is held against the peer of the same run.
LIMIT_START_MS = 5.0
LIMIT_LOAD_RATIO = 2.0
LIMIT_MEMORY_RATIO = 3.0
LIMIT_GROWTH = 1.3

# What the predecessor, TREx, took for the same. Recorded when it was studied, with its Python and
# on a machine with the same number of cores; not measured here, so no ratio is made of them.
RECORDED_TREX_MS = {"start": 282.0, "scale": 25_300.0}
RECORDED_TREX_WHAT = {
    "start": "TREx, an engine of 72 layers",
    "scale": "TREx, an engine of 100000 layers",
}


def start(workspace: Workspace) -> None:
    engines = [SHARED_DATA / "engines" / name for name in REAL_ENGINES]
    if not engines[0].is_dir():
        raise Skip(f"no real engines in {SHARED_DATA}; set PLANEX_TEST_DATA")
    empty = Measurement("empty C++ program", [str(workspace.programs / "empty")])
    measurements = [empty]
    planex = workspace.build / "planex"
    if planex.exists():
        measurements.append(Measurement("planex --version", [str(planex), "--version"]))
        command = [str(planex), "summary"]
    else:
        command = workspace.summary_command()
    # The limit is one of engines; files of times are as long as somebody measured.
    held: list[Measurement] = []
    for engine in engines:
        measurement = Measurement(f"summary {engine.name}", [*command, str(engine)])
        measurement.input_bytes = sum(file.stat().st_size for file in engine.iterdir())
        measurements.append(measurement)
        if any("timing" in file.name for file in engine.iterdir()):
            # The same engine without its times of inferences.
            without = workspace.data / f"start-{engine.name}"
            without.mkdir(parents=True, exist_ok=True)
            for pattern in ("*.graph.json", "*.profile.json"):
                file = next(engine.glob(pattern))
                shutil.copyfile(file, without / file.name)
            measurement = Measurement(f"summary {engine.name}, no times", [*command, str(without)])
            measurements.append(measurement)
        held.append(measurement)
    take_turns(measurements, workspace.runs * 3)
    workspace.report.heading("Start: `planex summary` of real engines")
    workspace.report.processes(measurements)
    workspace.report.recorded(RECORDED_TREX_WHAT["start"], RECORDED_TREX_MS["start"])
    print()
    for measurement in held:
        more_ms = min(measurement.wall_ms) - min(empty.wall_ms)
        workspace.report.ratio(
            re.sub("[, ]+", "-", measurement.name.replace("summary", "start")),
            f"{measurement.name}, more than an empty program",
            more_ms,
            LIMIT_START_MS,
            " ms",
        )


def scale(workspace: Workspace) -> None:
    workspace.make_data()
    walk = str(workspace.programs / "simdjson_walk")
    groups = []
    for layers in SIZES:
        folder = workspace.engine(layers)
        graph = str(folder / "engine.graph.json")
        group = [
            Measurement("planex summary", [*workspace.summary_command(), str(folder)]),
            Measurement("load only", [str(workspace.programs / "load_engine"), str(folder)]),
            Measurement("simdjson DOM parse", [walk, "dom", graph], prints_ms=True),
            Measurement("simdjson On-Demand walk", [walk, "ondemand", graph], prints_ms=True),
            Measurement("simdjson DOM, parsed again", [walk, "again", graph], prints_ms=True),
        ]
        for measurement in group:
            measurement.name += f", {layers} layers"
            measurement.input_bytes = os.path.getsize(graph)
        take_turns(group, workspace.runs)
        groups.append((layers, group))
    workspace.report.heading(
        "Scale: an engine with its profile, beside simdjson on the graph alone"
    )
    rows = []
    for layers, group in groups:
        summary, load, dom, ondemand = (min(m.wall_ms) for m in group[:4])
        size = group[0].input_bytes
        rows.append(
            [
                f"{layers}",
                f"{size / 1e6:.1f}",
                f"{summary:.1f}",
                f"{load:.1f}",
                f"{dom:.1f}",
                f"{ondemand:.1f}",
                f"{summary / dom:.2f}",
                f"{summary / layers * 1e3:.2f}",
                f"{group[0].peak_bytes / size:.2f}" if group[0].peak_is_its_own() else "–",
            ]
        )
    workspace.report.table(
        [
            "layers",
            "graph MB",
            "summary ms",
            "load ms",
            "DOM ms",
            "On-Demand ms",
            "summary/DOM",
            "µs a layer",
            "peak/file",
        ],
        rows,
    )
    for _, group in groups[:-1]:
        workspace.report.measurements += [measurement.as_json() for measurement in group]
    largest = groups[-1][1]
    workspace.report.heading(f"The largest, {groups[-1][0]} layers")
    workspace.report.processes(largest)
    workspace.report.recorded(RECORDED_TREX_WHAT["scale"], RECORDED_TREX_MS["scale"])
    print()
    summary, load, dom, ondemand, again = largest
    for ident, what, subject in (
        ("load-time", "load / simdjson DOM, whole processes", load),
        ("summary-time", "planex summary / simdjson DOM, whole processes", summary),
    ):
        workspace.report.ratio(
            ident, f"{what}, fastest runs", ratio_of_fastest(subject, dom), LIMIT_LOAD_RATIO
        )
        print(f"    medians: {ratio_of_medians(subject, dom):.2f}")
    parse_ms = min(dom.own_ms)
    workspace.report.ratio(
        "summary-time-parse",
        f"planex summary / the parse alone ({parse_ms:.0f} ms), fastest runs",
        min(summary.wall_ms) / parse_ms,
        LIMIT_LOAD_RATIO,
    )
    print(
        f"  for comparison: the parse into memory that was there before takes "
        f"{min(again.own_ms):.0f} ms, the On-Demand walk alone {min(ondemand.own_ms):.0f} ms"
    )
    workspace.report.ratio(
        "summary-memory",
        "peak memory of planex summary / file",
        summary.peak_bytes / summary.input_bytes,
        LIMIT_MEMORY_RATIO,
    )


def verbs(workspace: Workspace) -> None:
    """What else a user runs on a large engine; ten times the layers, ten times the time."""
    planex = workspace.build / "planex"
    if not planex.exists():
        raise Skip("planex is not built")
    small, large = SIZES[-3], SIZES[-1]
    sql = "select type, count(*), sum(median_ms) from layers group by type"
    join = "select t.name, count(*) from tensors t join ports p using (tensor_id) group by t.name"
    verbs = {
        "summary": ["summary"],
        "layers": ["layers"],
        "lint": ["lint", "--format", "json"],
        "query, one table": ["query", sql],
        "query, a join": ["query", join],
        "export plan": ["export"],
        "report": ["report"],
        "doctor": ["doctor"],
    }
    rows = []
    scratch = workspace.data / "verbs-output"
    for name, (verb, *options) in verbs.items():
        pair = []
        for layers in (small, large):
            folder = str(workspace.engine(layers))
            command = [verb, folder, *options]
            if verb in ("export", "report"):
                command += ["-o", str(scratch)]
            measurement = Measurement(
                f"{name}, {layers} layers", [str(planex), *command], fine=(1,)
            )
            measurement.input_bytes = os.path.getsize(f"{folder}/engine.graph.json")
            pair.append(measurement)
        take_turns(pair, max(3, workspace.runs // 2))
        workspace.report.measurements += [measurement.as_json() for measurement in pair]
        first, second = (min(m.wall_ms) for m in pair)
        growth = second / first / (large / small)
        peak = pair[1].peak_bytes / 1e6
        rows.append((name, [name, f"{first:.0f}", f"{second:.0f}", f"{growth:.2f}", f"{peak:.0f}"]))
    scratch.unlink(missing_ok=True)
    workspace.report.heading(f"Verbs at {small} and {large} layers, fastest runs")
    header = ["verb", f"{small}: ms", f"{large}: ms", "growth a layer", "peak MB"]
    workspace.report.table(header, [row for _, row in rows])
    print()
    for name, row in rows:
        workspace.report.ratio(
            "growth-" + re.sub("[, ]+", "-", name),
            f"{name}, time a layer at {large} over {small} layers",
            float(row[3]),
            LIMIT_GROWTH,
        )


def million(workspace: Workspace) -> None:
    folder = workspace.engine(MILLION)
    graph = str(folder / "engine.graph.json")
    walk = str(workspace.programs / "simdjson_walk")
    group = [
        Measurement("planex summary", [*workspace.summary_command(), str(folder)]),
        Measurement("simdjson DOM parse", [walk, "dom", graph], prints_ms=True),
    ]
    for measurement in group:
        measurement.input_bytes = os.path.getsize(graph)
    take_turns(group, max(2, workspace.runs // 3))
    size = group[0].input_bytes
    workspace.report.heading(f"An engine of {MILLION} layers: {size / 1e6:.0f} MB and its profile")
    workspace.report.processes(group)
    print()
    summary, dom = group
    workspace.report.ratio(
        "million-time",
        "planex summary / simdjson DOM, whole processes, fastest runs",
        ratio_of_fastest(summary, dom),
        LIMIT_LOAD_RATIO,
    )
    workspace.report.ratio(
        "million-memory",
        "peak memory of planex summary / file",
        summary.peak_bytes / size,
        LIMIT_MEMORY_RATIO,
    )
