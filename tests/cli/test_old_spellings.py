"""Options that had another name are taken, and the note says what they are called now."""

import pytest

QAT = "resnet18-a100-qat"
RESIDUAL = "resnet18-a100-qat-residual"


@pytest.mark.parametrize(
    ("verb", "words", "old", "now"),
    [
        ("compare", [QAT, RESIDUAL, "--pairs"], ["--only", "fused"], ["--which", "fused"]),
        ("compare", [QAT, RESIDUAL, "--pairs"], ["--only=fused"], ["--which", "fused"]),
        ("compare", [QAT, RESIDUAL, "--pair", "0"], ["--engine", "1"], ["--against", "1"]),
        ("compare", [RESIDUAL], ["--baseline", QAT], ["--base", QAT]),
        ("draw", [QAT], ["--open", "layer1"], ["--unfold", "layer1"]),
    ],
)
def test_an_old_name(planex, engines, verb, words, old, now):
    before = planex(verb, *words, *old, cwd=engines)
    after = planex(verb, *words, *now, cwd=engines)
    assert before.stdout == after.stdout
    name = old[0].partition("=")[0]
    assert before.stderr == (
        f"note: {verb} {name} is now {now[0]}; the old name works until planex 1.0\n"
    )
    assert after.stderr == ""


def test_a_name_that_means_the_same_as_before_has_no_note(planex, engines):
    refused = planex("lint", QAT, "--baseline", "no-such.json", cwd=engines, code=3)
    assert "note:" not in refused.stderr


def test_help_has_the_names_of_today(planex):
    options = planex("schema", "--options").stdout
    for name in ("--which", "--against", "--unfold", "--base", "--timed", "--only-run"):
        assert f"| `{name}` |" in options
