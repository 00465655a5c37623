"""No verb writes over a file that it reads: every option that reads against every one that writes,
from the program's own list, by the same name, another spelling, a symbolic and a hard link."""

import csv
import io
import os
import pathlib
import shutil

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

# What the parser wants beside the two options that are tried, so that it comes to the guard.
NEEDED = {
    "accuracy": {"REF": "other.bin"},
    "advise": {"MODEL": "other.bin", "--apply": None, "-o": "out.onnx"},
    "archive": {"PLAN": "other.bin", "-o": "out.planex"},
    "cast": {},
    "clean": {"MODEL": "other.bin", "-o": "out.onnx"},
    "compare": {},
    "doctor": {},
    "draw": {"PLAN": "other.bin"},
    "explain": {"TOPIC": "memory"},
    "export": {"PLAN": "other.bin"},
    "layers": {"PLAN": "other.bin"},
    "lint": {},
    "list": {},
    "mcp": {"FOLDER": "other.bin"},
    "optimize": {"MODEL": "other.bin"},
    "process": {},
    "quantize": {"MODEL": "other.bin", "-o": "out.onnx"},
    "query": {"PLAN": "other.bin"},
    "report": {"PLAN": "other.bin"},
    "search": {"MODEL": "other.bin", "-o": "out.onnx"},
    "summary": {"PLAN": "other.bin"},
    "sweep": {},
    "verify": {"CAPSULE": "other.bin"},
}


@pytest.fixture(scope="module")
def options(planex):
    text = planex("schema", "--files").stdout
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


@pytest.fixture
def external_model(tmp_path):
    """A product whose weights lie in a file beside it."""
    folder = tmp_path / "model"
    folder.mkdir()
    weights = numpy_helper.from_array(np.ones((4, 4), "float32"), "w")
    shapes = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4]) for name in "xy"]
    node = helper.make_node("MatMul", ["x", "w"], ["y"], "mm")
    graph = helper.make_graph([node], "g", shapes[:1], shapes[1:], [weights])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save_model(
        model, folder / "m.onnx", save_as_external_data=True, location="w.bin", size_threshold=0
    )
    return folder / "m.onnx", folder / "w.bin"


def reads(option):
    return option["files"].startswith("reads") or option["files"] == "updates"


def writes(option):
    return option["files"].startswith("writes") or option["files"] == "updates"


def words_of(verb, chosen):
    """Positional words first, in the parser's order, then options."""
    words = {**NEEDED[verb], **chosen}
    places = [value for name, value in words.items() if not name.startswith("-")]
    # A flag stands alone; one that is repeated takes no second word.
    flags = [
        word
        for name, value in words.items()
        if name.startswith("-")
        for word in ([name] if value is None else [name, str(value)])
    ]
    return [verb, *places, *flags]


def in_order(verb, chosen, options):
    """A positional can be given only after the ones before it."""
    order = [o["option"] for o in options if o["verb"] == verb and not o["option"].startswith("-")]
    given = {**NEEDED[verb], **chosen}
    named = [place for place in order if place in given]
    if named:
        for place in order[: order.index(named[-1])]:
            given.setdefault(place, "other.bin")
    return {name: given[name] for name in [*order, *given] if name in given}


def pairs_of(options):
    for verb in {option["verb"] for option in options}:
        mine = [option for option in options if option["verb"] == verb]
        for source in filter(reads, mine):
            for target in filter(writes, mine):
                if source is not target:
                    yield verb, source, target


def refused(planex, folder, verb, chosen, options, source):
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    words = words_of(verb, in_order(verb, chosen, options))
    result = planex(*words, cwd=folder, code=2)
    first = result.stderr.splitlines()[0]
    assert "would overwrite an input file" in first or "would write the same file" in first, words
    assert source["option"] in first, words
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert after == before, words


def test_every_pair(planex, options, tmp_path):
    pairs = list(pairs_of(options))
    assert {verb for verb, _, _ in pairs} == set(NEEDED)
    for verb, source, target in pairs:
        folder = tmp_path / "files"
        folder.mkdir()
        (folder / "other.bin").write_bytes(b"other")
        input_file = folder / "input.bin"
        input_file.write_bytes(b"precious")
        (folder / "link.bin").symlink_to("input.bin")
        os.link(input_file, folder / "hard.bin")
        when = {o["when"]: "a" for o in (source, target) if o["when"]}
        for name in ("input.bin", "./input.bin", "link.bin", "hard.bin", str(input_file)):
            for one, other in (("input.bin", name), (name, "input.bin")):
                chosen = {**when, source["option"]: one, target["option"]: other}
                refused(planex, folder, verb, chosen, options, source)
        shutil.rmtree(folder)


def test_files_written_beside_the_output(planex, options, tmp_path):
    tried = set()
    for verb, source, target in pairs_of(options):
        for pattern in target["also"].split():
            folder = tmp_path / "files"
            folder.mkdir()
            (folder / "other.bin").write_bytes(b"other")
            (folder / "d").mkdir()
            output = "d" if target["files"] == "writes-folder" else "s.onnx"
            beside = folder / pattern.replace("*", output).replace("%", "s")
            beside.write_bytes(b"precious")
            chosen = {source["option"]: str(beside), target["option"]: output}
            refused(planex, folder, verb, chosen, options, source)
            shutil.rmtree(folder)
            tried.add((verb, pattern))
    assert {verb for verb, _ in tried} >= {"accuracy", "cast", "quantize", "search", "sweep"}


def test_outputs_of_one_command_differ(planex, tmp_path):
    (tmp_path / "m.onnx").write_bytes(b"precious")
    words = ["quantize", "m.onnx", "--data", "m.onnx", "-o", "new.onnx", "--cache", "./new.onnx"]
    result = planex(*words, cwd=tmp_path, code=2)
    assert "-o and --cache would write the same file" in result.stderr
    assert not (tmp_path / "new.onnx").exists()


def test_options_with_files_declare_it(options):
    """An option whose value looks like a file says whether it is read or written."""
    for option in options:
        kind = option["type"].split(":")[0].split("|")[0].strip("[]")
        names_file = kind in ("FILE", "DIR", "PLAN", "RUN", "FOLDER", "PROGRAM") or (
            option["option"] in ("MODEL", "REF", "SUBJECT", "CAPSULE", "PLAN", "PATH", "--data")
        )
        if names_file:
            assert option["files"], option


def test_what_a_folder_holds(planex, tmp_path):
    """All of a folder of samples is read; a link from elsewhere leads into it."""
    (tmp_path / "data").mkdir()
    sample = tmp_path / "data/a.npy"
    sample.write_bytes(b"precious")
    (tmp_path / "m.onnx").write_bytes(b"model")
    (tmp_path / "link").symlink_to("data/a.npy")
    for output in ("data/a.npy", "link"):
        planex("quantize", "m.onnx", "--data", "data", "-o", output, cwd=tmp_path, code=2)
        planex("accuracy", "m.onnx", "m.onnx", "--data", "data", "-o", output, cwd=tmp_path, code=2)
    assert sample.read_bytes() == b"precious"


def test_programs_and_commands(planex, tmp_path):
    program = tmp_path / "iou.py"
    program.write_text("precious")
    model = tmp_path / "m.onnx"
    model.write_bytes(b"model")
    words = ["accuracy", "m.onnx", "m.onnx", "--data", "m.onnx", "--metric", "python3 ./iou.py"]
    planex(*words, "-o", "iou.py", cwd=tmp_path, code=2)
    assert program.read_text() == "precious"
    command = "trtexec --onnx=m.onnx --fp16"
    planex("cast", "--from-trtexec", command, "-o", "./m.onnx", cwd=tmp_path, code=2)
    assert model.read_bytes() == b"model"


def test_weights_in_files_of_their_own(planex, external_model):
    model, weights = external_model
    before = weights.read_bytes()
    planex("cast", model, "--to", "fp16", "-o", weights, code=2)
    planex("summary", model, "-o", weights, code=2)
    assert weights.read_bytes() == before


def test_files_of_engines(planex, engines, tmp_path):
    """What an engine consists of is known once it is open; the rest of its folder is free."""
    run = tmp_path / "run"
    shutil.copytree(engines / "resnet18-a100-qat", run)
    graphs = sorted(run.glob("*.graph.json"))
    before = graphs[0].read_bytes()
    for words in (
        ["list", tmp_path, "--format", "json"],
        ["doctor", run, "--format", "json"],
        ["lint", run, "--format", "json"],
        ["summary", run, "--format", "json"],
    ):
        result = planex(*words, "-o", graphs[0], code=2)
        assert "would overwrite an input file" in result.stderr, words
    planex("lint", run, "--write-baseline", graphs[0], "--reason", "x", code=2)
    assert graphs[0].read_bytes() == before
    for _ in range(2):
        planex("list", tmp_path, "-o", run / "list.json")
        planex("summary", run, "-o", run / "summary.json")
        planex("report", run, "-o", run / "report.json")


def test_minus_is_standard_output(planex, options, tmp_path):
    """Never a file called -; where there is no document to hand out it is refused."""
    for option in options:
        if not writes(option) or (option["option"] == "-o" and option["standard_output"]):
            continue
        (tmp_path / "other.bin").write_bytes(b"other")
        chosen = {option["option"]: "-"}
        if option["when"]:
            chosen[option["when"]] = "a"
        words = words_of(option["verb"], in_order(option["verb"], chosen, options))
        result = planex(*words, cwd=tmp_path, code=2)
        assert f"{option['option']} can't be standard output" in result.stderr, words
        assert not pathlib.Path(tmp_path / "-").exists()
