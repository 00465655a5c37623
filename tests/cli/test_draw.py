"""planex draw: well-formed for every engine and every name, selections, formats, spellings."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ET

import pytest

from chosen import chosen_folders

QAT = "resnet18-a100-qat"
SVG = "{http://www.w3.org/2000/svg}"
ROOT = pathlib.Path(__file__).resolve().parents[2]
# Elements and attributes that a drawing may have; whatever runs or fetches is not among them.
ELEMENTS = {
    *["svg", "title", "style", "defs", "pattern", "g", "rect", "path", "text", "tspan"],
}
ATTRIBUTES = {
    *["id", "class", "transform", "x", "y", "width", "height", "rx", "d", "viewBox"],
    "{http://www.w3.org/XML/1998/namespace}space",
    *["stroke-width", "patternUnits", "patternTransform"],
}
GOLDENS = {
    "draw-around.svg": [QAT, "--around", "#6", "--radius", "1", "--theme", "light"],
    "draw-folded.svg": [QAT, "--depth", "1", "--fold", "layer2", "--theme", "dark"],
    "draw-memory.svg": [QAT, "--around", "#6", "--radius", "2", "--view", "memory"],
    "draw-around.json": [QAT, "--around", "#6", "--radius", "1", "--format", "json"],
}


def engine_names():
    data = pathlib.Path(os.environ.get("PLANEX_TEST_DATA", ROOT.parent / "shared/data"))
    return [path.name for path in chosen_folders(data, "engines")]


def parsed(text: str) -> ET.Element:
    root = ET.fromstring(text)  # noqa: S314 (what planex wrote itself)
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in ELEMENTS, element.tag
        assert set(element.attrib) <= ATTRIBUTES, element.attrib
    style = root.find(f"{SVG}style")
    assert style is not None
    outside = re.findall(r"url\(([^)]*)\)|@import|https?:", style.text or "")
    assert set(outside) <= {"#hatch"}
    ids = [e.attrib["id"] for e in root.iter() if "id" in e.attrib]
    assert len(ids) == len(set(ids))
    return root


def boxes(root: ET.Element, kind: str = "layer") -> dict[str, ET.Element]:
    found = {}
    for element in root.iter(f"{SVG}g"):
        name = element.attrib.get("id", "")
        if name.startswith(f"{kind}-"):
            found[name] = element
    return found


def title_of(element: ET.Element) -> str:
    return element.findtext(f"{SVG}title") or ""


def words_of(element: ET.Element) -> str:
    return "\n".join("".join(text.itertext()) for text in element.iter(f"{SVG}text"))


@pytest.fixture
def drawn(planex, engines):
    def draw(*words, **options):
        return planex("draw", *words, cwd=engines, **options).stdout

    return draw


@pytest.mark.parametrize("golden", sorted(GOLDENS))
def test_golden(drawn, request, golden):
    path = pathlib.Path(__file__).parent / "golden" / golden
    text = drawn(*GOLDENS[golden])
    if request.config.getoption("--update-golden"):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


@pytest.mark.parametrize("view", ["execution", "memory", "source"])
@pytest.mark.parametrize("engine", engine_names())
def test_every_engine(planex, engines, engine, view):
    words = ["draw", engine, "--view", view, "--highlight", "."]
    result = planex(*words, cwd=engines, code=None)
    if result.returncode != 0:
        # Nothing to draw: of names alone, of a failed build, without the source model.
        assert result.returncode in (2, 3) and result.stderr.startswith("error: ")
        return
    root = parsed(result.stdout)
    assert result.stdout == planex(*words, cwd=engines).stdout, "the same bytes on every run"
    assert "planex" not in result.stderr
    assert title_of(root)
    if view == "execution":
        document = json.loads(planex("summary", engine, "--format", "json", cwd=engines).stdout)
        assert f"{document['layer_count']} layer" in words_of(root)


@pytest.mark.parametrize("engine", ["resnet18-a100-qat", "mobilenetv2-trt10.1-fp16"])
def test_every_layer_is_found_by_its_name(planex, engines, drawn, engine):
    root = parsed(drawn(engine, "--depth", "0"))
    text = planex("layers", engine, "--format", "json", "--columns", "layer_id,name", cwd=engines)
    layers = boxes(root)
    rows = json.loads(text.stdout)["rows"]
    assert len(layers) == len(rows)
    for number, name in rows:
        box = layers[f"layer-{number}"]
        assert title_of(box).splitlines()[0] == name
        assert name in words_of(box), "a browser searches texts, not titles"


def test_hover_has_every_attribute(planex, engines, drawn):
    root = parsed(drawn(QAT, "--around", "#6"))
    title = title_of(boxes(root)["layer-6"])
    sql = "select key, value from attributes where layer_id = 6"
    text = planex("query", QAT, sql, "--format", "json", cwd=engines).stdout
    for key, value in json.loads(text)["rows"]:
        assert f"{key}: {value[:100]}" in title
    assert "in 1: inputs 32×64×56×56 FP16 NC/32HW32 · 12.8 MB" in title
    assert "int8-conv-writes-float" in title


def test_what_an_expert_looks_for(drawn):
    root = parsed(drawn(QAT))
    words = words_of(root)
    assert "residual FP16" in words, "skip edges say what they are"
    assert "Convolution 3×3 · ■ INT8 → ■ FP16" in words
    assert "FP32 → INT8 QuantizeLinear_2" in words
    assert "after " in words
    for name in ["Σ layers 1.096 ms", "end to end 0.883 ms", "NVIDIA A100 80GB PCIe", "35 layers"]:
        assert name in words
    legend = [e for e in root.iter(f"{SVG}g") if e.attrib.get("class") == "legend"]
    shown = "\n".join(words_of(block) for block in legend)
    for word in ["Convolution", "Reformat", "INT8", "FP16", "FP32", "≤ 4.00 MB", "finding"]:
        assert word in shown


def test_details_name_the_input_that_is_added(drawn):
    words = words_of(parsed(drawn("openvino2026.4-resnet18-fp32-b8", "--details")))
    assert words.count("Conv(input0) + input3") == 8
    assert "+ input1" not in words, "its weights"


def names_of(root: ET.Element) -> set[str]:
    return {title_of(box).splitlines()[0] for box in boxes(root).values()}


def test_selections(drawn):
    whole = names_of(parsed(drawn(QAT)))
    around = parsed(drawn(QAT, "--around", "#6", "--radius", "1"))
    assert "layer-6" in boxes(around) and len(boxes(around)) < 10
    assert names_of(around) < whole
    assert "of 37 nodes" in words_of(around) or "nodes: within 1 of" in words_of(around)
    wide = parsed(drawn(QAT, "--around", "#6", "--radius", "2"))
    assert names_of(around) < names_of(wide)
    copies = parsed(drawn(QAT, "--select", "^Reformat$", "--neighbours", "0"))
    assert len(boxes(copies)) == 12
    slow = parsed(drawn(QAT, "--slowest", "3", "--context", "0"))
    assert len(boxes(slow)) == 3 and "201.7 µs" in words_of(slow)
    way = parsed(drawn(QAT, "--between", "#1", "#6"))
    assert {"layer-1", "layer-6"} <= set(boxes(way))
    assert "layer-20" not in boxes(way)
    both = parsed(drawn(QAT, "--select", "Convolution", "--neighbours", "0", "--around", "#6"))
    assert 0 < len(boxes(both)) < len(boxes(wide))
    layer1 = parsed(drawn(QAT, "--group", "layer1"))
    assert 0 < len(boxes(layer1)) < 12
    marked = drawn(QAT, "--highlight", "MaxPool")
    assert len(boxes(parsed(marked))) == len(whole) and 'class="m"' in marked


def test_folding(drawn):
    root = parsed(drawn(QAT, "--fold", "layer1"))
    groups = boxes(root, "group")
    assert len(groups) == 1
    words = words_of(next(iter(groups.values())))
    assert words.startswith("layer1") and "slowest: " in words and "% of Σ" in words
    assert not boxes(parsed(drawn(QAT, "--depth", "0")), "group")
    few = parsed(drawn(QAT, "--boxes", "12"))
    assert boxes(few, "group")


def test_looks(drawn):
    auto, light, dark = (drawn(QAT, "--theme", theme) for theme in ["auto", "light", "dark"])
    assert "prefers-color-scheme:dark" in auto and "prefers-color-scheme" not in light + dark
    assert "#14171B" in dark and "#14171B" not in light
    assert "#76b900" in drawn(QAT, "--palette", "trex", "--theme", "light").lower()
    assert "FP16" in words_of(parsed(drawn(QAT, "--by", "precision")))
    heat = parsed(drawn(QAT, "--by", "heat"))
    assert "Box: time" in words_of(heat)
    bare = words_of(parsed(drawn(QAT, "--no-names", "--edges", "none", "--theme", "light")))
    assert "12.8 MB" not in bare
    assert "activation RELU" in words_of(parsed(drawn(QAT, "--details")))
    assert "Conv(input0) + input1" in words_of(parsed(drawn(QAT, "--details")))
    assert "onnx::DequantizeLinear_154" in words_of(parsed(drawn(QAT, "--edges", "name")))
    assert drawn(QAT, "--basis", "mean") != drawn(QAT)


def test_json(drawn, valid, engines):
    for words in [[QAT], [QAT, "--view", "memory"], [QAT, "--boxes", "12"]]:
        document = valid(drawn(*words, "--format", "json"), "layout")
        for edge in document["edges"]:
            assert len(edge["points"]) >= 2
            for box in (edge["from"], edge["to"]):
                assert 0 <= box < len(document["boxes"])
        for box in document["boxes"]:
            assert box["x"] >= 0 and box["x"] + box["width"] <= document["size"]["width"] + 0.01
            assert box["y"] + box["height"] <= document["size"]["height"] + 0.01
    svg = boxes(parsed(drawn(QAT)))
    ids = {box["id"] for box in json.loads(drawn(QAT, "--format", "json"))["boxes"]}
    assert set(svg) <= ids


HOSTILE = [
    "</text><script>alert(1)</script>",
    '" onload="alert(1)" x=\'',
    "a & b < c > d ]]> <!-- --> <?x?>",
    "tab\tline\nreturn\rnull\x01escape\x1b[31m",
    "right \u202eto left\u202c ‫and‬",
    "זה עברית وهذا عربي",
    "日本語の長い名前 🙂 e\u0301",
    "x" * 100_000,
    "\ufffe\uffff",
    "",
]


@pytest.fixture
def hostile(tmp_path):
    """A chain of layers with names that want to break out."""
    layers = []
    for i, name in enumerate(HOSTILE):
        layers.append(
            {
                "Name": name,
                "LayerType": f"Type<{i}>&\"'",
                "ParameterType": name[:200],
                "Inputs": [{"Name": f"t{i}{name}", "Dimensions": [1], "Format/Datatype": "FP16"}],
                "Outputs": [
                    {"Name": f"t{i + 1}{name}", "Dimensions": [1], "Format/Datatype": "FP16"}
                ],
                "TacticName": name,
                "]]></style><script>": name[:5000],
            }
        )
        if i:
            layers[i]["Inputs"].append(layers[i - 1]["Outputs"][0])
    document = {"Layers": layers, "Bindings": ["t0" + HOSTILE[0], "</svg>"]}
    path = tmp_path / "x.graph.json"
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize("view", ["execution", "memory"])
def test_hostile_names(planex, hostile, view):
    words = ["--view", view, "--edges", "name", "--details", "--sources", "--memory-names"]
    text = planex("draw", hostile, *words).stdout
    root = parsed(text)
    assert "<script" not in text
    assert len(boxes(root)) == len(HOSTILE)
    assert "\u202e" not in text and "⟨U+202E⟩" in text
    assert len(text) < 300_000, "long names are cut"
    assert "日本語の長い名前" in text and "עברית" in text
    json.loads(planex("draw", hostile, "--format", "json").stdout)


ALIASES = [
    (["-dr"], ["--memory", "all"]),
    (["-dr", "-dc"], ["--memory", "all", "--constants"]),
    (["--display_regions"], ["--memory", "all"]),
    (["-no_ln"], ["--no-names"]),
    (["-dm"], ["--sources"]),
    (["-drn"], ["--memory", "all", "--memory-names"]),
    (["-of", "json"], ["--format", "json"]),
    (["--output_format=json"], ["--format", "json"]),
    (["-b", "#6,1"], ["--around", "#6", "--radius", "1"]),
    (["--beam=#6,1"], ["--around", "#6", "--radius", "1"]),
    (["-q", "MaxPool"], ["--select", "MaxPool"]),
]


@pytest.mark.parametrize("theirs,ours", ALIASES)
def test_words_of_the_predecessor(drawn, theirs, ours):
    assert drawn(QAT, *theirs) == drawn(QAT, *ours)


def test_profile_by_the_predecessors_word(planex, engines):
    stem = f"{QAT}/resnet-qat.onnx.engine"
    words = [f"{stem}.graph.json", "-pj", f"{stem}.profile.json"]
    assert "201.7 µs" in planex("draw", *words, cwd=engines).stdout


def test_files(planex, engines, tmp_path, files_in):
    for name in ["a.svg", "b.json", "c.SVG"]:
        result = planex("draw", QAT, "-o", tmp_path / name, cwd=engines)
        assert result.stdout == "" and result.stderr == ""
    assert (tmp_path / "a.svg").read_text("utf-8").startswith("<svg ")
    assert json.loads((tmp_path / "b.json").read_text("utf-8"))["schema"] == "planex.layout/1"
    assert (tmp_path / "c.SVG").read_bytes() == (tmp_path / "a.svg").read_bytes()
    planex("draw", QAT, "-o", tmp_path / "noending", "--format", "svg", cwd=engines)
    assert (tmp_path / "noending").read_bytes() == (tmp_path / "a.svg").read_bytes()
    before = files_in(tmp_path)
    said = planex("draw", QAT, "-o", tmp_path / "x.bmp", cwd=engines, code=2).stderr
    assert "x.bmp" in said and "svg" in said and "--format" in said
    said = planex("draw", QAT, "-o", tmp_path / "d.svg", "--around", "nope", cwd=engines, code=2)
    assert files_in(tmp_path) == before, "nothing is left of what failed"


ERRORS = [
    (["--around", "layer1.0.conv9"], ["layer1.0.conv9"]),
    (["--select", "("], ["("]),
    (["--select", "nothing has this name"], ["nothing has this name"]),
    (["--between", "#1"], ["--between"]),
    (["--group", "layer9"], ["layer9", "layer"]),
    (["--fold", "layer9"], ["layer9"]),
    (["--radius", "2"], ["--around"]),
    (["--neighbours", "2"], ["--select"]),
    (["--context", "2"], ["--slowest"]),
    (["--by", "colour"], ["colour", "heat"]),
    (["--theme", "blue"], ["blue", "print"]),
    (["--no-names", "--original-names"], ["--no-names"]),
    (["--highlight", "nothing has this name"], ["--highlight"]),
    (["--slowest", "0"], ["--slowest"]),
]


@pytest.mark.parametrize("words,said", ERRORS)
def test_errors(planex, engines, words, said):
    result = planex("draw", QAT, *words, cwd=engines, code=2)
    assert result.stdout == "" and result.stderr.startswith("error: ")
    for word in said:
        assert word in result.stderr
    assert result.stderr.count("\n") <= 4


@pytest.mark.parametrize("layers,shape", [(300, s) for s in ["resnet", "branchy", "hubs"]])
def test_synthetic(planex, root, tmp_path, layers, shape):
    words = ["--layers", str(layers), "--shape", shape, "--output", str(tmp_path / "x")]
    subprocess.run([sys.executable, root / "bench/make_engine.py", *words], check=True)
    plan = tmp_path / "x.graph.json"
    root = parsed(planex("draw", plan, "--depth", "0").stdout)
    assert len(boxes(root)) > layers * 0.5
    folded = parsed(planex("draw", plan, "--boxes", "40").stdout)
    every = [e for e in folded.iter(f"{SVG}g") if re.match(r"\w+-\d", e.attrib.get("id", ""))]
    assert len(every) < layers


def test_a_line_lives_while_a_png_is_drawn(planex_bin, engines, tmp_path):
    """Who waits at a terminal sees seconds count; nobody else sees anything."""
    words = ["draw", engines / "controlnet-a10-trt8.6", "--depth", "0", "--scale", "0.5"]
    command = [str(word) for word in (planex_bin, *words, "-o", tmp_path / "x.png")]
    leader, follower = pty.openpty()
    began = time.monotonic()
    process = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower)
    os.close(follower)
    shown = b""
    with contextlib.suppress(OSError):  # the last reader of a terminal that is gone
        while part := os.read(leader, 4096):
            shown += part
    os.close(leader)
    took = time.monotonic() - began
    if process.wait() != 0 and b"librsvg" in shown:
        pytest.skip("no librsvg")
    assert process.returncode == 0, shown
    assert b"reading" in shown and b"drawing" in shown
    if took > 4:
        assert re.search(rb"(reading|drawing) \d+ s", shown), shown
    assert shown.endswith(b"\r\x1b[K"), "the line is gone at the end"
    quiet = subprocess.run(command, capture_output=True, check=True)
    assert quiet.stdout == quiet.stderr == b""
