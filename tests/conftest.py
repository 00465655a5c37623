"""What the tests of the command line share: the program, real engines, a way to run things.

PLANEX_BIN        the program under test, by default build/release/planex
PLANEX_TEST_DATA  real engines, by default ../shared/data; without them the tests that need
                  them are skipped, or fail where CI=true
"""

from __future__ import annotations

import functools
import json
import os
import pathlib
import subprocess
import unicodedata

import jsonschema
import pytest

from unmet import may_skip, unmet

ROOT = pathlib.Path(__file__).resolve().parent.parent


def _fail_skipped(report):
    """In CI what is skipped fails, unless tests/may_skip.txt has the reason."""
    if report.outcome != "skipped" or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    if not may_skip(reason):
        report.outcome = "failed"
        report.longrepr = f"skipped, which CI does not allow: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    report = yield
    _fail_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    report = yield
    _fail_skipped(report)
    return report


def pytest_addoption(parser):
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden files instead of comparing"
    )


@pytest.fixture(scope="session")
def root() -> pathlib.Path:
    return ROOT


@pytest.fixture(scope="session")
def planex_bin() -> pathlib.Path:
    path = pathlib.Path(os.environ.get("PLANEX_BIN", ROOT / "build/release/planex")).resolve()
    if not path.exists():
        pytest.fail(f"no program to test: {path} (build it, or set PLANEX_BIN)")
    return path


@pytest.fixture(scope="session")
def data() -> pathlib.Path:
    path = pathlib.Path(os.environ.get("PLANEX_TEST_DATA", ROOT.parent / "shared/data")).resolve()
    if not (path / "engines").is_dir():
        unmet(f"no real engines in {path} (set PLANEX_TEST_DATA)")
    return path


@pytest.fixture(scope="session")
def engines(data) -> pathlib.Path:
    return data / "engines"


def clean_environment(extra: dict[str, str] | None = None) -> dict[str, str]:
    """The environment without what changes the program's output."""
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
    environment["TERM"] = "xterm-256color"
    return environment | (extra or {})


@pytest.fixture(scope="session")
def planex(planex_bin):
    """planex(*words, cwd=…, env=…, code=0): runs the program, checks its exit code."""

    def run(*words, cwd=None, env=None, code=0, timeout=120) -> subprocess.CompletedProcess:
        result = subprocess.run(
            [str(planex_bin), *map(str, words)],
            cwd=cwd,
            env=clean_environment(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=timeout,
            check=False,
        )
        if code is not None:
            said = f"{words}\nstdout: {result.stdout[:2000]}\nstderr: {result.stderr[:2000]}"
            assert result.returncode == code, said
        return result

    return run


@pytest.fixture(scope="session")
def display_width():
    """Cells that a line takes in a terminal."""

    def width(line: str) -> int:
        cells = 0
        for character in line:
            if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me"):
                continue
            cells += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        return cells

    return width


def every_file(folder: pathlib.Path) -> list[pathlib.Path]:
    return sorted(path for path in folder.rglob("*") if not path.is_dir())


@pytest.fixture(scope="session")
def files_in():
    return every_file


def strict(schema):
    """The published schema allows keys that a later version adds; here all must be described."""
    if isinstance(schema, dict):
        schema = {key: strict(value) for key, value in schema.items()}
        if schema.get("type") == "object" and "properties" in schema:
            schema["additionalProperties"] = False
    elif isinstance(schema, list):
        schema = [strict(value) for value in schema]
    return schema


@pytest.fixture(scope="session")
def schema_of(root, planex):
    """The published JSON Schema of a kind of document: `lint`, `explain-speed`."""

    @functools.cache
    def schema(kind: str) -> dict:
        # Documents that people write have theirs in the repository.
        path = root / f"docs/reference/json/{kind}.schema.json"
        text = path.read_text("utf-8") if path.is_file() else planex("schema", kind).stdout
        schema = json.loads(text)
        jsonschema.Draft202012Validator.check_schema(schema)
        return schema

    return schema


@pytest.fixture(scope="session")
def valid(schema_of):
    """Parses JSON and checks it against the published schema of its kind."""

    def no_duplicates(pairs):
        assert len({key for key, _ in pairs}) == len(pairs), f"a key twice in {pairs}"
        return dict(pairs)

    def no_constant(name):
        raise AssertionError(f"{name} is no JSON")

    def check(text: str, kind: str):
        document = json.loads(text, object_pairs_hook=no_duplicates, parse_constant=no_constant)
        schema = schema_of(kind)
        jsonschema.Draft202012Validator(strict(schema)).validate(document)
        assert next(iter(document)) == "schema", "the schema's name comes first"
        assert document["schema"] == schema["$id"]
        return document

    return check
