"""The capsule of a search: what opens the folder of `planex optimize` opens it."""

from __future__ import annotations

import hashlib
import json
import pathlib
import shutil
import zipfile

import pytest

RECORDED = pathlib.Path(__file__).parents[1] / "data" / "optimize"
GLYPHS = RECORDED.parent / "glyphs" / "glyphs.onnx"


@pytest.fixture
def folder(tmp_path):
    """A search that had another model, which is there: only its structure is looked at."""
    best = tmp_path / "best"
    shutil.copytree(RECORDED, best)
    shutil.copy(GLYPHS, tmp_path / "glyphs.onnx")
    shutil.copy(GLYPHS, best / "model.onnx")
    (best / "reproduce.py").write_text("pass\n", encoding="utf-8")
    record = json.loads((best / "optimize.json").read_text("utf-8"))
    record["model"] = str(tmp_path / "glyphs.onnx")
    record["model_sha256"] = hashlib.sha256(GLYPHS.read_bytes()).hexdigest()
    (best / "optimize.json").write_text(json.dumps(record), encoding="utf-8")
    return best


@pytest.fixture
def capsule(planex, folder, tmp_path):
    """Elsewhere than it was made, and without the folder."""
    made = tmp_path / "made.planex"
    planex("archive", folder, "--with-weights", "-o", made)
    (tmp_path / "elsewhere").mkdir()
    return pathlib.Path(shutil.move(made, tmp_path / "elsewhere" / "optimize.planex"))


def names_in(path):
    with zipfile.ZipFile(path) as opened:
        return opened.namelist()


def without(text, *paths):
    for path in sorted(map(str, paths), key=len, reverse=True):
        text = text.replace(path, "PLACE")
    return text


def test_it_has_what_the_folder_has(planex, capsule):
    names = names_in(capsule)
    assert names[0] == "capsule.json"
    assert {"optimize.json", "model.onnx", "reproduce.py", "original/glyphs.onnx"} <= set(names)
    assert {"best/model.graph.json", "first/open_nsfw.graph.json"} <= set(names)
    with zipfile.ZipFile(capsule) as opened:
        listed = json.loads(opened.read("capsule.json"))
        assert opened.read("original/glyphs.onnx") == GLYPHS.read_bytes()
    assert [one["file"] for one in listed["files"] if one["is_engine"]] == ["best/model.graph.json"]
    assert sorted(one["file"] for one in listed["files"] + listed["others"]) == sorted(names[1:])
    assert planex("verify", capsule).returncode == 0


@pytest.mark.parametrize("engine", ["first", "best"])
def test_its_engines_are_those_of_the_folder(planex, folder, capsule, engine):
    def summary(place):
        text = planex("summary", place / engine, "--format", "json").stdout
        document = json.loads(without(text, place))
        for piece in document["missing"]:
            piece["command"] = ""
        return document

    assert summary(capsule) == summary(folder)


def test_comparisons_are_those_of_the_folder(planex, folder, capsule):
    def compared(place):
        words = ("compare", place / "first", place / "best", "--format", "json")
        return without(planex(*words).stdout, place)

    assert compared(capsule) == compared(folder)


def test_its_report_is_that_of_the_folder(planex, folder, capsule, tmp_path):
    def report(place):
        text = planex("report", place, "--format", "json", "-o", "-").stdout
        # The model that it began with is elsewhere, or packed.
        for model in (place / "original/glyphs.onnx", tmp_path / "glyphs.onnx"):
            text = text.replace(str(model), "MODEL")
        return json.loads(without(text, place))

    before, after = report(folder), report(capsule)
    assert after["optimize"] == before["optimize"] is not None
    assert [one["label"] for one in after["engines"]] == ["first", "best"]
    assert [one["summary"] for one in after["engines"]] == [
        one["summary"] for one in before["engines"]
    ]
    assert after["comparison"] == before["comparison"]


def test_alone_it_is_the_best_engine(planex, capsule):
    document = json.loads(planex("summary", capsule, "--format", "json").stdout)
    best = json.loads(planex("summary", capsule / "best", "--format", "json").stdout)
    assert document["engine"]["name"] == "best"
    assert document["layer_count"] == best["layer_count"]


def test_without_weights_as_of_any_engine(planex, folder, tmp_path):
    target = tmp_path / "light.planex"
    told = json.loads(planex("archive", folder, "-o", target, "--format", "json").stdout)
    light = [one["file"] for one in told["files"] + told["others"] if one["is_without_weights"]]
    assert sorted(light) == ["model.onnx", "original/glyphs.onnx"]
    assert any("--with-weights" in note for note in told["notes"])
    error = planex("optimize", target, "-o", tmp_path / "again", code=3).stderr
    assert "without its weights" in error and "--with-weights" in error
    assert not (tmp_path / "again").exists()


def test_a_changed_model_is_left_out(planex, folder, tmp_path):
    with (tmp_path / "glyphs.onnx").open("ab") as model:
        model.write(b"\x32\x00")
    target = tmp_path / "other.planex"
    told = json.loads(
        planex("archive", folder, "--with-weights", "-o", target, "--format", "json").stdout
    )
    assert any("has changed since" in note for note in told["notes"])
    assert "original/glyphs.onnx" not in names_in(target)


def test_altered_members_are_found(planex, capsule, tmp_path):
    altered = tmp_path / "altered.planex"
    with zipfile.ZipFile(capsule) as whole, zipfile.ZipFile(altered, "w") as target:
        for name in whole.namelist():
            content = whole.read(name)
            if name == "first/open_nsfw.profile.json":
                content += b" "
            target.writestr(name, content)
    assert "first/open_nsfw.profile.json" in planex("verify", altered, code=3).stdout
    assert "was changed" in planex("summary", altered / "first", code=3).stderr
    planex("summary", altered / "best")


def test_names_are_not_hidden(planex, folder, tmp_path):
    words = ("archive", folder, "--redact", "-o", tmp_path / "x.planex")
    assert "can't be redacted" in planex(*words, code=3).stderr


def test_what_has_no_search_is_no_model(planex, folder, tmp_path):
    planex("archive", folder / "best", "-o", tmp_path / "run.planex")
    told = planex("optimize", tmp_path / "run.planex", "-o", tmp_path / "again", code=3).stderr
    assert "not a capsule of a search" in told
