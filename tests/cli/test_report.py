"""The report page: one file, no network, the numbers of `planex summary`."""

from __future__ import annotations

import base64
import html
import html.parser
import itertools
import json
import re
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
    # One script, which may run WebAssembly and start itself as a worker; one style; no more.
    assert rules["script-src"][1:] == ["'wasm-unsafe-eval'"] and rules["style-src"][1:] == []
    for kind in ("script-src", "style-src"):
        assert rules[kind][0].startswith("'sha256-")
    assert rules["worker-src"] == ["blob:"]
    for kind, sources in rules.items():
        if kind not in ("script-src", "style-src"):
            assert set(sources) <= {"'none'", "data:", "blob:"}
    assert rules["base-uri"] == ["'none'"] and rules["form-action"] == ["'none'"]


def test_scripts_and_styles_have_the_hashes_of_the_policy(report):
    import hashlib

    text = report(ENGINES[0])
    policy = re.search(r'content="([^"]*default-src[^"]*)"', text)[1]
    policy = html.unescape(policy)
    hashes = set(re.findall(r"'sha256-([^']+)'", policy))
    found = set()
    for tag in ("script", "style"):
        for attributes, body in re.findall(rf"<{tag}([^>]*)>(.*?)</{tag}>", text, re.DOTALL):
            if "planex-data" in attributes:
                continue
            found.add(base64.b64encode(hashlib.sha256(body.encode()).digest()).decode())
    assert found == hashes


@pytest.mark.parametrize("engine", ENGINES)
def test_no_address_is_referenced(report, engine):
    text = report(engine)
    data = re.search(r'id="planex-data"[^>]*>([^<]*)<', text)[1]
    rest = text.replace(data, "")
    # Names of XML vocabularies are identifiers; nobody fetches them.
    addresses = set(re.findall(r"(?:https?|wss?|ftp):?//[^\s\"'`<>)\\]+", rest))
    assert {a for a in addresses if not a.startswith("http://www.w3.org/")} == set()
    assert not re.search(r"url\((?!['\"]?(data:|#|blob:))", rest)
    assert "@import" not in rest


@pytest.mark.parametrize("engine", ENGINES)
def test_numbers_are_those_of_the_summary(planex, engines, report, engine):
    document = data_of(Page(report(engine)))
    assert document["schema"] == "planex.report/1"
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
    assert document["generator"] == {"name": "planex", "version": version}


def test_static_part_can_be_read_without_scripts(planex, engines, report):
    page = Page(report(ENGINES[0]))
    summary = json.loads(planex("summary", ENGINES[0], "--format", "json", cwd=engines).stdout)
    assert summary["engine"]["name"] in page.text
    assert summary["lede"]["headline"] in page.text
    assert f"{summary['time']['end_to_end']['median_ms']:.3f}" in page.text


def test_several_engines(planex, engines, report):
    plans = [f"resnet18-a100-{variant}" for variant in ("fp32", "fp16", "qat")]
    document = data_of(Page(report(*plans)))
    assert len(document["engines"]) == 3
    compare = json.loads(planex("compare", *plans, "--format", "json", cwd=engines).stdout)
    assert document["comparison"] == compare
    for plan, one in zip(plans, document["engines"], strict=True):
        summary = json.loads(planex("summary", plan, "--format", "json", cwd=engines).stdout)
        assert one["summary"] == summary


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
