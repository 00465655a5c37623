"""The part page: the report in Chromium, at 35, 241, 10 000 and 100 000 layers."""

import json
import os
import pathlib
import shutil
import subprocess

from measuring import Skip
from workspace import ROOT, SHARED_DATA, Workspace

REAL = {35: "resnet18-a100-qat", 241: "controlnet-a10-trt8.6"}
SMALL, LARGE = 10_000, 100_000

LIMIT_FILE_MB = 5.0
LIMIT_INTERACTIVE_S = 2.0
LIMIT_SEARCH_MS = 30.0
# 60 frames a second, and what a timer of a browser rounds.
LIMIT_FRAME_MS = 17.5
# A hundred thousand layers have no budget but to be usable: this is what that is taken to mean.
LIMIT_LARGE_INTERACTIVE_S = 15.0


def reports(workspace: Workspace) -> dict[int, pathlib.Path]:
    """Layers -> page, written anew: the page is part of the program that is measured."""
    planex = workspace.build / "planex"
    if not planex.exists():
        raise Skip("planex is not built")
    engines = {n: SHARED_DATA / "engines" / name for n, name in REAL.items()}
    engines = {n: path for n, path in engines.items() if path.is_dir()}
    engines |= {n: workspace.engine(n) for n in (SMALL, LARGE)}
    pages = {}
    for layers, engine in engines.items():
        page = workspace.data / f"report-{layers}.html"
        command = [planex, "report", engine, "-o", page]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Skip(f"planex report: {done.stderr.strip().splitlines()[0]}")
        pages[layers] = page
    return pages


def page(workspace: Workspace) -> None:
    browser = shutil.which(os.environ.get("CHROMIUM", "chromium"))
    if browser is None or shutil.which("node") is None:
        raise Skip("needs node and Chromium; CHROMIUM names the browser")
    workspace.data.mkdir(parents=True, exist_ok=True)
    found = {}
    for layers, path in reports(workspace).items():
        runs = min(workspace.runs, 3) if layers == LARGE else workspace.runs
        command = ["node", str(ROOT / "bench/measure_page.mjs"), str(path), str(runs)]
        done = subprocess.run(
            command,
            env={**os.environ, "CHROMIUM": browser},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise Skip(f"measure_page.mjs: {done.stderr.strip()[-300:]}")
        found[layers] = {**json.loads(done.stdout), "file_bytes": path.stat().st_size}
        workspace.report.measurements.append(
            {"name": f"page, {layers} layers", "command": command, **found[layers]}
        )
    tell(workspace, found)
    hold_limits(workspace, found)


def tell(workspace: Workspace, found: dict[int, dict]) -> None:
    workspace.report.heading("Page: the report in Chromium; medians of runs, ms")
    header = [
        "layers",
        "MB",
        "first text",
        "interactive",
        "empty page",
        "search, slowest",
        "scroll frame",
        "pan frame",
        "still frame",
    ]
    rows = [
        [
            f"{layers}",
            f"{one['file_bytes'] / 1e6:.2f}",
            f"{one['first_text_ms']:.0f}",
            f"{one['interactive_ms']:.0f}",
            f"{one['peer_empty_page_ms']:.0f}",
            f"{one['search_slowest_ms']:.1f}",
            f"{one['scroll_median_ms']:.1f}, p95 {one['scroll_p95_ms']:.1f}",
            f"{one['pan_median_ms']:.1f}, p95 {one['pan_p95_ms']:.1f}",
            f"{one['peer_still_median_ms']:.1f}, p95 {one['peer_still_p95_ms']:.1f}",
        ]
        for layers, one in found.items()
    ]
    workspace.report.table(header, rows)
    print()


def hold_limits(workspace: Workspace, found: dict[int, dict]) -> None:
    small, large = found[SMALL], found[LARGE]
    for ident, what, value, limit, unit in (
        ("page-file", f"file, {SMALL} layers", small["file_bytes"] / 1e6, LIMIT_FILE_MB, " MB"),
        (
            "page-interactive",
            f"interactive, {SMALL} layers",
            small["interactive_ms"] / 1e3,
            LIMIT_INTERACTIVE_S,
            " s",
        ),
        (
            "page-search",
            f"slowest search, {SMALL} layers",
            small["search_slowest_ms"],
            LIMIT_SEARCH_MS,
            " ms",
        ),
        (
            "page-scroll",
            f"median frame while scrolling, {SMALL} layers",
            small["scroll_median_ms"],
            LIMIT_FRAME_MS,
            " ms",
        ),
        (
            "page-pan",
            f"median frame while panning the graph, {SMALL} layers",
            small["pan_median_ms"],
            LIMIT_FRAME_MS,
            " ms",
        ),
        (
            "page-large",
            f"interactive, {LARGE} layers",
            large["interactive_ms"] / 1e3,
            LIMIT_LARGE_INTERACTIVE_S,
            " s",
        ),
    ):
        workspace.report.ratio(ident, what, value, limit, unit)
