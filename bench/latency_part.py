"""The part latency: what planex-openvino measures, beside OpenVINO's own benchmark_app."""

import json
import pathlib
import statistics
import subprocess

from benchmark_app import Settings, app_latency, find_programs, resnet18
from workspace import Workspace

LIMIT_LATENCY_DEVIATION = 0.02


def latency(workspace: Workspace) -> None:
    driver, app = find_programs(workspace, "planex-openvino")
    model = resnet18(workspace)
    scratch = workspace.data / "latency"
    scratch.mkdir(parents=True, exist_ok=True)
    seconds = 3
    medians: dict[str, list[float]] = {"planex-openvino": [], "benchmark_app": []}
    for _ in range(workspace.runs):
        medians["planex-openvino"].append(driver_latency(driver, model, scratch, seconds))
        medians["benchmark_app"].append(app_latency(app, model, scratch, seconds, Settings()))
    workspace.report.heading(
        f"Latency: ResNet-18, FP32, batch 1, one thread; medians of {seconds} s each, in turn"
    )
    rows = []
    for name, values in medians.items():
        workspace.report.measurements.append(
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
    workspace.report.table(["program", "median ms", "min", "max", "runs"], rows)
    print()
    ours, theirs = medians["planex-openvino"], medians["benchmark_app"]
    pairs = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    print(f"  planex-openvino / benchmark_app, median of pairs: {pairs:.4f}")
    fastest = min(ours) / min(theirs)
    print(f"  planex-openvino / benchmark_app, fastest runs: {fastest:.4f}")
    workspace.report.ratio(
        "driver-latency",
        "deviation from benchmark_app, fastest runs",
        abs(fastest - 1) * 100,
        LIMIT_LATENCY_DEVIATION * 100,
        " %",
    )


def driver_latency(driver: str, model: pathlib.Path, scratch: pathlib.Path, seconds: int) -> float:
    prefix = scratch / "driver"
    command = [driver, "--model", str(model), "--out", str(prefix), "--threads", "1"]
    # Counters are not what is measured here: as few inferences with them as there can be.
    command += ["--precision", "f32", "--duration-ms", str(seconds * 1000), "--rounds", "1"]
    command += ["--round-iterations", "1", "--round-warmup", "0"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    times = json.loads(pathlib.Path(f"{prefix}.times.json").read_text(encoding="utf-8"))
    return statistics.median(times["columns"]["latency_ms"])
