"""Tensors at the ends of layers."""

from __future__ import annotations

import json
import math
import pathlib
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planex._engine import Engine
from planex._open import open as open_engine
from planex.trex._mode import compatibility

__all__ = ["Activation", "create_activations"]

# Names of types in TREx's short formats.
_SPELLINGS = {"INT8": "Int8"}
# Types that TREx treats as having no size, or as other types.
_UNSIZED_BY_TREX = frozenset({"BF16", "BOOL", "E8M0"})

_SAMPLE_ELEMENTS = 64


@dataclass(frozen=True)
class _Format:
    precision: str | None
    layout: str | None
    element_bytes: float | None


_formats: dict[str, _Format] = {}


def read_formats(sentences: Iterable[str]) -> None:
    """Learns format descriptions from planex's own reader, all new ones at once."""
    new = sorted(set(sentences) - _formats.keys())
    if not new:
        return
    ports = [
        {"Name": str(i), "Dimensions": [_SAMPLE_ELEMENTS], "Format/Datatype": sentence}
        for i, sentence in enumerate(new)
    ]
    layer = {"Name": "formats", "LayerType": "Reformat", "Inputs": ports, "Outputs": []}
    for port in open_records([layer]).ports.to_pylist():
        size = port["data_bytes"]
        _formats[new[port["index"]]] = _Format(
            port["dtype"], port["layout"], None if size is None else size / _SAMPLE_ELEMENTS
        )


def open_records(layers: Sequence[Mapping[str, Any]], **given: Any) -> Engine:
    """Opens layers in memory, in the form in which TensorRT would write them to a file."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "graph.json"
        file.write_text(json.dumps({"Layers": list(layers), "Bindings": []}), encoding="utf-8")
        return open_engine(file, **given)


class Activation:
    """A tensor at one end of a layer.

    Parameters
    ----------
    raw_dict : mapping
        An element of ``Inputs`` or ``Outputs``, as the layer file has it.

    Attributes
    ----------
    name : str
        Name of the tensor.
    shape : list of int
        Dimensions; -1 is dynamic.
    format : str
        Type and layout in short: ``Int8 NC/32HW32``.
    precision : str
        Type of the elements: ``INT8``.
    data_size : float or None
        Bytes of an element; None if the format is not known.
    size_bytes : float or None
        Bytes of all elements, without padding; None if that is not known.

    Examples
    --------
    >>> import planex.trex as trex
    >>> sentence = "Four wide channel vectorized row major Int8 format"
    >>> tensor = trex.Activation(
    ...     {"Name": "x", "Dimensions": [1, 3, 224, 224], "Format/Datatype": sentence})
    >>> print(tensor, tensor.size_bytes)
    x: [1, 3, 224, 224]xInt8 NC/4HW4 150528
    """

    def __init__(self, raw_dict: Mapping[str, Any]) -> None:
        sentence = str(raw_dict.get("Format/Datatype", raw_dict.get("Format", "")))
        read_formats([sentence])
        known = _formats[sentence]
        self.raw_dict = dict(raw_dict)
        self.name: str = raw_dict["Name"]
        self.shape: list[int] = list(raw_dict.get("Dimensions") or [])
        self.precision = known.precision or "Unknown format"
        self.data_size: float | None = _whole(known.element_bytes)
        if known.precision is None:
            self.format = sentence or "Unknown format"
        elif sentence.replace(".", "") in _bare_words() or not known.layout:
            self.format = sentence.replace(".", "")
        else:
            word = _SPELLINGS.get(known.precision, known.precision)
            self.format = f"{word} {known.layout}"
        if compatibility():
            if known.precision is None:
                self.format = "Unknown format"
            if known.element_bytes is None or known.precision in _UNSIZED_BY_TREX:
                self.data_size = 0
        self.size_bytes: float | None = None
        if self.data_size is not None and (compatibility() or all(n >= 0 for n in self.shape)):
            self.size_bytes = _whole(math.prod(self.shape) * self.data_size)

    def tooltip(self) -> str:
        """Shape, format and precision, one per line.

        Returns
        -------
        str
            Three lines.
        """
        return f"{self.shape}\n{self.format}\n{self.precision}"

    def __str__(self) -> str:
        return f"{self.name}: {self.shape}x{self.format}"

    def __repr__(self) -> str:
        return f"Activation({self})"


def _bare_words() -> frozenset[str]:
    """Myelin only names types, without a layout."""
    return frozenset({"Float", "Half", "Int8", "Int32", "Int64", "Bool", "BFloat16", "Double"})


def _whole(number: float | None) -> float | None:
    return int(number) if number is not None and number == int(number) else number


def create_activations(layer: Mapping[str, Any]) -> tuple[list[Activation], list[Activation]]:
    """The tensors of a layer.

    Parameters
    ----------
    layer : mapping
        A row of a plan's frame, or a layer as in the file.

    Returns
    -------
    tuple of lists of Activation
        Inputs and outputs, in the order of the file.
    """
    inputs, outputs = layer["Inputs"], layer["Outputs"]
    return [Activation(one) for one in inputs], [Activation(one) for one in outputs]
