"""One run is one unit: its part of the log, its profile, its times, its batch and its options."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def summary(planex, valid):
    def read(*words):
        return valid(planex("summary", *words, "--format", "json").stdout, "summary")

    return read


# --- files of several runs (case 09) --------------------------------------------------------------


def run_log(batch: int, median: float, mark: int) -> str:
    command = (
        f"TensorRT.trtexec # trtexec --deploy=m.prototxt --batch={batch} --exportTimes=t{mark}"
    )
    command += f" --exportProfile=p{mark}"
    return (
        f"&&&& RUNNING {command}\n"
        "[02/22/2021-15:13:11] [I] === Inference Options ===\n"
        f"[02/22/2021-15:13:11] [I] Batch: {batch}\n"
        "[02/22/2021-15:13:11] [I] \n"
        "[02/22/2021-15:13:11] [I] Host Latency\n"
        f"[02/22/2021-15:13:11] [I] median: {median * 1.1} ms (end to end {median * 1.2} ms)\n"
        f"[02/22/2021-15:13:11] [I] throughput: {1000 / median * batch} qps\n"
        "[02/22/2021-15:13:11] [I] GPU Compute\n"
        f"[02/22/2021-15:13:11] [I] min: {median} ms\n"
        f"[02/22/2021-15:13:11] [I] max: {median} ms\n"
        f"[02/22/2021-15:13:11] [I] mean: {median} ms\n"
        f"[02/22/2021-15:13:11] [I] median: {median} ms\n"
        f"&&&& PASSED {command}\n"
    )


def profile(median: float) -> str:
    rows = [{"count": 10}]
    for name, part in (("conv_a", 0.6), ("fc_b", 0.4)):
        rows.append({"name": name, "timeMs": 10 * part * median, "averageMs": part * median})
    return json.dumps(rows) + "\n"


def times(median: float) -> str:
    return json.dumps([{"computeMs": median, "latencyMs": median * 1.1} for _ in range(12)]) + "\n"


RUNS = ((1, 2.0), (8, 9.0), (32, 31.0))


def write_runs(folder, profiles=RUNS, inferences=RUNS):
    log = "".join(run_log(batch, median, mark) for mark, (batch, median) in enumerate(RUNS))
    (folder / "bench.txt").write_text(log, encoding="utf-8")
    (folder / "bench_profile.json").write_text(
        "".join(profile(median) for _, median in profiles), encoding="utf-8"
    )
    (folder / "bench_times.json").write_text(
        "".join(times(median) for _, median in inferences), encoding="utf-8"
    )
    return folder


def figures(document):
    time = document["time"]
    end = time["end_to_end"]
    return (
        document["engine"]["batch_size"],
        end["source"],
        round(end["median_ms"], 3),
        time["layers_mean_ms"] and round(time["layers_mean_ms"], 3),
        round(time["throughput_per_s"], 1),
    )


@pytest.mark.parametrize("number", [1, 2, 3])
def test_document_k_is_of_run_k(summary, tmp_path, number):
    write_runs(tmp_path)
    batch, median = RUNS[number - 1]
    shown = figures(summary(tmp_path, "--run", number))
    expected_batch = batch if batch > 1 else None
    assert shown == (expected_batch, "times", median, median, round(1000 / median, 1))


def test_without_a_number_all_is_of_the_run_that_is_shown(summary, tmp_path):
    write_runs(tmp_path)
    assert figures(summary(tmp_path)) == (32, "times", 31.0, 31.0, 32.3)


def test_documents_in_another_order_are_paired_by_their_times(summary, tmp_path):
    write_runs(tmp_path, profiles=RUNS[::-1], inferences=RUNS[::-1])
    assert figures(summary(tmp_path, "--run", 2)) == (8, "times", 9.0, 9.0, 111.1)


def test_what_cannot_be_paired_is_left_out(summary, tmp_path):
    # Two documents of three runs, and none fits the second.
    write_runs(tmp_path, profiles=RUNS[::2], inferences=RUNS[::2])
    document = summary(tmp_path, "--run", 2)
    assert document["time"]["layers_mean_ms"] is None
    assert document["time"]["end_to_end"]["source"] == "log"
    assert document["time"]["end_to_end"]["median_ms"] == 9
    assert document["engine"]["batch_size"] == 8
    codes = [one["code"] for one in document["diagnostics"]]
    assert "run-not-paired" in codes
    # The first has both.
    assert figures(summary(tmp_path, "--run", 1)) == (None, "times", 2.0, 2.0, 500.0)


def test_times_of_one_run_do_not_join_another(summary, tmp_path):
    write_runs(tmp_path, profiles=RUNS[:1], inferences=RUNS[:1])
    document = summary(tmp_path)
    assert document["engine"]["batch_size"] == 32
    assert document["time"]["end_to_end"]["median_ms"] == 31
    assert document["time"]["end_to_end"]["source"] == "log"
    message = " ".join(one["message"] for one in document["diagnostics"])
    assert "--run 1 shows both" in message


def test_appended_files_without_a_log(planex, summary, tmp_path):
    (tmp_path / "net_profile.json").write_text(profile(2) + profile(5), encoding="utf-8")
    first = summary(tmp_path, "--run", 1)["time"]["layers_mean_ms"]
    last = summary(tmp_path)["time"]["layers_mean_ms"]
    assert (round(first, 6), round(last, 6)) == (2, 5)
    assert "2 runs" in planex("summary", tmp_path, "--run", 3, code=2).stderr


def test_case_09(summary, case):
    folder = case("09")
    assert figures(summary(folder, "--run", 1)) == (None, "times", 3.04, 3.0, 318.8)
    for words in ((), ("--run", 2)):
        batch, source, median, layers, rate = figures(summary(folder, *words))
        assert (batch, source, median, layers) == (128, "times", 247.0, 246.0)
        assert rate * batch == pytest.approx(509, abs=5)


def test_implicit_batch_counts_items_once(summary, tmp_path, case):
    log = tmp_path / "one.log"
    log.write_text(run_log(16, 20.0, 0), encoding="utf-8")
    document = summary(log)
    assert document["time"]["throughput_per_s"] == pytest.approx(50)
    assert document["engine"]["batch_size"] == 16
    document = summary(case("09") / "log-only")
    assert document["time"]["throughput_per_s"] == pytest.approx(508.7 / 128)
    assert document["time"]["end_to_end"]["count"] == 12


# --- the shapes that were measured (case 12) ------------------------------------------------------


def test_case_12(summary, planex, case):
    log = case("12") / "build.log"
    document = summary(log)
    assert document["engine"]["batch_size"] == 4
    text = planex("summary", log).stdout
    assert "3.27 inferences/s × batch 4" in text
    loads = [line for line in text.splitlines() if "--loadEngine" in line]
    assert len(loads) == 2
    assert all("--shapes=input:4x3x64x64" in line for line in loads)
    assert "≥ 4 B" not in text


def test_sequence_length_is_no_batch(summary, case, tmp_path):
    text = (case("12") / "build.log").read_text(encoding="utf-8")
    text = text.replace("Float(-5,3,64,64)", "Float(-5,3,-6,64)")
    log = tmp_path / "build.log"
    log.write_text(text, encoding="utf-8")
    assert summary(log)["engine"]["batch_size"] is None


# --- what the log says of the build (case 11) -----------------------------------------------------


def findings(planex, path):
    document = json.loads(planex("lint", path, "--format", "json").stdout)
    return [one for one in document["findings"] if one["rule"] == "no-reduced-precision"]


def test_case_11(planex, case):
    assert findings(planex, case("11") / "best") == []
    (finding,) = findings(planex, case("11") / "tf32")
    assert "1 of 1 on TF32 kernels" in finding["evidence"]
    tactics = planex("query", case("11") / "tf32", "select tactic from layers").stdout
    assert "sm80_xmma_fprop_implicit_gemm_indexed_tf32f32" in tactics


def test_unknown_kernels_are_no_evidence(planex, case, tmp_path):
    text = (case("11") / "tf32/build.log").read_text(encoding="utf-8")
    log = tmp_path / "build.log"
    log.write_text(text.replace("Set Tactic Name", "Set Nothing"), encoding="utf-8")
    (finding,) = findings(planex, log)
    assert "TF32" not in finding["evidence"]
    # Two kernels of one id are none.
    other = "[06/10/2022-19:42:48] [V] [TRT] x Set Tactic Name: other Tactic: 0xbdfdef6b84f7ccc9\n"
    log.write_text(text.replace("[06/10/2022-19:42:50]", other + "[06/10/2022-19:42:50]", 1))
    (finding,) = findings(planex, log)
    assert "TF32" not in finding["evidence"]


@pytest.mark.parametrize("option", ["--fp16", "--bf16", "--best"])
def test_reduced_precision_that_was_allowed(planex, case, tmp_path, option):
    text = (case("11") / "tf32/build.log").read_text(encoding="utf-8")
    log = tmp_path / "build.log"
    log.write_text(text.replace(" --verbose", f" {option} --verbose"), encoding="utf-8")
    assert findings(planex, log) == []


def test_old_parsers_keep_their_options(planex, tmp_path):
    log = tmp_path / "one.log"
    log.write_text(run_log(16, 20.0, 0), encoding="utf-8")
    text = planex("summary", log).stdout
    assert "--deploy=m.prototxt" in text and "--onnx" not in text


# --- pairs by other names (case 22) ---------------------------------------------------------------


def layers_file(names):
    return json.dumps(
        {"Layers": [{"Name": n, "LayerType": "Reduce", "Inputs": [], "Outputs": []} for n in names]}
    )


def profile_file(names):
    return json.dumps([{"count": 1}, *({"name": n, "timeMs": 2, "averageMs": 2} for n in names)])


A, B = ["a1", "a2", "a3", "a4"], ["a1", "b2", "b3"]


@pytest.fixture
def two_engines(tmp_path):
    files = {
        "layers_one.json": layers_file(A),
        "layers_two.json": layers_file(B),
        # The names say the opposite of the contents, which counts.
        "profile_two.json": profile_file(A),
        "profile_one.json": profile_file(B),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_pairs_are_found_by_content(planex, two_engines):
    for name in ("layers_one.json", "profile_two.json"):
        text = planex("doctor", two_engines / name).stdout
        assert "profile_two.json" in text and "4 joined" in text, text
    text = planex("doctor", two_engines / "layers_two.json").stdout
    assert "of layers_one.json" in text


def test_names_break_ties(planex, tmp_path):
    for name in ("x", "y"):
        (tmp_path / f"layers_{name}.json").write_text(layers_file(A), encoding="utf-8")
        (tmp_path / f"profile_{name}.json").write_text(profile_file(A), encoding="utf-8")
    text = planex("doctor", tmp_path / "layers_y.json").stdout
    assert "profile_y.json" in text and "4 joined" in text


def test_engines_of_torch_tensorrt(planex, tmp_path):
    for index, names in enumerate((A, B)):
        stem = f"_run_on_acc_{index}_engine"
        layers = tmp_path / f"{stem}_layer_information.json"
        layers.write_text(layers_file(names), encoding="utf-8")
        trace = tmp_path / f"{stem}_engine_execution_profile.trace"
        trace.write_text(profile_file(names), encoding="utf-8")
    text = planex("list", tmp_path).stdout
    rows = [line for line in text.splitlines() if "_run_on_acc" in line]
    assert len(rows) == 2
    for index in range(2):
        path = tmp_path / f"_run_on_acc_{index}_engine_layer_information.json"
        assert "joined to their layer" in planex("doctor", path).stdout


def test_case_22(planex, case):
    document = json.loads(planex("list", case("22"), "--format", "json").stdout)
    column = [one["name"] for one in document["columns"]].index("layers_ms")
    times_of = [row[column] for row in document["rows"]]
    assert [round(ms, 3) for ms in times_of] == [1.096, 0.731]
    text = planex("doctor", case("22") / "layers_onnx-tensorrt.json").stdout
    assert "37 joined" in text


def test_latencies_with_time_stamps(summary, tmp_path):
    samples = {"a1": [[0.5, "10:31:04"], [0.7, "10:31:05"], [0.6, "10:31:06"]]}
    (tmp_path / "net.graph.json").write_text(layers_file(["a1"]), encoding="utf-8")
    (tmp_path / "net.profile.json").write_text(json.dumps(samples), encoding="utf-8")
    assert summary(tmp_path)["time"]["layers_median_ms"] == pytest.approx(0.6)


# --- a search over build routes (case 24) ---------------------------------------------------------

HEAD = {
    "tuner_version": "2.19.45",
    "searching_algorithm": "fast",
    "default_build_route": "-a=on -b=2",
    "tuning_expr": "-a=[on|off] -b=[1|2]",
    "files": {"onnx": "net.onnx"},
}


def cache(*routes):
    lines = [HEAD]
    for number, (route, time, error) in enumerate(routes):
        lines.append(
            {
                "iter": number,
                "build_route": route,
                "crash": time is None,
                "error_message": error,
                "accuracy_loss": {"y": 0.5} if number else None,
                "gpu_time": time,
            }
        )
    return "".join(json.dumps(line) + "\n" for line in lines)


def messages(document):
    return {one["code"]: one["message"] for one in document["diagnostics"]}


def test_case_24(summary, planex, case):
    folder = case("24")
    found = messages(summary(folder / "model-trained.TuningCache.json"))
    assert "4 build routes" in found["tuning-search"]
    assert "0.0288, 0.0285, 0.0284, 0.0284 ms" in found["tuning-search"]
    assert "1.4 % ahead of the default route" in found["tuning-winner"]
    assert "0.062 % ahead of the runner-up" in found["tuning-winner"]
    assert "conv_lowering on → off" in found["tuning-winner"]
    assert found["tuning-not-proven"].startswith(
        "the lead proves nothing: each route was measured once"
    )
    assert "--setBuildRoute" in found["tuning-to-settle"]
    found = messages(summary(folder / "tuning.log"))
    assert "4 build routes" in found["tuning-search"]
    runs = json.loads(planex("doctor", folder / "tuning.log", "--format", "json").stdout)["runs"]
    assert [run["is_shown"] for run in runs] == [False, True]
    text = planex("summary", folder / "tuning.log", "--run", 1).stdout
    assert "'--setBuildRoute=-conv_lowering=on -kgen:tiling=2'" in text


def test_crashed_routes_and_large_leads(summary, tmp_path):
    path = tmp_path / "net.TuningCache.json"
    path.write_text(
        cache(
            ("-a=on -b=2", 1.0, ""), ("-a=off -b=2", None, "out of memory"), ("-a=on -b=1", 0.5, "")
        )
        + '{"iter": 3, "build_route": "-a=o',
        encoding="utf-8",
    )
    found = messages(summary(path))
    assert "iteration 1: out of memory" in found["tuning-crashed"]
    assert "50 % ahead" in found["tuning-winner"] and "b 2 → 1" in found["tuning-winner"]
    assert "0.5" in found["tuning-winner"]
    assert "proves nothing" not in found["tuning-not-proven"]
    assert "tuning-cache-cut" in found


def test_default_route_that_wins_asks_for_nothing(summary, tmp_path):
    path = tmp_path / "net.TuningCache.json"
    path.write_text(cache(("-a=on -b=2", 1.0, ""), ("-a=off -b=2", 1.1, "")), encoding="utf-8")
    found = messages(summary(path))
    assert "no route was faster" in found["tuning-winner"]
    assert "tuning-to-settle" not in found


# --- a single inference ---------------------------------------------------------------------------


def test_one_inference_has_no_rate(summary, tmp_path):
    (tmp_path / "net.graph.json").write_text(layers_file(A), encoding="utf-8")
    (tmp_path / "net.profile.json").write_text(profile_file(A), encoding="utf-8")
    (tmp_path / "net.times.json").write_text('[{"computeMs": 8, "latencyMs": 9}]', encoding="utf-8")
    document = summary(tmp_path)
    assert document["time"]["throughput_per_s"] is None
    (tmp_path / "net.times.json").write_text(times(8), encoding="utf-8")
    assert summary(tmp_path)["time"]["throughput_per_s"] == 125


def test_one_slow_layer_is_no_overhead_of_all(summary, tmp_path):
    names = [f"layer{index}" for index in range(20)]
    (tmp_path / "net.graph.json").write_text(layers_file(names), encoding="utf-8")
    rows = [{"count": 9}, *({"name": n, "timeMs": 1, "averageMs": 0.05} for n in names)]
    for slow, expected in ((6.0, None), (0.15, 5.0)):
        rows[1]["averageMs"] = slow
        (tmp_path / "net.profile.json").write_text(json.dumps(rows), encoding="utf-8")
        (tmp_path / "net.times.json").write_text(times(1.0), encoding="utf-8")
        overhead = summary(tmp_path)["time"]["overhead_us_per_layer"]
        assert overhead == (expected and pytest.approx(expected))
