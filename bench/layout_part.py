"""The part layout: how good planex's layout is and how long it takes, beside its peers."""

import dataclasses
import json
import pathlib
import statistics
import subprocess
from collections.abc import Callable, Iterable

import routes
from draw_part import FOLDING, can_draw, draw_command, drawable_engines
from layout_peers import Drawing, Graph, lay_out, tools
from measuring import Skip
from workspace import Workspace

# Engines below this many layers are what dot is made for; it must not cross less there.
DOT_FAIR_LAYERS = 500
# Below this, dot's time is that of its start, which differs by more than the layout takes.
DOT_MEASURABLE_MS = 50.0
GENERATED_SHAPE = "branchy"
GENERATED_SIZES = (1_000, 3_000, 10_000)

LIMIT_WORSE_ENGINES = 0
LIMIT_FASTER_THAN_DOT = 100.0


@dataclasses.dataclass
class Tried:
    """One graph, laid out by every tool."""

    graph: Graph
    drawings: dict[str, Drawing]
    qualities: dict[str, routes.Quality]
    # Of the drawing that users get, with words and frames.
    picture: routes.Quality | None = None

    def finished(self, names: Iterable[str]) -> bool:
        return all(self.drawings[name].ms is not None for name in names)


def layout(workspace: Workspace) -> None:
    if not can_draw(workspace):
        raise Skip("planex is not built, or has no verb draw")
    found = tools(workspace)
    if "planex" not in found:
        raise Skip("layout_bench is not built")
    for name in ("dot", "dagre", "elk"):
        if name not in found:
            workspace.report.skip(f"layout by {name}", "not installed (tools/setup.sh bench)")
    workspace.data.mkdir(parents=True, exist_ok=True)
    names = list(found)
    tried = [try_engine(workspace, engine, found) for engine in drawable_engines(workspace)]
    report_quality(workspace, tried, names)
    report_times(workspace, tried, names)
    report_totals(workspace, tried, names)
    if "dot" in names:
        hold_limits(workspace, tried)
    report_generated(workspace, found)


# --- Measuring ------------------------------------------------------------------------------------


def drawn_graph(
    workspace: Workspace, engine: pathlib.Path, name: str
) -> tuple[Graph, list[list[routes.Point]]]:
    """What planex draws of an engine: its boxes and edges, and the routes of its own picture."""
    command = draw_command(workspace, engine, *FOLDING["unfolded"], "--format", "json")
    text = subprocess.run(command, capture_output=True, check=True).stdout
    return read_layout(json.loads(text), name)


def read_layout(document: dict, name: str) -> tuple[Graph, list[list[routes.Point]]]:
    flows: dict[tuple[int, str | None], int] = {}
    graph = Graph(name, [(box["width"], box["height"]) for box in document["boxes"]], [])
    for edge in document["edges"]:
        source, target = edge["from"], edge["to"]
        flow = flows.setdefault((source, edge["tensor"]), len(flows))
        if edge["kind"] == "carried":
            graph.back.add(len(graph.edges))
        graph.edges.append((source, target, flow))
    return graph, [[(x, y) for x, y in edge["points"]] for edge in document["edges"]]


def quality_of(graph: Graph, lines: list[list[routes.Point]]) -> routes.Quality:
    return routes.measure(
        [
            routes.Edge(source, target, flow, line)
            for (source, target, flow), line in zip(graph.edges, lines, strict=True)
        ]
    )


def try_graph(graph: Graph, found: dict[str, Callable], scratch: pathlib.Path) -> Tried:
    tried = Tried(graph, {}, {})
    for name, tool in found.items():
        drawing = lay_out(tool, graph, scratch)
        tried.drawings[name] = drawing
        if drawing.routes is None:
            continue
        quality = quality_of(graph, drawing.routes)
        if drawing.straight_routes is not None:
            quality.bends = quality_of(graph, drawing.straight_routes).bends
        tried.qualities[name] = quality
    return tried


def try_engine(workspace: Workspace, engine: pathlib.Path, found: dict[str, Callable]) -> Tried:
    graph, lines = drawn_graph(workspace, engine, engine.name)
    tried = try_graph(graph, found, workspace.data)
    tried.picture = quality_of(graph, lines)
    workspace.report.measurements.append(as_json(tried))
    return tried


def as_json(tried: Tried) -> dict:
    return {
        "name": f"layout {tried.graph.name}",
        "boxes": len(tried.graph.boxes),
        "edges": len(tried.graph.edges),
        "picture": tried.picture and dataclasses.asdict(tried.picture),
        "tools": {
            name: {
                "ms": drawing.ms,
                "why": drawing.why,
                "width": drawing.width,
                "height": drawing.height,
                **(dataclasses.asdict(tried.qualities[name]) if drawing.routes is not None else {}),
            }
            for name, drawing in tried.drawings.items()
        },
    }


# --- Tables ---------------------------------------------------------------------------------------


def ms_text(drawing: Drawing) -> str:
    if drawing.ms is None:
        return drawing.why
    return f"{drawing.ms:.2f}" if drawing.ms < 10 else f"{drawing.ms:.0f}"


def report_quality(workspace: Workspace, tried: list[Tried], names: list[str]) -> None:
    workspace.report.heading(
        "Layout: crossings of edges without a common box; the picture is planex's with words and "
        "frames"
    )
    rows = []
    for one in tried:
        counts = [
            str(one.qualities[name].crossings) if name in one.qualities else one.drawings[name].why
            for name in names
        ]
        size = [str(len(one.graph.boxes)), str(len(one.graph.edges))]
        rows.append([one.graph.name, *size, *counts, str(one.picture.crossings)])
    workspace.report.table(["engine", "boxes", "edges", *names, "picture"], rows)


def report_times(workspace: Workspace, tried: list[Tried], names: list[str]) -> None:
    workspace.report.heading("Layout: ms of the layout alone, fastest runs")
    rows = [
        [one.graph.name, *(ms_text(one.drawings[name]) for name in names)]
        for one in sorted(tried, key=lambda one: -len(one.graph.boxes))
    ]
    workspace.report.table(["engine", *names], rows)


def report_totals(workspace: Workspace, tried: list[Tried], names: list[str]) -> None:
    common = [one for one in tried if one.finished(names)]
    workspace.report.heading(f"Layout: totals of the {len(common)} engines that all of them finish")
    rows = []
    for name in names:
        drawings = [one.drawings[name] for one in common]
        aspect = statistics.median(d.height / d.width for d in drawings if d.width)
        total_ms = sum(drawing.ms for drawing in drawings)
        totals = quality_totals([one.qualities[name] for one in common])
        rows.append([name, *totals, f"{aspect:.1f}", f"{total_ms:.0f}"])
    rows.append(["picture", *quality_totals([one.picture for one in common]), "–", "–"])
    header = ["tool", "crossings", "at a common box", "bends", "length, 1000 px", "height/width"]
    workspace.report.table([*header, "ms"], rows)
    print()


def quality_totals(qualities: list[routes.Quality]) -> list[str]:
    return [
        str(sum(quality.crossings for quality in qualities)),
        str(sum(quality.crossings_at_ends for quality in qualities)),
        str(sum(quality.bends for quality in qualities)),
        f"{sum(quality.length for quality in qualities) / 1e3:.0f}",
    ]


def hold_limits(workspace: Workspace, tried: list[Tried]) -> None:
    both = [one for one in tried if one.finished(("planex", "dot"))]
    fair = [one for one in both if len(one.graph.boxes) < DOT_FAIR_LAYERS]
    worse = [
        one.graph.name
        for one in fair
        if one.qualities["planex"].crossings > one.qualities["dot"].crossings
    ]
    workspace.report.ratio(
        "layout-crossings",
        f"engines under {DOT_FAIR_LAYERS} layers, of {len(fair)}, where dot crosses less",
        len(worse),
        LIMIT_WORSE_ENGINES,
    )
    for name in worse:
        print(f"    {name}")
    total_ms = {name: sum(one.drawings[name].ms for one in both) for name in ("planex", "dot")}
    workspace.report.ratio(
        "layout-speed",
        "dot's time / planex's, all real engines",
        total_ms["dot"] / total_ms["planex"],
        LIMIT_FASTER_THAN_DOT,
        at_least=True,
    )
    speeds = {
        one.graph.name: one.drawings["dot"].ms / one.drawings["planex"].ms
        for one in both
        if one.drawings["dot"].ms > DOT_MEASURABLE_MS
    }
    if speeds:
        least = min(speeds, key=lambda name: speeds[name])
        workspace.report.ratio(
            "layout-speed-least",
            f"the same, the least of those that take dot over {DOT_MEASURABLE_MS:g} ms, {least}",
            speeds[least],
            LIMIT_FASTER_THAN_DOT,
            at_least=True,
        )


def report_generated(workspace: Workspace, found: dict[str, Callable]) -> None:
    workspace.report.heading(
        f"Layout: generated engines ({GENERATED_SHAPE}), ms of the layout alone and crossings"
    )
    rows = []
    for layers in GENERATED_SIZES:
        engine = workspace.engine(layers, GENERATED_SHAPE)
        graph, _ = drawn_graph(workspace, engine, f"{GENERATED_SHAPE}, {layers} layers")
        tried = try_graph(graph, found, workspace.data)
        workspace.report.measurements.append(as_json(tried))
        for name, drawing in tried.drawings.items():
            crossings = str(tried.qualities[name].crossings) if name in tried.qualities else "–"
            rows.append([f"{layers} layers", name, ms_text(drawing), crossings])
    workspace.report.table(["engine", "tool", "ms", "crossings"], rows)
