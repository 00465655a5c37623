#!/usr/bin/env python3
"""Measures the Python package: import, an engine of 100 000 layers as a frame, install to report.

    build/test/python/bin/python bench/python_package.py [--runs N] [--layers N]
        [--clock wall|cpu] [-o OUT.json]

Runs in the environment that tools/test_python.sh makes: planex from its wheel, pandas, polars and
pyarrow. Each step is a process of its own, which prints the ms of that step alone; all take turns.
The peer is what one writes without planex: json, and frames of pandas, joined by name.

The last step makes an environment from nothing, installs the wheel of build/dist into it without a
network, and writes a report by the program in it; its PATH has that environment alone, so there is
no compiler.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

from measuring import Measurement, Report, take_turns

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGINE = ROOT / "examples/engines/resnet18-a100-qat"

CLOCKS = {"wall": "perf_counter", "cpu": "process_time"}

# Setup, and the step that is timed.
STEPS = {
    "import planex": ("", "import planex"),
    "open": ("import planex", "engine = planex.open(prefix)"),
    "layers → pandas": (
        "import planex, pandas, pyarrow; engine = planex.open(prefix)",
        "frame = engine.layers.to_pandas()",
    ),
    "layers → polars": (
        "import planex, polars; engine = planex.open(prefix)",
        "frame = engine.layers.to_polars()",
    ),
    "layers → pyarrow": (
        "import planex, pyarrow; engine = planex.open(prefix)",
        "frame = engine.layers.to_arrow()",
    ),
    "SELECT * → pandas": (
        "import planex, pandas, pyarrow; engine = planex.open(prefix)",
        "frame = engine.sql('SELECT * FROM layers').to_pandas()",
    ),
    "files → pandas, in all": (
        "import planex, pandas, pyarrow",
        "frame = planex.open(prefix).layers.to_pandas()",
    ),
    "json + pandas: files → frame": (
        "import json, pandas",
        """
def read(suffix):
    with open(prefix + suffix, encoding="utf-8") as file:
        return json.load(file)
layers = pandas.DataFrame(read(".graph.json")["Layers"])
profile = pandas.DataFrame(read(".profile.json")[1:])
frame = layers.merge(profile, left_on="Name", right_on="name", how="left")
""",
    ),
}

# Columns of numbers are the engine's own memory, wherever they are looked at.
ADDRESSES = """
import sys, planex, polars, pyarrow
engine = planex.open(sys.argv[1])
first, second = pyarrow.table(engine.layers), pyarrow.table(engine.layers)
frame = polars.DataFrame(engine.layers)
for name in ("median_ms", "flops", "weight_bytes", "layer_id"):
    address = first[name].chunk(0).buffers()[1].address
    assert second[name].chunk(0).buffers()[1].address == address, name
    assert frame[name].to_arrow().buffers()[1].address == address, name
"""


def step(name: str, prefix: str, clock: str) -> Measurement:
    setup, timed = STEPS[name]
    code = f"""
import sys, time
prefix = sys.argv[1]
{setup}
start = time.{clock}()
{timed}
print((time.{clock}() - start) * 1e3)
"""
    return Measurement(name, [sys.executable, "-P", "-c", code, prefix], prints_ms=True)


def install_to_report(wheel: pathlib.Path) -> dict[str, float]:
    """Seconds of each step from an empty folder to a page."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        programs = root / "environment/bin"
        environment = {"PATH": str(programs), "HOME": folder}
        page = root / "report.html"
        steps = {
            "python -m venv": [sys.executable, "-m", "venv", root / "environment"],
            "pip install": [programs / "pip", "install", "--quiet", "--no-index", wheel],
            "planex report": [programs / "planex", "report", ENGINE, "-o", page],
        }
        seconds = {}
        for name, command in steps.items():
            start = time.perf_counter()
            subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
            seconds[name] = time.perf_counter() - start
        if page.stat().st_size < 200_000:
            sys.exit("python_package: the report has no page in it")
    return seconds


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument(
        "--clock", choices=CLOCKS, default="wall", help="cpu: of the processor, on a busy machine"
    )
    parser.add_argument("--layers", type=int, default=100_000)
    parser.add_argument("--wheel", type=pathlib.Path, help="else the one in build/dist")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="all figures as JSON")
    arguments = parser.parse_args()
    wheel = arguments.wheel or max((ROOT / "build/dist").glob("planex_explorer-*.whl"))

    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        prefix = f"{folder}/engine"
        maker = [sys.executable, ROOT / "bench/make_engine.py", "--layers", str(arguments.layers)]
        subprocess.run([*maker, "--output", prefix], check=True)
        subprocess.run([sys.executable, "-P", "-c", ADDRESSES, prefix], check=True)
        measurements = [step(name, prefix, CLOCKS[arguments.clock]) for name in STEPS]
        take_turns(measurements, arguments.runs)
    report.heading(
        f"{arguments.layers} layers, {platform.processor() or platform.machine()}, "
        f"{os.cpu_count()} processors; {arguments.clock} clock, load {os.getloadavg()[0]:.1f}"
    )
    report.table(
        ["step", "median ms", "min", "max", "peak MB", "runs"],
        [
            [
                one.name,
                f"{statistics.median(one.own_ms):.1f}",
                f"{min(one.own_ms):.1f}",
                f"{max(one.own_ms):.1f}",
                f"{one.peak_bytes / 1e6:.0f}" if one.peak_is_its_own() else "–",
                str(len(one.own_ms)),
            ]
            for one in measurements
        ],
    )
    print("\n  columns of numbers have one address in the engine's frames of pyarrow and polars")
    seconds = install_to_report(wheel)
    report.heading("From an empty folder to a report")
    report.table(["step", "s"], [[name, f"{value:.2f}"] for name, value in seconds.items()])
    print(f"  in all {sum(seconds.values()):.2f} s")
    if arguments.output:
        everything = {
            "layers": arguments.layers,
            "clock": arguments.clock,
            "steps": [one.as_json() for one in measurements],
            "install_s": seconds,
        }
        arguments.output.write_text(json.dumps(everything, indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
