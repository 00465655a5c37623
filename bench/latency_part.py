"""The part latency: what planex-openvino measures, beside OpenVINO's own benchmark_app."""

import json
import pathlib
import shutil
import statistics
import subprocess

from measuring import Skip
from workspace import ROOT, Workspace

LIMIT_LATENCY_DEVIATION = 0.02


def latency(workspace: Workspace) -> None:
    driver = workspace.build / "planex-openvino"
    app = shutil.which("benchmark_app", path=str(ROOT / ".venv/bin")) or shutil.which(
        "benchmark_app"
    )
    if not driver.exists():
        raise Skip("planex-openvino is not built (PLANEX_BUILD_OPENVINO)")
    if app is None:
        raise Skip("OpenVINO's benchmark_app is not installed (make setup)")
    model = workspace.data / "resnet18-fp32.onnx"
    if not model.exists():
        python = ROOT / ".venv/bin/python"
        maker = ROOT / "examples/resnet18/make_resnet18.py"
        command = [str(python), str(maker), "--variant", "fp32", "-o", str(workspace.data)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    scratch = workspace.data / "latency"
    scratch.mkdir(parents=True, exist_ok=True)
    seconds = 3
    medians: dict[str, list[float]] = {"planex-openvino": [], "benchmark_app": []}
    for _ in range(workspace.runs):
        medians["planex-openvino"].append(driver_latency(driver, model, scratch, seconds))
        medians["benchmark_app"].append(app_latency(app, model, scratch, seconds))
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


def app_latency(app: str, model: pathlib.Path, scratch: pathlib.Path, seconds: int) -> float:
    # The settings that planex-openvino makes (src/drive/openvino_driver/run.cc).
    command = [app, "-m", str(model), "-d", "CPU", "-hint", "none", "-nstreams", "1"]
    command += ["-nthreads", "1", "-infer_precision", "f32", "-pin", "NO", "-api", "sync"]
    command += ["-nireq", "1", "-t", str(seconds), "-json_stats"]
    command += ["-report_type", "no_counters", "-report_folder", str(scratch)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    text = (scratch / "benchmark_report.json").read_text(encoding="utf-8")
    return float(json.loads(text)["execution_results"]["latency (ms)"])
