"""The source archive of the Python package: whoever has nothing else can build the wheel of it."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import tarfile

import pytest

from unmet import unmet

# What a build of the wheel reads; of the page, the built one (web/dist) is in the archive instead.
FOLDERS = ("cmake/", "data/", "include/", "python/", "src/")
FILES = ("CMakeLists.txt", "LICENSE", "README.md", "THIRD_PARTY.md", "pyproject.toml")


@pytest.fixture(scope="module")
def unpacked(dist, tmp_path_factory) -> pathlib.Path:
    (path,) = dist.glob("planex_explorer-*.tar.gz")
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")
    return folder / path.name.removesuffix(".tar.gz")


def test_every_source_is_in_it(unpacked, root):
    listed = subprocess.run(
        ["git", "ls-files"], cwd=root, check=True, capture_output=True, text=True
    )
    wanted = [
        name
        for name in listed.stdout.splitlines()
        if name in FILES or name.startswith(FOLDERS)
    ]
    assert len(wanted) > 500
    assert [name for name in wanted if not (unpacked / name).is_file()] == []
    assert (unpacked / "web/dist/report.html").stat().st_size > 200_000
    assert not (unpacked / "tests").exists()


def test_a_build_of_it_finds_all_it_names(unpacked, tmp_path):
    """Configured as scikit-build-core does it. Building it takes as long as planex itself."""
    if shutil.which("cmake") is None or shutil.which("ninja") is None:
        unmet("there is no CMake")
    on = ["CMAKE_UNITY_BUILD", "PLANEX_BUILD_PYTHON", "PLANEX_BUILD_SHARED"]
    command = ["cmake", "-S", unpacked, "-B", tmp_path, "-G", "Ninja"]
    command += ["-D", "PLANEX_BUILD_OPENVINO=OFF", *(f"-D{option}=ON" for option in on)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    planned = subprocess.run(
        ["ninja", "-C", tmp_path, "-n", "planex_python", "planex"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert planned.returncode == 0, planned.stdout + planned.stderr
