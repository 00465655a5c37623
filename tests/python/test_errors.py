"""Errors say what and where, as exceptions."""

from __future__ import annotations

import pickle

import pytest

import planex

ENGINE = "examples/engines/resnet18-a100-qat"


def test_missing(tmp_path):
    with pytest.raises(planex.NotFoundError) as caught:
        planex.open(tmp_path / "no-such")
    error = caught.value
    assert error.code == "not-found"
    assert error.file == str(tmp_path / "no-such")
    assert str(error).startswith(f"{error.file}: {error.message}")
    assert isinstance(error, planex.PlanexError)


def test_bad_json_says_where(tmp_path):
    path = tmp_path / "engine.graph.json"
    path.write_text('{"Layers": [{"Name": "a"}, }', encoding="utf-8")
    with pytest.raises(planex.BadInputError) as caught:
        planex.open(path)
    assert caught.value.file == str(path)
    assert caught.value.byte_offset is not None or caught.value.json_pointer is not None


def test_several_engines(engine, tmp_path):
    for name in ("a", "b"):
        engine.export(tmp_path / f"{name}.plan.json", format="plan")
    with pytest.raises(planex.UsageError):
        planex.open(tmp_path)
    assert len(planex.find(tmp_path)) == 2


def test_sql(engine):
    with pytest.raises(planex.UsageError) as caught:
        engine.sql("SELECT nam FROM layers")
    assert "nam" in caught.value.message
    assert isinstance(caught.value, ValueError)
    with pytest.raises(planex.UsageError, match="only reads"):
        engine.sql("DROP TABLE layers")


def test_names_that_are_no_utf8(tmp_path):
    folder = tmp_path / "caf\udce9"
    folder.mkdir()
    with pytest.raises(planex.PlanexError):
        planex.open(folder)


def test_an_embedded_nul(engine):
    with pytest.raises(ValueError, match="null"):
        engine.sql("SELECT '\0'")
    with pytest.raises(ValueError, match="null"):
        planex.open("a\0b")


def test_errors_can_be_pickled(tmp_path):
    with pytest.raises(planex.NotFoundError) as caught:
        planex.open(tmp_path / "no-such")
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert type(again) is planex.NotFoundError
    assert str(again) == str(caught.value)
    assert again.file == caught.value.file


def test_every_class_is_a_planex_error():
    names = [name for name in planex.__all__ if name.endswith("Error")]
    assert len(names) == 9
    codes = {getattr(planex, name).code for name in names}
    assert len(codes) == 8  # PlanexError itself is an internal one
