"""What the program says of one engine: every verb, in the formats that hold figures, as facts."""

from __future__ import annotations

import base64
import contextlib
import csv
import dataclasses
import io
import json
import os
import pathlib
import subprocess
import tempfile
import zlib

TIMEOUT = 120
COLUMNS = [
    "layer_id",
    "role",
    "block_id",
    "profile_index",
    "name",
    "type",
    "family",
    "is_reformat",
    "precision",
    "output_precision",
    "mean_ms",
    "median_ms",
    "share",
    "corrected_ms",
    "corrected_share",
    "weight_bytes",
    "input_bytes",
    "output_bytes",
    "io_bytes",
    "footprint_bytes",
    "macs",
    "flops",
    "simulated_db",
    "engine_db",
]
# SQL has its own way to the same sums. Those of one profile: the shown one, and records of all.
QUERY = """select count(*) as records, sum(role = 'work') as layers, sum(l.median_ms) as median_ms,
 sum(l.mean_ms) as mean_ms, sum(case when role = 'work' then io_bytes end) as io_bytes,
 sum(case when role = 'work' then l.flops end) as flops,
 sum(case when role = 'work' then l.is_reformat end) as reformats
from layers l, engine e
where l.profile_index is null or l.profile_index = e.profile_index"""
# What is lost up to each layer, by the tensors that it writes.
LOSSES = """select l.layer_id, a.simulated_db, a.engine_db, l.engine_db as of_layer
from accuracy a join layers l using (layer_id)"""
# Conditionals hold branches; of these one runs.
BLOCKS = "select block_id, kind, parent_id from blocks"
# How the data element of a page begins.
PAGE_DATA = '<script type="application/octet-stream" id="planex-data" data-encoding="'
TOPICS = ["reformats", "precision", "speed", "memory", "blocks"]


class Failed(Exception):
    """The program did not end with 0."""


@dataclasses.dataclass(frozen=True)
class Program:
    path: pathlib.Path

    def run(self, *words) -> str:
        environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
        result = subprocess.run(
            [str(self.path), *map(str, words)],
            env=environment | {"TERM": "dumb", "SOURCE_DATE_EPOCH": "1700000000"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=TIMEOUT,
            check=False,
        )
        if result.returncode != 0:
            message = (result.stderr.strip().splitlines() or [""])[0]
            raise Failed(f"{result.returncode}: {message}")
        return result.stdout

    def json(self, *words):
        return json.loads(self.run(*words, "--format", "json"))


def records(document) -> list[dict]:
    """Rows of planex.layers/1 and planex.query/1 by the names of their columns."""
    names = [column["name"] for column in document["columns"]]
    return [dict(zip(names, row, strict=True)) for row in document["rows"]]


def page_data(html: str):
    """The data element of a report, as the page reads it."""
    encoding, _, rest = html[html.rindex(PAGE_DATA) + len(PAGE_DATA) :].partition('">')
    body = rest[: rest.index("</script>")]
    if encoding == "json":
        return json.loads(body)
    return json.loads(zlib.decompress(base64.b64decode(body)))


def report_rows(engine) -> list[dict]:
    """The layers table of the page's data; columns without a value are absent."""
    table = engine["tables"]["layers"]
    rows = [{} for _ in range(table["row_count"])]
    for name, column in table["columns"].items():
        for row, value in zip(rows, column["values"], strict=True):
            is_text = column["type"] == "text" and value is not None
            row[name] = engine["strings"][value] if is_text else value
    return rows


def gather(program: Program, plan, other=None, has_page: bool = False) -> dict:
    """All facts of an engine. `other`: an engine to compare it with."""
    facts = {"summary": program.json("summary", plan)}
    facts["timing"] = program.json("summary", plan, "--timing")
    facts["layers"] = records(
        program.json("layers", plan, "--all-records", "--columns", ",".join(COLUMNS))
    )
    facts["listed"] = list(
        csv.DictReader(
            io.StringIO(
                program.run(
                    *("layers", plan, "--columns", "layer_id,median_ms,mean_ms,share,io_bytes"),
                    *("--format", "csv"),
                )
            )
        )
    )
    facts["query"] = records(program.json("query", plan, QUERY))[0]
    facts["inside"] = records(program.json("query", plan, BLOCKS))
    facts["losses"] = records(program.json("query", plan, LOSSES))
    facts["lint"] = program.json("lint", plan, "--all")
    for topic in TOPICS:
        facts[topic] = program.json("explain", topic, plan)
    if other is not None:
        facts["compare"] = program.json("compare", plan, other, "--pairs")
    facts["report"] = program.json("report", plan, "-o", "-")
    if has_page:
        facts["page"] = page_data(program.run("report", plan, "-o", "-"))
    # Of an engine without layers there is nothing to draw, and without times no trace.
    for name, words in {
        "draw": ("draw", plan, "--format", "json", "--depth", "0"),
        "trace": ("export", plan, "--format", "trace"),
    }.items():
        with contextlib.suppress(Failed):
            facts[name] = json.loads(program.run(*words))
    facts["plan"] = again(program, plan)
    facts["text"] = {
        "summary": program.run("summary", plan, "--width", "100"),
        "layers": program.run("layers", plan),
        "lint": program.run("lint", plan),
        **{topic: program.run("explain", topic, plan) for topic in TOPICS},
    }
    facts["markdown"] = {
        topic: program.run("explain", topic, plan, "--format", "markdown") for topic in TOPICS
    }
    return facts


def again(program: Program, plan):
    """The summary of what `export` wrote and planex reads back."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "again.plan.json"
        path.write_text(program.run("export", plan, "--format", "plan"), "utf-8")
        return program.json("summary", path)
