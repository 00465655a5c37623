"""planex accuracy on files that Polygraphy, NumPy and trtexec write, its figures against NumPy's.

The files are those of tests/data/arrays; make.py there says how they were made.
"""

from __future__ import annotations

import base64
import csv
import io
import json
import math
import shutil

import numpy as np
import pytest


@pytest.fixture(scope="session")
def arrays(root):
    return root / "tests/data/arrays"


@pytest.fixture
def measured(planex, valid):
    """measured(REF, SUBJECT, …): the document; its rows by the names of tensors."""

    def measure(*words, code=0):
        document = valid(
            planex("accuracy", *words, "--format", "json", code=code).stdout, "accuracy"
        )
        return document, {row["name"]: row for row in document["tensors"]}

    return measure


def near(shown, expected):
    return shown == pytest.approx(expected, rel=1e-9, abs=1e-12)


def check_figures(row, r, s, absolute=1e-5, relative=1e-5):
    """One sample of finite values, in float64."""
    r, s = r.astype(np.float64).ravel(), s.astype(np.float64).ravel()
    error = s - r
    mse = np.mean(error**2)
    assert row["count"] == r.size
    assert near(row["sqnr_db"], 10 * math.log10(np.sum(r**2) / np.sum(error**2)))
    assert near(row["psnr_db"], 20 * math.log10(np.max(np.abs(r))) - 10 * math.log10(mse))
    assert near(row["cosine"], r @ s / (np.linalg.norm(r) * np.linalg.norm(s)))
    assert near(row["max_abs"], np.max(np.abs(error)))
    assert near(row["mean_abs"], np.mean(np.abs(error)))
    floored = np.abs(error) / np.maximum(np.abs(r), np.sqrt(np.mean(r**2)))
    assert near(row["max_rel"], floored.max())
    assert near(row["mean_rel"], floored.mean())
    outside = np.abs(error) > absolute + relative * np.abs(r)
    assert near(row["outside_ratio"], outside.mean())


@pytest.mark.parametrize("kind", [np.float32, np.float16, np.float64, np.int8, np.int64])
def test_figures_are_those_of_numpy(measured, tmp_path, kind):
    rng = np.random.default_rng(7)
    scale = 1 if np.issubdtype(kind, np.floating) else 100
    r = (rng.standard_normal((3, 50, 41)) * scale / 3).astype(kind)
    s = (r + rng.standard_normal(r.shape) * 0.02 * scale).astype(kind)
    np.savez(tmp_path / "r.npz", x=r)
    np.savez_compressed(tmp_path / "s.npz", x=np.asfortranarray(s))
    limits = {"absolute": 0.01, "relative": 0.001}
    words = [f"--{name}={value}" for name, value in limits.items()]
    _, rows = measured(tmp_path / "r.npz", tmp_path / "s.npz", "--classes", *words)
    check_figures(rows["x"], r, s, **limits)
    first = r.argmax(axis=-1)
    assert near(rows["x"]["top1_ratio"], np.mean(first == s.argmax(axis=-1)))
    five = np.argsort(-s.astype(np.float64), axis=-1, kind="stable")[..., :5]
    assert near(rows["x"]["top5_ratio"], np.mean((five == first[..., None]).any(axis=-1)))
    assert rows["x"]["class_rows"] == 150


def test_runs_of_one_file(measured, arrays):
    document, rows = measured(arrays / "polygraphy-outputs.json")
    assert document["reference"]["runner"].startswith("onnxrt")
    assert document["subject"]["runner"].startswith("trt")
    assert list(rows) == [
        *["logits", "half", "ids", "mask", "scalar", "fortran", "double", "empty"]
    ]
    assert rows["logits"]["sample_count"] == 2 and rows["logits"]["max_abs"] == 0.25
    assert all(row["is_equal"] for name, row in rows.items() if name != "logits")
    swapped, _ = measured(
        *[arrays / "polygraphy-outputs.json", "--runner", "trt", "--runner", "onnxrt"]
    )
    assert swapped["reference"]["runner"] == document["subject"]["runner"]
    folder, _ = measured(arrays / "polygraphy-folder")
    assert folder["reference"]["iteration_count"] == 1


def test_what_only_one_side_has_is_said(measured, planex, arrays):
    words = [arrays / "polygraphy-outputs.json", arrays / "trtexec-output.json", "--runner=onnxrt"]
    document, rows = measured(*words)
    assert set(rows) == {"logits", "ids", "scalar"} and all(r["is_equal"] for r in rows.values())
    assert document["subject_only"] == ["odd"]
    assert "half" in document["reference_only"]
    remarks = " ".join(document["remarks"])
    assert "nms_boxes" in remarks and "2 iterations" in remarks
    text = planex("accuracy", *words).stdout
    assert "Only in the subject: odd." in text and "nms_boxes" in text


def test_tensors_are_matched_by_name_and_never_by_order(measured, tmp_path):
    a, b = np.ones((2, 3), np.float32), np.zeros((2, 3), np.float32)
    np.savez(tmp_path / "r.npz", a=a, b=b)
    np.savez(tmp_path / "s.npz", b=b, a=a)
    _, rows = measured(tmp_path / "r.npz", tmp_path / "s.npz")
    assert all(row["is_equal"] for row in rows.values())


def test_names_of_files_stand_for_names_of_tensors(measured, tmp_path):
    np.savez(tmp_path / "r.npz", **{"/block.1/Conv:0": np.ones(4, np.float32)})
    folder = tmp_path / "debug"
    folder.mkdir()
    np.save(folder / "_block_1_Conv_0.npy", np.ones(4, np.float32))
    _, rows = measured(tmp_path / "r.npz", folder)
    assert rows["/block.1/Conv:0"]["subject_name"] == "_block_1_Conv_0"


def test_nan_and_infinity_come_first(measured, planex, tmp_path):
    r = np.array([1, np.nan, np.inf, -np.inf, 5], np.float32)
    s = np.array([1, np.nan, -np.inf, -np.inf, np.nan], np.float32)
    np.save(tmp_path / "r.npy", r)
    (tmp_path / "other").mkdir()
    np.save(tmp_path / "other/r.npy", s)
    _, rows = measured(tmp_path / "r.npy", tmp_path / "other/r.npy", "--fail-below=5", code=1)
    row = rows["r"]
    assert (row["reference_nan_count"], row["reference_inf_count"]) == (1, 2)
    assert (row["subject_nan_count"], row["subject_inf_count"]) == (2, 2)
    assert row["nonfinite_mismatch_count"] == 2 and row["outside_ratio"] == 0.4
    assert row["max_abs"] == 0 and row["is_failed"] is True
    lines = planex("accuracy", tmp_path / "r.npy", tmp_path / "other/r.npy").stdout.splitlines()
    said = next(i for i, line in enumerate(lines) if "NaN" in line)
    assert said < next(i for i, line in enumerate(lines) if "SQNR" in line)


def test_limit_decides_the_exit_code(planex, measured, arrays):
    pair = [arrays / "stored.npz", arrays / "packed.npz"]
    planex("accuracy", *pair, "--fail-below", 8, code=0)
    text = planex("accuracy", *pair, "--fail-below", 9, code=1).stdout
    assert "1 of 1 tensor below 9 dB." in text
    # What is equal has no noise, and never fails.
    planex("accuracy", pair[0], pair[0], "--fail-below", 9, code=0)
    document, _ = measured(*pair, "--fail-below", 9, code=1)
    assert document["failed_count"] == 1 and document["fail_below_db"] == 9


def test_other_sizes_are_told_and_fail(measured, tmp_path):
    np.savez(tmp_path / "r.npz", x=np.ones((1, 4)), y=np.ones((1, 4)))
    np.savez(tmp_path / "s.npz", x=np.ones((1, 5)), y=np.ones(4))
    _, rows = measured(tmp_path / "r.npz", tmp_path / "s.npz", "--fail-below=1", code=1)
    assert rows["x"]["state"] == "other-size" and rows["x"]["is_failed"]
    assert rows["x"]["sqnr_db"] is None
    # A batch of 1 may be lost on the way.
    assert rows["y"]["state"] == "compared" and rows["y"]["is_failed"] is False


def test_formats_agree(planex, measured, arrays):
    pair = [arrays / "polygraphy-outputs.json", "--classes"]
    _, rows = measured(*pair)
    table = list(csv.DictReader(io.StringIO(planex("accuracy", *pair, "--format", "csv").stdout)))
    assert [row["name"] for row in table] == list(rows)
    for row in table:
        # A record has no lists.
        assert list(row) == [key for key in rows[row["name"]] if key != "slices"]
        sqnr = rows[row["name"]]["sqnr_db"]
        assert row["sqnr_db"] == "" if sqnr is None else float(row["sqnr_db"]) == sqnr
    markdown = planex("accuracy", *pair, "--format", "markdown").stdout
    assert f"| logits | 2x5 | float32 | {rows['logits']['sqnr_db']:.2f} |" in markdown


@pytest.mark.parametrize(
    "words, code, said",
    [
        (["stored.npz"], 2, "nothing to compare"),
        (["stored.npz", "polygraphy-outputs.json"], 2, "its runners are"),
        (["polygraphy-outputs.json", "--runner=nobody", "--runner=trt"], 2, "no runners have"),
        (["polygraphy-outputs.json", "--runner=onnxrt"], 2, "which is the reference"),
        (["stored.npz", "packed.npz", "--runner=nobody"], 2, "no runners have"),
        (["stored.npz", "polygraphy-inputs.json"], 0, None),
        (["stored.npz", "debug-tensors/swapped.npy"], 3, "no tensor has the same name"),
        (["stored.npz", "pickle.npy"], 3, "runs code"),
        (["stored.npz", "polygraphy-torch.json"], 3, "torch"),
        (["stored.npz", "make.py"], 3, "no saved tensors"),
        (["stored.npz", "missing.npz"], 3, "no such file"),
        (["stored.npz", "/dev/stdin"], 3, "is a stream or a device"),
        (["stored.npz", "packed.npz", "--absolute=-1"], 2, "--absolute"),
        (["stored.npz", "packed.npz", "--relative=nan"], 2, ""),
        (["stored.npz", "packed.npz", "-o", "stored.npz"], 2, "would overwrite an input"),
    ],
)
def test_errors_are_one_sentence(planex, arrays, words, code, said):
    result = planex("accuracy", *words, cwd=arrays, code=code)
    if said is not None:
        assert said in result.stderr and result.stderr.startswith("error: ")
        assert result.stdout == ""


def test_inputs_are_not_overwritten(planex, arrays, tmp_path):
    for name in ("polygraphy-outputs.json", "stored.npz"):
        shutil.copy(arrays / name, tmp_path)
    before = (tmp_path / "polygraphy-outputs.json").read_bytes()
    said = planex(
        *["accuracy", "polygraphy-outputs.json", "-o", "polygraphy-outputs.json"],
        cwd=tmp_path,
        code=2,
    )
    assert "overwrite" in said.stderr
    assert (tmp_path / "polygraphy-outputs.json").read_bytes() == before


def test_text_of_files_is_harmless(planex, tmp_path):
    """Names of tensors and runners are of whoever wrote the file."""
    buffer = io.BytesIO()
    np.save(buffer, np.ones(3, np.float32))
    array = {"array": base64.b64encode(buffer.getvalue()).decode()}
    runs = [[f"r\x1b[31m{i}", [{"outputs": {"a\x1b]0;|<b>\n": array}}]] for i in range(2)]
    (tmp_path / "o.json").write_text(json.dumps({"lst": runs}))
    for form in ("text", "json", "markdown"):
        said = planex("accuracy", tmp_path / "o.json", "--format", form).stdout
        assert "\x1b" not in said
    assert "<b>" not in planex("accuracy", tmp_path / "o.json", "--format", "markdown").stdout


def test_scores_beside_boxes_are_judged_apart(planex, measured, tmp_path):
    """All scores of a detector are 0, and one figure over all values does not see it."""
    draw = np.random.default_rng(3)
    boxes = draw.uniform(0, 313, (1, 4, 400)).astype("float32")
    scores = draw.uniform(0, 1, (1, 8, 400)).astype("float32") ** 4
    for name, axis in (("last", 1), ("first", 2)):
        parts = [boxes, scores] if name == "last" else [scores, boxes]
        zeroed = [part * (part.max() > 1) for part in parts]
        reference, subject = (np.concatenate(each, axis=1) for each in (parts, zeroed))
        if axis == 2:
            reference, subject = reference.transpose(0, 2, 1), subject.transpose(0, 2, 1)
        np.savez(tmp_path / "r.npz", y=reference)
        np.savez(tmp_path / "s.npz", y=subject)
        _, rows = measured(tmp_path / "r.npz", tmp_path / "s.npz", "--fail-below=20", code=1)
        assert rows["y"]["sqnr_db"] > 40
        assert rows["y"]["worst_slice_db"] == pytest.approx(0)
        first, last = (4, 11) if name == "last" else (0, 7)
        assert any(
            (part["axis"], part["first"], part["last"]) == (axis, first, last)
            and part["max_abs"] == pytest.approx(scores.max())
            for part in rows["y"]["slices"]
        )
        text = planex(
            "accuracy", tmp_path / "r.npz", tmp_path / "s.npz", "--fail-below", 20, code=1
        ).stdout
        place = "channels 4–11" if name == "last" else "0–7 of axis 2"
        assert f"y hides a part: {place} keep 0.0 dB" in text
        assert "1 of 1 tensor below 20 dB" in text
