"""Layers of a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from planex.trex._mode import compatibility
from planex.trex.activations import Activation, create_activations

__all__ = ["Layer", "fold_no_ops"]

_WEIGHT_BYTES = {"Int8": 1, "Half": 2, "FP16": 2, "Float": 4, "FP32": 4, "Int32": 4}
_MORE_WEIGHT_BYTES = {"BFloat16": 2, "BF16": 2, "FP8": 1, "Int64": 8, "Int4": 0.5, "FP4": 0.5}


class Layer:
    """A layer.

    Parameters
    ----------
    raw_dict : mapping
        The layer as in the file.

    Attributes
    ----------
    name : str
        Its unique name.
    type, subtype : str
        Kind of the layer: what it does, and its implementation.
    metadata : str or None
        The operations of the model that it stems from, if the file lists them.
    precision : str or None
        Type of the first input; None without inputs.
    inputs, outputs : list of Activation
        Its tensors; those of layers in a plan are linked around no-ops.
    inputs_size_bytes, outputs_size_bytes, total_io_size_bytes : float or None
        Bytes of tensors; a tensor that is read twice counts twice; None if one is unknown.
    weights_cnt, bias_cnt : int
        Elements.
    weights_type, bias_type : str or None
        Their types, as in the file.
    weights_size, bias_size : float or None
        Bytes; None if the type is not known.
    total_footprint_bytes : float or None
        Bytes of tensors and weights, without the bias.
    raw_dict : dict
        The layer's original data.
    """

    def __init__(self, raw_dict: Mapping[str, Any]) -> None:
        self.raw_dict = dict(raw_dict)
        self.name: str = raw_dict["Name"]
        self.subtype: str = raw_dict.get("LayerType", "")
        self.type: str = raw_dict.get("ParameterType") or self.subtype
        self.metadata: str | None = raw_dict.get("Metadata")
        self.inputs, self.outputs = create_activations(raw_dict)
        self.precision = self.inputs[0].precision if self.inputs else None
        self.inputs_size_bytes = _sum([one.size_bytes for one in self.inputs])
        self.outputs_size_bytes = _sum([one.size_bytes for one in self.outputs])
        self.total_io_size_bytes = _sum([self.inputs_size_bytes, self.outputs_size_bytes])
        self.weights_cnt, self.weights_type, self.weights_size = _constant(raw_dict, "Weights")
        self.bias_cnt, self.bias_type, self.bias_size = _constant(raw_dict, "Bias")
        self.total_footprint_bytes = _sum([self.total_io_size_bytes, self.weights_size])

    def tooltip(self) -> str:
        """The file's contents for it, sorted by key, one per line.

        Returns
        -------
        str
            One line per key.
        """
        hidden = {"Inputs", "Outputs", "ParameterType", "LayerType"}
        keys = sorted(self.raw_dict.keys() - hidden)
        return "\n".join(f"{key}: {self.raw_dict[key]}" for key in keys)

    def __repr__(self) -> str:
        return f"Layer({self.name})"


def _sum(parts: Sequence[float | None]) -> float | None:
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None


def _constant(raw: Mapping[str, Any], key: str) -> tuple[int, str | None, float | None]:
    value = raw.get(key)
    if not isinstance(value, Mapping) or "Count" not in value:
        return 0, None, 0
    count, kind = value["Count"], str(value.get("Type"))
    sizes = _WEIGHT_BYTES if compatibility() else _WEIGHT_BYTES | _MORE_WEIGHT_BYTES
    if kind not in sizes:
        return (0, None, 0) if compatibility() else (count, kind, None if count else 0)
    return count, kind, count * sizes[kind]


def fold_no_ops(layers: Sequence[Layer], bindings: Sequence[str]) -> list[Layer]:
    """Leaves out no-ops, and links the layers before them with those after them.

    Every producer of a tensor stays linked to its readers, even where one of several is a no-op
    (TREx, and :func:`compatibility`, only keep that one).

    Parameters
    ----------
    layers : sequence of Layer
        In execution order; their inputs and outputs change.
    bindings : sequence of str
        Names of the engine's inputs and outputs.

    Returns
    -------
    list of Layer
        The layers that are not no-ops.
    """
    kept = [layer for layer in layers if layer.type != "NoOp"]
    written = {tensor.name for layer in kept for tensor in layer.outputs}
    for no_op in layers:
        if no_op.type != "NoOp" or not no_op.inputs or not no_op.outputs:
            continue
        source, target = no_op.inputs[0], no_op.outputs[0]
        is_read = False
        for reader in layers:
            if reader is no_op:
                continue
            ports: list[Activation] = []
            for tensor in reader.inputs:
                if tensor.name != target.name:
                    ports.append(tensor)
                    continue
                is_read = True
                ports.append(source)
                if target.name in written and not compatibility():
                    ports.append(tensor)
            reader.inputs = ports
        if not is_read and target.name in bindings:
            for writer in layers:
                writer.outputs = [
                    target if tensor.name == source.name and writer is not no_op else tensor
                    for tensor in writer.outputs
                ]
    return kept
