"""planex schema --verbs: what it says of options is what the command line does with them."""

import csv
import io
import json

import pytest

# Values that are a program, or words for one.
STARTING = {
    ("accuracy", "metric"),
    ("quantize", "metric"),
    ("search", "metric"),
    *(("optimize", name) for name in ("flag", "launcher", "program", "python")),
    *(("process", name) for name in ("flag", "launcher", "program", "python")),
}


@pytest.fixture(scope="module")
def told(planex):
    return json.loads(planex("schema", "--verbs").stdout)


def options_of(told):
    for verb in told["verbs"]:
        for option in verb["options"]:
            yield verb["name"], option


def test_what_options_do_with_files_is_said_as_by_the_command_line(planex, told):
    text = planex("schema", "--files").stdout
    rows = {
        (row["verb"], row["option"].lstrip("-")): row
        for row in csv.DictReader(io.StringIO(text), delimiter="\t")
    }
    compared = 0
    for verb, option in options_of(told):
        # An option without a name is there by its value; -o is --output.
        names = [option["name"], option["metavar"]]
        names += ["o"] if option["name"] == "output" else []
        row = next((rows[verb, name] for name in names if (verb, name) in rows), None)
        # The command line has an option of its own for what it calls otherwise.
        if row is None or option["type"] == "flag" or option["for_programs"]:
            continue
        assert (option["file"] or "") == row["files"], (verb, option["name"])
        when = row["when"] if option["file"] == "updates" else ""
        assert (option["updated_with"] or "") == when, (verb, option["name"])
        assert " ".join(option["also"]) == row["also"], (verb, option["name"])
        compared += option["file"] is not None
    assert compared > 40


def test_what_starts_a_program_is_marked(told):
    assert {
        (verb, option["name"]) for verb, option in options_of(told) if option["starts"]
    } == STARTING
    # A new option that looks like one of these must say whether it is.
    suspects = {
        (verb, option["name"])
        for verb, option in options_of(told)
        if option["metavar"] in ("PROGRAM", "WORDS", "WORD")
    }
    assert suspects - STARTING <= {
        ("sweep", "failed"),
        ("draw", "edges"),
        *((verb, "prep") for verb in ("accuracy", "advise", "cast", "optimize", "quantize")),
        ("search", "prep"),
    }


def test_verbs_have_the_summaries_of_the_help(planex, told):
    verbs = {verb["name"]: verb for verb in told["verbs"]}
    for name, verb in verbs.items():
        if name in ("open", "timing"):
            continue
        said = " ".join(planex(name, "--help").stdout.split())
        assert said.startswith(verb["summary"]), name
    assert verbs["open"]["summary"] is None
    assert verbs["timing"]["summary"] in " ".join(planex("summary", "--help").stdout.split())
    explained = " ".join(planex("explain", "--help").stdout.split())
    topics = {one["name"]: one["summary"] for one in told["topics"]}
    assert len(topics) == 9 and "engines" not in topics
    for name, summary in topics.items():
        assert f"{name} ({summary})" in explained
