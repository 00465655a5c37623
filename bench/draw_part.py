"""The part draw: `planex draw` to SVG, of every real engine and of generated ones of any size."""

import dataclasses
import pathlib
import statistics
import subprocess

from engine_shapes import SHAPES
from measuring import Measurement, Skip, take_turns
from workspace import SHARED_DATA, SIZES, Workspace

# Names and options: what a large engine is folded to without options, and everything in it.
FOLDING = {"folded": [], "unfolded": ["--depth", "0"]}
SMALL, LARGE = 10_000, 100_000
# Beyond this many layers a drawing takes so long that fewer runs tell as much.
FEWER_RUNS_FROM = 30_000

LIMIT_REAL_MS = 100.0
LIMIT_SMALL_S = 1.0
LIMIT_LARGE_S = 10.0
LIMIT_LARGE_GB = 1.5
LIMIT_GROWTH = 1.3


@dataclasses.dataclass
class Drawn:
    """One engine, drawn several times."""

    what: str
    layers: int
    measurement: Measurement
    svg_bytes: int

    @property
    def ms(self) -> float:
        return min(self.measurement.wall_ms)

    @property
    def cpu_ms(self) -> float:
        return min(self.measurement.cpu_ms)


def draw_command(workspace: Workspace, engine: pathlib.Path, *options: str) -> list[str]:
    return [str(workspace.build / "planex"), "draw", str(engine), *options]


def can_draw(workspace: Workspace) -> bool:
    planex = workspace.build / "planex"
    if not planex.exists():
        return False
    return subprocess.run([planex, "draw", "--help"], capture_output=True).returncode == 0


def drawable_engines(workspace: Workspace) -> list[pathlib.Path]:
    """Real engines but those with nothing to draw: failed builds, logs without an engine."""
    folder = SHARED_DATA / "engines"
    if not folder.is_dir():
        raise Skip(f"no real engines in {SHARED_DATA}; set PLANEX_TEST_DATA")
    found = []
    for engine in sorted(folder.iterdir()):
        command = draw_command(workspace, engine, "-o", str(workspace.data / "probe.svg"))
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            found.append(engine)
        else:
            print(f"  not drawn: {engine.name}: {done.stderr.strip().splitlines()[0]}")
    (workspace.data / "probe.svg").unlink(missing_ok=True)
    return found


def draw(workspace: Workspace) -> None:
    if not can_draw(workspace):
        raise Skip("planex is not built, or has no verb draw")
    workspace.data.mkdir(parents=True, exist_ok=True)
    draw_real(workspace)
    draw_generated(workspace)


def drawn(
    workspace: Workspace, engine: pathlib.Path, what: str, layers: int, options: list[str]
) -> Drawn:
    picture = workspace.data / "drawing.svg"
    command = draw_command(workspace, engine, *options, "-o", str(picture))
    measurement = Measurement(f"draw {what}", command)
    take_turns(
        [measurement], min(workspace.runs, 3) if layers >= FEWER_RUNS_FROM else workspace.runs
    )
    workspace.report.measurements.append(measurement.as_json())
    result = Drawn(what, layers, measurement, picture.stat().st_size)
    picture.unlink()
    return result


def draw_real(workspace: Workspace) -> None:
    workspace.report.heading("Draw: real engines to SVG, everything in them, the ten slowest")
    all_drawn = [
        drawn(workspace, engine, engine.name, 0, FOLDING["unfolded"])
        for engine in drawable_engines(workspace)
    ]
    all_drawn.sort(key=lambda one: -one.ms)
    rows = [
        [
            one.what,
            f"{one.ms:.1f}",
            f"{statistics.median(one.measurement.wall_ms):.1f}",
            f"{one.cpu_ms:.1f}",
            f"{one.svg_bytes / 1e6:.2f}",
        ]
        for one in all_drawn[:10]
    ]
    workspace.report.table(["engine", "ms", "median ms", "CPU ms", "SVG MB"], rows)
    print()
    slowest = all_drawn[0]
    workspace.report.ratio(
        "draw-real",
        f"the slowest of {len(all_drawn)} real engines, {slowest.what}",
        slowest.ms,
        LIMIT_REAL_MS,
        " ms",
    )


def draw_generated(workspace: Workspace) -> None:
    start = Measurement("planex --version", [str(workspace.build / "planex"), "--version"])
    take_turns([start], workspace.runs)
    series: dict[str, dict[int, Drawn]] = {}
    rows = []
    for shape in SHAPES:
        for folding, options in FOLDING.items():
            what = f"{shape}, {folding}"
            series[what] = {}
            for layers in SIZES:
                engine = workspace.engine(layers, shape)
                one = drawn(workspace, engine, f"{what}, {layers} layers", layers, options)
                series[what][layers] = one
                rows.append(generated_row(what, one))
    workspace.report.heading("Draw: generated engines to SVG")
    header = [
        "engine",
        "layers",
        "ms",
        "median ms",
        "CPU ms",
        "CPU µs a layer",
        "peak MB",
        "SVG MB",
    ]
    workspace.report.table(header, rows)
    print()
    hold_limits(workspace, series, min(start.cpu_ms))


def generated_row(what: str, one: Drawn) -> list[str]:
    measurement = one.measurement
    return [
        what,
        f"{one.layers}",
        f"{one.ms:.0f}",
        f"{statistics.median(measurement.wall_ms):.0f}",
        f"{one.cpu_ms:.0f}",
        f"{one.cpu_ms / one.layers * 1e3:.1f}",
        f"{measurement.peak_bytes / 1e6:.0f}" if measurement.peak_is_its_own() else "–",
        f"{one.svg_bytes / 1e6:.1f}",
    ]


def hold_limits(workspace: Workspace, series: dict[str, dict[int, Drawn]], start_ms: float) -> None:
    """The worst of all shapes is named and held against each limit."""

    def growth(one: dict[int, Drawn]) -> float:
        """CPU time without that of an empty start: other work would look like growth."""
        return (one[LARGE].cpu_ms - start_ms) / (one[SMALL].cpu_ms - start_ms) / (LARGE / SMALL)

    for ident, what, figure, limit, unit in (
        ("draw-small", f"{SMALL} layers", lambda one: one[SMALL].ms / 1e3, LIMIT_SMALL_S, " s"),
        ("draw-large", f"{LARGE} layers", lambda one: one[LARGE].ms / 1e3, LIMIT_LARGE_S, " s"),
        (
            "draw-memory",
            f"peak memory, {LARGE} layers",
            lambda one: one[LARGE].measurement.peak_bytes / 1e9,
            LIMIT_LARGE_GB,
            " GB",
        ),
        (
            "draw-growth",
            f"CPU time a layer at {LARGE} over {SMALL} layers",
            growth,
            LIMIT_GROWTH,
            "",
        ),
    ):
        worst = max(series, key=lambda name: figure(series[name]))
        workspace.report.ratio(ident, f"{what}, {worst}", figure(series[worst]), limit, unit)
