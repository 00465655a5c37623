"""Reading drawings of planex and of its peers; the peers themselves where they are installed."""

import json

import layout_part
import layout_peers
import pytest
import workspace

DIAMOND = {
    "schema": "planex.layout/1",
    "boxes": [{"id": f"layer-{n}", "width": 60, "height": 30} for n in range(4)],
    "edges": [
        {"from": 0, "to": 1, "kind": "data", "tensor": "a", "points": [[0, 0], [0, 9]]},
        {"from": 0, "to": 2, "kind": "data", "tensor": "a", "points": [[0, 0], [9, 9]]},
        {"from": 1, "to": 3, "kind": "data", "tensor": "b", "points": [[0, 0], [5, 5], [5, 9]]},
        {"from": 2, "to": 3, "kind": "data", "tensor": "c", "points": [[9, 0], [0, 9]]},
    ],
}


def test_flows_are_those_of_one_tensor_of_one_box():
    graph, lines = layout_part.read_layout(DIAMOND, "diamond")
    assert graph.boxes == [(60, 30)] * 4
    assert graph.edges == [(0, 1, 0), (0, 2, 0), (1, 3, 1), (2, 3, 2)]
    assert lines[2] == [(0, 0), (5, 5), (5, 9)]


def test_quality_of_a_drawing():
    quality = layout_part.quality_of(*layout_part.read_layout(DIAMOND, "diamond"))
    assert quality.bends == 1
    # The last edge crosses the second one with which it shares box 2, and the third one in box 3.
    assert (quality.crossings, quality.crossings_at_ends) == (0, 2)


def test_curves_become_straight_pieces():
    straight = layout_peers.flattened([(0, 0), (1, 0), (2, 0), (3, 0)])
    assert straight[0] == (0, 0)
    assert straight[-1] == pytest.approx((3, 0))
    assert len(straight) == 9
    both = layout_peers.flattened([(0, 0), (0, 1), (1, 1), (1, 0), (1, -1), (2, -1), (2, 0)])
    assert both[8] == pytest.approx((1, 0))
    assert both[16] == pytest.approx((2, 0))
    assert max(y for _, y in both) == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("talk", "code", "why"),
    [
        ("RangeError: Maximum call stack size exceeded", 1, "stack overflow"),
        ("FATAL ERROR: Reached heap limit Allocation failed", -6, "out of memory"),
        ("", -11, "killed by signal 11"),
        ("anything", 3, "exit code 3"),
    ],
)
def test_reasons(talk, code, why):
    assert layout_peers.reason(talk, code) == why


def test_a_tool_that_fails_leaves_a_reason(tmp_path):
    def tool(_graph, _scratch):
        raise layout_peers.NotFinished("> 60 s")

    drawing = layout_peers.lay_out(tool, layout_peers.Graph("none", [], []), tmp_path)
    assert (drawing.ms, drawing.routes, drawing.why) == (None, None, "> 60 s")


@pytest.mark.parametrize("name", ["dot", "dagre", "elk"])
def test_peer(name, tmp_path):
    """A diamond without crossings, and the same edge twice, by every tool that is there."""
    found = layout_peers.tools(workspace.Workspace(tmp_path, 1))
    if name not in found:
        pytest.skip(f"{name} is not installed: tools/setup.sh bench")
    graph, _ = layout_part.read_layout(DIAMOND, "diamond")
    graph.edges.append((2, 3, 3))
    drawing = layout_peers.lay_out(found[name], graph, tmp_path)
    assert drawing.why == ""
    assert len(drawing.routes) == 5
    assert all(len(route) >= 2 for route in drawing.routes)
    assert layout_part.quality_of(graph, drawing.routes).crossings == 0
    assert drawing.width > 120
    assert drawing.height > 90


def test_graph_as_the_tools_read_it():
    graph, _ = layout_part.read_layout(DIAMOND, "diamond")
    text = json.dumps(graph.as_json())
    assert json.loads(text)["edges"][2] == {"from": 1, "to": 3, "flow": 1, "is_back": False}


def test_edges_that_lead_back_are_told():
    carried = {"from": 3, "to": 0, "kind": "carried", "tensor": "d", "points": [[0, 9], [0, 0]]}
    graph, _ = layout_part.read_layout({**DIAMOND, "edges": [*DIAMOND["edges"], carried]}, "loop")
    assert [edge["is_back"] for edge in graph.as_json()["edges"]] == [False] * 4 + [True]
    assert "n0 -> n3 [id=4]" in layout_peers.dot_text(graph, "true")


def test_dot_is_given_inches():
    graph, _ = layout_part.read_layout(DIAMOND, "diamond")
    assert "n0 [width=0.8333, height=0.4167]" in layout_peers.dot_text(graph, "true")
    assert "n2 -> n3 [id=3]" in layout_peers.dot_text(graph, "true")
