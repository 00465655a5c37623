"""The table of exit codes: the same in help, manual and reference, and verbs end with them."""

from __future__ import annotations

import re


def codes_of_reference(root):
    text = (root / "docs/reference/formats.md").read_text("utf-8")
    table = text.split("## Exit codes")[1].split("\n## ")[0]
    return dict(re.findall(r"^\| (\d+(?: \+ N)?) \| (.+) \|$", table, re.M))


def codes_of_help(planex):
    text = planex("--help").stdout.split("Exit codes:\n")[1]
    return dict(re.findall(r"^  (\d+(?: \+ N)?) +(.+)$", text, re.M))


def test_all_tables_have_the_same_codes(planex, root):
    told = codes_of_help(planex)
    assert list(told) == ["0", "1", "2", "3", "4", "5", "70", "128 + N"]
    assert list(codes_of_reference(root)) == list(told)
    manual = planex("man").stdout.split(".SH EXIT STATUS")[1]
    assert re.findall(r"^\.B (.+)\n(.+)$", manual, re.M) == list(told.items())
    # What the program's source has beside them would be undocumented.
    source = (root / "src/cli/command.h").read_text("utf-8")
    constants = re.findall(r"inline constexpr int (kExit\w+) = (.+);", source)
    assert {name for name, value in constants if value.isdigit()} == set(
        re.findall(r"\{(kExit\w+), \"", source)
    )


def test_the_reference_names_all_verbs_that_judge(root):
    """Options and verbs by which a command that worked ends with 1."""
    said = codes_of_reference(root)["1"]
    judging = set()
    for path in sorted((root / "src/cli").glob("*_command.cc")):
        if path.name != "job_command.cc" and "kExitFindings" in path.read_text("utf-8"):
            judging.add(path.name.removesuffix("_command.cc"))
    for path in sorted((root / "src/jobs/verbs").glob("*.cc")):
        if ".is_met =" in path.read_text("utf-8"):
            judging.add(path.stem.removeprefix("saved_"))
    assert judging, "the constant has another name"
    assert {verb for verb in judging if verb not in said} == set()


def test_each_code_happens(planex, root, tmp_path):
    engine = root / "examples/engines/resnet18-a100-qat-residual"
    planex("summary", engine, code=0)
    planex("lint", engine, "--fail-on", "warning", code=1)
    planex("lint", engine, "--no-such-option", code=2)
    (tmp_path / "broken.onnx").write_bytes(b"\x08\x08broken")
    planex("summary", tmp_path / "broken.onnx", code=3)
    words = ["-o", tmp_path / "run", "--engine", "trtexec", "--launcher", "true"]
    planex("process", tmp_path / "broken.onnx", *words, code=4)
