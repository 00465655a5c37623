"""The notebooks of examples/notebooks, each run in a kernel as a reader runs it.

In the repository they have no outputs: times of the machine that ran them last, and megabytes of
pages, would change with every run. What they give is checked here, by the names of their cells, and
written to build/notebooks for who wants to look at it.
"""

from __future__ import annotations

import base64
import collections
import functools
import importlib.util
import os
import pathlib
import re

import nbformat
import numpy
import pytest
from nbclient import NotebookClient

import planex

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "examples/notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
SITE = os.environ.get("PLANEX_OPENVINO_SITE", "")
# Cells that may warn: a busy machine is worth a warning.
MAY_WARN = {("resnet18", "process")}


class Client(NotebookClient):
    """Counts messages for each cell: the last of many updates is all that a notebook keeps."""

    def __init__(self, *given: object, **named: object) -> None:
        super().__init__(*given, **named)
        self.messages: collections.Counter[str] = collections.Counter()

    def process_message(self, msg, cell, cell_index):
        self.messages[cell.id] += 1
        return super().process_message(msg, cell, cell_index)


class Run:
    """A notebook that was run: what its cells gave, by their names."""

    def __init__(self, name: str) -> None:
        self.name = name
        book = read(name)
        place = {"metadata": {"path": str(FOLDER)}}
        client = Client(
            book, kernel_name="python3", startup_timeout=120, timeout=120, resources=place
        )
        client.execute()
        self.messages = client.messages
        self.cells = {cell.id: cell for cell in book.cells if cell.cell_type == "code"}
        target = ROOT / "build/notebooks" / f"{name}.ipynb"
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(book, target)

    def text(self, cell: str) -> str:
        """What a cell printed, and the text of its value."""
        texts = []
        for output in self.cells[cell].outputs:
            if output.output_type == "stream":
                texts.append(output.text)
            else:
                texts.append(output.data.get("text/plain", ""))
        return "\n".join(texts)

    def rows(self, cell: str) -> list[list[str]]:
        """The words of each line."""
        return [line.split() for line in self.text(cell).splitlines()]

    def shown(self, cell: str, kind: str) -> str:
        """The last output of a kind."""
        outputs = [one for one in self.cells[cell].outputs if kind in one.get("data", {})]
        assert outputs, f"{cell} shows no {kind}"
        return outputs[-1].data[kind]


def read(name: str) -> nbformat.NotebookNode:
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


@functools.cache
def run(name: str) -> Run:
    return Run(name)


@pytest.fixture(autouse=True, scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory):
    """OpenVINO in reach of the kernels, and nothing of the user's own settings."""
    with pytest.MonkeyPatch.context() as patch:
        place = tmp_path_factory.mktemp("jupyter")
        for variable in (
            "JUPYTER_RUNTIME_DIR",
            "JUPYTER_CONFIG_DIR",
            "JUPYTER_DATA_DIR",
            "IPYTHONDIR",
        ):
            patch.setenv(variable, str(place / variable.lower()))
        patch.setenv("PYTHONPATH", SITE)
        yield


def needs(name: str) -> None:
    if name == "resnet18" and not SITE and importlib.util.find_spec("openvino") is None:
        pytest.skip("OpenVINO is not here")


# --- All of them ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_in_the_repository_there_are_no_outputs(name):
    book = read(name)
    nbformat.validate(book)
    for cell in book.cells:
        assert cell.source.strip(), f"{name}: an empty cell"
        assert re.fullmatch(r"[a-z0-9-]+", cell.id), f"{name}: {cell.id} is no name"
        if cell.cell_type == "code":
            assert not cell.outputs, f"{name}: clear all outputs before you save"
            assert cell.execution_count is None
    assert set(book.metadata) == {"kernelspec", "language_info"}


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name):
    for cell in read(name).cells:
        if cell.cell_type == "markdown":
            for link in re.findall(r"\]\(([^)#]+)", cell.source):
                assert (FOLDER / link).exists(), link


@pytest.mark.parametrize("name", NAMES)
def test_it_runs(name):
    needs(name)
    done = run(name)
    for cell in done.cells.values():
        for output in cell.outputs:
            warned = output.output_type == "stream" and output.name == "stderr"
            assert not warned or (name, cell.id) in MAY_WARN, output.text
    # A few messages belong to every cell.
    for cell, count in done.messages.items():
        assert count < 150, f"{name}: {cell} sent {count} messages"


# --- What they say --------------------------------------------------------------------------------


def test_tutorial_says_what_the_engine_says(engine):
    done, summary = run("tutorial"), engine.summary()
    assert done.text("trust").startswith("steady-after-warm-up")
    assert summary.conclusion.headline in done.shown("summary", "text/html")
    for kind in summary.by_type:
        row = [kind.type, str(kind.count), f"{kind.median_ms:.3f}", f"{kind.share:.3f}"]
        assert row in done.rows("by-type")
    time = f"{summary.time.layers_median_ms:.6f}"
    assert (
        done.text("sums-agree").split() == f"{time} ms in types, {time} ms in the summary".split()
    )
    assert "0.360748" in done.text("concentrated")
    assert done.shown("draw", "text/html").startswith("<img")
    assert ["avoidable_in_model", "11.0", "0.217088", "0.198131"] in done.rows("reformats")
    assert ["needed", "0.0", "NaN", "NaN"] in done.rows("reformats")
    assert ["int8-conv-writes-float", "12", "0.224550"] in done.rows("lint")
    assert ["profiled-few-times", "1", "NaN"] in done.rows("lint")
    assert 'Q/DQ before "MaxPool_12"' in done.text("best-fix")
    assert "0.119 ms" in done.text("best-fix")
    assert done.shown("report", "text/html").startswith("<iframe sandbox=")


def test_report_card_has_the_figures_of_the_documents(engine):
    done = run("report-card")
    end_to_end = engine.summary().time.end_to_end
    for key in ("min_ms", "median_ms", "p99_ms", "max_ms"):
        assert [key, f"{end_to_end[key]:.6f}"] in done.rows("percentiles")
    for row in engine.explain("precision").transitions:
        assert f"{row['all'].time_ms:.6f}" in done.text("transitions")
    assert engine.explain("quantization").headline in done.text("quantization")
    assert "42% of the limit" in done.text("speed")
    assert "0.061440" in done.text("reformats-total")
    assert "0.217088" in done.text("reformats-total")
    assert done.text("saving").split()[2] == f"{engine.lint().estimated_ms:.3f}"
    charts = [
        cell
        for cell in done.cells.values()
        if any("application/vnd.plotly.v1+json" in one.get("data", {}) for one in cell.outputs)
    ]
    assert len(charts) == 9
    # TREx's frame and the engine's have the same times.
    assert ["Reformat", "0.278528", "25.420561"] in done.rows("trex")
    # A chart has each layer once, with its time.
    chart = done.shown("timeline", "application/vnd.plotly.v1+json")
    times = numpy.concatenate([numbers(trace["y"]) for trace in chart["data"]])
    assert len(times) == len(engine.work_layers)
    assert times.sum() == pytest.approx(engine.summary().time.layers_median_ms)


def numbers(packed: dict[str, str]) -> numpy.ndarray:
    """Numbers as plotly packs them."""
    return numpy.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"])


def test_comparison_adds_up():
    done = run("compare")
    comparison = planex.compare(
        "examples/engines/resnet18-a100-qat", "examples/engines/resnet18-a100-qat-residual"
    )
    difference = comparison.overview.differences[0]
    assert difference.verdict_sentence in done.text("verdict")
    for cause in difference.causes:
        assert f"{cause.delta_ms:.6f}" in done.text("causes")
    assert done.text("causes-add-up").count(f"{difference.delta_ms:.6f}") == 2
    assert done.text("predicted").strip() == "predicted 0.211 to 0.398 ms, measured 0.337 ms"
    assert done.rows("pairs")[1][:2] == ["1", "1"]
    assert "-0.224256" in done.text("pairs")
    assert "0.038912" in done.text("slower")
    # The text beside it: all of another precision but this one.
    precision = {cause.cause: cause.delta_ms for cause in difference.causes}["precision"]
    assert round(precision - 0.038912, 3) == -0.011
    assert "saves about 0.044 ms" in done.text("next-finding")
    for line in done.text("ledger-balances").strip().splitlines():
        booked, layers = re.findall(r"(\d+) fs", line)
        assert booked == layers
    assert ["convolution", "21", "21", "0.711", "0.606"] in done.rows("sql")
    assert "convolution 95.6%" in done.text("why")


def test_api_gives_what_it_says(engine):
    done = run("api")
    assert done.text("open").strip() == repr(engine)
    assert "ports: 82 rows" in done.text("tables")
    for frame in ("pandas", "polars", "duckdb"):
        assert re.search(r"reformat\b.*0\.279", done.text(frame)), frame
    assert done.text("zero-copy") == done.text("round-trip") == "True"
    assert done.text("null").split()[0] == str(
        sum(row["gemm_m"] is None for row in engine.layers.to_pylist())
    )
    assert done.text("sql-unit") == "'ms'"
    assert "no column" in done.text("error-query")
    assert done.text("error-file").startswith("BadInputError /Layers/0/LayerType 42")
    assert "read=10, kept=0" in done.text("dataset")
    assert "read=0, kept=10" in done.text("dataset-again")
    assert ["0", "openvino", "6", "175"] in done.rows("dataset-query")
    assert done.text("many").split()[3:6] == ["35,", "'reformats':", "12},"]


def test_the_story_holds_on_this_machine():
    needs("resnet18")
    done = run("resnet18")
    assert done.text("process").count("openvino: done, ") == 3
    assert [row[0] for row in done.rows("steady")] == ["fp32", "qdq-naive", "qdq-shared"]
    fp32, naive, shared = (
        [int(float(one)) for one in row[1:]] for row in done.rows("live-totals")[1:]
    )
    assert fp32[0] == fp32[1]  # All layers write floats.
    assert shared[1] < naive[1] <= naive[0]
    assert "no difference beyond noise" in done.text("quiet")
    assert "1.3% of the layers' time" in done.text("quiet-lint")
    assert "25.5% of the layers' time" in done.text("recorded-lint")
    assert "1.6 × as fast" in done.text("residual")
    assert ["A100,", "naive", "25.4%"] in done.rows("both")
