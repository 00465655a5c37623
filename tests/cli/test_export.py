"""planex export: the formats for other tools, and that planex reads its own back."""

from __future__ import annotations

import gzip
import io
import json
import re
import subprocess
import zipfile

import pytest

PLAN = "resnet18-a100-qat"
ENGINES = [
    *[PLAN, "mobilenet-titanrtx-qat-trt8.2", "mobilenetv2-trt10.1-fp16", "controlnet-a10-trt8.6"],
    *["alexnet-torch-tensorrt-10", "yolo-orin-trt8.5.2-names-only"],
]


def exported(planex, engines, *words):
    return planex("export", *words, cwd=engines).stdout


@pytest.mark.parametrize("engine", ENGINES)
def test_plan(planex, engines, valid, tmp_path, engine):
    text = exported(planex, engines, engine)
    document = valid(text, "plan")
    summary = json.loads(planex("summary", engine, "--format", "json", cwd=engines).stdout)
    assert len(document["layers"]) == summary["record_count"]
    assert document["engine"]["producer"] == summary["engine"]["producer"]
    assert text.endswith("}\n")
    # One record a line, so that diff and grep are of use.
    assert text.count('\n{"name":') >= len(document["layers"])
    # planex itself sees the same engine in it, and says the same.
    path = tmp_path / "x.plan.json"
    path.write_text(text)
    assert planex("export", path).stdout == text
    again = json.loads(planex("summary", path, "--format", "json").stdout)
    # Commands name files beside the plan.
    assert again | {"missing": []} == summary | {"missing": []}
    findings = [
        json.loads(planex("lint", plan, "--format", "json", cwd=engines).stdout)["findings"]
        for plan in (engine, path)
    ]
    assert findings[0] == findings[1]
    layers = [
        planex("query", plan, "select * from layers", "--format", "json", cwd=engines).stdout
        for plan in (engine, path)
    ]
    without_label = [re.sub(r'\["[^"]*",', "[", text) for text in layers]
    assert without_label[0] == without_label[1]


def test_output_file(planex, engines, tmp_path, files_in):
    text = exported(planex, engines, PLAN)
    target = tmp_path / "x.plan.json"
    target.write_text("what was there before")
    result = planex("export", PLAN, "--format", "plan", "-o", target, cwd=engines)
    assert result.stdout == "" and result.stderr == ""
    assert target.read_text() == text
    assert files_in(tmp_path) == [target], "nothing else is left"
    result = planex("export", PLAN, "-o", tmp_path / "none" / "x", cwd=engines, code=3)
    assert str(tmp_path / "none" / "x") in result.stderr
    planex("export", PLAN, "--format", "pln", cwd=engines, code=2)
    assert files_in(tmp_path) == [target]


def test_full_disk(planex_bin, engines):
    import os
    import subprocess

    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [planex_bin, "export", PLAN],
            cwd=engines,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert result.returncode == 3 and result.stderr.startswith("error:")
    planex = [planex_bin, "export", PLAN, "-o", "/dev/full"]
    assert subprocess.run(planex, cwd=engines, stderr=subprocess.PIPE).returncode == 3


def test_schema_has_every_column(planex, schema_of):
    """A new column of the model must be described, or it breaks the files of others."""
    schema = schema_of("plan")
    tables = json.loads(planex("schema", "--format", "json").stdout)["tables"]
    columns = {table["name"]: [c["name"] for c in table["columns"]] for table in tables}
    sections = schema["properties"]
    layer = sections["layers"]["items"]["properties"]
    operation = sections["operations"]["items"]["properties"]

    def properties(section):
        if section in ("engine", "iterations"):
            return sections[section]["properties"]
        return sections[section]["items"]["properties"]

    described = {
        "ports": layer["inputs"]["items"]["anyOf"][1]["properties"],
        "sources": layer["sources"]["items"]["anyOf"][1]["properties"],
        "operation_ports": operation["inputs"]["items"]["anyOf"][1]["properties"],
    }
    # Told by the place of a record, or worked out from the rest.
    left_out = {
        "layers": {
            *["layer_id", "is_reformat", "share", "corrected_ms", "corrected_share"],
            *["io_bytes", "footprint_bytes", "arithmetic_intensity"],
            *["simulated_db", "engine_db"],
        },
        "ports": {"layer_id", "direction", "index", "tensor_id"},
        "tensors": {
            *["tensor_id", "producers", "consumers"],
            *["bytes", "first_layer_id", "last_layer_id"],
        },
        "sources": {"layer_id"},
        "regions": {"region_id"},
        "blocks": {"block_id", "layer_count"},
        "tactic_choices": {"choice_id"},
        "calibration": {"layer_id"},
        "accuracy": {"layer_id"},
        "front_layers": {"layer_id"},
        "operations": {"operation_id"},
        "operation_ports": {"operation_id", "direction", "index"},
    }
    own = {
        "layers": {"inputs", "constants", "outputs", "sources", "attributes"},
        "ports": {"tensor"},
        "operations": {"inputs", "outputs"},
    }
    for table, names in columns.items():
        if table in ("files", "findings", "attributes"):
            continue
        found = set(described.get(table) or properties(table)) - own.get(table, set())
        assert found == set(names) - left_out.get(table, set()), table


def example_blocks(root):
    text = (root / "docs/reference/plan-json.md").read_text("utf-8")
    blocks = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    assert blocks
    return blocks


def test_examples_of_the_page(planex, root, valid, tmp_path):
    for index, block in enumerate(example_blocks(root)):
        valid(block, "plan")
        path = tmp_path / f"{index}.json"
        path.write_text(block)
        summary = json.loads(planex("summary", path, "--format", "json").stdout)
        assert summary["diagnostics"] == [], "the examples are without a fault"
        planex("lint", path)
        planex("report", path, "-o", tmp_path / "x.html")


def test_archives_and_packed_files(planex, engines, tmp_path):
    folder = engines / PLAN
    expected = json.loads(planex("summary", folder, "--format", "json").stdout)
    archive = tmp_path / "resnet.tea"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as files:
        for path in sorted(folder.iterdir()):
            files.write(path, path.name)
    seen = json.loads(planex("summary", archive, "--format", "json").stdout)
    assert seen["time"] == expected["time"] and seen["by_type"] == expected["by_type"]
    assert seen["engine"] == expected["engine"]
    doctor = json.loads(planex("doctor", archive, "--format", "json").stdout)
    assert all(file["file"].startswith(str(archive) + "/") for file in doctor["files"])
    assert all(file["used"] for file in doctor["files"])
    # A file in it, by its name.
    graph = next(folder.glob("*.graph.json")).name
    seen = json.loads(planex("summary", archive / graph, "--format", "json").stdout)
    assert seen["layer_count"] == expected["layer_count"]
    # A folder in an archive, and packed files in a folder.
    nested = io.BytesIO()
    with zipfile.ZipFile(nested, "w") as files:
        for path in sorted(folder.iterdir()):
            files.write(path, f"run/{path.name}")
    (tmp_path / "nested.zip").write_bytes(nested.getvalue())
    packed = tmp_path / "packed"
    packed.mkdir()
    for path in folder.iterdir():
        (packed / (path.name + ".gz")).write_bytes(gzip.compress(path.read_bytes()))
    for plan in (tmp_path / "nested.zip", packed, tmp_path / "nested.zip" / "run"):
        seen = json.loads(planex("summary", plan, "--format", "json").stdout)
        assert seen["time"] == expected["time"], plan
    # Cut, it is an error that says so.
    archive.write_bytes(archive.read_bytes()[:5000])
    result = planex("summary", archive, code=3)
    assert "incomplete zip archive" in result.stderr


def test_only_archives_need_libzip(planex_bin, engines, tmp_path):
    # As on a machine without it: the name that the program loads the library by is of none.
    program = tmp_path / "planex"
    content = planex_bin.read_bytes()
    assert content.count(b"libzip.so.") > 0
    program.write_bytes(content.replace(b"libzip.so.", b"libnip.so."))
    program.chmod(0o755)
    archive = tmp_path / "x.zip"
    with zipfile.ZipFile(archive, "w") as files:
        for path in sorted((engines / PLAN).iterdir()):
            files.write(path, path.name)

    def run(*words):
        return subprocess.run([program, *words], capture_output=True, encoding="utf-8", check=False)

    assert run("summary", engines / PLAN).returncode == 0
    result = run("summary", archive)
    assert result.returncode == 3
    assert "archives can't be read here" in result.stderr
    assert "unpack the archive and name the folder" in result.stderr
