"""Charts of planex.trex against the figures of TREx 0.2.1 (tests/support/trex_sets.py)."""

from __future__ import annotations

from collections import Counter

import pytest

from planex.trex import colors, compare_engines, graphing, plotting, report_card
from planex.trex.parser import read_timing_file
from trex_sets import COMPARED, READABLE, file_of, plan_of, plan_of_set

pytestmark = pytest.mark.usefixtures("as_trex")

approx = pytest.approx


@pytest.fixture(params=READABLE, ids=lambda one: one["set"])
def expected(request):
    return request.param


def figures_of(views) -> dict:
    return {title: draw(title=title, do_show=False) for title, draw in views.items()}


def numbers_of(known, key: str) -> list[float]:
    return [row[key] for row in known]


def test_the_performance_overview_shows_what_trex_counts(expected) -> None:
    figures = figures_of(report_card.report_card_perf_overview(plan_of(expected)))
    layers = expected["layers"]
    for title, key, tolerance in (
        ("Latency per layer (ms)", "avg_ms", {"rel": 1e-9}),
        ("Latency per layer (%)", "pct", {"rel": 1e-3, "abs": 2e-3}),
        ("Precision per layer", "avg_ms", {"rel": 1e-9}),
        ("Output precision per layer", "avg_ms", {"rel": 1e-9}),
    ):
        (bars,) = figures[title].data
        assert list(bars.x) == numbers_of(layers, "name")
        assert list(bars.y) == approx(numbers_of(layers, key), **tolerance)
    for title, map_, key in (
        ("Latency per layer (ms)", colors.layer_colormap, "type"),
        ("Precision per layer", colors.precision_colormap, "precision"),
        ("Output precision per layer", colors.precision_colormap, "output_precision"),
    ):
        drawn = list(figures[title].data[0].marker.color)
        assert drawn == [map_[one[key]] for one in layers]
    for title, key, tolerance in (
        ("Count per layer type", "count", {}),
        ("Latency per layer type (ms)", "avg_ms", {"rel": 1e-9}),
        ("Latency per layer type (%)", "pct", {"rel": 1e-3, "abs": 2e-3}),
    ):
        (bars,) = figures[title].data
        known = {row["key"]: row[key] for row in expected["by_type"]}
        assert dict(zip(bars.y, bars.x, strict=True)) == approx(known, **tolerance)
    distribution = figures["Layer latency distribution"].data
    assert {one.name: len(one.x) for one in distribution} == expected["histograms"]["type"]
    rings = figures["Precision rollup"].data
    for ring, key in zip(rings, ("count", "pct"), strict=True):
        known = {row["key"]: row[key] for row in expected["by_precision"] if row["key"]}
        assert dict(zip(ring.labels, ring.values, strict=True)) == approx(known, rel=1e-3, abs=2e-3)
    (sunburst,) = figures["Precision per layer type"].data
    assert sum(sunburst.values) == len(layers)


def test_memory_is_that_of_trex(expected) -> None:
    figures = figures_of(report_card.report_card_memory_footprint(plan_of(expected)))
    for title, key in (
        ("Weights footprint", "weights_bytes"),
        ("Activation footprint", "io_bytes"),
        ("Total footprint", "footprint_bytes"),
    ):
        known = numbers_of(expected["layers"], key)
        assert list(figures[f"{title} per layer"].data[0].y) == known
        several = title.replace("Activation", "Activations")
        distribution = figures[f"{several} distribution per layer"].data
        counted = [value for one in distribution for value in one.x]
        assert Counter(counted) == Counter(known)


def test_convolutions_have_the_work_and_the_rates_of_trex(expected) -> None:
    known = expected["convs"]
    if not known:
        pytest.skip("it has no convolutions")
    plan = plan_of(expected)
    figures = figures_of(
        report_card.report_card_convolutions_overview(plan.get_layers_by_type("Convolution"))
    )
    for title, key in (
        ("Fused Multiply-Accumulate (FMAs)", "macs"),
        ("Arithmetic intensity (color = compute efficiency)", "arithmetic_intensity"),
        ("Compute efficiency (color = latency)", "compute_efficiency"),
        ("Memory efficiency (color = latency)", "memory_efficiency"),
    ):
        (bars,) = figures[title].data
        assert list(bars.x) == numbers_of(known, "name")
        assert list(bars.y) == approx(numbers_of(known, key), rel=1e-9)
    by_intensity = "Latency per convolution (color = arithmetic intensity)"
    assert list(figures[by_intensity].data[0].marker.color) == approx(
        numbers_of(known, "arithmetic_intensity")
    )


def test_sizes_of_matrix_products_are_those_of_trex(expected, shown) -> None:
    known = expected["convs"]
    plan = plan_of(expected)
    report_card.report_card_gemm_MNK(plan)
    report_card.report_card_efficiency_vs_latency_3d(plan)
    report_card.report_card_gemm_MNK_scatter(plan).show("K vs. Latency (color = footprint)")
    dots, rates, _, flat = (figure.data[0] for figure in shown)
    assert [list(dots.x), list(dots.y), list(dots.z)] == [numbers_of(known, key) for key in "MNK"]
    assert list(rates.z) == approx(numbers_of(known, "arithmetic_intensity"))
    assert list(flat.x) == numbers_of(known, "K")
    times = {row["name"]: row["avg_ms"] for row in expected["layers"]}
    assert list(flat.y) == approx([times[row["name"]] for row in known])


def test_reformats_have_the_origins_of_trex(expected, shown) -> None:
    choice = report_card.report_card_reformat_overview(plan_of(expected))
    known = expected.get("reformat_by_origin")
    if not known:
        assert choice is None
        return
    for title in list(choice.choices)[1:]:
        choice.show(title)
    for figure, key in zip(shown, ("count", "avg_ms", "pct"), strict=True):
        (bars,) = figure.data
        wanted = {row["origin"]: row[key] for row in known}
        drawn = dict(zip(bars.y, bars.x, strict=True))
        assert drawn == approx(wanted, rel=1e-3, abs=2e-3)


def test_the_sunburst_has_all_of_the_time(expected) -> None:
    figure = report_card.layer_latency_sunburst(plan_of(expected).df, "Time", do_show=False)
    assert sum(figure.data[0].values) == approx(expected["totals"]["sum_pct"], rel=1e-3)


def test_samples_are_those_of_the_file(expected) -> None:
    file, known = file_of(expected, "timing"), expected.get("timing_samples")
    if file is None:
        pytest.skip("it has no samples")
    samples = read_timing_file(file)
    assert len(samples) == known["n"]
    assert (samples[0], samples[-1]) == (known["first_ms"], known["last_ms"])
    figure = report_card.plot_engine_timings(file, do_show=False)
    assert list(figure.data[0].y) == samples
    lines = [line.y0 for line in figure.layout.shapes]
    percentiles = known["numpy_linear_p50_p90_p95_p99_ms"]
    # trtexec's rule takes a sample, numpy's lies between two.
    assert lines == approx([percentiles[0], percentiles[3]], rel=2e-2)


def test_graphs_have_the_nodes_and_edges_of_trex(expected) -> None:
    plan, known = plan_of(expected), expected["graph"]
    for variant in known["variants"]:
        options = ("include_regions", "include_constants", "include_forking_regions")
        graph = graphing.PlanGraph(plan, *[variant[option] for option in options])
        assert len(graph.layer_nodes) == variant["layer_nodes"]
        assert len(graph.memory_nodes) == variant["memory_nodes"]
        assert sum(node.is_user for node in graph.memory_nodes) == variant["memory_nodes_user"]
        assert len(graph.edges_list) == variant["edges"]
    regions = graph.regions
    assert len(regions) == known["regions"]
    counted = Counter(str(region.nb_generations()) for region in regions)
    assert counted == known["generation_histogram"]
    generations = [one for region in regions for one in region.generations]
    assert sum(one.is_forked for one in generations) == known["forked_generations"]
    assert sum(one.is_user for one in generations) == known["user_generations"]


@pytest.mark.parametrize("known", COMPARED, ids=lambda one: f"{one['a']}--{one['b']}")
def test_comparisons_show_the_figures_of_trex(known, shown, capsys) -> None:
    plans = [plan_of_set(known[side]) for side in "ab"]
    overview = compare_engines.compare_engines_overview(plans)
    stacked = {trace.name: trace.y for trace in shown[0].data if trace.type == "bar"}
    overview.show("Layer latency by precision")
    by_precision = {trace.name: trace.y for trace in shown[1].data}
    overview.show("Stacked latencies by layer type (BS normalized)")
    batches = [plan.get_bindings()[0][0].shape[0] for plan in plans]
    for trace in shown.pop().data:
        per_item = [
            ms and ms / batch for ms, batch in zip(stacked[trace.name], batches, strict=True)
        ]
        assert list(trace.y) == approx(per_item)
    for drawn, wanted in (
        (stacked, known["latency_by_type_ms"]),
        (by_precision, known["latency_by_precision_ms"]),
    ):
        filled = {name: [value or 0 for value in values] for name, values in drawn.items()}
        assert filled == {name: approx(values) for name, values in wanted.items()}
    if all(known["throughput"]):
        overview.show("Throughput")
        assert list(shown[2].data[0].x) == known["throughput"]
    else:
        assert "Throughput" not in overview.choices

    capsys.readouterr()
    for exact, rule in ((True, "exact"), (False, "first_io_only")):
        table = compare_engines.compare_engines_layer_latencies(*plans, 0.03, exact)
        merged = table.show("All")
        assert len(merged) == sum(known[rule][key] for key in ("matched", "only_a", "only_b"))
        speedup = merged["speedup (2)"]
        assert (speedup > 1.03).sum() == known[rule]["rows_faster_3pct"]
        assert (speedup < 0.97).sum() == known[rule]["rows_slower_3pct"]
        for choice, key in (("Precision", "precision"), ("Tactic", "tactic")):
            rows = table.show(f"{choice} Mismatch")
            assert len(rows) == known[rule][f"{key}_mismatch_rows"]


def test_a_chart_of_nothing_is_empty() -> None:
    frame = plan_of(READABLE[0]).df
    figure = plotting.plotly_bar2(frame[:0], "None", "latency.avg_time", "Name", do_show=False)
    assert not figure.data[0].x
