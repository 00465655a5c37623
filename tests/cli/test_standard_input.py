"""`-` as a PLAN: what is piped into planex, by every verb that takes one, and wrong uses of it."""

from __future__ import annotations

import json
import os
import pty
import subprocess

import pytest

TABLE = """\
Why is INT8 slow?
```
[07/31/2021-01:48:38] [I] === Profile (124 iterations ) ===
[07/31/2021-01:48:38] [I]      Layer   Time (ms)   Avg. Time (ms)   Time %
[07/31/2021-01:48:38] [I]     Conv_12       72.45           0.5843     67.3
[07/31/2021-01:48:38] [I]      Abs_13       35.20           0.2839     32.7
[07/31/2021-01:48:38] [I]       Total      107.65           0.8682    100.0
```
"""
COUNTERS = """\
a  EXECUTED  layerType: Convolution  realTime: 706  cpu: 706  execType: jit_avx2
b  EXECUTED  layerType: Add          realTime: 10   cpu: 10   execType: jit_avx2
Total time: 716 microseconds
"""


@pytest.fixture
def piped(planex_bin, tmp_path):
    """piped(text, *words, code=0): the program with `text` on its standard input."""

    def run(text, *words, code=0):
        result = subprocess.run(
            [planex_bin, *map(str, words)],
            input=text.encode() if isinstance(text, str) else text,
            capture_output=True,
            cwd=tmp_path,
            check=False,
        )
        assert result.returncode == code, result.stderr.decode()
        return result.stdout.decode(), result.stderr.decode()

    return run


@pytest.mark.parametrize(
    "words",
    [
        ["-"],
        ["summary", "-"],
        ["doctor", "-"],
        ["layers", "-"],
        ["lint", "-"],
        ["query", "-", "SELECT name FROM layers"],
        ["explain", "speed", "-"],
        ["draw", "-", "-o", "x.svg"],
        ["report", "-", "-o", "x.html"],
        ["export", "-", "-o", "x.csv"],
        ["archive", "-", "-o", "x.planex"],
    ],
    ids=lambda words: words[0],
)
def test_every_verb_takes_it(piped, words, tmp_path):
    # A file from another engine beside: standard input lies alone.
    (tmp_path / "layers.json").write_text('{"Layers": ["another_engine"], "Bindings": []}')
    out, _ = piped(TABLE, *words)
    assert "another_engine" not in out
    if words[0] in {"-", "layers", "query"}:
        assert "Conv_12" in out


def test_names_and_commands(piped):
    out, _ = piped(COUNTERS, "-")
    assert "<stdin>" in out.splitlines()[0]
    assert "planex lint -" in out and "<stdin>" not in out[out.index("planex lint -") :]


def test_compare_takes_one(piped, tmp_path):
    (tmp_path / "base.log").write_text(COUNTERS.replace("706", "906").replace("716", "916"))
    out, _ = piped(COUNTERS, "compare", "base.log", "-", "--format", "json")
    assert json.loads(out)["schema"].startswith("planex.compare/")
    _, error = piped(COUNTERS, "compare", "-", "-", code=2)
    assert "only once" in error


def test_options_take_it(piped, tmp_path):
    (tmp_path / "layers.json").write_text(
        '{"Layers": ["Conv_12", "Abs_13"], "Bindings": ["x", "y"]}'
    )
    out, _ = piped(TABLE, "layers", "layers.json", "--log", "-", "--format", "json")
    assert "0.5843" in out


def test_a_packed_file_and_an_archive(piped, tmp_path):
    import gzip

    out, _ = piped(gzip.compress(TABLE.encode()), "-")
    assert "Conv_12" in out
    piped(TABLE, "archive", "-", "-o", "x.planex")
    out, _ = piped((tmp_path / "x.planex").read_bytes(), "-")
    assert "Conv_12" in out


def test_empty_and_unknown(piped):
    for text in ["", " \n\n"]:
        _, error = piped(text, "-", code=3)
        assert "<stdin>" in error and "empty" in error and "planex - <" in error
    _, error = piped("nothing that planex knows\n", "-", code=3)
    assert "<stdin>" in error


def test_a_terminal_is_told(planex_bin):
    leader, follower = pty.openpty()
    try:
        result = subprocess.run([planex_bin, "-"], stdin=follower, capture_output=True, check=False)
    finally:
        os.close(leader)
        os.close(follower)
    assert result.returncode == 2
    assert b"is a terminal" in result.stderr and b"planex - <" in result.stderr


def test_a_file_of_that_name(piped, tmp_path):
    (tmp_path / "-").write_text(TABLE)
    out, _ = piped("", "layers", "./-")
    assert "Conv_12" in out


def test_a_pipe_of_a_shell_is_sniffed(planex_bin):
    result = subprocess.run(
        ["bash", "-c", 'exec "$0" layers <(printf %s "$1")', planex_bin, COUNTERS],
        capture_output=True,
        check=True,
    )
    assert b"Convolution" in result.stdout
