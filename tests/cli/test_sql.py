"""SQL reads the engine's tables and nothing else."""

from __future__ import annotations

import json

import pytest

from watching import processor_seconds, wait_until

QAT = "resnet18-a100-qat"
REFUSED = [
    "attach 'other.db' as other",
    "attach ':memory:' as m",
    "detach main",
    "pragma writable_schema = 1",
    "pragma journal_mode",
    "select * from pragma_database_list",
    "create table t (x)",
    "create temp table t as select 1",
    "create view v as select 1",
    "create virtual table t using fts5(x)",
    "drop table layers",
    "insert into layers(name) values ('x')",
    "update layers set name = 'x'",
    "delete from layers",
    "replace into layers(name) values ('x')",
    "alter table layers rename to x",
    "vacuum",
    "vacuum into 'copy.db'",
    "reindex",
    "analyze",
    "begin",
    "commit",
    "savepoint s",
    "select load_extension('x.so')",
    "select writefile('x', 'y')",
    "select readfile('/etc/passwd')",
    "select edit('x')",
    "select fts3_tokenizer('simple')",
    ".read x.sql",
    ".shell ls",
    ".tables",
    "",
    "   ",
    "-- nothing",
    "/* nothing */",
    "select 1; drop table layers",
    "explain",
    "select ?",
    "select :name",
    "with x as (delete from layers returning *) select * from x",
]


@pytest.mark.parametrize("sql", REFUSED)
def test_refused(planex, engines, tmp_path, files_in, sql):
    result = planex("query", engines / QAT, sql, cwd=tmp_path, code=2)
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert files_in(tmp_path) == []


@pytest.mark.parametrize("sql", [sql for sql in REFUSED if sql.strip()])
def test_refused_in_filter(planex, engines, tmp_path, files_in, sql):
    for condition in [sql, f"1) ; {sql}; --", f"({sql})"]:
        result = planex("layers", engines / QAT, f"--filter={condition}", cwd=tmp_path, code=None)
        assert result.returncode == 2, condition
        assert files_in(tmp_path) == []


@pytest.mark.parametrize(
    "sql",
    [
        "select count(*) from layers;",
        "  SELECT 1  ;  ",
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5) "
        "select * from n",
        "values (1), (2)",
        "select name from layers where name regexp '^conv'",
        "select name, rank() over (order by median_ms desc) from work_layers",
        # What only tells of the tables is harmless, and tools ask for it.
        "pragma table_info(layers)",
        "select * from pragma_table_info('layers')",
        "select json_extract('{\"a\": 5}', '$.a')",
        "select a.name, b.name from layers a join layers b on a.layer_id + 1 = b.layer_id",
        "select * from layers, ports using (layer_id) limit 3",
        "-- the slowest\nselect name from layers order by median_ms desc limit 1",
    ],
)
def test_allowed(planex, engines, sql):
    planex("query", engines / QAT, sql)


def test_select_from_every_table(planex, engines):
    tables = json.loads(planex("schema", "--format", "json").stdout)["tables"]
    for table in tables:
        for form in ["text", "json", "csv", "markdown"]:
            sql = f"select * from {table['name']}"  # noqa: S608
            planex("query", engines / QAT, sql, "--format", form)


def test_sql_that_names_a_file(planex, engines, tmp_path):
    """Nothing in SQL reads or writes files, whatever it is called."""
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    for sql in ["select * from 'secret.csv'", "select * from csv('secret.csv')"]:
        result = planex("query", engines / QAT, sql, cwd=tmp_path, code=2)
        assert "1" not in result.stdout


def test_endless_statement_can_be_stopped(planex_bin, engines):
    import signal
    import subprocess

    sql = "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n"
    process = subprocess.Popen(
        [planex_bin, "query", engines / QAT, sql],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    # More than starting and reading take: it is at the statement.
    wait_until(lambda: processor_seconds(process.pid) > 0.5, "it computes", process)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate()
    assert out == "" and process.returncode in (130, -signal.SIGINT)


def test_huge_results_are_bounded_in_memory(planex, engines):
    result = planex(
        "query",
        engines / QAT,
        "select hex(zeroblob(2000000000)) || hex(zeroblob(2000000000))",
        code=None,
    )
    assert result.returncode == 2
    assert "bug" not in result.stderr
