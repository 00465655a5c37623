"""Data sets: every layer of every engine, with keys; what is finished is not done again."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import planex

QAT, RESIDUAL = "resnet18-a100-qat", "resnet18-a100-qat-residual"


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "runs"
    shutil.copytree("examples/engines", root / "examples")
    shutil.copytree("tests/data/openvino/tiny-fp32", root / "tiny")
    return root


def test_the_layers_are_those_of_the_engines(folder):
    dataset = planex.Dataset(folder)
    built = dataset.build()
    assert built == (11, 11, 0, 0, 0)
    rows = dataset.to_arrow().to_pylist()
    by_engine: dict[str, list] = {}
    for row in rows:
        by_engine.setdefault(row["engine"], []).append(row)
    found = {os.path.relpath(row.path, folder) for row in planex.find(folder)}
    assert by_engine.keys() == found
    for name, layers in by_engine.items():
        expected = planex.open(folder / name).work_layers.to_pylist()
        keys = len(layers[0]) - len(expected[0])
        assert [dict(list(row.items())[keys:]) for row in layers] == expected


def test_keys_are_what_the_files_say_or_null(folder):
    dataset = planex.Dataset(folder)
    dataset.build()
    tiny = dataset.sql("SELECT * FROM layers WHERE engine = 'tiny' LIMIT 1").to_arrow_table()
    row = tiny.to_pylist()[0]
    manifest = json.loads((folder / "tiny/manifest.json").read_text())
    assert row["model"] == manifest["model"]["path"]
    assert row["model_sha256"] == manifest["model"]["sha256"]
    assert "planex-openvino" in row["build"]
    assert (row["producer"], row["device"]) == ("openvino", "AMD EPYC")
    assert row["git"] is row["date"] is None
    manifest |= {"git": {"commit": "abc"}, "date": "2026-01-02", "model": [1]}
    (folder / "tiny/manifest.json").write_text(json.dumps(manifest))
    assert dataset.build().read == 1
    tiny = dataset.sql("SELECT git, date, model FROM layers WHERE engine = 'tiny'")
    assert tiny.fetchall()[0] == ("abc", "2026-01-02", None)


def test_only_what_changed_is_read_again(folder):
    dataset = planex.Dataset(folder)
    dataset.build()
    assert dataset.build()[:4] == (11, 0, 11, 0)
    graph = next((folder / "examples" / QAT).glob("*.graph.json"))
    # Another date, the same content.
    os.utime(graph, ns=(1, 1))
    assert dataset.build().read == 0
    graph.write_text(graph.read_text() + " ")
    assert dataset.build().read == 1
    # A new file beside it can belong to it.
    (folder / "examples" / QAT / "notes.txt").write_text("")
    assert dataset.build().read == 1
    shutil.rmtree(folder / "examples" / RESIDUAL)
    built = dataset.build()
    assert (built.engines, built.removed) == (10, 1)
    assert len(dataset.files) == 10
    # A file of the data set that is gone is made again.
    dataset.files[0].unlink()
    assert dataset.build().read >= 1
    assert len(dataset.files) == 10


def test_a_bad_engine_is_a_row_and_no_end(folder):
    graph = next((folder / "examples" / QAT).glob("*.graph.json"))
    graph.write_text(graph.read_text()[:4000])
    dataset = planex.Dataset(folder)
    built = dataset.build()
    assert (built.engines, built.errors) == (10, 1)
    error = dataset.errors[0]
    assert error["engine"].startswith(f"examples/{QAT}")
    assert error["code"] == "bad-input"
    assert error["file"].endswith(graph.name)
    assert dataset.sql("SELECT count(*) FROM errors").fetchall()[0] == (1,)
    # It is not tried again before it changes, and is still told of.
    again = dataset.build()
    assert (again.read, again.errors) == (0, 1)


def test_an_interrupted_build_goes_on(folder):
    dataset = planex.Dataset(folder)

    def stop(done, _):
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        dataset.build(workers=1, progress=stop)
    built = dataset.build()
    assert built.engines == 11
    assert 0 < built.kept < 11
    assert not list(dataset.store.rglob("*.part"))


def test_other_tools_read_it_by_a_glob(folder):
    import duckdb
    import polars
    import pyarrow.parquet

    dataset = planex.Dataset(folder)
    dataset.build()
    count = dataset.to_arrow().num_rows
    assert duckdb.sql(f"FROM '{dataset.glob}'").count("*").fetchall()[0] == (count,)
    assert polars.scan_parquet(dataset.glob).collect().height == count
    assert dataset.to_polars().height == len(dataset.to_pandas()) == count
    schema = pyarrow.parquet.read_schema(dataset.files[0])
    assert schema.field("median_ms").metadata[b"unit"] == b"ms"
    nulls = polars.scan_parquet(dataset.glob).select(polars.col("median_ms").is_nan().any())
    assert nulls.collect().item() in (False, None)


def test_the_query_of_the_guide_runs(folder):
    text = pathlib.Path("docs/how-to/data-sets.md").read_text(encoding="utf-8")
    query = re.search(r'sql\("""(.*?)"""\)', text, re.DOTALL)
    assert query
    dataset = planex.Dataset(folder)
    dataset.build()
    shares = dict(dataset.sql(query[1]).fetchall())
    # The README's engine: a quarter of its time is reformats.
    assert shares[f"examples/{QAT}"] == pytest.approx(0.254, abs=0.001)


def test_one_thread_and_many_write_the_same(folder, tmp_path):
    one, many = (planex.Dataset(folder, tmp_path / name) for name in ("one", "many"))
    one.build(workers=1)
    many.build(workers=8)
    assert [file.name for file in one.files] == [file.name for file in many.files]
    assert one.to_arrow().equals(many.to_arrow())


def test_it_says_what_is_missing(tmp_path):
    with pytest.raises(planex.NotFoundError, match="no such folder"):
        planex.Dataset(tmp_path / "none")
    with pytest.raises(planex.NotFoundError, match="empty"):
        planex.Dataset(tmp_path).to_arrow()


def test_import_does_not_bring_it_along():
    code = "import planex, sys; assert 'planex._dataset' not in sys.modules; planex.Dataset"
    subprocess.run([sys.executable, "-P", "-c", code], check=True, cwd=pathlib.Path.cwd())
