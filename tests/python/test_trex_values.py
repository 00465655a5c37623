"""planex.trex against what TREx 0.2.1 said of the same engines (tests/support/trex_sets.py)."""

from __future__ import annotations

from collections import Counter

import pytest

import planex.trex as trex
from trex_sets import COMPARED, EXPECTED, HAS_ALL, READABLE, plan_of


@pytest.fixture(params=READABLE, ids=lambda one: one["set"])
def expected(request):
    return request.param


def test_the_frame_has_the_values_of_trex(expected, as_trex) -> None:
    plan = plan_of(expected)
    assert len(plan.df) == len(plan.layers) == len(expected["layers"])
    for row, layer, known in zip(
        plan.df.to_dict("records"), plan.layers, expected["layers"], strict=True
    ):
        for column, key in {
            "Name": "name",
            "type": "type",
            "subtype": "subtype",
            "precision": "precision",
            "output_precision": "output_precision",
            "tactic": "tactic",
            "total_io_size_bytes": "io_bytes",
            "weights_size": "weights_bytes",
            "total_footprint_bytes": "footprint_bytes",
        }.items():
            assert row[column] == known[key], (known["name"], column)
        assert row["latency.avg_time"] == pytest.approx(known["avg_ms"], rel=1e-9)
        assert row["latency.pct_time"] == pytest.approx(known["pct"], rel=1e-3, abs=2e-3)
        if known.get("median_ms") is not None:
            assert row["latency.median_time"] == pytest.approx(known["median_ms"], rel=1e-9)
        assert layer.name == known["name"]
        assert layer.bias_size == known["bias_bytes"]
        assert (layer.inputs_size_bytes, layer.outputs_size_bytes) == (
            known["in_bytes"],
            known["out_bytes"],
        )
        raw = trex.create_activations(row)
        for ports, folded, key in zip(
            raw, (layer.inputs, layer.outputs), ("in", "out"), strict=True
        ):
            assert [[one.name, one.shape, one.format] for one in ports] == known[key]
            linked = known.get(f"graph_{key}") or [port[0] for port in known[key]]
            assert [one.name for one in folded] == linked


def test_the_frame_has_the_columns_of_trex(expected, as_trex) -> None:
    plan = plan_of(expected)
    assert not set(expected["df_columns"]) - set(plan.df.columns)
    assert not set(expected["clean_for_display_columns"]) - set(
        trex.clean_for_display(plan.df).columns
    )


def test_totals_and_names_are_those_of_trex(expected, as_trex) -> None:
    plan = plan_of(expected)
    totals = expected["totals"]
    assert plan.total_runtime == pytest.approx(totals["sum_avg_ms"])
    assert plan.total_act_size == totals["activation_io_bytes"]
    assert plan.total_weights_size == totals["weights_bytes"]
    assert len(plan.constants) == totals["constants"]
    assert plan.bindings == expected["bindings"]["names"]
    card = trex.summary_dict(plan)
    assert {key: card[key] for key in expected["summary_card"]} == expected["summary_card"]
    inputs, outputs = plan.get_bindings()
    assert sorted(map(str, inputs)) == sorted(expected["bindings"]["inputs"])
    assert sorted(map(str, outputs)) == sorted(expected["bindings"]["outputs"])
    assert plan.device_properties == expected["device_properties"]
    assert plan.performance_summary == expected["performance_summary"]
    assert plan.builder_cfg == expected["builder_cfg"]
    counted = trex.group_count(plan.df, "type").set_index("type")["count"].to_dict()
    assert counted == expected["histograms"]["type"]
    summed = trex.group_sum_attr(plan.df, "type", "latency.avg_time")
    assert summed.set_index("type")["latency.avg_time"].to_dict() == pytest.approx(
        {row["key"]: row["avg_ms"] for row in expected["by_type"]}
    )


def test_convolutions_are_those_of_trex(expected, as_trex) -> None:
    convs = plan_of(expected).get_layers_by_type("Convolution")
    assert len(convs) == len(expected["convs"])
    for row, known in zip(convs.to_dict("records"), expected["convs"], strict=True):
        assert row["Name"] == known["name"]
        for key, value in known.items():
            if key == "name" or value is None:
                continue
            if isinstance(value, float):
                assert row[f"attr.{key}"] == pytest.approx(value, rel=1e-9), (known["name"], key)
            else:
                assert row[f"attr.{key}"] == value, (known["name"], key)


def test_linters_find_what_trex_finds(expected, as_trex) -> None:
    plan = plan_of(expected)
    conv = trex.ConvLinter(plan)
    frames = {
        "conv-no-tensor-core": conv.tc_lint(),
        "conv-int8-in-float-out": conv.mixed_precision_lint(),
        "conv-channel-alignment": conv.alignment_lint(),
        "reformat-dtype": trex.ReformatLinter(plan).lint(),
        "slice-dtype": trex.SliceLinter(plan).lint(),
        "qdq-unfused": trex.QDQLinter(plan).lint(),
    }
    fired = Counter((row["rule"], row["layer"]) for row in expected["lints"]["fired"])
    ours = Counter((rule, name) for rule, frame in frames.items() for name in frame.index)
    assert ours == fired
    for linter, count in expected["lints"]["rows_per_linter_frame"].items():
        assert len(getattr(trex, linter)(plan).lint()) == count


@pytest.mark.parametrize("pairs", COMPARED, ids=lambda one: f"{one['a']}--{one['b']}")
def test_layers_are_paired_as_trex_pairs_them(pairs) -> None:
    sets = {one["set"]: one for one in READABLE}
    plans = plan_of(sets[pairs["a"]]), plan_of(sets[pairs["b"]])
    for exact, mode in ((True, "exact"), (False, "first_io_only")):
        ours = trex.match_layers(*plans, exact_matching=exact)
        assert set(ours) == {tuple(pair) for pair in pairs[mode]["pairs_in_trex_order"]}
    named = pairs["exact_pairs_named"]
    merged = trex.aligned_merge_plans(*plans, [(row["a"], row["b"]) for row in named])
    for name, side in zip(trex.get_plans_names(plans), "ab", strict=True):
        assert merged[name].tolist() == [row[f"name_{side}"] or "" for row in named]
    first, second = trex.aligned_layers(*plans, [(row["a"], row["b"]) for row in named])
    assert len(first) == len(second) == len(named)
    for frame, side in ((first, "ab"[0]), (second, "ab"[1])):
        known = [row[f"avg_ms_{side}"] for row in named]
        assert frame["latency.avg_time"].fillna(0).tolist() == pytest.approx(
            [ms or 0 for ms in known]
        )


@pytest.mark.parametrize(
    "known", [one for one in EXPECTED if not one["readable"]], ids=lambda one: one["set"]
)
def test_what_trex_refuses_is_refused_as_it_does_and_opened_otherwise(known, as_trex) -> None:
    with pytest.raises(ValueError, match="profilingVerbosity=detailed"):
        plan_of(known)
    trex.compatibility(False)
    assert len(plan_of(known).df) > 0


def test_by_default_all_weights_count(expected) -> None:
    plan = plan_of(expected)
    own = expected["not_trex"]["weights_bytes_incl_bias_constants_fused_pool"]
    # Traffic of tensors that are weights (in Myelin's layers) counts as that.
    moved = expected["totals"]["activation_io_bytes"] - plan.total_act_size
    assert own <= plan.total_weights_size <= own + max(moved, 0) + own // 1000


@pytest.mark.skipif(not HAS_ALL, reason="PLANEX_TEST_DATA has no expected figures")
def test_by_default_tensor_cores_are_not_denied() -> None:
    ours = sum(len(trex.ConvLinter(plan_of(one)).tc_lint()) for one in READABLE)
    fired = sum(
        row["rule"] == "conv-no-tensor-core" for one in READABLE for row in one["lints"]["fired"]
    )
    assert (fired, ours) == (106, 106 - 41)


def test_by_default_only_constants_are_not_traffic(expected) -> None:
    # Controlnet's first /Mul reads a constant of 320 bytes: weights here, in TREx a tensor.
    plan = plan_of(expected)
    roles = {row["tensor_id"]: row["role"] for row in plan.engine.tensors.to_pylist()}
    constants: Counter[int] = Counter()
    for port in plan.engine.ports.to_pylist():
        if port["direction"] != "constant" and roles[port["tensor_id"]] == "constant":
            constants[port["layer_id"]] += port["data_bytes"]
    for id, row, known in zip(
        plan.layer_ids, plan.df.to_dict("records"), expected["layers"], strict=True
    ):
        assert row["total_io_size_bytes"] + constants[id] == known["io_bytes"], row["Name"]
        if constants[id] and row["weights_size"] is not None:
            assert row["weights_size"] >= constants[id]
    if expected["set"] == "controlnet-a10-trt8.6":
        assert sum(constants[id] for id in plan.layer_ids) == 320
