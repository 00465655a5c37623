"""Running OpenVINO from Python: the driver of the wheel with the libraries of OpenVINO's own.

PLANEX_OPENVINO_SITE  a folder that has OpenVINO's package; without it nothing here runs
PLANEX_TINY_MODEL     a small model, as ONNX
"""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import planex

SITE = os.environ.get("PLANEX_OPENVINO_SITE")
MODEL = os.environ.get("PLANEX_TINY_MODEL", "")
SHORT = ["--iterations", "30", "--duration-ms", "50", "--profile-ms", "100"]

pytestmark = pytest.mark.skipif(SITE is None, reason="OpenVINO is not here")


@pytest.mark.usefixtures("openvino")
def test_a_model_becomes_an_engine(tmp_path):
    told: list[tuple[str, str, float]] = []
    engine = planex.process(
        MODEL,
        tmp_path / "run",
        shapes={"input": (2, 3, 8, 8)},
        threads=1,
        flags=SHORT,
        progress=lambda *step: told.append(step),
    )
    assert engine.summary().engine.producer == "openvino"
    assert engine.bindings.to_pylist()[0]["dims"] == [2, 3, 8, 8]
    assert len(engine.iterations) == 30
    assert {phase for _, phase, _ in told} >= {"read", "compile", "time", "profile"}
    assert all(engine_id == "openvino" and 0 <= done <= 1 for engine_id, _, done in told)
    assert "LD_LIBRARY_PATH" not in os.environ or SITE not in os.environ["LD_LIBRARY_PATH"]


@pytest.mark.usefixtures("openvino")
def test_an_exception_in_progress_stops_the_work(tmp_path):
    class StopError(Exception):
        pass

    def stop(engine: str, phase: str, done: float) -> None:
        raise StopError

    with pytest.raises(StopError):
        planex.process(MODEL, tmp_path / "run", progress=stop)
    assert not list(tmp_path.glob("run/*.graph.json"))


@pytest.mark.usefixtures("openvino")
def test_what_the_driver_says_is_in_the_error(tmp_path):
    with pytest.raises(planex.PlanexError, match="--no-such-flag"):
        planex.process(MODEL, tmp_path / "run", flags=["--no-such-flag", "1"], progress=None)
    with pytest.raises(planex.NotFoundError):
        planex.process(tmp_path / "no.onnx", tmp_path / "run", progress=None)


def run_program(environment: dict[str, str], folder: pathlib.Path) -> str:
    program = pathlib.Path(sys.executable).parent / "planex"
    command = [program, "process", MODEL, "-o", folder, "--", *SHORT]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_program_runs_it_too(tmp_path):
    assert SITE is not None
    out = run_program({**os.environ, "PYTHONPATH": SITE}, tmp_path / "run")
    assert "manifest.json" in out


def test_beside_the_package_the_driver_needs_no_help(tmp_path):
    """As `pip install planex-explorer[openvino]` puts them: one folder for both packages."""
    assert SITE is not None
    package = pathlib.Path(planex.__file__).parent
    shutil.copytree(package, tmp_path / "site/planex")
    (tmp_path / "site/openvino").symlink_to(pathlib.Path(SITE, "openvino"))
    driver = tmp_path / "site/planex/bin/planex-openvino"
    environment = {key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"}
    said = subprocess.run([driver, "--version"], env=environment, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    assert "OpenVINO" in said.stdout
