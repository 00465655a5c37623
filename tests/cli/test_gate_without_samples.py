"""A gate that could not judge has not passed."""


def test_medians_alone(planex, data):
    case = data / "cases/23-gate-without-samples"
    words = ["compare", case / "good", case / "run"]
    result = planex(*words, "--fail-on-regression", "5%", code=5)
    assert "the gate could not decide" in result.stderr and "61.7 % slower" in result.stderr
    assert "--exportTimes" in result.stderr
    # The other way round nobody knows either; without a gate there is nothing to pass.
    result = planex("compare", case / "run", case / "good", "--fail-on-regression", "5%", code=5)
    assert "% faster" in result.stderr
    planex(*words)
    planex(*words, "--fail-on-regression", "5%", "--fail-when-unclear", code=1)
