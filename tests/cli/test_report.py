"""The report page: one file, no network, the numbers of `planex summary`."""

from __future__ import annotations

import base64
import hashlib
import html
import html.parser
import itertools
import json
import re
import shlex
import shutil
import zlib

import pytest

ENGINES = [
    "resnet18-a100-qat",
    "mobilenetv2-trt10.1-fp16",
    "controlnet-a10-trt8.6",
    "yolo-orin-trt8.5.2-names-only",
]


class Page(html.parser.HTMLParser):
    """Elements with their attributes, and what scripts hold."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements = []
        self.text = ""
        self.inside = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append({"tag": tag, "text": "", **dict(attrs)})
        if tag in ("script", "style"):
            self.inside.append(self.elements[-1])

    def handle_endtag(self, tag):
        if self.inside and self.inside[-1]["tag"] == tag:
            self.inside.pop()

    def handle_data(self, text):
        if self.inside:
            self.inside[-1]["text"] += text
        else:
            self.text += text

    def all(self, tag):
        return [element for element in self.elements if element["tag"] == tag]


def data_of(page):
    (element,) = [e for e in page.all("script") if e.get("id") == "planex-data"]
    assert element["data-encoding"] == "deflate-base64"
    return json.loads(zlib.decompress(base64.b64decode(element["text"].strip(), validate=True)))


@pytest.fixture(scope="session")
def report(planex, engines, tmp_path_factory):
    def make(*plans):
        path = tmp_path_factory.mktemp("report") / "report.html"
        result = planex("report", *plans, "-o", path, cwd=engines)
        assert result.stdout == "" and result.stderr == ""
        assert [p.name for p in path.parent.iterdir()] == ["report.html"]
        return path.read_text("utf-8")

    return make


@pytest.mark.parametrize("engine", ENGINES)
def test_page(report, engine):
    text = report(engine)
    page = Page(text)
    assert text.lower().startswith("<!doctype html>")
    assert "PLANEX:DATA" not in text and "PLANEX:STATIC" not in text
    # Nothing is loaded from anywhere.
    for element in page.elements:
        for attribute in ("src", "href", "srcset", "action", "data", "poster"):
            value = element.get(attribute) or ""
            assert not value or value.startswith(("data:", "#", "blob:")), element
        assert not [name for name in element if name.startswith("on")], element
    (policy,) = [
        element["content"]
        for element in page.all("meta")
        if (element.get("http-equiv") or "").lower() == "content-security-policy"
    ]
    rules = {part.split()[0]: part.split()[1:] for part in policy.split(";") if part.strip()}
    assert rules["default-src"] == ["'none'"]
    assert "connect-src" not in rules or rules["connect-src"] == ["'none'"]
    # The script, which may run WebAssembly and start itself as a worker, and what unpacks it; one
    # style; no more.
    assert rules["script-src"][2:] == ["'wasm-unsafe-eval'"] and rules["style-src"][1:] == []
    assert rules["script-src"][1].startswith("'sha256-")
    for kind in ("script-src", "style-src"):
        assert rules[kind][0].startswith("'sha256-")
    assert rules["worker-src"] == ["blob:"]
    for kind, sources in rules.items():
        if kind not in ("script-src", "style-src"):
            assert set(sources) <= {"'none'", "data:", "blob:"}
    assert rules["base-uri"] == ["'none'"] and rules["form-action"] == ["'none'"]


def test_scripts_and_styles_have_the_hashes_of_the_policy(report):
    text = report(ENGINES[0])
    policy = re.search(r'content="([^"]*default-src[^"]*)"', text)[1]
    policy = html.unescape(policy)
    hashes = set(re.findall(r"'sha256-([^']+)'", policy))
    found = set()
    for tag in ("script", "style"):
        for attributes, body in re.findall(rf"<{tag}([^>]*)>(.*?)</{tag}>", text, re.DOTALL):
            if "planex-script" in attributes:
                body = zlib.decompress(base64.b64decode(body)).decode()
            elif "application/octet-stream" in attributes:
                continue
            found.add(base64.b64encode(hashlib.sha256(body.encode()).digest()).decode())
    assert found == hashes


@pytest.mark.parametrize("engine", ENGINES)
def test_no_address_is_referenced(report, engine):
    text = report(engine)
    packed = re.findall(r'<script type="application/octet-stream"([^>]*)>([^<]*)<', text)
    rest = re.sub(r'(<script type="application/octet-stream"[^>]*>)[^<]*', r"\1", text)
    rest += "".join(
        zlib.decompress(base64.b64decode(body)).decode()
        for attributes, body in packed
        if "planex-script" in attributes
    )
    # Names of XML vocabularies are identifiers; nobody fetches them.
    addresses = set(re.findall(r"(?:https?|wss?|ftp):?//[^\s\"'`<>)\\]+", rest))
    assert {a for a in addresses if not a.startswith("http://www.w3.org/")} == set()
    assert not re.search(r"url\((?!['\"]?(data:|#|blob:))", rest)
    assert "@import" not in rest


@pytest.mark.parametrize("plans", [*((engine,) for engine in ENGINES), tuple(ENGINES)])
def test_the_data_fit_their_schema(planex, engines, valid, plans):
    valid(planex("report", *plans, "--format", "json", "-o", "-", cwd=engines).stdout, "report")


@pytest.mark.parametrize("engine", ENGINES)
def test_numbers_are_those_of_the_summary(planex, engines, report, engine):
    document = data_of(Page(report(engine)))
    assert document["schema"] == "planex.report/2"
    assert document["comparison"] is None
    (one,) = document["engines"]
    summary = json.loads(planex("summary", engine, "--format", "json", cwd=engines).stdout)
    assert one["summary"] == summary
    lint = json.loads(planex("lint", engine, "--format", "json", cwd=engines).stdout)
    assert one["findings"] == lint["findings"]
    assert one["rules"] == lint["rules"]
    as_json = planex("report", engine, "--format", "json", "-o", "-", cwd=engines).stdout
    assert json.loads(as_json) == document
    version = json.loads(planex("version", "--format", "json").stdout)["version"]
    assert document["generator"] == {
        "name": "planex",
        "version": version,
        "command": f"planex report {engine} -o report.html",
    }
    totals = (
        *("counts", "suppressed_counts", "folded_count", "waivers", "baseline"),
        *("estimated_ms", "estimate_band"),
    )
    assert one["lint"] == {key: lint[key] for key in totals}


def test_says_how_it_was_made(planex, engines, tmp_path, report):
    waivers = tmp_path / "w v.json"
    waivers.write_text(
        json.dumps(
            {
                "schema": "planex.waivers/1",
                "waivers": [
                    {"rule": "qdq-unfused", "reason": "for now", "expires": "2027-01-01"},
                    {"rule": "reformat-changes-type", "reason": "x", "expires": "2026-01-01"},
                ],
            }
        )
    )
    words = [*("resnet18-a100-qat", "resnet18-a100-fp16"), "--waivers", waivers]
    words += ["--today", "2026-06-01"]
    made = planex("report", *words, "--format", "json", "-o", "-", cwd=engines).stdout
    document = json.loads(made)
    program, verb, *rest = shlex.split(document["generator"]["command"])
    assert (program, verb) == ("planex", "report") and rest[-2:] == ["-o", "report.html"]
    again = planex("report", *rest[:-2], "--format", "json", "-o", "-", cwd=engines).stdout
    assert again == made
    # What the terminal says with the same waivers.
    for one in document["engines"]:
        words = ["lint", one["path"], "--waivers", waivers, "--today", "2026-06-01"]
        lint = json.loads(planex(*words, "--format", "json", cwd=engines).stdout)
        assert one["findings"] == lint["findings"] and one["rules"] == lint["rules"]
        assert one["lint"]["estimated_ms"] == lint["estimated_ms"]
        assert one["lint"]["suppressed_counts"] == lint["suppressed_counts"]
        states = [w["state"] for w in one["lint"]["waivers"]]
        assert states[1] == "expired"
    assert document["engines"][0]["lint"]["suppressed_counts"]["waiver"] == 10


def test_what_another_engine_has_solved_was_measured(planex, engines):
    names = [f"resnet18-a100-{name}" for name in ("qat", "qat-residual", "qat-residual-qgap")]
    made = planex("report", *names, "--format", "json", "-o", "-", cwd=engines).stdout
    document = json.loads(made)
    told = 0
    for here, one in enumerate(document["engines"]):
        times = [
            engine["tables"]["layers"]["columns"]["median_ms"] for engine in document["engines"]
        ]
        for solved in one["elsewhere"]:
            there, finding = solved["engine"], one["findings"][solved["finding"]]
            # Only with the first engine is any other compared.
            assert there != here and 0 in (there, here)
            assert finding["layer_id"] in solved["here"]
            assert {s["layer_id"] for s in finding["savings"]} <= set(solved["here"])
            other = document["engines"][there]
            (rule,) = [r for r in other["rules"] if r["id"] == finding["rule"]]
            assert rule["status"] != "skipped"
            for f in other["findings"]:
                assert f["rule"] != finding["rule"] or f["layer_id"] not in solved["there"]
            for key, engine in (("here", here), ("there", there)):
                sums = sum(times[engine]["values"][layer] for layer in solved[key])
                assert solved[f"{key}_ms"] == pytest.approx(sums)
            assert solved["delta_ms"] == pytest.approx(solved["there_ms"] - solved["here_ms"])
            told += 1
    assert told > 10
    # Worked out by hand: layer 6 (36.864 µs) and the reformat behind it (27.648) take 34.816 there.
    first = document["engines"][0]
    (residual,) = [
        s
        for s in first["elsewhere"]
        for f in [first["findings"][s["finding"]]]
        if s["engine"] == 1 and f["rule"] == "int8-conv-writes-float" and f["layer_id"] == 6
    ]
    assert (residual["here"], residual["there"]) == ([6, 7], [3])
    assert residual["delta_ms"] == pytest.approx(0.034816 - 0.036864 - 0.027648)


def test_nothing_is_solved_on_another_device(planex, engines):
    plans = ["resnet18-a100-qat", "resnet50-rtx3090-qat", "mobilenet-titanrtx-qat"]
    made = planex("report", *plans, "--format", "json", "-o", "-", cwd=engines).stdout
    for one in json.loads(made)["engines"]:
        assert one["elsewhere"] == []


def test_files_are_told_by_their_hashes(planex, engines):
    made = planex("report", ENGINES[0], "--format", "json", "-o", "-", cwd=engines).stdout
    (one,) = json.loads(made)["engines"]
    files = one["tables"]["files"]["columns"]
    text = [one["strings"][index] for index in files["file"]["values"]]
    hashes = [one["strings"][index] for index in files["sha256"]["values"]]
    assert len(hashes) == len(text) > 3
    for file, sha256 in zip(text, hashes, strict=True):
        assert hashlib.sha256((engines / file).read_bytes()).hexdigest() == sha256
    # No manifest says what they should be.
    assert set(files["is_as_made"]["values"]) == {None}


def test_no_paths(planex, engines, tmp_path):
    """What is handed on does not tell where the sender keeps the files."""
    folder = tmp_path / "home of me" / "run"
    shutil.copytree(engines / "resnet18-a100-qat", folder)
    waivers = tmp_path / "elsewhere" / "w.json"
    waivers.parent.mkdir()
    waivers.write_text(json.dumps({"schema": "planex.waivers/1", "waivers": []}))
    words = ["report", folder, "--waivers", waivers, "--today", "2026-06-01"]
    shown = planex(*words, "--format", "json", "-o", "-").stdout
    assert str(tmp_path) in shown
    hidden = planex(*words, "--no-paths", "--format", "json", "-o", "-").stdout
    assert str(tmp_path) not in hidden
    one = json.loads(hidden)["engines"][0]
    assert one["path"] == "run"
    # Nothing but the folders goes.
    plain = hidden.replace(" --no-paths", "")
    for part in (folder.parent, waivers.parent):
        shown = shown.replace(f"{part}/", "")
    assert json.loads(plain) == json.loads(shown)
    page = tmp_path / "page.html"
    planex(*words, "--no-paths", "-o", page)
    assert str(tmp_path) not in page.read_text("utf-8")


def test_a_manifest_vouches_for_the_files_it_names(planex, engines, tmp_path):
    sums = {}
    for file in (engines / ENGINES[0]).iterdir():
        copy = tmp_path / file.name
        copy.write_bytes(file.read_bytes())
        sums[file.name] = hashlib.sha256(copy.read_bytes()).hexdigest()
    changed = "resnet-qat.onnx.engine.profile.json"
    sums[changed] = "0" * 64
    manifest = {
        "schema": "planex.manifest/1",
        "commands": [["planex-openvino", "--model", "a b.onnx"]],
        "artefacts": [{"file": name, "sha256": value} for name, value in sums.items()],
    }
    (tmp_path / "resnet-qat.onnx.engine.manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "notes.txt").write_text("not read")
    made = planex("report", tmp_path, "--format", "json", "-o", "-").stdout
    (one,) = json.loads(made)["engines"]
    files = one["tables"]["files"]["columns"]
    names = [one["strings"][index].split("/")[-1] for index in files["file"]["values"]]
    is_as_made = dict(zip(names, files["is_as_made"]["values"], strict=True))
    assert is_as_made.pop("resnet-qat.onnx.engine.manifest.json") is None
    assert is_as_made.pop(changed) is False
    assert is_as_made and all(is_as_made.values())
    recorded = [c for c in one["commands"] if c["origin"] == "recorded"]
    assert [c["command"] for c in recorded] == ["planex-openvino --model 'a b.onnx'"]
    assert recorded[0]["file"].endswith("manifest.json")
    (left_out,) = one["left_out"]
    assert left_out["file"].endswith("notes.txt") and left_out["size_bytes"] == 8
    assert left_out["reason"]


def test_static_part_can_be_read_without_scripts(planex, engines, report):
    page = Page(report(ENGINES[0]))
    summary = json.loads(planex("summary", ENGINES[0], "--format", "json", cwd=engines).stdout)
    assert summary["engine"]["name"] in page.text
    assert summary["conclusion"]["headline"] in page.text
    assert f"{summary['time']['end_to_end']['median_ms']:.3f}" in page.text


def test_several_engines(planex, engines, report):
    plans = [f"resnet18-a100-{variant}" for variant in ("fp32", "fp16", "qat")]
    document = data_of(Page(report(*plans)))
    assert len(document["engines"]) == 3
    compare = json.loads(planex("compare", *plans, "--format", "json", cwd=engines).stdout)
    # The pairs and the ledger are in columns: test_report_compare.py.
    figures = ("engines", "totals", "by_type", "by_precision", "by_output_precision")
    assert all(document["comparison"][name] == compare[name] for name in figures)
    for plan, one in zip(plans, document["engines"], strict=True):
        summary = json.loads(planex("summary", plan, "--format", "json", cwd=engines).stdout)
        assert one["summary"] == summary


def test_a_sweep_with_the_engines_of_its_cells(planex, root, report):
    folder = root / "tests/data/sweep"
    page = Page(report(folder))
    document = data_of(page)
    sweep = json.loads(planex("sweep", folder, "--format", "json").stdout)
    places = [cell.pop("report_engine", None) for cell in document["sweep"]["cells"]]
    assert document["sweep"] == sweep
    assert "tiny.onnx" in page.text
    assert all(sentence in page.text for sentence in sweep["sentences"])
    assert sorted(place for place in places if place is not None) == [0, 1, 2, 3, 4, 5]
    for cell, place in zip(sweep["cells"], places, strict=True):
        if place is None:
            assert cell["state"] == "failed"
            continue
        # What all of them have in common is left out.
        batch, threads, _ = cell["values"]
        assert document["engines"][place]["label"] == f"batch={batch} threads={threads}"


def test_a_folder_of_optimize_with_its_record(root, report):
    folder = root / "tests/data/optimize"
    record = json.loads((folder / "optimize.json").read_text("utf-8"))
    document = data_of(Page(report(folder)))
    assert document["optimize"] == record
    assert [engine["label"] for engine in document["engines"]] == ["first", "best"]
    assert document["sweep"] is None
    # The command of the page names the record.
    assert "--optimize" in document["generator"]["command"]
    # The same from its parts; the engines alone were found by nobody.
    parts = [folder / "first", folder / "best"]
    named = data_of(Page(report(*parts, "--optimize", folder / "optimize.json")))
    assert named["optimize"] == record
    assert data_of(Page(report(*parts)))["optimize"] is None


def test_folders_in_a_record_are_hidden_too(root, report, tmp_path):
    record = json.loads((root / "tests/data/optimize/optimize.json").read_text("utf-8"))
    record["command"] = f"planex process {tmp_path}/model.onnx -o run/"
    (tmp_path / "optimize.json").write_text(json.dumps(record), "utf-8")
    words = ["--optimize", tmp_path / "optimize.json", "--no-paths"]
    text = report(root / "tests/data/optimize/first", *words)
    assert data_of(Page(text))["optimize"]["command"] == "planex process model.onnx -o run/"


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ("[]", "not a record of planex optimize", "planex optimize MODEL"),
        ('{"schema": "planex.times/1"}', "planex.optimize/1", "planex optimize MODEL"),
        ('{"schema": "planex.optimize/2"}', "older version", "newer planex"),
    ],
)
def test_what_is_no_record_of_optimize_is_said(planex, engines, tmp_path, text, said, hint):
    (tmp_path / "other.json").write_text(text, "utf-8")
    words = ["--optimize", tmp_path / "other.json", "-o", tmp_path / "report.html"]
    stderr = planex("report", ENGINES[0], *words, cwd=engines, code=3).stderr
    assert said in stderr and "other.json" in stderr and hint in stderr


def test_hostile_names_survive(report, tmp_path):
    import make_hostile_engine

    assert make_hostile_engine.main(["make_hostile_engine", str(tmp_path)]) == 0
    text = report(tmp_path)
    page = Page(text)
    harmless = Page(report(ENGINES[0]))
    assert [e["tag"] for e in page.elements if e["tag"] not in ("div", "dt", "dd", "p")] == [
        e["tag"] for e in harmless.elements if e["tag"] not in ("div", "dt", "dd", "p")
    ], "names add no element"
    assert "window.hostile" not in text
    document = data_of(page)
    strings = set(document["engines"][0]["strings"])
    for name in make_hostile_engine.HOSTILE:
        assert name in strings or name == ""


def test_same_bytes_twice(report):
    assert report(ENGINES[0]) == report(ENGINES[0])


def test_to_standard_output(planex, engines, report):
    text = planex("report", ENGINES[0], "-o", "-", cwd=engines).stdout
    assert text == report(ENGINES[0])


def undone(steps):
    """The values of a column of differences."""
    return list(itertools.accumulate(steps))


@pytest.mark.parametrize(
    "engine",
    ["resnet18-a100-qat-residual", "openvino2026.4-resnet18-qdq-shared-b8", "rtx1.7-resnet18-fp16"],
)
def test_additions_of_a_residual_net(report, engine):
    """ResNet-18 has eight, whoever compiles it: weights and biases are not added up."""
    (one,) = data_of(Page(report(engine)))["engines"]
    for view in ("execution", "memory"):
        edges = one["graph"]["views"][view]["edges"]
        assert sum(undone(edges["adds"])) == 8


def test_parameters_of_convolutions(report):
    (one,) = data_of(Page(report("mobilenetv2-trt10.1-fp16")))["engines"]
    texts = [one["strings"][i] if i >= 0 else None for i in undone(one["graph"]["parameters"])]
    assert len(texts) == one["tables"]["layers"]["row_count"]
    assert texts.count("3×3 /2 g96") == 1
    assert texts.count("1×1") == 35


@pytest.mark.parametrize("engine", ENGINES)
def test_graphs_fit_the_tables(report, engine):
    (one,) = data_of(Page(report(engine)))["engines"]
    layers = one["tables"]["layers"]
    names = undone(one["graph"]["short_names"])
    assert len(names) == layers["row_count"]
    assert all(0 <= name < len(one["strings"]) for name in names)
    ports = one["tables"].get("ports", {}).get("row_count", 0)
    if not ports:
        assert one["graph"]["views"].keys() <= {"source"}
    for view, graph in one["graph"]["views"].items():
        nodes, edges, groups = (
            {name: undone(steps) for name, steps in graph[part].items()}
            for part in ("nodes", "edges", "groups")
        )
        for part in (nodes, edges, groups):
            assert len({len(column) for column in part.values()}) <= 1
        count = len(nodes["kind"])
        shown = [layer for layer in nodes.get("layer_id", []) if layer >= 0]
        assert shown == sorted(set(shown)) or view == "source"
        assert all(layer < layers["row_count"] for layer in shown)
        assert all(0 <= node < count for node in edges["from"] + edges["to"])
        assert edges["to"] == sorted(edges["to"])
        for port in edges.get("from_port", []) + edges.get("to_port", []):
            assert -1 <= port < ports
        # Outer groups stand before inner ones, and every group holds what is in it.
        for group, parent in enumerate(groups.get("parent", [])):
            assert -1 <= parent < group
            if parent >= 0:
                assert groups["first"][parent] <= groups["first"][group]
                assert groups["last"][group] <= groups["last"][parent]
        for node, group in enumerate(nodes.get("group", [])):
            assert group < 0 or groups["first"][group] <= node <= groups["last"][group]
        for part, kinds in (("node", nodes), ("edge", edges), ("group", groups)):
            assert all(0 <= k < len(one["graph"]["kinds"][part]) for k in kinds.get("kind", []))
