#!/usr/bin/env python3
"""Measures planex as whole processes, each beside a peer in the same minute.

    run_bench.py [--build DIR] [--only start,scale,…] [--runs N] [--check] [-o FILE]
    run_bench.py --only data      makes the generated engines and measures nothing

start    `planex summary` on real engines, beside an empty C++ program
scale    loading generated engines of 1k to 100k layers, beside simdjson parsing the same file
verbs    the other verbs at 10k and 100k layers: none may grow faster than the engine
million  an engine of 1 000 000 layers
log      reading logs of 1 to 200 MB
latency  planex-openvino's latency of ResNet-18, beside OpenVINO's own benchmark_app

Programs that are compared take turns, so that what else the machine does hits both. Nothing here
fails for being slow unless --check is given. docs/how-to/benchmark.md explains the figures.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import platform
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED_DATA = pathlib.Path(os.environ.get("PLANEX_TEST_DATA", ROOT / "../shared/data"))

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
MILLION = 1_000_000
LOG_MEGABYTES = (1, 10, 100, 200)
# The engines that the start is measured with: the largest real layer file; a small one; the two
# with most times of inferences (2.9 and 3.2 MB).
REAL_ENGINES = (
    "controlnet-a10-trt8.6",
    "resnet18-a100-fp16",
    "resnet18-trt10-fp16",
    "mobilenet-titanrtx-qat-residual",
)
# The real logs that the long ones are made of.
REAL_LOGS = {
    "build": "mnist-trt10.14.1-logs/result-02.log",
    "records": "rtx1.7-chain1000/chain1000.build.log",
}

# The budgets. A ratio is held against the peer of the same run.
LIMIT_START_MS = 5.0
LIMIT_LOAD_RATIO = 2.0
LIMIT_MEMORY_RATIO = 3.0
LIMIT_LOG_MB_PER_S = 500.0
LIMIT_GROWTH = 1.3
LIMIT_LATENCY_DEVIATION = 0.02

# What the predecessor, TREx, took for the same. Recorded when it was studied, with its Python and
# on a machine with the same number of cores; not measured here, so no ratio is made of them.
RECORDED_TREX_MS = {"start": 282.0, "scale": 25_300.0}
RECORDED_TREX_WHAT = {
    "start": "TREx, an engine of 72 layers",
    "scale": "TREx, an engine of 100000 layers",
}


PARTS = ("start", "scale", "verbs", "million", "log", "latency")


class Skip(Exception):
    """Why a part can't be measured here."""


@dataclasses.dataclass
class Measurement:
    """One command, run several times."""

    name: str
    command: list[str]
    wall_ms: list[float] = dataclasses.field(default_factory=list)
    cpu_ms: list[float] = dataclasses.field(default_factory=list)
    peak_bytes: int = 0
    input_bytes: int | None = None
    # Exit codes beside 0 that are no failure: `lint` says 1 where it found something.
    fine: tuple[int, ...] = ()
    # The program prints the ms of what counts; kept beside its wall time.
    prints_ms: bool = False
    own_ms: list[float] = dataclasses.field(default_factory=list)

    def run(self) -> None:
        """Runs it once. Wall time is from before the start to after the exit."""
        with tempfile.TemporaryFile() as output:
            streams = [
                (os.POSIX_SPAWN_DUP2, output.fileno(), 1),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ]
            start = time.perf_counter()
            pid = os.posix_spawn(self.command[0], self.command, os.environ, file_actions=streams)
            _, status, usage = os.wait4(pid, 0)
            self.wall_ms.append((time.perf_counter() - start) * 1e3)
            if os.waitstatus_to_exitcode(status) not in (0, *self.fine):
                sys.exit(f"run_bench: this failed: {' '.join(self.command)}")
            if self.prints_ms:
                output.seek(0)
                self.own_ms.append(float(output.read()))
        self.cpu_ms.append((usage.ru_utime + usage.ru_stime) * 1e3)
        self.peak_bytes = max(self.peak_bytes, usage.ru_maxrss * 1024)

    def peak_is_its_own(self) -> bool:
        """A child begins with this program's own peak, so a smaller one can't be seen."""
        own_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return self.peak_bytes > own_bytes * 1.1

    def forget(self) -> None:
        for values in (self.wall_ms, self.cpu_ms, self.own_ms):
            values.clear()

    def as_json(self) -> dict:
        result = {"name": self.name, "command": self.command, "runs": len(self.wall_ms)}
        for key, values in (
            ("wall_ms", self.wall_ms),
            ("cpu_ms", self.cpu_ms),
            ("own_ms", self.own_ms),
        ):
            if not values:
                continue
            result[key] = {
                "median": statistics.median(values),
                "min": min(values),
                "max": max(values),
            }
        result["peak_bytes"] = self.peak_bytes if self.peak_is_its_own() else None
        result["input_bytes"] = self.input_bytes
        return result


def take_turns(measurements: list[Measurement], runs: int) -> None:
    """Runs all of them `runs` times in turn, after one run each that isn't counted."""
    for measurement in measurements:
        measurement.run()
        measurement.forget()
    for _ in range(runs):
        for measurement in measurements:
            measurement.run()


def ratio_of_medians(subject: Measurement, peer: Measurement) -> float:
    return statistics.median(subject.wall_ms) / statistics.median(peer.wall_ms)


def ratio_of_fastest(subject: Measurement, peer: Measurement) -> float:
    """What is held against a limit: other work on the machine only ever adds time."""
    return min(subject.wall_ms) / min(peer.wall_ms)


class Report:
    """Prints tables as they come and keeps everything for the JSON file."""

    def __init__(self) -> None:
        self.measurements: list[dict] = []
        self.ratios: list[dict] = []
        self.skipped: list[dict] = []

    def heading(self, text: str) -> None:
        print(f"\n{text}\n")

    def table(self, header: list[str], rows: list[list[str]]) -> None:
        widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
        for row in [header, *rows]:
            cells = [
                cell.ljust(width) if i == 0 else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            print(("  " + "  ".join(cells)).rstrip())

    def processes(self, measurements: list[Measurement]) -> None:
        """A row per process."""
        self.measurements += [measurement.as_json() for measurement in measurements]
        rows = [
            [
                m.name,
                f"{statistics.median(m.wall_ms):.1f}",
                f"{min(m.wall_ms):.1f}",
                f"{max(m.wall_ms):.1f}",
                f"{statistics.median(m.cpu_ms):.1f}",
                f"{m.peak_bytes / 1e6:.0f}" if m.peak_is_its_own() else "–",
                str(len(m.wall_ms)),
            ]
            for m in measurements
        ]
        self.table(["process", "median ms", "min", "max", "CPU ms", "peak MB", "runs"], rows)

    def ratio(
        self,
        ident: str,
        what: str,
        value: float,
        limit: float,
        unit: str = "",
        *,
        at_least: bool = False,
    ) -> None:
        within = value >= limit if at_least else value <= limit
        self.ratios.append(
            {"id": ident, "what": what, "value": value, "limit": limit, "within": within}
        )
        verdict = "within" if within else "OVER"
        word = "at least" if at_least else "limit"
        print(f"  {what}: {value:.2f}{unit} ({word} {limit:g}{unit}: {verdict})")

    def recorded(self, part: str) -> None:
        ms = RECORDED_TREX_MS[part]
        text = f"{ms / 1e3:g} s" if ms >= 1e3 else f"{ms:g} ms"
        print(f"  {RECORDED_TREX_WHAT[part]}: {text} (recorded, not measured here)")

    def skip(self, part: str, why: str) -> None:
        self.skipped.append({"part": part, "why": why})
        print(f"\n{part}: left out: {why}")


class Bench:
    def __init__(self, build: pathlib.Path, runs: int) -> None:
        self.programs = build / "bench"
        self.build = build
        self.data = build / "data"
        self.runs = runs
        self.report = Report()

    def summary_command(self) -> list[str]:
        """What loads an engine: the tool itself, or before it is built the loading alone."""
        planex = self.build / "planex"
        if planex.exists():
            return [str(planex), "summary", "--format", "json"]
        return [str(self.programs / "load_engine")]

    # --- start --------------------------------------------------------------------------------

    def start(self) -> None:
        engines = [SHARED_DATA / "engines" / name for name in REAL_ENGINES]
        if not engines[0].is_dir():
            raise Skip(f"no real engines in {SHARED_DATA}; set PLANEX_TEST_DATA")
        empty = Measurement("empty C++ program", [str(self.programs / "empty")])
        measurements = [empty]
        planex = self.build / "planex"
        if planex.exists():
            measurements.append(Measurement("planex --version", [str(planex), "--version"]))
            command = [str(planex), "summary"]
        else:
            command = self.summary_command()
        # The limit is one of engines; files of times are as long as somebody measured.
        held: list[Measurement] = []
        for engine in engines:
            measurement = Measurement(f"summary {engine.name}", [*command, str(engine)])
            measurement.input_bytes = sum(file.stat().st_size for file in engine.iterdir())
            measurements.append(measurement)
            if any("timing" in file.name for file in engine.iterdir()):
                # The same engine without its times of inferences.
                without = self.data / f"start-{engine.name}"
                without.mkdir(parents=True, exist_ok=True)
                for pattern in ("*.graph.json", "*.profile.json"):
                    file = next(engine.glob(pattern))
                    shutil.copyfile(file, without / file.name)
                measurement = Measurement(
                    f"summary {engine.name}, no times", [*command, str(without)]
                )
                measurements.append(measurement)
            held.append(measurement)
        take_turns(measurements, self.runs * 3)
        self.report.heading("Start: `planex summary` of real engines")
        self.report.processes(measurements)
        self.report.recorded("start")
        print()
        for measurement in held:
            more_ms = min(measurement.wall_ms) - min(empty.wall_ms)
            self.report.ratio(
                re.sub("[, ]+", "-", measurement.name.replace("summary", "start")),
                f"{measurement.name}, more than an empty program",
                more_ms,
                LIMIT_START_MS,
                " ms",
            )

    # --- data ---------------------------------------------------------------------------------

    def make_data(self) -> None:
        """The engines that model_bench wants too."""
        self.data.mkdir(parents=True, exist_ok=True)
        for layers in SIZES:
            self.engine(layers)

    def engine(self, layers: int) -> pathlib.Path:
        """The folder of a generated engine; made once."""
        folder = self.data / f"layers-{layers}"
        if not folder.is_dir():
            # Under another name until it is whole: an interrupted run leaves no half engine.
            part = self.data / f"part-{layers}"
            command = [sys.executable, str(ROOT / "bench/make_engine.py"), "--layers", str(layers)]
            subprocess.run([*command, "--output", str(part / "engine")], check=True)
            os.replace(part, folder)
        return folder

    # --- scale --------------------------------------------------------------------------------

    def scale(self) -> None:
        self.make_data()
        walk = str(self.programs / "simdjson_walk")
        groups = []
        for layers in SIZES:
            folder = self.engine(layers)
            graph = str(folder / "engine.graph.json")
            group = [
                Measurement("planex summary", [*self.summary_command(), str(folder)]),
                Measurement("load only", [str(self.programs / "load_engine"), str(folder)]),
                Measurement("simdjson DOM parse", [walk, "dom", graph], prints_ms=True),
                Measurement("simdjson On-Demand walk", [walk, "ondemand", graph], prints_ms=True),
                Measurement("simdjson DOM, parsed again", [walk, "again", graph], prints_ms=True),
            ]
            for measurement in group:
                measurement.name += f", {layers} layers"
                measurement.input_bytes = os.path.getsize(graph)
            take_turns(group, self.runs)
            groups.append((layers, group))
        self.report.heading("Scale: an engine with its profile, beside simdjson on the graph alone")
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
        self.report.table(
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
            self.report.measurements += [measurement.as_json() for measurement in group]
        largest = groups[-1][1]
        self.report.heading(f"The largest, {groups[-1][0]} layers")
        self.report.processes(largest)
        self.report.recorded("scale")
        print()
        summary, load, dom, ondemand, again = largest
        for ident, what, subject in (
            ("load-time", "load / simdjson DOM, whole processes", load),
            ("summary-time", "planex summary / simdjson DOM, whole processes", summary),
        ):
            self.report.ratio(
                ident, f"{what}, fastest runs", ratio_of_fastest(subject, dom), LIMIT_LOAD_RATIO
            )
            print(f"    medians: {ratio_of_medians(subject, dom):.2f}")
        parse_ms = min(dom.own_ms)
        self.report.ratio(
            "summary-time-parse",
            f"planex summary / the parse alone ({parse_ms:.0f} ms), fastest runs",
            min(summary.wall_ms) / parse_ms,
            LIMIT_LOAD_RATIO,
        )
        print(
            f"  for comparison: the parse into memory that was there before takes "
            f"{min(again.own_ms):.0f} ms, the On-Demand walk alone {min(ondemand.own_ms):.0f} ms"
        )
        self.report.ratio(
            "summary-memory",
            "peak memory of planex summary / file",
            summary.peak_bytes / summary.input_bytes,
            LIMIT_MEMORY_RATIO,
        )

    # --- verbs --------------------------------------------------------------------------------

    def verbs(self) -> None:
        """What else a user runs on a large engine; ten times the layers, ten times the time."""
        planex = self.build / "planex"
        if not planex.exists():
            raise Skip("planex is not built")
        small, large = SIZES[-3], SIZES[-1]
        sql = "select type, count(*), sum(median_ms) from layers group by type"
        join = (
            "select t.name, count(*) from tensors t join ports p using (tensor_id) group by t.name"
        )
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
        scratch = self.data / "verbs-output"
        for name, (verb, *options) in verbs.items():
            pair = []
            for layers in (small, large):
                folder = str(self.engine(layers))
                command = [verb, folder, *options]
                if verb in ("export", "report"):
                    command += ["-o", str(scratch)]
                measurement = Measurement(
                    f"{name}, {layers} layers", [str(planex), *command], fine=(1,)
                )
                measurement.input_bytes = os.path.getsize(f"{folder}/engine.graph.json")
                pair.append(measurement)
            take_turns(pair, max(3, self.runs // 2))
            self.report.measurements += [measurement.as_json() for measurement in pair]
            first, second = (min(m.wall_ms) for m in pair)
            growth = second / first / (large / small)
            peak = pair[1].peak_bytes / 1e6
            rows.append(
                (name, [name, f"{first:.0f}", f"{second:.0f}", f"{growth:.2f}", f"{peak:.0f}"])
            )
        scratch.unlink(missing_ok=True)
        self.report.heading(f"Verbs at {small} and {large} layers, fastest runs")
        header = ["verb", f"{small}: ms", f"{large}: ms", "growth a layer", "peak MB"]
        self.report.table(header, [row for _, row in rows])
        print()
        for name, row in rows:
            self.report.ratio(
                "growth-" + re.sub("[, ]+", "-", name),
                f"{name}, time a layer at {large} over {small} layers",
                float(row[3]),
                LIMIT_GROWTH,
            )

    # --- million ------------------------------------------------------------------------------

    def million(self) -> None:
        folder = self.engine(MILLION)
        graph = str(folder / "engine.graph.json")
        walk = str(self.programs / "simdjson_walk")
        group = [
            Measurement("planex summary", [*self.summary_command(), str(folder)]),
            Measurement("simdjson DOM parse", [walk, "dom", graph], prints_ms=True),
        ]
        for measurement in group:
            measurement.input_bytes = os.path.getsize(graph)
        take_turns(group, max(2, self.runs // 3))
        size = group[0].input_bytes
        self.report.heading(f"An engine of {MILLION} layers: {size / 1e6:.0f} MB and its profile")
        self.report.processes(group)
        print()
        summary, dom = group
        self.report.ratio(
            "million-time",
            "planex summary / simdjson DOM, whole processes, fastest runs",
            ratio_of_fastest(summary, dom),
            LIMIT_LOAD_RATIO,
        )
        self.report.ratio(
            "million-memory",
            "peak memory of planex summary / file",
            summary.peak_bytes / size,
            LIMIT_MEMORY_RATIO,
        )

    # --- log ----------------------------------------------------------------------------------

    def log_file(self, kind: str, megabytes: int) -> pathlib.Path:
        """A long log made of a real one; made once."""
        real = SHARED_DATA / "engines" / REAL_LOGS[kind]
        if not real.is_file():
            raise Skip(f"no real logs in {SHARED_DATA}; set PLANEX_TEST_DATA")
        folder = self.data / "logs"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{kind}-{megabytes}.log"
        if not path.exists():
            part = folder / f"part-{kind}"
            command = [sys.executable, str(ROOT / "bench/make_log.py"), kind, "--from", str(real)]
            command += ["--bytes", str(megabytes * 1_000_000), "--output", str(part)]
            subprocess.run(command, check=True)
            os.replace(part, path)
        return path

    def log(self) -> None:
        kinds = {
            "build": "verbose build log of trtexec 10.14",
            "records": "nothing but layer records, of TensorRT-RTX 1.7",
        }
        self.report.heading("Logs: `planex summary`, fastest runs")
        rows, rates = [], {}
        for kind, what in kinds.items():
            for megabytes in LOG_MEGABYTES:
                path = self.log_file(kind, megabytes)
                command = [*self.summary_command(), str(path)]
                measurement = Measurement(f"log {kind}, {megabytes} MB", command)
                measurement.input_bytes = path.stat().st_size
                take_turns([measurement], self.runs)
                self.report.measurements.append(measurement.as_json())
                fastest, size = min(measurement.wall_ms), measurement.input_bytes
                peak = measurement.peak_bytes
                rate = size / 1e3 / fastest
                rows.append(
                    [
                        what,
                        f"{size / 1e6:.1f}",
                        f"{fastest:.1f}",
                        f"{statistics.median(measurement.wall_ms):.1f}",
                        f"{rate:.0f}",
                        f"{peak / 1e6:.0f}" if measurement.peak_is_its_own() else "–",
                    ]
                )
            rates[kind] = rate
        self.report.table(["log", "MB", "ms", "median ms", "MB/s", "peak MB"], rows)
        print()
        self.report.ratio(
            "log-build",
            f"{kinds['build']}, {LOG_MEGABYTES[-1]} MB",
            rates["build"],
            LIMIT_LOG_MB_PER_S,
            " MB/s",
            at_least=True,
        )

    # --- latency ------------------------------------------------------------------------------

    def latency(self) -> None:
        driver = self.build / "planex-openvino"
        app = shutil.which("benchmark_app", path=str(ROOT / ".venv/bin")) or shutil.which(
            "benchmark_app"
        )
        if not driver.exists():
            raise Skip("planex-openvino is not built (PLANEX_BUILD_OPENVINO)")
        if app is None:
            raise Skip("OpenVINO's benchmark_app is not installed (make setup)")
        model = self.data / "resnet18-fp32.onnx"
        if not model.exists():
            python = ROOT / ".venv/bin/python"
            maker = ROOT / "examples/resnet18/make_resnet18.py"
            command = [str(python), str(maker), "--variant", "fp32", "-o", str(self.data)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        scratch = self.data / "latency"
        scratch.mkdir(parents=True, exist_ok=True)
        seconds = 3
        medians: dict[str, list[float]] = {"planex-openvino": [], "benchmark_app": []}
        for _ in range(self.runs):
            medians["planex-openvino"].append(self.driver_latency(driver, model, scratch, seconds))
            medians["benchmark_app"].append(self.app_latency(app, model, scratch, seconds))
        self.report.heading(
            f"Latency: ResNet-18, FP32, batch 1, one thread; medians of {seconds} s each, in turn"
        )
        rows = []
        for name, values in medians.items():
            self.report.measurements.append(
                {
                    "name": f"latency, {name}",
                    "runs": len(values),
                    "latency_ms": {
                        "median": statistics.median(values),
                        "min": min(values),
                        "max": max(values),
                    },
                }
            )
            rows.append(
                [
                    name,
                    f"{statistics.median(values):.3f}",
                    f"{min(values):.3f}",
                    f"{max(values):.3f}",
                    str(len(values)),
                ]
            )
        self.report.table(["program", "median ms", "min", "max", "runs"], rows)
        print()
        ours, theirs = medians["planex-openvino"], medians["benchmark_app"]
        pairs = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
        print(f"  planex-openvino / benchmark_app, median of pairs: {pairs:.4f}")
        fastest = min(ours) / min(theirs)
        print(f"  planex-openvino / benchmark_app, fastest runs: {fastest:.4f}")
        self.report.ratio(
            "driver-latency",
            "deviation from benchmark_app, fastest runs",
            abs(fastest - 1) * 100,
            LIMIT_LATENCY_DEVIATION * 100,
            " %",
        )

    @staticmethod
    def driver_latency(
        driver: pathlib.Path, model: pathlib.Path, scratch: pathlib.Path, seconds: int
    ) -> float:
        prefix = scratch / "driver"
        command = [str(driver), "--model", str(model), "--out", str(prefix), "--threads", "1"]
        # Counters are not what is measured here: as few inferences with them as there can be.
        command += ["--precision", "f32", "--duration-ms", str(seconds * 1000), "--rounds", "1"]
        command += ["--round-iterations", "1", "--round-warmup", "0"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times = json.loads(pathlib.Path(f"{prefix}.times.json").read_text(encoding="utf-8"))
        return statistics.median(times["columns"]["latency_ms"])

    @staticmethod
    def app_latency(app: str, model: pathlib.Path, scratch: pathlib.Path, seconds: int) -> float:
        # The settings that planex-openvino makes (src/drive/openvino_driver/run.cc).
        command = [app, "-m", str(model), "-d", "CPU", "-hint", "none", "-nstreams", "1"]
        command += ["-nthreads", "1", "-infer_precision", "f32", "-pin", "NO", "-api", "sync"]
        command += ["-nireq", "1", "-t", str(seconds), "-json_stats"]
        command += ["-report_type", "no_counters", "-report_folder", str(scratch)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        text = (scratch / "benchmark_report.json").read_text(encoding="utf-8")
        return float(json.loads(text)["execution_results"]["latency (ms)"])


def host_facts(build: pathlib.Path) -> dict:
    """What the figures depend on beside planex."""

    def output_of(*command: str) -> str | None:
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
        except (OSError, subprocess.CalledProcessError):
            return None
        return done.stdout.strip().split("\n")[0]

    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text("utf-8"))
    compiler, build_type = None, None
    cache = build / "CMakeCache.txt"
    if cache.exists():
        text = cache.read_text(encoding="utf-8")
        if found := re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", text, re.MULTILINE):
            compiler = output_of(found[1], "--version")
        if found := re.search(r"^CMAKE_BUILD_TYPE:\w+=(.*)$", text, re.MULTILINE):
            build_type = found[1]
    large_pages = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")
    return {
        "cpu": cpu[1] if cpu else platform.processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": f"{platform.system()} {platform.release()}",
        "large_pages": large_pages.read_text("utf-8").strip() if large_pages.exists() else None,
        "load_average": os.getloadavg()[0],
        "compiler": compiler,
        "build_type": build_type,
        "simdjson": output_of("pkg-config", "--modversion", "simdjson"),
        "commit": output_of("git", "describe", "--always", "--dirty"),
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--build", type=pathlib.Path, default=ROOT / "build/bench", help="the bench preset's folder"
    )
    parser.add_argument(
        "--only", default=",".join(PARTS), help=f"parts, by comma; without it {', '.join(PARTS)}"
    )
    parser.add_argument("--runs", type=int, default=7, help="runs of each program (default 7)")
    parser.add_argument(
        "--check", action="store_true", help="exit 1 where a figure is over its limit"
    )
    parser.add_argument("-o", "--output", type=pathlib.Path, help="default: BUILD/bench.json")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    bench = Bench(build, arguments.runs)
    if arguments.only == "data":
        bench.make_data()
        return 0
    parts = {name: getattr(bench, name) for name in PARTS}
    wanted = arguments.only.split(",")
    if unknown := [part for part in wanted if part not in parts]:
        parser.error(f"--only: {unknown[0]} is none of {', '.join(parts)}")

    host = host_facts(build)
    load = f"load {host['load_average']:.1f}"
    print(f"{host['cpu']}, {host['cores']} cores, {host['system']}, {load}")
    print(f"{host['compiler']}, {host['build_type']}, simdjson {host['simdjson']}")
    if host["load_average"] > host["cores"] / 2:
        print("Other work is running: read the fastest runs and CPU times, not the medians.")
    for part in wanted:
        try:
            parts[part]()
        except Skip as why:
            bench.report.skip(part, str(why))

    output = arguments.output or build / "bench.json"
    output.parent.mkdir(parents=True, exist_ok=True)
    document = {
        "schema": "planex.bench/1",
        "host": host,
        "measurements": bench.report.measurements,
        "ratios": bench.report.ratios,
        "skipped": bench.report.skipped,
    }
    output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(f"\n{output}")
    over = [ratio["what"] for ratio in bench.report.ratios if not ratio["within"]]
    if arguments.check and over:
        print(f"over the limit: {'; '.join(over)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
