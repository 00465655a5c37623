"""Lays out one graph with planex and with the programs it is measured beside.

Every tool is given the same boxes and edges, without words beside the edges and without frames, and
the same gaps between boxes. What counts is the time of the layout alone.
"""

import dataclasses
import json
import pathlib
import re
import resource
import shutil
import subprocess
from collections.abc import Callable

from routes import Point
from workspace import ROOT, Workspace

TIMEOUT_S = 60
# Layouts that took less than this are repeated, and the fastest counts.
WORTH_REPEATING_MS = 2_000
RUNS = 5
# Kept out of the time of a tool, if not laid out by then: nobody waits for the second drawing.
STRAIGHT_PIECES_WITHIN_MS = 10_000
POINTS_PER_INCH = 72
# dagre and elkjs recurse as deep as the graph is. In KB: nearly all that Linux gives a process.
NODE_STACK = "--stack-size=7000"


@dataclasses.dataclass
class Graph:
    """Boxes by width and height; edges by their boxes and what flows in them."""

    name: str
    boxes: list[tuple[float, float]]
    # From, to, and the number of a tensor: the same for all edges it flows in.
    edges: list[tuple[int, int, int]]
    # Numbers of edges that carry a value into the next loop iteration: they lead back.
    back: set[int] = dataclasses.field(default_factory=set)
    box_gap: float = 28
    rank_gap: float = 20

    def as_json(self) -> dict:
        return {
            "options": {"box_gap": self.box_gap, "rank_gap": self.rank_gap},
            "boxes": [{"width": width, "height": height} for width, height in self.boxes],
            "edges": [
                {"from": a, "to": b, "flow": flow, "is_back": number in self.back}
                for number, (a, b, flow) in enumerate(self.edges)
            ],
        }


@dataclasses.dataclass
class Drawing:
    """Null fields where the tool didn't finish; `why` says what it did instead."""

    ms: float | None = None
    routes: list[list[Point]] | None = None
    # The same edges in straight pieces, for counting bends; null where `routes` are straight.
    straight_routes: list[list[Point]] | None = None
    width: float = 0
    height: float = 0
    why: str = ""


class NotFinished(Exception):
    pass


def run_within_limit(command: list[str], text: str | None = None) -> str:
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise NotFinished(f"> {TIMEOUT_S} s") from error
    if done.returncode != 0:
        raise NotFinished(reason(done.stderr, done.returncode))
    return done.stdout


def reason(talk: str, code: int) -> str:
    for pattern, meaning in (
        (r"Maximum call stack size exceeded", "stack overflow"),
        (r"heap out of memory|Allocation failed", "out of memory"),
        (r"trouble in init_rank", "failed to rank"),
    ):
        if re.search(pattern, talk):
            return meaning
    return f"killed by signal {-code}" if code < 0 else f"exit code {code}"


# --- Programs that say themselves how long the layout took ------------------------------------


def run_talking(command: list[str], graph: Graph, scratch: pathlib.Path) -> Drawing:
    """A program that takes GRAPH.json OUTPUT.json RUNS: layout_bench and peers/lay_out.mjs."""
    source, target = scratch / "graph.json", scratch / "output.json"
    source.write_text(json.dumps(graph.as_json()), encoding="utf-8")
    runs = 1
    while True:
        run_within_limit([*command, str(source), str(target), str(runs)])
        output = json.loads(target.read_text(encoding="utf-8"))
        ms = min(output["ms"])
        if runs > 1 or ms > WORTH_REPEATING_MS:
            break
        runs = RUNS
    routes = [[(x, y) for x, y in route] for route in output["routes"]]
    return Drawing(ms, routes, None, output["width"], output["height"])


# --- dot --------------------------------------------------------------------------------------


def dot_text(graph: Graph, splines: str) -> str:
    def inches(pixels: float) -> str:
        return f"{pixels / POINTS_PER_INCH:.4f}"

    lines = [
        "digraph {",
        f"graph [splines={splines}, nodesep={inches(graph.box_gap)}, "
        f"ranksep={inches(graph.rank_gap)}]",
        'node [shape=box, fixedsize=true, label=""]',
        "edge [arrowhead=none]",
    ]
    lines += [
        f"n{number} [width={inches(width)}, height={inches(height)}]"
        for number, (width, height) in enumerate(graph.boxes)
    ]
    for number, (a, b, _) in enumerate(graph.edges):
        # Turned around, as people tell dot that an edge leads back.
        first, last = (b, a) if number in graph.back else (a, b)
        lines.append(f"n{first} -> n{last} [id={number}]")
    return "\n".join([*lines, "}\n"])


def timed_dot(text: str) -> tuple[float, dict]:
    """CPU time: dot has one thread, and other work would hit it and the empty process unevenly."""
    start_s = children_cpu_s()
    output = run_within_limit(["dot", "-Tjson"], text)
    return (children_cpu_s() - start_s) * 1e3, json.loads(output)


def children_cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_dot(graph: Graph, _scratch: pathlib.Path) -> Drawing:
    if not graph.edges:
        return Drawing(0.0, [])
    text = dot_text(graph, "true")
    ms, output = timed_dot(text)
    if ms < WORTH_REPEATING_MS:
        ms = min(timed_dot(text)[0] for _ in range(RUNS))
    empty_ms = min(
        timed_dot(dot_text(Graph("empty", [(1, 1)], []), "true"))[0] for _ in range(RUNS)
    )
    drawing = Drawing(max(ms - empty_ms, 0.0), dot_routes(output))
    left, bottom, right, top = (float(value) for value in output["bb"].split(","))
    drawing.width, drawing.height = right - left, top - bottom
    if ms < STRAIGHT_PIECES_WITHIN_MS:
        drawing.straight_routes = dot_routes(timed_dot(dot_text(graph, "polyline"))[1])
    return drawing


def dot_routes(output: dict) -> list[list[Point]]:
    routes: list[list[Point]] = [[] for _ in output["edges"]]
    for edge in output["edges"]:
        for operation in edge["_draw_"]:
            if operation["op"] == "b":
                routes[int(edge["id"])] = flattened([(x, y) for x, y in operation["points"]])
    return routes


def flattened(spline: list[Point], pieces: int = 8) -> list[Point]:
    """A chain of cubic Bézier curves as straight pieces."""
    result = spline[:1]
    for start in range(0, len(spline) - 3, 3):
        a, b, c, d = spline[start : start + 4]
        for step in range(1, pieces + 1):
            t = step / pieces
            weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            x, y = (
                sum(
                    weight * point[axis]
                    for weight, point in zip(weights, (a, b, c, d), strict=True)
                )
                for axis in (0, 1)
            )
            result.append((x, y))
    return result


# --- All of them ------------------------------------------------------------------------------


def tools(workspace: Workspace) -> dict[str, Callable[[Graph, pathlib.Path], Drawing]]:
    """Those that are there, planex first."""
    found: dict[str, Callable[[Graph, pathlib.Path], Drawing]] = {}

    def talking(command: list[str]) -> Callable[[Graph, pathlib.Path], Drawing]:
        return lambda graph, scratch: run_talking(command, graph, scratch)

    program = workspace.programs / "layout_bench"
    if program.exists():
        found["planex"] = talking([str(program)])
    if shutil.which("dot"):
        found["dot"] = run_dot
    peers, node = ROOT / "bench/peers", shutil.which("node")
    if node and (peers / "node_modules").is_dir():
        for name in ("dagre", "elk"):
            found[name] = talking([node, NODE_STACK, str(peers / "lay_out.mjs"), name])
    return found


def lay_out(
    tool: Callable[[Graph, pathlib.Path], Drawing], graph: Graph, scratch: pathlib.Path
) -> Drawing:
    try:
        return tool(graph, scratch)
    except NotFinished as why:
        return Drawing(why=str(why))
