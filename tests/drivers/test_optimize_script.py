"""What `planex optimize` leaves to have the best without planex, in ONNX Runtime."""

import json
import subprocess


def test_the_script_runs_what_was_found(planex, models, drivers_python, tmp_path):
    best = tmp_path / "best"
    words = ["--engine", "onnxruntime", "--python", drivers_python, "--try", "options"]
    words += ["--flag=--optimization", "--flag=basic", "--flag=--duration-ms", "--flag=50"]
    planex("optimize", models / "small.onnx", *words, "--budget", "0.01s", "-o", best)
    assert json.loads((best / "optimize.json").read_text("utf-8"))["first"]["median_ms"] > 0
    text = (best / "reproduce.py").read_text("utf-8")
    assert "ORT_ENABLE_BASIC" in text
    done = subprocess.run(
        [drivers_python, best / "reproduce.py"],
        check=True,
        capture_output=True,
        encoding="utf-8",
        cwd="/",
    )
    assert float(done.stdout.split()[0]) > 0
