"""planex export as Parquet and Arrow: by the wheel's program, read back by others."""

from __future__ import annotations

import io
import json
import math
import os
import pathlib
import signal
import subprocess
import sys

import duckdb
import polars
import pyarrow
import pyarrow.parquet
import pytest

import planex
from planex import _export

ENGINES = pathlib.Path("examples/engines")
QAT, RESIDUAL = ENGINES / "resnet18-a100-qat", ENGINES / "resnet18-a100-qat-residual"
FORMATS = ["parquet", "arrow"]
PROGRAM = pathlib.Path(sys.executable).parent / "planex"


def export(*words: object, code: int = 0) -> subprocess.CompletedProcess[bytes]:
    """The program of this environment, which is not on the PATH."""
    environment = os.environ | {"PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [PROGRAM, "export", *map(str, words)], env=environment, capture_output=True, check=False
    )
    assert done.returncode == code, done.stderr.decode()
    return done


def read(path: object, format: str) -> pyarrow.Table:
    if format == "parquet":
        return pyarrow.parquet.read_table(path)
    return pyarrow.ipc.open_file(path).read_all()


def json_lines(*words: object) -> list[dict[str, object]]:
    said = export(*words, "--format", "jsonl").stdout.decode()
    return [json.loads(line) for line in said.splitlines()]


@pytest.mark.parametrize("format", FORMATS)
def test_every_table_is_what_json_lines_say(tmp_path, format):
    export(QAT, "--format", format, "-o", f"{tmp_path}/")
    export(QAT, "--format", "jsonl", "-o", f"{tmp_path}/json/")
    expected = sorted((tmp_path / "json").iterdir())
    assert len(expected) > 15
    assert len(list(tmp_path.glob(f"*.{format}"))) == len(expected)
    for file in expected:
        table = read(tmp_path / f"{file.stem}.{format}", format)
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        assert table.num_rows == len(rows)
        assert table.to_pylist() == rows, file.stem
        assert table.schema.metadata[b"planex"].decode() == planex.__version__
        assert table.schema.metadata[b"table"].decode() == file.stem


@pytest.mark.parametrize("format", FORMATS)
def test_of_several_engines_the_first_column_names_them(format):
    words = (QAT, RESIDUAL, "--table", "work_layers")
    table = read(io.BytesIO(export(*words, "--format", format).stdout), format)
    assert table.to_pylist() == json_lines(*words)
    assert table.column_names[0] == "engine"
    assert set(table["engine"].to_pylist()) == {"qat", "qat-residual"}


def test_units_and_descriptions_are_in_the_file(tmp_path, engine):
    for format in FORMATS:
        path = tmp_path / f"layers.{format}"
        export(QAT, "-o", path)
        for field in read(path, format).schema:
            column = engine.layers.schema[field.name]
            said = {key.decode(): text.decode() for key, text in (field.metadata or {}).items()}
            assert said.get("unit", "") == column.unit
            assert said.get("description", "") == column.description


def test_polars_and_duckdb_read_it(tmp_path):
    export(QAT, "-o", tmp_path / "layers.parquet")
    export(QAT, "-o", tmp_path / "layers.arrow")
    times = [row["median_ms"] for row in json_lines(QAT) if row["median_ms"] is not None]
    frame = polars.read_parquet(tmp_path / "layers.parquet")
    assert frame.equals(polars.read_ipc(tmp_path / "layers.arrow"))
    assert frame["median_ms"].drop_nulls().to_list() == times
    query = f"SELECT sum(median_ms), count(*) FROM '{tmp_path}/layers.parquet'"  # noqa: S608
    total, count = duckdb.sql(query).fetchall()[0]
    assert math.isclose(total, sum(times))
    assert count == 37


def test_an_error_is_that_of_the_command_line(tmp_path):
    for words, code, said in [
        (("no-such", "-o", tmp_path / "x.parquet"), 3, "no-such"),
        ((QAT, "-o", tmp_path / "no/x.parquet"), 3, "can't write the file"),
        ((QAT, "--run", "7", "-o", tmp_path / "x.parquet"), 2, "run"),
    ]:
        done = export(*words, code=code)
        assert done.stderr.decode().startswith("error: ")
        assert said in done.stderr.decode()
        assert done.stdout == b""
    assert not list(tmp_path.iterdir())
    with open("/dev/full", "wb") as full:
        words = ["export", str(QAT), "--format", "parquet"]
        done = subprocess.run([PROGRAM, *words], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 3
    assert b"can't write the file" in done.stderr


def test_an_input_is_not_overwritten(tmp_path):
    graph = next(QAT.glob("*.graph.json"))
    copy = tmp_path / "graph.arrow"
    copy.write_bytes(graph.read_bytes())
    done = export(copy, "-o", copy, code=2)
    assert b"would overwrite an input" in done.stderr
    assert copy.read_bytes() == graph.read_bytes()


def test_a_link_and_permissions_stay(tmp_path):
    file, link = tmp_path / "file.parquet", tmp_path / "link.parquet"
    file.write_bytes(b"old")
    file.chmod(0o600)
    link.symlink_to(file)
    export(QAT, "-o", link)
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o600
    assert pyarrow.parquet.read_table(file).num_rows == 37
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file.parquet", "link.parquet"]


def test_stopped_half_way_nothing_is_left(tmp_path):
    code = (
        "import os, signal, sys; from planex import _export\n"
        "def stopped(*given): os.kill(os.getpid(), signal.SIGTERM)\n"
        "_export._write = stopped\n"
        "sys.exit(_export.main(sys.argv[1:]))"
    )
    words = ["--format", "parquet", "--output", tmp_path / "x.parquet", "--", f"path={QAT}"]
    done = subprocess.run([sys.executable, "-c", code, *words], check=False)
    assert done.returncode == -signal.SIGTERM
    assert not list(tmp_path.iterdir())


def test_without_pyarrow_the_error_says_what_installs_it():
    code = (
        "import sys; sys.modules['pyarrow'] = None; from planex import _export\n"
        "sys.exit(_export.main(sys.argv[1:]))"
    )
    words = ["--format", "parquet", "--", f"path={QAT}"]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, check=False)
    assert done.returncode == 3
    assert b"planex-explorer[parquet]" in done.stderr


def test_the_words_are_those_of_an_engine():
    with pytest.raises(planex.UsageError):
        _export._engines(["name=x", f"path={QAT}"])
    with pytest.raises(planex.UsageError):
        _export._engines([f"path={QAT}", "no-such=1"])
