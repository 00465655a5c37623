"""planex.archive and planex.verify, and that TREx's archives of the package read the same."""

from __future__ import annotations

import pathlib
import zipfile

import pytest

import planex
from planex.trex.archiving import EngineArchive

ENGINE = "examples/engines/resnet18-a100-qat"


def test_whole(tmp_path: pathlib.Path) -> None:
    capsule = tmp_path / "run.planex"
    made = planex.archive(ENGINE, capsule)
    assert made["schema"] == "planex.archive/1"
    assert made.sha256 == planex.verify(capsule).sha256
    assert planex.verify(capsule).is_intact
    assert "intact" in str(planex.verify(capsule))
    engine, again = planex.open(ENGINE), planex.open(capsule)
    assert again.summary()["engine"]["name"] == engine.summary()["engine"]["name"]
    assert again.layers.to_pylist() == engine.layers.to_pylist()


def test_altered(tmp_path: pathlib.Path) -> None:
    capsule = tmp_path / "run.planex"
    planex.archive(ENGINE, capsule)
    with zipfile.ZipFile(capsule, "a") as opened:
        opened.writestr("extra.txt", "x")
    check = planex.verify(capsule)
    assert not check.is_intact
    assert [m.file for m in check.members if m.state != "intact"] == ["extra.txt"]
    with pytest.raises(planex.UsageError):
        planex.archive(capsule, capsule)


def test_redacted(tmp_path: pathlib.Path) -> None:
    capsule = tmp_path / "run.planex"
    made = planex.archive(ENGINE, capsule, redact=True, salt="ours")
    assert made.is_redacted and made.notes
    engine, again = planex.open(ENGINE), planex.open(capsule)
    ours, theirs = engine.layers.to_pylist(), again.layers.to_pylist()
    assert [row["median_ms"] for row in theirs] == [row["median_ms"] for row in ours]
    assert not {row["name"] for row in theirs} & {row["name"] for row in ours}


def test_archives_of_trex(tmp_path: pathlib.Path) -> None:
    """What the program writes the package's EngineArchive reads, and the other way round."""
    tea = tmp_path / "run.tea"
    planex.archive(ENGINE, tea)
    archive = EngineArchive(tea)
    for name in set(archive.names()) - {"capsule.json"}:
        assert archive.readf(name) == (pathlib.Path(ENGINE) / name).read_bytes()
    layers = planex.open(ENGINE).layers.to_pylist()
    assert archive.engine().layers.to_pylist() == layers

    written = EngineArchive(tmp_path / "written.tea")
    for file in pathlib.Path(ENGINE).iterdir():
        if file.suffix in (".json", ".log"):
            written.writef_bin(file.name, file.read_bytes())
    assert planex.open(written.archive_filename).layers.to_pylist() == layers
    planex.archive(written.archive_filename, tmp_path / "again.tea")
    assert planex.open(tmp_path / "again.tea").layers.to_pylist() == layers
