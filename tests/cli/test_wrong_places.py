"""Paths that were meant otherwise: nothing is guessed, and the answer says what to name."""

import shutil
from pathlib import Path

ENGINES = Path(__file__).parents[2] / "examples/engines/resnet18-openvino"


def test_an_empty_text_is_not_the_current_folder(planex):
    for words in (["summary", ""], ["lint", ""], ["compare", "", "."], ["draw", ""]):
        result = planex(*words, code=2, cwd=ENGINES / "fp32")
        assert "is empty, expected a path" in result.stderr, words
    planex("summary", ".", cwd=ENGINES / "fp32")


def test_a_folder_of_runs_names_them(planex, tmp_path):
    for name in ("first", "second run"):
        shutil.copytree(ENGINES / "fp32", tmp_path / "runs" / name)
    (tmp_path / "runs" / "empty").mkdir()
    for words in (["summary"], ["report", "-o", "r.html"]):
        result = planex(words[0], tmp_path / "runs", *words[1:], code=3, cwd=tmp_path)
        assert "no engine directly in this folder, but in 2 folders below it" in result.stderr
        assert str(tmp_path / "runs" / "first") in result.stderr
        assert "planex list" in result.stderr
    assert "second run" in planex("list", tmp_path / "runs").stdout


def test_a_device_by_the_beginning_of_its_name(planex, engines):
    words = ["explain", "speed", engines / "resnet18-a100-qat", "--device"]
    result = planex(*words, "A100", code=2)
    assert (
        "matches A100 40GB PCIe, A100 40GB SXM, A100 80GB PCIe and A100 80GB SXM" in result.stderr
    )
    assert "A100 80GB SXM" in planex(*words, "A100 80GB SXM").stdout
