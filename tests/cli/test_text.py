"""Text for people: golden files at several widths, no line too wide, colour that only adds."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios

import pytest

R18 = "resnet18-a100-"
CASES = {
    "summary-qat": ["summary", R18 + "qat"],
    "summary-trt10": ["summary", "resnet18-trt10-fp16"],
    "summary-no-times": ["summary", "alexnet-torch-tensorrt-10"],
    # The named log keeps the build's log out, which has more than names.
    "summary-names-only": [
        "summary",
        "mnist-trt8.6.0-names-only",
        "--log",
        "mnist-trt8.6.0-names-only/result-04.log",
    ],
    "doctor-build-log": ["doctor", "mnist-trt8.6.0-names-only"],
    "summary-no-layers": ["summary", "mnist-b200-trt11.0-build-log"],
    "summary-failed-build": ["summary", "rtx1.7-failed-build-strip"],
    "timing-qat": ["summary", R18 + "qat", "--timing"],
    "timing-fp16": ["summary", R18 + "fp16", "--timing"],
    "timing-mobilenet": ["summary", "mobilenet-titanrtx-qat", "--timing"],
    "timing-no-times": ["summary", "alexnet-torch-tensorrt-10", "--timing"],
    "lint-qat": ["lint", R18 + "qat"],
    "lint-qgap": ["lint", R18 + "qat-residual-qgap"],
    "lint-all-openvino": ["lint", "openvino2026.4-resnet18-qdq-naive-b8", "--all"],
    "compare-resnet18": [
        "compare",
        *(R18 + v for v in ["fp32", "fp16", "qat", "qat-residual", "qat-residual-qgap"]),
    ],
    "compare-two-models": ["compare", R18 + "fp32", "mobilenetv2-trt10.1-fp16"],
    "explain-reformats-qat": ["explain", "reformats", R18 + "qat"],
    "explain-reformats-rtx": ["explain", "reformats", "rtx1.7-resnet18-qdq-naive"],
    "explain-reformats-openvino": [
        "explain",
        "reformats",
        "openvino2026.4-resnet18-qdq-naive-b8",
    ],
    "explain-precision-qat": ["explain", "precision", R18 + "qat"],
    "explain-precision-fp16": ["explain", "precision", "controlnet-a10-trt8.6"],
    "doctor-qat": ["doctor", R18 + "qat"],
    "doctor-names-only": ["doctor", "yolo-orin-trt8.5.2-names-only"],
    "doctor-no-layers": ["doctor", "mnist-b200-trt11.0-build-log"],
    "doctor-benchmark-app": ["doctor", "openvino2026.4-transformer-f32"],
    "layers-qat": ["layers", R18 + "qat"],
    "layers-top": ["layers", "mobilenetv2-trt10.1-fp16", "--sort", "median_ms", "--top", "10"],
    "layers-names-only": ["layers", "yolo-orin-trt8.5.2-names-only", "--top", "5"],
}
WIDTHS = [80, 120, 0]
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


# What lines that are commands begin with; they stay whole, to be copied.
COMMANDS = {"planex", "trtexec", "tensorrt_rtx", "python3", "benchmark_app", "keep"}


def too_wide(text, width, display_width):
    """Lines over the width, except what must stay whole: commands, and single long words."""
    found = []
    for line in text.splitlines():
        if display_width(line) <= width:
            continue
        whole = line.strip().removeprefix("next ").strip()
        program = whole.split(" ")[0].rsplit("/")[-1]
        if program in COMMANDS or " " not in whole:
            continue
        found.append(line)
    return found


@pytest.mark.parametrize("name", CASES)
def test_golden(planex, engines, root, request, display_width, name):
    words = CASES[name]
    sections = []
    for width in WIDTHS:
        text = planex(*words, "--width", width, cwd=engines).stdout
        assert all(line == line.rstrip() for line in text.splitlines()), "blanks at a line's end"
        if width > 0:
            assert too_wide(text, width, display_width) == []
        sections.append(f"== planex {' '.join(words)} --width {width}\n{text}")
    produced = "\n".join(sections)
    path = root / "tests/cli/golden" / f"{name}.txt"
    if request.config.getoption("--update-golden"):
        path.write_text(produced, "utf-8")
    assert path.exists(), "new case: run pytest tests/cli --update-golden and read what it wrote"
    assert produced == path.read_text("utf-8")


def test_no_golden_file_is_left_over(root):
    names = {path.stem for path in (root / "tests/cli/golden").glob("*.txt")}
    assert names == set(CASES)


@pytest.mark.parametrize("verb", ["summary", "layers", "lint", "doctor"])
def test_no_line_is_too_wide(planex, engines, display_width, verb):
    for engine in sorted(os.listdir(engines)):
        for width in (80, 100, 140):
            result = planex(verb, engine, "--width", width, cwd=engines)
            assert too_wide(result.stdout, width, display_width) == [], (engine, width)


@pytest.mark.parametrize("name", CASES)
def test_color_only_adds(planex, engines, name):
    for width in (80, 0):
        words = [*CASES[name], "--width", width]
        plain = planex(*words, cwd=engines).stdout
        colored = planex(*words, "--color", "always", cwd=engines).stdout
        assert "\x1b[" in colored or name == "layers-names-only"
        assert ESCAPES.sub("", colored) == plain
        assert planex(*words, "--color", "never", cwd=engines).stdout == plain


def test_wide_cuts_nothing(planex, engines):
    plan = "mobilenetv2-trt10.1-fp16"
    whole = planex("layers", plan, "--width", 0, cwd=engines).stdout
    assert planex("layers", plan, "--width", 60, "--wide", cwd=engines).stdout == whole
    assert "…" not in whole
    names = planex("layers", plan, "--columns", "name", "--format", "csv", cwd=engines).stdout
    assert all(name.strip('"') in whole for name in names.splitlines()[1:])


def test_cut_names_keep_their_ends(planex, engines):
    plan = "mobilenetv2-trt10.1-fp16"
    short = planex("layers", plan, "--width", 80, cwd=engines).stdout.splitlines()
    whole = planex("layers", plan, "--width", 0, cwd=engines).stdout.splitlines()
    cut = 0
    for line in short:
        match = re.match(r" +(\d+)  (\S.*?)…(.*?\S)  ", line)
        if not match:
            continue
        cut += 1
        full = next(other for other in whole if other.split()[0] == match[1])
        assert match[2] in full and match[3] + "  " in full
        assert len(match[3]) >= 6
    assert cut > 10


@pytest.mark.parametrize("width", [1, 2, 5, 20, 40, 79, 500])
def test_any_width_works(planex, engines, width):
    for words in CASES.values():
        planex(*words, "--width", width, cwd=engines)


def on_terminal(planex_bin, words, columns, cwd, env=None):
    """Runs planex on a pseudo-terminal and gives what it wrote there, and its exit code."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm-256color"} | (env or {})
    process = subprocess.Popen(
        [planex_bin, *words], stdin=follower, stdout=follower, stderr=follower, cwd=cwd,
        env=environment,
    )  # fmt: skip
    os.close(follower)
    written = b""
    while True:
        ready, _, _ = select.select([leader], [], [], 60)
        assert ready, "no answer within a minute"
        try:
            piece = os.read(leader, 65536)
        except OSError:  # EIO: the other end is closed.
            break
        if not piece:
            break
        written += piece
    os.close(leader)
    return written.decode("utf-8").replace("\r\n", "\n"), process.wait(60)


def test_terminal(planex, planex_bin, engines, display_width):
    words = ["summary", R18 + "qat"]
    for columns in (80, 110, 160):
        text, code = on_terminal(planex_bin, words, columns, engines)
        assert code == 0
        assert "\x1b[" in text, "colour is on"
        plain = ESCAPES.sub("", text)
        assert plain == planex(*words, "--width", columns, cwd=engines).stdout
        assert max(display_width(line) for line in plain.splitlines()) > columns * 0.7


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_terminal_without_color(planex_bin, engines, env):
    for words in (["summary", R18 + "qat"], ["summary", "nothing/here"]):
        text, _ = on_terminal(planex_bin, words, 100, engines, env)
        assert "\x1b" not in text
    text, _ = on_terminal(
        planex_bin, ["summary", R18 + "qat", "--color", "always"], 100, engines, env
    )
    assert "\x1b[" in text


def test_empty_no_color_counts_as_unset(planex_bin, engines):
    text, _ = on_terminal(planex_bin, ["summary", R18 + "qat"], 100, engines, {"NO_COLOR": ""})
    assert "\x1b[" in text


def test_hostile_names_are_harmless(planex, display_width, tmp_path):
    import make_hostile_engine

    assert make_hostile_engine.main(["make_hostile_engine", str(tmp_path)]) == 0
    verbs = [["summary"], ["layers"], ["lint"], ["doctor"], ["compare", str(tmp_path)]]
    for verb in verbs:
        for width in (80, 0):
            text = planex(*verb, tmp_path, "--width", width).stdout
            assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u2028\u2029\u200b]", text)
            colored = planex(*verb, tmp_path, "--width", width, "--color", "always").stdout
            assert "\x1b" not in ESCAPES.sub("", colored)
