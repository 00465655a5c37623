"""What tests say of "every verb" is held to the program's own list.

And no verb says of an engine that has only names what nobody knows.
"""

from __future__ import annotations

import importlib.util
import itertools
import pathlib
import re

import pytest
from verbs import choices, options_of, topics, verbs_with


def module_of(name):
    spec = importlib.util.spec_from_file_location(
        f"lists_of_{name}", pathlib.Path(__file__).with_name(f"{name}.py")
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


test_documents = module_of("test_documents")
test_errors = module_of("test_errors")
test_help = module_of("test_help")
test_hostile_text = module_of("test_hostile_text")
test_runs = module_of("test_runs")

# Verbs whose options no run of the tests below can fill, with where they are tried.
ELSEWHERE_DOCUMENTS = {
    "accuracy": "test_accuracy.py: compares models or arrays",
    "advise": "tests/e2e/test_advise.py: takes a model",
    "archive": "test_archive.py: writes a capsule",
    "cast": "tests/drivers/test_cast.py: runs an engine",
    "clean": "tests/drivers/test_clean.py: takes a model",
    "draw": "test_draw.py: writes pictures",
    "explain": "by topics, in test_explain_*.py",
    "export": "test_export_*.py: its formats are files",
    "optimize": "tests/e2e/test_optimize.py: runs engines",
    "probe": "measures the processor; test_help.py tries its options",
    "process": "tests/drivers: runs an engine",
    "quantize": "tests/drivers: runs an engine",
    "report": "test_report.py: a page",
    "search": "tests/drivers: runs an engine",
    "sweep": "tests/e2e/test_sweep.py: runs engines",
    "verify": "test_archive.py: takes a capsule",
}
# They write files, of which others read the texts.
ELSEWHERE_HOSTILE = {"archive", "draw", "export", "report", "serve", "mcp"}


def test_lists_of_verbs_are_whole(planex):
    options = options_of(planex)
    assert set(test_help.VERBS) == set(options)
    with_format = verbs_with(planex, "--format")
    assert set(test_documents.VERBS) | set(ELSEWHERE_DOCUMENTS) >= with_format
    assert not set(test_documents.VERBS) & set(ELSEWHERE_DOCUMENTS)
    of_engines = {
        verb
        for verb, all_of in options.items()
        if {"PLAN", "PATH"} & set(all_of) and verb != "list"
    }
    hostile = {words[0] for words in test_hostile_text.VERBS}
    assert hostile | ELSEWHERE_HOSTILE >= of_engines
    assert set(test_errors.VERBS_OF_PLANS) | {"draw", "explain", "export", "archive", "serve"} >= (
        of_engines
    )
    # A sweep's own runs, and what writes one engine's files.
    runs = verbs_with(planex, "--run") - {"sweep", "draw", "export", "archive"}
    assert set(test_runs.VERBS) == runs


def test_formats_are_those_of_the_program(planex):
    options = options_of(planex)
    for verb, (_, formats) in test_documents.VERBS.items():
        assert formats == choices(options[verb]["--format"]), verb


def test_hostile_topics_are_whole(planex):
    tried = {words[1] for words in test_hostile_text.VERBS if words[0] == "explain"}
    # These show texts of tables that planex itself has, or want a log of a build.
    assert tried | {"placement", "messages", "engines", "tactics", "quantization"} == set(
        topics(planex)
    )


NAMES_ONLY = ["mnist-trt8.6.0-names-only", "yolo-orin-trt8.5.2-names-only"]
# Of an engine that was written without types, nobody knows any of this.
FALSE_SENTENCES = [
    r"no layer is quantized",
    r"nothing is quantized",
    r"none of them is quantized",
    r"none writes another",
    r"all \d+ layers (run|compute) in",
    r"\b0 layers? (run|compute)s? quantized",
    r"every layer (runs|computes) in",
    r"\b0 of \d+ layers are quantized",
    r"no (reformats?|conversions?)\b(?! (?:is|are) known)",
]


def commands(planex):
    options = options_of(planex)
    of_engines = sorted(verb for verb, all_of in options.items() if "PLAN" in all_of)
    for verb in of_engines:
        words = [[verb, topic] for topic in topics(planex)] if verb == "explain" else [[verb]]
        formats = [f for f in choices(options[verb]["--format"]) if f not in ("png", "pdf")]
        yield from itertools.product(words, formats)


@pytest.mark.parametrize("engine", NAMES_ONLY)
def test_what_only_has_names_is_not_called_float(planex, engines, engine, tmp_path):
    plan = engines / engine
    tried = 0
    for words, kind in commands(planex):
        if words[-1] in ("placement", "messages", "engines"):
            continue
        plans = [plan, plan] if words[0] == "compare" else [plan]
        output = tmp_path / f"out-{tried}"
        ending = [".zip"] if words[0] == "archive" else [""]
        target = output.with_suffix(ending[0])
        query = ["select * from layers"] if words[0] == "query" else []
        result = planex(*words, *plans, *query, "--format", kind, "-o", target, code=None)
        assert result.returncode in (0, 2, 3), (words, kind, result.stderr)
        tried += result.returncode == 0
        shown = result.stderr
        if result.returncode == 0 and target.is_file() and kind not in ("html", "xlsx", "parquet"):
            shown += target.read_bytes().decode("utf-8", "replace")
        # SARIF and reports describe all rules, whatever was found.
        if kind in ("sarif", "html"):
            continue
        for sentence in FALSE_SENTENCES:
            found = re.search(sentence, shown)
            assert not found, (words, kind, shown[max(0, found.start() - 200) : found.end() + 200])
    assert tried > 25
