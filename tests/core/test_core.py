"""The core as WebAssembly says of each engine what the program says, to the byte.

PLANEX_CORE is the module (tools/core.sh makes it); without it these tests are skipped.
"""

import json
import os
import pathlib
import subprocess
from collections.abc import Iterator

import pytest

from chosen import chosen_folders

DATA = pathlib.Path(os.environ.get("PLANEX_TEST_DATA", "../shared/data")).resolve()
CORE = os.environ.get("PLANEX_CORE", "")
HERE = pathlib.Path(__file__).parent

pytestmark = pytest.mark.skipif(
    not CORE, reason="PLANEX_CORE does not name the core as WebAssembly"
)

ENGINES = chosen_folders(DATA)
TOPICS = (
    "blocks",
    "kernels",
    "memory",
    "operations",
    "precision",
    "quantization",
    "reformats",
    "speed",
    "tactics",
)
# What the core is asked for, and how the program is.
QUESTIONS = [
    ("summary", [], ["summary"]),
    ("lint", [], ["lint"]),
    ("report", [("format", "json")], ["report", "-o", "-"]),
    ("export", [("format", "plan")], ["export"]),
    ("draw", [], ["draw"]),
    *(("explain", [("topic", topic)], ["explain", topic]) for topic in TOPICS),
]


class Core:
    def __init__(self, data: pathlib.Path) -> None:
        self.process = subprocess.Popen(
            ["node", "--no-warnings", HERE / "core.mjs", CORE, data],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, **line: object) -> dict[str, str]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@pytest.fixture(scope="module")
def core(data: pathlib.Path) -> Iterator[Core]:
    core = Core(data)
    yield core
    core.process.terminate()


def answer_of(
    planex_bin: pathlib.Path, words: list[str], engine: pathlib.Path
) -> subprocess.CompletedProcess[bytes]:
    formats = {
        "export": ["--format", "plan"],
        "draw": ["--format", "svg", "-o", "/dev/stdout"],
    }.get(words[0], ["--format", "json"])
    return subprocess.run([planex_bin, *words, engine, *formats], capture_output=True, check=False)


@pytest.mark.parametrize("engine", ENGINES, ids=lambda folder: folder.name)
def test_says_what_the_program_says(
    core: Core, planex_bin: pathlib.Path, engine: pathlib.Path
) -> None:
    opened = core.ask(open=[("path", str(engine))])
    if "error" in opened:
        done = answer_of(planex_bin, ["summary"], engine)
        assert done.returncode > 1
        assert opened["error"] in done.stderr.decode()
        return
    for verb, options, words in QUESTIONS:
        told = core.ask(verb=verb, options=options)
        done = answer_of(planex_bin, words, engine)
        # Findings end the program with 1.
        if done.returncode > 1:
            assert told["error"] in done.stderr.decode(), words
        else:
            assert told["document"].encode() == done.stdout, words


# Engines of one model, as folders of the data.
PAIRS = [
    ("resnet18-a100-qat", "resnet18-a100-qat-residual"),
    ("openvino2026.4-resnet18-fp32-b8", "openvino2026.4-resnet18-qdq-shared-b8"),
    ("resnet18-a100-qat", "mobilenet-titanrtx-qat"),
]


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_compares_as_the_program_does(
    core: Core, planex_bin: pathlib.Path, pair: tuple[str, str]
) -> None:
    paths = [DATA / "engines" / name for name in pair]
    core.ask(open=[("path", str(path)) for path in paths])
    told = core.ask(verb="compare", options=[])
    done = subprocess.run(
        [planex_bin, "compare", *paths, "--format", "json"], capture_output=True, check=False
    )
    assert told["document"].encode() == done.stdout
