"""Text of files in a terminal: whatever a field holds, no verb hands it on as a command.

A plan has every text that the model has, and a log, a trace or an XML file is no more than the same
fields; so each text field of a small plan is poisoned in turn, and every verb is run.
"""

from __future__ import annotations

import copy
import json
import re

import pytest

# OSC, CSI of C0 and C1, direction, NUL, and a line that could pass for one of ours.
POISON = "\x1b]0;title\x07\x1b[2J\u009b2J\u202e\u0000\rCR\nINJECTED"
# What may not reach a terminal: controls but for line ends, and what can't be seen.
HARMFUL = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)
COLOR = re.compile(r"\x1b\[[0-9;]*m")
# Words of formats that a reader checks, and ids: poison there is another error each.
VERBS = [
    ["summary"],
    ["summary", "--timing"],
    ["list"],
    ["layers"],
    ["layers", "--format", "markdown"],
    ["lint", "--all"],
    ["lint", "--format", "markdown"],
    ["doctor"],
    ["query"],
    ["compare"],
    ["compare", "--pairs"],
    ["compare", "--ledger"],
    ["compare", "--summaries"],
    *(
        ["explain", topic]
        for topic in (
            "reformats",
            "speed",
            "memory",
            "precision",
            "blocks",
            "operations",
            "kernels",
        )
    ),
]


def texts_of(value, path=()):
    """(path, text) of every text below a JSON value; items of lists are all one place."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from texts_of(item, (*path, key))
    elif isinstance(value, list):
        for item in value:
            yield from texts_of(item, (*path, "*"))


def poisoned(value, wanted, path=()):
    if isinstance(value, str):
        return value + POISON if path == wanted else value
    if isinstance(value, dict):
        return {key: poisoned(item, wanted, (*path, key)) for key, item in value.items()}
    if isinstance(value, list):
        return [poisoned(item, wanted, (*path, "*")) for item in value]
    return value


def small_engine(engines):
    """A TensorRT engine of a dozen layers with a profile."""
    folder = engines / "resnet18-a100-qat"
    graph = json.loads(next(folder.glob("*.graph.json")).read_text("utf-8"))
    graph["Layers"] = graph["Layers"][:12]
    names = {layer["Name"] for layer in graph["Layers"]}
    profile = json.loads(next(folder.glob("*.profile.json")).read_text("utf-8"))
    profile = [profile[0], *(row for row in profile[1:] if row.get("name") in names)]
    return graph, profile


def check(text, what):
    plain = COLOR.sub("", text)
    found = HARMFUL.search(plain)
    assert not found, (what, found[0], plain[max(0, found.start() - 80) : found.end() + 40])
    assert not re.search(r"^INJECTED", plain, re.MULTILINE), what


def run_all(planex, tmp_path, what):
    for verb in VERBS:
        words = [*verb, tmp_path]
        if verb[0] == "compare":
            words = [*verb, tmp_path, tmp_path]
        for color in ("never", "always"):
            result = planex(*words, "--color", color, "--width", 100, code=None)
            assert result.returncode in (0, 2, 3), (what, verb, result.stderr)
            markdown = "markdown" in verb
            if not markdown:  # There a line break may become <br>, and nothing else.
                check(result.stdout, (what, verb))
            check(result.stderr, (what, verb))


def places(engines):
    graph, profile = small_engine(engines)
    for name, document in (("graph", graph), ("profile", profile)):
        for place in sorted({path for path, _ in texts_of(document)}):
            yield name, place


@pytest.mark.parametrize("part", ["graph", "profile"])
def test_each_text_of_an_engine(planex, engines, tmp_path, part):
    documents = dict(zip(("graph", "profile"), small_engine(engines), strict=True))
    found = [place for name, place in places(engines) if name == part]
    assert len(found) >= (8 if part == "graph" else 1)
    for place in found:
        for name, document in documents.items():
            changed = poisoned(copy.deepcopy(document), place) if name == part else document
            (tmp_path / f"x.{name}.json").write_text(json.dumps(changed), "utf-8")
        run_all(planex, tmp_path, place)


def test_each_text_of_a_plan(planex, engines, tmp_path):
    source = engines / "resnet18-a100-qat"
    whole = tmp_path / "whole.plan.json"
    planex("export", source, "-o", whole)
    plan = json.loads(whole.read_text("utf-8"))
    whole.unlink()
    found = sorted({path for path, text in texts_of(plan) if len(path) <= 4})
    assert len(found) >= 20
    folder = tmp_path / "plan"
    folder.mkdir()
    changed = plan
    for place in found:
        if place[0] in ("schema", "tables"):
            continue
        changed = poisoned(plan, place)
        (folder / "x.plan.json").write_text(json.dumps(changed), "utf-8")
        # One verb that shows everything is enough where the reader takes it.
        result = planex("summary", folder, "--color", "always", code=None)
        check(result.stdout, place)
        check(result.stderr, place)


# --- Logs and XML, whose fields are no JSON ---

# Lines of a log end where a line ends.
LINE_POISON = re.sub(r"[\r\n]", "_", POISON)
LOGS = [
    "engines/mnist-trt10.14.1-logs/result-05.log",
    "engines/rtx1.7-failed-build-sm/failed-build-sm.build.log",
    "engines-2/failed-plugin-trt10.16/result-08.log",
    "engines-2/inspector-text-trt8/result.log",
    "engines-2/logs-trt8.4.1-many-runs",
    "engines-2/trtexec-log-trt8.0.3",
]
BRIEF_VERBS = [
    ["summary"],
    ["layers"],
    ["lint", "--all"],
    ["doctor"],
    ["explain", "precision"],
]
# Of a line: at its end, before its last word, within its first quotes, behind what it calls itself.
PLACES = [r"$", r"(?=\S+$)", r"(?<=[\"'])", r"(?<=: )"]
GROUPS = 6


def poisoned_lines(lines, place, chosen):
    return "\n".join(
        re.sub(place, lambda _: LINE_POISON, line, count=1) if chosen(i) else line
        for i, line in enumerate(lines)
    )


def run_brief(planex, path, what):
    """How many runs took the file, and how many showed what was put in."""
    taken = shown = 0
    for verb in BRIEF_VERBS:
        result = planex(*verb, path, "--color", "always", "--width", 100, code=None)
        assert result.returncode in (0, 2, 3), (what, verb, result.stderr)
        check(result.stdout, (what, verb))
        check(result.stderr, (what, verb))
        taken += result.returncode == 0
        shown += "title" in result.stdout + result.stderr
    return taken, shown


@pytest.mark.parametrize("log", LOGS)
def test_each_line_of_a_log(planex, data, tmp_path, log):
    source = data / log
    if source.is_dir():  # a folder of logs: the first
        source = min(path for path in source.iterdir() if path.suffix in (".log", ".txt"))
    lines = source.read_text("utf-8").splitlines()
    taken = shown = 0
    path = tmp_path / source.name
    for number, place in enumerate(PLACES):
        for group in range(GROUPS):
            path.write_text(
                poisoned_lines(lines, place, lambda i, group=group: i % GROUPS == group), "utf-8"
            )
            found = run_brief(planex, path, (log, number, group))
            taken += found[0]
            shown += found[1]
    assert taken > 0, "a log that nobody takes for one proves nothing"
    assert shown > 0, "text of the log reaches the terminal, without its commands"


def attributes_of(xml):
    """Every (element, attribute) of an XML text, once."""
    places = set()
    for element, rest in re.findall(r"<(\w+)((?:\s+[\w.:-]+=\"[^\"]*\")+)", xml):
        places.update((element, name) for name in re.findall(r"([\w.:-]+)=\"", rest))
    return sorted(places)


def test_each_attribute_of_xml(planex, engines, tmp_path):
    source = engines / "openvino2026.4-resnet18-qdq-shared-b8"
    xml = (source / "exec_graph.xml").read_text("utf-8")
    # As references, since controls may not stand in XML as they are.
    poison = "".join(f"&#{ord(c)};" if c != "\0" else "" for c in POISON)
    places = attributes_of(xml)
    assert len(places) >= 10
    taken = shown = 0
    for element, name in places:
        changed = re.sub(
            rf"(<{element}\b[^>]*?\s{re.escape(name)}=\"[^\"]*)\"",
            lambda found: found[1] + poison + '"',
            xml,
        )
        (tmp_path / "exec_graph.xml").write_text(changed, "utf-8")
        found = run_brief(planex, tmp_path, (element, name))
        taken += found[0]
        shown += found[1]
    assert taken > 0 and shown > 0


def test_terminal_gets_no_commands_of_data(planex_bin, engines, tmp_path):
    """CSV and JSON are written as they are, but a terminal acts on them."""
    import os
    import pty
    import subprocess

    graph, _ = small_engine(engines)
    graph["Layers"][0]["Name"] += POISON
    (tmp_path / "x.graph.json").write_text(json.dumps(graph), "utf-8")
    for output in ("csv", "json", "markdown"):
        leader, follower = pty.openpty()
        words = ["layers", str(tmp_path), "--format", output]
        process = subprocess.Popen([planex_bin, *words], stdout=follower, stderr=follower)
        os.close(follower)
        written = b""
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:
                break
            if not piece:
                break
            written += piece
        os.close(leader)
        assert process.wait(60) == 0
        text = written.decode("utf-8").replace("\r\n", "\n")
        assert not HARMFUL.search(text), output
