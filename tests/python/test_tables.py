"""Tables: the same values in Python, pandas, polars, pyarrow and DuckDB, and none copied."""

from __future__ import annotations

import gc
import json
import math
import subprocess
import sys

import duckdb
import pandas
import polars
import pyarrow
import pytest

import planex
from planex import _core


def table_names() -> list[str]:
    schema = json.loads(_core.call(None, "schema", []))
    return [table["name"] for table in schema["tables"]]


def test_every_table_is_a_property_with_the_words_of_the_schema(engine):
    schema = json.loads(_core.call(None, "schema", []))
    for table in schema["tables"]:
        prop = getattr(planex.Engine, table["name"])
        assert prop.__doc__.splitlines()[0].startswith(table["description"].rstrip("."))
        ours = getattr(engine, table["name"])
        assert [
            (column.name, column.type, column.unit, column.description)
            for column in ours.schema.values()
        ] == [
            (column["name"], column["type"], column["unit"] or "", column["description"])
            for column in table["columns"]
        ]


def same(ours: object, theirs: object) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    if isinstance(ours, float):
        return math.isclose(ours, float(theirs), rel_tol=0, abs_tol=0)
    if isinstance(ours, list):
        return ours == list(theirs)
    return ours == theirs


def test_every_cell_of_every_engine_reads_the_same_everywhere(engines):
    cells = 0
    for engine in engines:
        for name in [*table_names(), "work_layers"]:
            table = engine.table(name)
            rows = table.to_pylist()
            assert len(rows) == len(table)
            arrow = pyarrow.table(table)
            arrow.validate(full=True)
            assert arrow.to_pylist() == rows, (engine.name, name)
            assert polars.DataFrame(table).to_dicts() == rows, (engine.name, name)
            frame = table.to_pandas()
            assert tuple(frame.columns) == table.columns
            for column in table.columns:
                for ours, theirs in zip((row[column] for row in rows), frame[column], strict=True):
                    if not isinstance(ours, list) and ours is None:
                        assert theirs is None or pandas.isna(theirs)
                    else:
                        assert same(ours, theirs), (engine.name, name, column)
                    cells += 1
    assert cells > 50_000


def test_sql_gives_the_values_of_the_tables(engines):
    for engine in engines:
        for name in table_names():
            table = engine.table(name)
            rows = engine.sql(f"SELECT * FROM {name}").to_pylist()  # noqa: S608
            for ours, theirs in zip(table.to_pylist(), rows, strict=True):
                # SQL has lists as JSON.
                assert {
                    key: json.dumps(value).replace(" ", "") if isinstance(value, list) else value
                    for key, value in ours.items()
                } == theirs


def test_a_column_has_its_type_even_where_nothing_is_known(engine):
    query = "SELECT layer_id, median_ms, name FROM layers WHERE 0"
    schema = engine.sql(query).schema
    assert [column.type for column in schema.values()] == ["int64", "double", "text"]
    assert schema["median_ms"].unit == "ms"


def test_numbers_are_not_copied(engine):
    first = pyarrow.table(engine.layers)
    second = pyarrow.table(engine.layers)
    frame = polars.DataFrame(engine.layers)
    for name in ("median_ms", "flops", "weight_bytes", "mean_ms"):
        address = first[name].chunk(0).buffers()[1].address
        assert second[name].chunk(0).buffers()[1].address == address
        assert frame[name].to_arrow().buffers()[1].address == address


def test_tables_outlive_the_engine():
    engine = planex.open("examples/engines/resnet18-a100-qat")
    layers, rows = engine.layers, engine.sql("SELECT name FROM layers")
    arrow = pyarrow.table(layers)
    expected = arrow.to_pylist()
    del engine
    gc.collect()
    assert layers.to_pylist() == expected
    del layers
    gc.collect()
    assert arrow.to_pylist() == expected
    assert [row["name"] for row in rows] == [row["name"] for row in expected]


def test_files_may_be_written_anew_while_an_engine_is_open(tmp_path):
    prefix = tmp_path / "large"
    maker = [sys.executable, "bench/make_engine.py", "--layers", "10000", "--output", prefix]
    subprocess.run(maker, check=True)
    code = """
import pathlib, planex, sys
engine = planex.open(sys.argv[1])
before = engine.layers.to_pylist(), engine.sql("SELECT * FROM attributes").to_pylist()
path = pathlib.Path(sys.argv[1] + ".graph.json")
assert path.stat().st_size > 8 << 20
path.write_text("{}")
tables = engine.sql("SELECT * FROM layers").to_pylist(), engine.attributes.to_pylist()
assert [row["name"] for row in tables[0]] == [row["name"] for row in before[0]]
assert tables[1] == before[1]
"""
    # A process of its own: what went wrong would end it.
    subprocess.run([sys.executable, "-c", code, str(prefix)], check=True)


def test_structures_that_nobody_takes_are_freed(engine):
    for _ in range(100):
        engine.layers.__arrow_c_schema__()
        engine.layers.__arrow_c_array__()
        engine.layers.__arrow_c_stream__()


def test_reads_through_each_protocol(engine):
    schema = pyarrow.schema(engine.layers)
    assert schema.field("median_ms").metadata[b"unit"] == b"ms"
    assert schema.metadata[b"table"] == b"layers"
    batch = pyarrow.record_batch(engine.layers)
    assert batch.num_rows == len(engine.layers)
    # A field alone, moved out of its parent.
    column = batch.column("name")
    del batch
    gc.collect()
    assert len(column) == len(engine.layers)


def test_duckdb_reads_a_table(engine):
    layers = engine.layers
    slowest = duckdb.sql("SELECT name FROM layers ORDER BY median_ms DESC LIMIT 1").fetchall()
    ours = engine.sql("SELECT name FROM layers ORDER BY median_ms DESC LIMIT 1").to_pylist()
    assert slowest == [(ours[0]["name"],)]
    assert len(layers) > 0


def test_whole_numbers_stay_whole_in_pandas(engine):
    frame = engine.layers.to_pandas()
    assert frame["layer_id"].dtype == "int64"
    assert frame["flops"].dtype in ("int64", "Int64")
    assert frame["stream"].dtype == "Int64" and frame["stream"].isna().all()
    assert frame["median_ms"].dtype == "float64"


def test_an_empty_table_is_a_frame_with_its_columns(engine):
    assert len(engine.kernels) == 0
    assert list(engine.kernels.to_pandas().columns) == list(engine.kernels.columns)
    assert engine.kernels.to_polars().columns == list(engine.kernels.columns)


def test_display_is_escaped(engine):
    html = engine.sql("SELECT '<script>' AS a, NULL AS b, 0.25 AS c")._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "0.25" in html


def test_unknown_table(engine):
    with pytest.raises(planex.UsageError, match="there is no table") as caught:
        engine.table("layer")
    assert caught.value.hint == "did you mean layers?"


def test_arrow_does_not_bring_pandas_along():
    code = (
        "import sys, planex; planex.open('examples/engines/resnet18-a100-qat').layers.to_arrow();"
        "sys.exit('pandas' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
