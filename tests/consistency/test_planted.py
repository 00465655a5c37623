"""The test of the test: it finds contradictions that are put in, in outputs and in facts."""

from __future__ import annotations

import copy
import pathlib
import shlex
import sys

import pytest

import checks
import gather
import planting

ENGINE = "examples/engines/resnet18-a100-qat-residual"
OTHER = "examples/engines/resnet18-a100-qat"


@pytest.fixture(scope="module")
def facts(planex_bin, root):
    return gather.gather(gather.Program(planex_bin), root / ENGINE, root / OTHER)


def test_nothing_is_found_where_nothing_was_planted(facts):
    assert checks.contradictions(facts) == {}


@pytest.mark.parametrize("plant", planting.PLANTS)
def test_a_program_that_contradicts_itself_is_found(planex_bin, root, tmp_path, plant):
    script = tmp_path / "planex"
    planter = pathlib.Path(planting.__file__)
    words = shlex.join([sys.executable, str(planter), str(planex_bin), plant])
    script.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    script.chmod(0o755)
    altered = gather.gather(gather.Program(script), root / ENGINE, root / OTHER)
    assert planting.PLANTS[plant][2] in checks.contradictions(altered)


def sum_without_a_layer(facts):
    facts["summary"]["by_type"].pop()


def count_of_another_profile(facts):
    facts["query"]["layers"] += 1


def weights_twice(facts):
    facts["summary"]["footprint_bytes"] += facts["summary"]["weight_bytes"]


def a_worse_headline(facts):
    facts["summary"]["conclusion"] = {
        "headline": "12 % of the layer time is one layer.",
        "text": "",
    }


def unknown_as_zero(facts):
    for row in facts["layers"]:
        row["flops"] = None
    facts["summary"]["flops"] = 0


def worth_too_much(facts):
    facts["lint"]["estimated_ms"] = 1e6


def a_step_that_leads_nowhere(facts):
    facts["timing"]["waterfall"][1]["from_ms"] += 0.01


def a_row_less_on_the_screen(facts):
    lines = facts["text"]["summary"].splitlines()
    head = next(i for i, line in enumerate(lines) if line.strip().startswith("by type"))
    del lines[head + 1]
    facts["text"]["summary"] = "\n".join(lines)


@pytest.mark.parametrize(
    ("change", "check"),
    [
        (sum_without_a_layer, "groups"),
        (count_of_another_profile, "counts"),
        (weights_twice, "bytes"),
        (a_worse_headline, "headline"),
        (unknown_as_zero, "unknown"),
        (worth_too_much, "findings"),
        (a_step_that_leads_nowhere, "waterfall"),
        (a_row_less_on_the_screen, "group_tables"),
    ],
)
def test_facts_that_contradict_each_other_are_found(facts, change, check):
    altered = copy.deepcopy(facts)
    change(altered)
    assert check in checks.contradictions(altered)
