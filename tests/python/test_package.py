"""What is in the wheel, how quickly it is there, and what it needs."""

from __future__ import annotations

import importlib.metadata
import json
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import pytest

import planex

WHEEL = os.environ.get("PLANEX_WHEEL_FILE")


def test_the_program_is_on_the_path_and_of_the_same_version():
    program = shutil.which("planex", path=str(pathlib.Path(sys.executable).parent))
    assert program is not None
    said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True)
    assert said.stdout == f"planex {planex.__version__}\n"
    assert importlib.metadata.version("planex-explorer") == planex.__version__


def test_the_page_is_in_it(tmp_path, engine):
    program = pathlib.Path(sys.executable).parent / "planex"
    path = tmp_path / "report.html"
    subprocess.run(
        [program, "report", "examples/engines/resnet18-a100-qat", "-o", path], check=True
    )
    # Without the page it would be a few lines that say so.
    assert path.stat().st_size > 200_000
    assert abs(len(engine.report().html) - len(path.read_text(encoding="utf-8"))) < 2000


@pytest.mark.skipif(WHEEL is None, reason="no wheel is named")
def test_the_wheel_has_what_it_should_and_nothing_else():
    assert WHEEL is not None
    assert "-cp310-abi3-" in WHEEL
    with zipfile.ZipFile(WHEEL) as archive:
        names = archive.namelist()
    files = {name.split("/", 1)[1] for name in names if name.startswith("planex/")}
    assert {"__init__.py", "py.typed", "_core.abi3.so", "_core.pyi"} <= files
    assert any(name.endswith(".data/scripts/planex") for name in names)
    assert any(name.endswith("/LICENSE") for name in names)
    assert any(name.endswith("/THIRD_PARTY.md") for name in names)
    tops = {name.split("/")[0] for name in names}
    version = planex.__version__
    assert tops <= {
        "planex",
        f"planex_explorer-{version}.dist-info",
        f"planex_explorer-{version}.data",
    }
    assert pathlib.Path(WHEEL).stat().st_size < 20_000_000


@pytest.mark.skipif(WHEEL is None, reason="no wheel is named")
def test_the_wheel_runs_on_the_systems_that_its_name_says():
    assert WHEEL is not None
    platform = pathlib.Path(WHEEL).stem.split("-")[-1]
    if not platform.startswith("manylinux"):
        pytest.skip("a wheel for this system")
    auditwheel = shutil.which("auditwheel")
    if auditwheel is None:
        pytest.skip("no auditwheel")
    said = subprocess.run(
        [auditwheel, "show", "--json", WHEEL], check=True, capture_output=True, text=True
    )
    found = json.loads(said.stdout)
    assert found["sym_tag"] == platform
    assert not found["unsupported_isa"]
    # OpenVINO's own wheel has it, or the driver is not started.
    assert {name.split(".")[0] for name in found["external_libs"]} <= {"libopenvino"}
    # A name without a version is found here, and nowhere else.
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("no nm")
    module = pathlib.Path(planex.__file__).parent / "_core.abi3.so"
    table = subprocess.run([nm, "-D", "--undefined-only", module], capture_output=True, text=True)
    names = [line.split()[-1] for line in table.stdout.splitlines() if line.split()[0] == "U"]
    assert [name for name in names if "@" not in name and not name.startswith(("Py", "_Py"))] == []


@pytest.mark.skipif(WHEEL is None, reason="no wheel is named")
def test_the_wheel_has_the_notices_of_what_is_linked_into_it():
    assert WHEEL is not None
    with zipfile.ZipFile(WHEEL) as archive:
        notices = [name for name in archive.namelist() if name.startswith("planex/notices/")]
    if "manylinux" in WHEEL:
        assert {"planex/notices/libfmt-dev.txt", "planex/notices/libre2-dev.txt"} <= set(notices)


def test_import_is_quick_and_brings_nothing_along():
    code = (
        "import sys, time; a = time.process_time(); import planex; b = time.process_time();"
        "heavy = {'pandas', 'polars', 'pyarrow', 'numpy', 'IPython', 'openvino'};"
        "assert not heavy & set(sys.modules); print(b - a)"
    )
    times = []
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True
        )
        times.append(float(done.stdout))
    assert min(times) <= 0.1


def test_only_symbols_of_the_interface_are_exported():
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("no nm")
    module = pathlib.Path(planex.__file__).parent / "_core.abi3.so"
    table = subprocess.run([nm, "-D", "--defined-only", module], capture_output=True, text=True)
    names = {line.split()[-1] for line in table.stdout.splitlines()}
    assert names == {"PyInit__core"}


def test_a_large_engine_becomes_a_frame(tmp_path):
    """How fast: bench/python_package.py."""
    maker = pathlib.Path("bench/make_engine.py")
    prefix = tmp_path / "large"
    command = [sys.executable, maker, "--layers", "100000", "--output", prefix]
    subprocess.run(command, check=True)
    assert len(planex.open(prefix).layers.to_pandas()) >= 100_000


def test_openvino_driver_says_what_is_missing():
    if planex._run.openvino_libraries() is not None:
        pytest.skip("OpenVINO is installed")
    with pytest.raises(planex.NotFoundError, match="not installed") as caught:
        planex.process("model.onnx")
    assert "planex-explorer[openvino]" in caught.value.hint
    program = pathlib.Path(sys.executable).parent / "planex-openvino"
    said = subprocess.run([program, "--help"], capture_output=True, text=True)
    assert said.returncode == 4
    assert "planex-explorer[openvino]" in said.stderr
