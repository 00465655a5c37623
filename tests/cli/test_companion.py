"""planex mcp, and export as Parquet: the program hands over to programs of the Python package."""

from __future__ import annotations

import itertools
import os
import pathlib
import shutil
import signal
import subprocess
import time

import pytest

PLAN = "resnet18-a100-qat"
# Says what it was given and reads its input, as a server on standard input does.
STAND_IN = """#!/bin/sh
printf '%s\\n' "$@"
printf 'from %s\\n' "$0" >&2
if [ "$1" = --wait ] || [ "$2" = wait ]; then exec sleep 60; fi
cat
exit 7
"""


@pytest.fixture
def place(tmp_path, planex_bin):
    """A folder with the program; beside(name) and on_path(name) put a stand-in there."""
    return Place(tmp_path, planex_bin)


class Place:
    def __init__(self, folder: pathlib.Path, program: pathlib.Path):
        self.folder = folder
        self.bin = folder / "bin"
        self.elsewhere = folder / "elsewhere"
        self.bin.mkdir()
        self.elsewhere.mkdir()
        shutil.copy(program, self.bin / "planex")
        (folder / "wait").mkdir()

    def beside(self, name: str) -> None:
        self._stand_in(self.bin / name)

    def on_path(self, name: str) -> None:
        self._stand_in(self.elsewhere / name)

    def _stand_in(self, path: pathlib.Path) -> None:
        path.write_text(STAND_IN)
        path.chmod(0o755)

    def start(self, *words: object, path: str | None = None, **more) -> subprocess.Popen:
        environment = dict(os.environ) | {"PATH": path or f"{self.elsewhere}:/usr/bin:/bin"}
        return subprocess.Popen(
            [str(self.bin / "planex"), *map(str, words)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **more,
        )

    def run(self, *words: object, **more) -> tuple[int, str, str]:
        process = self.start(*words, **more)
        out, err = process.communicate("said\n", timeout=60)
        return process.returncode, out, err


def test_input_output_and_exit_code_are_the_companions(place):
    place.beside("planex-mcp")
    code, out, err = place.run("mcp", "r/", "a b")
    assert (code, out) == (7, "--\nr/\na b\nsaid\n")
    assert err == f"from {place.bin}/planex-mcp\n"


def test_where_results_go_is_passed_on(place):
    place.beside("planex-mcp")
    said = place.run("mcp", "r/", "--max-budget", "5m", "--write", "a b")
    assert said[:2] == (7, "--write=a b\n--max-budget=5m\n--\nr/\nsaid\n")
    code, out, err = place.run("mcp", "r/", "--max-budget", "5m")
    assert (code, out) == (2, "")
    assert "--write" in err


def test_the_one_beside_planex_comes_first(place):
    place.on_path("planex-mcp")
    assert place.run("mcp", "r/")[2] == f"from {place.elsewhere}/planex-mcp\n"
    place.beside("planex-mcp")
    assert place.run("mcp", "r/")[2] == f"from {place.bin}/planex-mcp\n"
    # As pipx and uv put it on the PATH: a link.
    link = place.folder / "link"
    link.symlink_to(place.bin / "planex")
    said = subprocess.run([link, "mcp", "r/"], capture_output=True, text=True, input="")
    assert said.stderr == f"from {place.bin}/planex-mcp\n"


def test_signals_reach_it(place):
    place.beside("planex-mcp")
    process = place.start("mcp", "wait")
    process.stdout.readline()
    time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == -signal.SIGTERM
    process.communicate()


@pytest.mark.parametrize(
    ("words", "program", "extra"),
    [
        (["mcp", "runs/"], "planex-mcp", "mcp"),
        (["export", "run/", "-o", "x.parquet"], "planex-export", "parquet"),
        (["export", "run/", "--format", "arrow", "-o", "x/"], "planex-export", "parquet"),
    ],
)
def test_without_it_the_error_has_the_command_that_installs_it(place, words, program, extra):
    code, out, err = place.run(*words)
    assert (code, out) == (3, "")
    assert err == (
        f"error: {program}, from the Python package, is neither next to planex nor on the PATH\n"
        f"  python3 -m pip install 'planex-explorer[{extra}]'\n"
    )
    # Nothing on the PATH, and no PATH that means the current folder.
    (place.folder / program).write_text(STAND_IN)
    (place.folder / program).chmod(0o755)
    assert place.run(*words, path=":", cwd=place.folder)[0] == 3


def test_one_that_cannot_be_started(place):
    (place.bin / "planex-mcp").write_text("no program")
    code, _, err = place.run("mcp", "runs/")
    assert code == 4
    assert err.startswith(f"error: {place.bin}/planex-mcp: can't start it: ")


def test_export_hands_over_engines_and_tables(place, engines):
    place.beside("planex-export")
    plan = engines / PLAN

    def words(*given: object) -> list[str]:
        code, out, err = place.run("export", *given)
        assert code == 7, err
        return out.splitlines()[:-1]

    assert words(plan, "--format", "parquet") == ["--format", "parquet", "--", f"path={plan}"]
    assert words("a", "b", "-o", "x.arrow", "--table", "ports") == (
        ["--format", "arrow", "--output", "x.arrow", "--table", "ports", "--", "path=a", "path=b"]
    )
    named = ["--graph", "g=h", "--profile", "1", "--name", "N", "--run", "2", "--model", "m"]
    assert words("a", "-o", "x.parquet", *named)[4:] == [
        "--",
        *["path=a", "graph=g=h", "profile-index=1", "run=2", "model=m", "name=N"],
    ]
    whole = words("a", "--format", "parquet", "-o", f"{place.folder}/")
    assert whole[:4] == ["--format", "parquet", "--folder", f"{place.folder}/"]
    tables = [word for before, word in itertools.pairwise(whole) if before == "--table"]
    assert {"layers", "work_layers", "ports", "bindings"} <= set(tables)


@pytest.mark.parametrize(
    "words",
    [
        ["a", "--format", "parquet", "--table", "no_such", "-o", "x/"],
        ["a", "--format", "parquet", "--table", "layers", "--table", "ports", "-o", "x.parquet"],
        ["a", "b", "--name", "x", "-o", "x.parquet"],
        ["--format", "parquet"],
    ],
)
def test_usage_is_checked_before_it_starts(place, words):
    place.beside("planex-export")
    code, out, err = place.run("export", *words)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
