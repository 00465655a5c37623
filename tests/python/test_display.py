"""What a notebook shows of the package's objects."""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ET

import pytest

import planex
from planex import _progress


def parsed(html: str) -> ET.Element:
    """Every element is closed and every text escaped."""
    return ET.fromstring(f"<div>{html}</div>")  # noqa: S314


def rows(html: str) -> list[list[str]]:
    return [["".join(cell.itertext()) for cell in row] for row in parsed(html).iter("tr")]


def test_an_engine_is_a_table_of_the_command_lines_figures(engine):
    figures = dict(rows(engine._repr_html_()))
    assert figures["end to end"] == "0.883 ms"
    assert figures["layers"] == "35"
    assert not [key for key in figures if key.startswith("speed-up")]
    assert "| end to end | 0.883 ms |" in engine._repr_markdown_()
    assert repr(engine) == "<planex.Engine resnet18-a100-qat: 35 layers>"


def test_a_summary_has_figures_shares_and_slowest_layers(engine):
    summary = engine.summary()
    html = summary._repr_html_()
    assert summary._repr_markdown_() is None
    assert summary.conclusion.headline in "".join(parsed(html).itertext())
    shown = rows(html)
    assert ["end to end", "0.883 ms"] in shown
    assert ["Reformat", "12", "0.278528", "25.4%", ""] in shown
    assert [row[0] for row in shown[-5:]] == [layer.name for layer in summary.top_layers[:5]]


def test_a_summary_without_times_shows_none():
    shown = rows(planex.open("examples/engines/mnist-trtexec-log").summary()._repr_html_())
    assert ["CaskConvolution", "2", "", "", ""] in shown


def test_every_document_is_shown_once(engine):
    comparison = planex.compare(engine, "examples/engines/resnet18-a100-qat-residual")
    documents = [
        *(engine.summary(), engine.timing(), engine.lint(), planex.doctor("examples/engines")),
        *(comparison.overview, comparison.ledger(), comparison.summaries(), comparison.pair(1)),
        *(engine.explain(topic) for topic in ("reformats", "speed", "memory", "quantization")),
    ]
    for document in documents:
        html, markdown = document._repr_html_(), document._repr_markdown_()
        assert (html is None) != (markdown is None), document
        if html is not None:
            parsed(html)
    assert "white-space:pre;" in engine.timing()._repr_html_()


def test_a_part_of_a_document_is_a_table(engine):
    time = engine.summary().time
    assert ["layers_median_ms", "1.09568"] in rows(time._repr_html_())
    assert ["profiled_median_ms", ""] in rows(time._repr_html_())


def test_tables_say_how_much_they_show(engine):
    html = engine.layers._repr_html_()
    assert len(rows(html)) == 11
    assert "layers: 37 rows, the first 10 shown" in html
    assert 'title="Weights, biases and constants in their stored types."' in html
    findings = engine.lint().findings
    assert len(rows(findings._repr_html_())) == 1 + len(findings)


def test_colors_are_those_of_the_notebook(engine):
    for shown in (engine, engine.summary(), engine.layers, engine.lint().findings):
        assert not re.search(r"#[0-9a-f]{3,6};|rgb\(|color:(?!currentColor)", shown._repr_html_())


def test_a_drawing_is_a_picture_of_its_own(engine):
    drawing = engine.draw(slowest=2)
    (image,) = parsed(drawing._repr_html_().replace(">", "/>"))
    assert base64.b64decode(image.get("src").split("base64,")[1]) == drawing.data
    assert engine.draw(format="dot")._repr_html_() is None


class Screen:
    """A display that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def update(self, data: dict[str, str], raw: bool) -> None:
        assert raw
        self.told.append(data["text/plain"])


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    shown = Screen()
    make = _progress.Line.__init__

    def init(line: _progress.Line) -> None:
        make(line)
        line._display = shown

    monkeypatch.setattr(_progress.Line, "__init__", init)
    return shown


def test_progress_shows_each_phase_and_not_every_step(screen):
    with _progress.line("openvino") as line:
        for phase in ("read", "compile", "time"):
            for step in range(1000):
                line.show(phase, step / 1000)
    assert screen.told[:3] == ["read", "compile", "time"]
    assert len(screen.told) < 20
    assert screen.told[-1].startswith("openvino: done, ")


def test_progress_does_not_say_done_of_what_failed(screen):
    with pytest.raises(ValueError, match="no"), _progress.line("openvino") as line:
        line.show("compile", 0)
        raise ValueError("no")
    assert screen.told[-1].startswith("openvino: stopped, ")


def test_progress_is_silent_where_nobody_looks(capsys):
    with _progress.line("openvino") as line:
        line.show("compile", 0.5)
    assert capsys.readouterr() == ("", "")
