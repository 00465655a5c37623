#!/usr/bin/env python3
"""Measures planex as whole processes, each beside a peer in the same minute.

    run_bench.py [--build DIR] [--only start,scale,…] [--runs N] [--check] [-o FILE]
    run_bench.py --only data      makes the generated engines and measures nothing

start    `planex summary` on real engines, beside an empty C++ program
scale    loading generated engines of 1k to 100k layers, beside simdjson parsing the same file
verbs    the other verbs at 10k and 100k layers: none may grow faster than the engine
million  an engine of 1 000 000 layers
log      reading logs of 1 to 200 MB
draw     `planex draw` to SVG: every real engine, and generated ones of four shapes to 100k layers
layout   crossings, bends, length and time of the layout, beside graphviz dot, dagre and elkjs
page     the report in Chromium: size, opening, search, frames, from 35 to 100 000 layers
gate     how often the verdict on two engines is wrong, and how often it is right
align    matching the layers of two engines: pairs found and wrong against the truth, and time
latency  planex-openvino's latency of ResNet-18, beside OpenVINO's own benchmark_app
quantize the bars of `planex quantize`: loss, time and memory, beside ONNX Runtime's and NNCF's
grid     `planex sweep` over 24 settings of ResNet-18, each beside benchmark_app with the same

Programs that are compared take turns, so that what else the machine does hits both. Nothing here
fails for being slow unless --check is given. docs/how-to/benchmark.md explains the figures.
"""

import argparse
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

from align_part import align
from draw_part import draw
from gate_part import gate
from grid_part import grid
from latency_part import latency
from layout_part import layout
from log_part import log
from measuring import Skip
from page_part import page
from quantize_part import quantize
from verb_parts import million, scale, start, verbs
from workspace import ROOT, Workspace

PARTS = {
    "start": start,
    "scale": scale,
    "verbs": verbs,
    "million": million,
    "log": log,
    "draw": draw,
    "layout": layout,
    "page": page,
    "gate": gate,
    "align": align,
    "latency": latency,
    "grid": grid,
    "quantize": quantize,
}


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
    workspace = Workspace(build, arguments.runs)
    if arguments.only == "data":
        workspace.make_data()
        return 0
    wanted = arguments.only.split(",")
    if unknown := [part for part in wanted if part not in PARTS]:
        parser.error(f"--only: {unknown[0]} is none of {', '.join(PARTS)}")

    host = host_facts(build)
    load = f"load {host['load_average']:.1f}"
    print(f"{host['cpu']}, {host['cores']} cores, {host['system']}, {load}")
    print(f"{host['compiler']}, {host['build_type']}, simdjson {host['simdjson']}")
    if host["load_average"] > host["cores"] / 2:
        print("Other work is running: read the fastest runs and CPU times, not the medians.")
    for part in wanted:
        try:
            PARTS[part](workspace)
        except Skip as why:
            workspace.report.skip(part, str(why))

    output = arguments.output or build / "bench.json"
    output.parent.mkdir(parents=True, exist_ok=True)
    document = {
        "schema": "planex.bench/1",
        "host": host,
        "measurements": workspace.report.measurements,
        "ratios": workspace.report.ratios,
        "skipped": workspace.report.skipped,
    }
    output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(f"\n{output}")
    over = [ratio["what"] for ratio in workspace.report.ratios if not ratio["within"]]
    if arguments.check and over:
        print(f"over the limit: {'; '.join(over)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
