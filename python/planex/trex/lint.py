"""TREx's four linters. :meth:`planex.Engine.lint` has more rules, and estimates the savings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Protocol

import pandas as pd

from planex.trex._mode import compatibility
from planex.trex.activations import Activation, create_activations

__all__ = ["ConvLinter", "QDQLinter", "ReformatLinter", "SliceLinter"]

# Words in names of kernels that run on Tensor Cores. TREx doesn't know those with three numbers.
_TENSOR_CORE_TREX = ("imma", "hmma", "xmma", "i88", "884")
_TENSOR_CORE = re.compile(r"imma|hmma|xmma|gmma|i88|884|[hib]1688|[his]16816|s161616|tensorop")
_FEW_CHANNELS = 32

Row = dict[str, Any]


class _Plan(Protocol):
    df: pd.DataFrame

    def get_layers_by_type(self, layer_type: str) -> pd.DataFrame: ...


class _Linter:
    """Common base of linters: from a plan to a frame."""

    _layer_types: tuple[str, ...] = ()

    def __init__(self, plan: _Plan) -> None:
        self.plan = plan

    def _layers(self) -> Iterator[tuple[Row, list[Activation], list[Activation]]]:
        for kind in self._layer_types:
            for row in self.plan.get_layers_by_type(kind).to_dict("records"):
                yield row, *create_activations(row)

    def _findings(self) -> list[Row]:
        raise NotImplementedError

    def lint(self) -> pd.DataFrame:
        """The findings.

        Returns
        -------
        pandas.DataFrame
            A row per finding, by ``name`` of the layer: ``hazard``, ``mitigation``, ``help`` and
            the figures that the linter checks. A layer with several findings has several rows (only
            the last one with :func:`planex.trex.compatibility`). Empty if nothing was found.
        """
        return _table(self._findings())


def _table(findings: list[Row]) -> pd.DataFrame:
    if compatibility():
        findings = list({row["name"]: row for row in findings}.values())
    frame = pd.DataFrame(findings)
    return frame.set_index("name") if findings else frame


class ConvLinter(_Linter):
    """Convolutions: without Tensor Cores, with float outputs, with channels that don't fit.

    Parameters
    ----------
    plan : EnginePlan
        The plan.
    """

    _layer_types = ("Convolution",)

    def _findings(self) -> list[Row]:
        return [*self._tensor_cores(), *self._mixed_precision(), *self._alignment()]

    def tc_lint(self) -> pd.DataFrame:
        """Convolutions of reduced precision whose kernels don't use Tensor Cores.

        Returns
        -------
        pandas.DataFrame
            In the form of :meth:`lint`.
        """
        return _table(self._tensor_cores())

    def mixed_precision_lint(self) -> pd.DataFrame:
        """INT8 convolutions that write floats.

        Returns
        -------
        pandas.DataFrame
            In the form of :meth:`lint`.
        """
        return _table(self._mixed_precision())

    def alignment_lint(self) -> pd.DataFrame:
        """Convolutions whose channels are not a multiple of what Tensor Cores process at once.

        Returns
        -------
        pandas.DataFrame
            In the form of :meth:`lint`.
        """
        return _table(self._alignment())

    def _row(self, row: Row, hazard: str, mitigation: str, help: str = "") -> Row:
        return {
            "name": row["Name"],
            "tactic": row["tactic"],
            "subtype": row["subtype"],
            "hazard": hazard,
            "mitigation": mitigation,
            "help": help,
        }

    def _tensor_cores(self) -> list[Row]:
        found = []
        for row, inputs, _ in self._layers():
            if row["precision"] == "FP32" or _uses_tensor_cores(row["tactic"]):
                continue
            few = inputs and len(inputs[0].shape) == 4 and inputs[0].shape[1] < _FEW_CHANNELS
            note = f"It has {inputs[0].shape[1]} input channels; " if few else ""
            help = note + "Tensor Cores need enough input channels." if few else ""
            hazard = "The kernel does not use Tensor Cores."
            found.append(self._row(row, hazard, "Give the convolution more channels.", help))
        return found

    def _mixed_precision(self) -> list[Row]:
        found = []
        for row, inputs, outputs in self._layers():
            if row["precision"] != "INT8" or not outputs:
                continue
            if inputs[0].format.startswith("Int8") and not outputs[0].format.startswith("Int8"):
                hazard = f"It reads INT8 and writes {outputs[0].precision}."
                found.append(self._row(row, hazard, "Quantize what follows the convolution."))
        return found

    def _alignment(self) -> list[Row]:
        found = []
        for row, inputs, outputs in self._layers():
            ranks = (4,) if compatibility() else (3, 4, 5)
            if not inputs or not outputs:
                continue
            if len(inputs[0].shape) not in ranks or len(outputs[0].shape) not in ranks:
                continue
            multiple = 16 if row["precision"] == "INT8" else 8
            channels = inputs[0].shape[1], outputs[0].shape[1]
            if any(count > 0 and count % multiple for count in channels):
                hazard = f"{channels[0]} input and {channels[1]} output channels don't fit."
                mitigation = f"Make both a multiple of {multiple}."
                found.append(self._row(row, hazard, mitigation))
        return found


def _uses_tensor_cores(tactic: str) -> bool:
    if compatibility():
        return any(word in tactic for word in _TENSOR_CORE_TREX)
    return _TENSOR_CORE.search(tactic) is not None


class _TypeChangeLinter(_Linter):
    """Layers whose output type differs from the input type."""

    def _findings(self) -> list[Row]:
        found = []
        for row, inputs, outputs in self._layers():
            if not inputs or not outputs or inputs[0].format[:4] == outputs[0].format[:4]:
                continue
            finding: Row = {"name": row["Name"]}
            if "attr.origin" in row:
                finding["origin"] = row["attr.origin"]
            finding["type conversion"] = f"{inputs[0].format} -> {outputs[0].format}"
            finding["shape conversion"] = f"{inputs[0].shape} -> {outputs[0].shape}"
            finding["hazard"] = "It changes the type."
            types = inputs[0].precision, outputs[0].precision
            finding["mitigation"] = (
                "Check that quantize and dequantize operations are where they should be."
                if "INT8" in types and not compatibility()
                else ""
            )
            finding["help"] = "Conversions cost time and memory traffic."
            found.append(finding)
        return found


class ReformatLinter(_TypeChangeLinter):
    """Reformats that change the type of a tensor.

    Parameters
    ----------
    plan : EnginePlan
        The plan.
    """

    _layer_types = ("Reformat",)


class SliceLinter(_TypeChangeLinter):
    """Slices that change the type of a tensor.

    Parameters
    ----------
    plan : EnginePlan
        The plan.
    """

    _layer_types = ("Slice",)


class QDQLinter(_Linter):
    """Quantize and dequantize operations that are separate layers.

    TensorRT 8.2 lists them as Scale, later versions as Reformat with origin QDQ, which TREx (and
    :func:`planex.trex.compatibility`) does not recognize.

    Parameters
    ----------
    plan : EnginePlan
        The plan.
    """

    _layer_types = ("Scale", "Reformat")

    def _findings(self) -> list[Row]:
        found = []
        for row, inputs, outputs in self._layers():
            if row["type"] == "Reformat" and (compatibility() or row.get("attr.origin") != "QDQ"):
                continue
            if not inputs or not outputs:
                continue
            reads, writes = (one[0].format.startswith("Int8") for one in (inputs, outputs))
            if reads == writes:
                continue
            role = "quantize" if writes else "dequantize"
            found.append(
                {
                    "name": row["Name"],
                    "role": role,
                    "hazard": f"A {role} operation was not fused.",
                    "mitigation": "Move it to where TensorRT can fuse it with its neighbours.",
                    "help": "Such a layer reads and writes the whole tensor.",
                }
            )
        return found
