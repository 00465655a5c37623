"""The static program, in a root that holds nothing but it and engines.

It must say and write what the ordinary program does, of every engine there is.
"""

from __future__ import annotations

import io
import os
import pathlib
import shutil
import subprocess
import zipfile

import pytest

from unmet import unmet

VERBS = {
    "summary": [],
    "lint": ["--all"],
    "report": ["--output", "out/report.html"],
    "export": ["--format", "xlsx", "--output", "out/workbook.xlsx"],
}


class Root:
    """A folder to run both programs in: one with it as its root, one beside it."""

    def __init__(self, path: pathlib.Path, ordinary: pathlib.Path):
        self.path = path
        self.ordinary = ordinary
        chroot = shutil.which("chroot", path="/usr/sbin:/usr/bin:/sbin:/bin") or "chroot"
        self.enter = [chroot] if os.geteuid() == 0 else ["unshare", "--map-root-user", chroot]

    def run(self, command: list[str], **options) -> subprocess.CompletedProcess:
        (self.path / "out").mkdir(exist_ok=True)
        return subprocess.run(
            command,
            cwd=self.path,
            env={"TERM": "dumb"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
            check=False,
            **options,
        )

    def run_static(self, *words: str) -> subprocess.CompletedProcess:
        return self.run([*self.enter, str(self.path), "/planex", *words])

    def run_ordinary(self, *words: str) -> subprocess.CompletedProcess:
        return self.run([str(self.ordinary), *words])

    def outputs(self) -> dict[str, bytes]:
        """What is in out/, which is emptied."""
        files = {path.name: path.read_bytes() for path in (self.path / "out").iterdir()}
        shutil.rmtree(self.path / "out")
        return files


def engine_folders(data: pathlib.Path) -> list[pathlib.Path]:
    parts = [data / "engines", data / "engines-2"]
    return sorted(path for part in parts for path in part.iterdir() if path.is_dir())


@pytest.fixture(scope="module")
def root(static_bin, planex_bin, data, tmp_path_factory) -> Root:
    path = tmp_path_factory.mktemp("root")
    shutil.copy(static_bin, path / "planex")
    for folder in engine_folders(data):
        shutil.copytree(folder, path / "engines" / folder.name)
    made = Root(path, planex_bin)
    entered = made.run_static("--version")
    if entered.returncode != 0:
        unmet(f"can't run with another root here: {entered.stderr.decode()}")
    return made


def pytest_generate_tests(metafunc):
    """Every engine by name; the data may be absent where tests are collected."""
    if "engine" not in metafunc.fixturenames:
        return
    here = pathlib.Path(__file__).resolve().parents[2]
    data = pathlib.Path(os.environ.get("PLANEX_TEST_DATA", here.parent / "shared/data"))
    names = [path.name for path in engine_folders(data)] if (data / "engines").is_dir() else []
    metafunc.parametrize("engine", names or ["none"])


def test_needs_no_library(static_bin):
    said = subprocess.run(["ldd", static_bin], capture_output=True, text=True, check=False)
    assert "=>" not in said.stdout + said.stderr


def test_png_is_refused(root):
    result = root.run_static("draw", "engines/resnet18-a100-qat", "--output", "out/drawing.png")
    assert result.returncode == 3
    assert b"can't make PNG or PDF" in result.stderr and b"SVG" in result.stderr
    assert not root.outputs()


def test_every_engine_is_tried(data):
    assert len(engine_folders(data)) >= 52


def without_time(name: str, content: bytes) -> object:
    """A workbook says when it was written."""
    if not name.endswith(".xlsx"):
        return content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {part: archive.read(part) for part in archive.namelist() if "core" not in part}


def test_same_as_the_ordinary_program(root, engine):
    for verb, options in VERBS.items():
        words = [verb, f"engines/{engine}", *options]
        ordinary = root.run_ordinary(*words)
        wanted = root.outputs()
        static = root.run_static(*words)
        found = root.outputs()
        assert (static.returncode, static.stdout) == (ordinary.returncode, ordinary.stdout), verb
        assert static.stderr == ordinary.stderr, verb
        assert found.keys() == wanted.keys(), verb
        assert bool(found) == ("--output" in options and static.returncode == 0), verb
        for name, content in found.items():
            # Reports are megabytes, of which pytest would tell all that differs.
            is_same = without_time(name, content) == without_time(name, wanted[name])
            assert is_same, (verb, name)


def test_archive(root, engine):
    folder = root.path / "engines" / engine
    archive = pathlib.Path(shutil.make_archive(str(root.path / engine), "zip", folder))
    try:
        ordinary = root.run_ordinary("summary", archive.name)
        static = root.run_static("summary", archive.name)
        assert (static.returncode, static.stdout) == (ordinary.returncode, ordinary.stdout)
        assert static.stderr == ordinary.stderr
    finally:
        archive.unlink()
