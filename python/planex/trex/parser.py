"""Readers of single files: layers, times, metadata, logs of trtexec.

:func:`planex.open` reads all of them together, and :class:`planex.trex.EnginePlan` creates a plan
from them; these functions are for code that reads a single one.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import tempfile
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TextIO

from planex._engine import Engine
from planex.trex._mode import compatibility
from planex.trex.activations import open_records

if TYPE_CHECKING:
    from planex.trex.archiving import EngineArchive

__all__ = [
    "get_builder_config",
    "get_device_properties",
    "get_performance_summary",
    "import_graph_file",
    "parse_build_log",
    "parse_profiling_log",
    "read_graph_file",
    "read_json",
    "read_metadata_file",
    "read_perf_metadata_file",
    "read_profiling_file",
    "read_timing_file",
]

PathLike = str | os.PathLike[str]
Sections = dict[str, dict[str, Any]]

# planex opens engines; where there is only a file about one, this replaces it.
_PLACEHOLDER = {"Name": "-", "LayerType": "Reformat", "Inputs": [], "Outputs": []}
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
# Keys whose value in a log is a number, whatever unit follows it.
_NUMBERS = re.compile(
    r"(?:Application )?(?:Compute|Memory) Clock Rate|Memory Bus Width|Compute Capability|SMs"
)
_DEFAULTS = " (defaults)"


def read_json(json_file: TextIO) -> Any:
    """The value of an open JSON file.

    Parameters
    ----------
    json_file : file
        An open file of text.

    Returns
    -------
    object
        Its contents.

    Raises
    ------
    ValueError
        It is not JSON.
    """
    text = json_file.read()
    try:
        # TensorRT writes control characters into texts unescaped.
        return json.loads(text, strict=False)
    except ValueError as error:
        name = getattr(json_file, "name", "the file")
        raise ValueError(f"{name} is not JSON: {error}") from error


def _read(file: PathLike) -> Any:
    with open(file, encoding="utf-8") as opened:
        return read_json(opened)


def read_graph_file(graph_file: PathLike) -> tuple[list[Any], list[str]]:
    """The layers of a file unchanged, and the names of inputs and outputs.

    Parameters
    ----------
    graph_file : path
        A layer file.

    Returns
    -------
    tuple of lists
        Layers as dictionaries, and names of inputs and outputs.

    Raises
    ------
    ValueError
        It contains no layers, or only their names.
    """
    graph = _read(graph_file)
    layers = graph.get("Layers") if isinstance(graph, dict) else None
    if not isinstance(layers, list):
        raise ValueError(f"{graph_file} has no list of layers")
    if layers and not isinstance(layers[0], dict):
        raise ValueError(
            f"{graph_file} contains only names of layers: rebuild the engine with "
            "--profilingVerbosity=detailed"
        )
    return layers, list(graph.get("Bindings", []))


def import_graph_file(
    graph_file: PathLike, profile_id: int | None = None
) -> tuple[list[dict[str, Any]], list[str]]:
    """The layers of an optimization profile, no two with the same name, and the bindings.

    Parameters
    ----------
    graph_file : path
        A layer file.
    profile_id : int, optional
        The optimization profile; default: the first.

    Returns
    -------
    tuple of lists
        Layers as dictionaries, and names of inputs and outputs.
    """
    from planex.trex.engine_plan import EnginePlan

    plan = EnginePlan(graph_file, profile_id=profile_id)
    return [layer.raw_dict for layer in plan.all_layers], plan.bindings


def read_profiling_file(profiling_file: PathLike) -> list[dict[str, Any]]:
    """The rows of a profile: ``name``, ``timeMs``, ``averageMs``, ``percentage``, ...

    Parameters
    ----------
    profiling_file : path
        A profile.

    Returns
    -------
    list of dict
        A dictionary per layer.
    """
    return [row for row in _read(profiling_file) if "name" in row]


def read_metadata_file(metadata_file: PathLike, device: int = 0) -> Any:
    """The entry for one device in a list of a metadata file.

    Parameters
    ----------
    metadata_file : path
        A file with a list.
    device : int
        Index of the element.

    Returns
    -------
    object
        The element.
    """
    return _read(metadata_file)[device]


def open_timing(timing_json_file: PathLike) -> Engine:
    """The samples of a file as an engine without anything else."""
    return open_records([_PLACEHOLDER], times=timing_json_file)


def latencies_of(engine: Engine) -> list[float]:
    return [row["latency_ms"] for row in engine.iterations.to_pylist()]


def read_timing_file(timing_json_file: PathLike) -> list[float]:
    """Milliseconds of every measured inference.

    ``plan.engine.iterations`` has everything that the file records about each.

    Parameters
    ----------
    timing_json_file : path
        From ``--exportTimes``.

    Returns
    -------
    list of float
        In the order of the file.
    """
    return latencies_of(open_timing(timing_json_file))


def read_perf_metadata_file(metadata_file: PathLike, section: str) -> dict[str, Any]:
    """One section of a metadata file.

    Parameters
    ----------
    metadata_file : path
        A metadata file.
    section : str
        ``performance_summary``, ``device_information``, ...

    Returns
    -------
    dict
        From keys to values.

    Raises
    ------
    KeyError
        The file does not contain it.
    """
    found: dict[str, Any] = _read(metadata_file)[section]
    return found


def read_sections(file: PathLike | None) -> Sections:
    """The sections of a metadata file; empty without a file."""
    if file is None or not pathlib.Path(file).is_file():
        return {}
    value = _read(file)
    merged: dict[str, Any] = {}
    for part in value if isinstance(value, list) else [value]:
        merged.update(part)
    return merged


def sections_of(engine: Engine) -> Sections:
    """The sections of the metadata that an engine was opened with."""
    sections: Sections = {}
    for row in engine.metadata.to_pylist():
        try:
            value = json.loads(row["value"])
        except ValueError:
            value = row["value"]
        sections.setdefault(row["section"], {})[row["key"]] = value
    return sections


def get_device_properties(metadata_file: PathLike | None) -> dict[str, Any]:
    """Information about the device; empty without a file.

    Parameters
    ----------
    metadata_file : path or None
        A metadata file.

    Returns
    -------
    dict
        From keys to values.
    """
    return dict(read_sections(metadata_file).get("device_information", {}))


def get_performance_summary(metadata_file: PathLike | None) -> dict[str, Any]:
    """The measurements; empty without a file.

    Parameters
    ----------
    metadata_file : path or None
        A metadata file.

    Returns
    -------
    dict
        From keys to values.
    """
    return dict(read_sections(metadata_file).get("performance_summary", {}))


def get_builder_config(metadata_file: PathLike | None) -> dict[str, Any]:
    """The build options of the engine; empty without a file.

    Parameters
    ----------
    metadata_file : path or None
        A metadata file.

    Returns
    -------
    dict
        From keys to values.
    """
    sections = read_sections(metadata_file)
    return {**sections.get("model_options", {}), **sections.get("build_options", {})}


def _log_sections(file: PathLike, archive: EngineArchive | None) -> dict[str, dict[str, str]]:
    if archive is not None:
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / pathlib.Path(file).name
            copy.write_bytes(archive.readf(os.fspath(file)))
            return _log_sections(copy, None)
    sections: dict[str, dict[str, str]] = {}
    for row in open_records([_PLACEHOLDER], log=file).metadata.to_pylist():
        sections.setdefault(row["section"], {})[row["key"]] = row["value"]
    return sections


def _section(sections: Mapping[str, dict[str, Any]], name: str) -> dict[str, Any]:
    found = sections.get(name)
    # A loaded engine was not built with the options in the log.
    if found is None and compatibility():
        found = sections.get(name + _DEFAULTS)
    return dict(found or {})


def parse_build_log(file_name: PathLike, tea: EngineArchive | None = None) -> Sections:
    """The build information in a trtexec log.

    Parameters
    ----------
    file_name : path
        The log.
    tea : EngineArchive, optional
        The archive that contains it.

    Returns
    -------
    dict
        ``model_options``, ``build_options`` and ``device_information``, each from keys to texts;
        empty if the log does not contain it. A loaded engine has no ``build_options``: the log
        contains defaults there (which :func:`planex.trex.compatibility` returns).

    Raises
    ------
    planex.PlanexError
        The file is missing or can't be read.
    """
    sections = _log_sections(file_name, tea)
    return {
        name: _section(sections, name)
        for name in ("model_options", "build_options", "device_information")
    }


def parse_profiling_log(file_name: PathLike, tea: EngineArchive | None = None) -> Sections:
    """The measurement in a trtexec log.

    Parameters
    ----------
    file_name : path
        The log.
    tea : EngineArchive, optional
        The archive that contains it.

    Returns
    -------
    dict
        ``performance_summary`` (numbers, and lists of minimum, maximum, mean, median and
        percentiles in ms; ``percentiles`` lists which ones), ``inference_options`` (texts) and
        ``device_information`` (numbers where possible).

    Raises
    ------
    planex.PlanexError
        The file is missing or can't be read.
    """
    sections = _log_sections(file_name, tea)
    return {
        "performance_summary": {
            key: _value(text) for key, text in _section(sections, "performance_summary").items()
        },
        "inference_options": _section(sections, "inference_options"),
        "device_information": {
            key: _number(text) if _NUMBERS.fullmatch(key) else text
            for key, text in _section(sections, "device_information").items()
        },
    }


def _value(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return [float(one) for one in value] if isinstance(value, list) else value


def _number(text: str) -> float | str:
    found = _NUMBER.search(text)
    return float(found.group()) if found else text
