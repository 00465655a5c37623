"""Quantizing models, and what it cost."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from planex import _program
from planex._document import Document
from planex._engine import PathLike
from planex._errors import UsageError

if TYPE_CHECKING:
    from planex import documents

#: A path as ``--data`` takes it, or samples: each an array, or a mapping of arrays by input.
Samples = PathLike | Iterable[Any]


def quantize(
    model: PathLike,
    output: PathLike,
    data: Samples,
    *,
    target: str = "openvino",
    method: str = "auto",
    preparation: str | None = None,
    shapes: Mapping[str, Iterable[int]] | None = None,
    samples: int | None = None,
    judge_samples: int | None = None,
    keep: Iterable[str] = (),
    weight_bits: int | None = None,
    opset: int | None = None,
    cache: PathLike | None = None,
    seed: int | None = None,
    threads: int | None = None,
) -> documents.Quantize:
    """Writes an INT8 model from a float one and data, and tells what it cost.

    Parameters
    ----------
    model : path
        The float model, as ONNX.
    output : path
        The quantized model.
    data : path or iterable
        Pictures or arrays as ``planex quantize --data`` takes them; or samples: NumPy arrays, or
        for a model with several inputs mappings of arrays by name. A generator is read once, one
        sample at a time.
    target : str
        The compiler that it is for: openvino, tensorrt or tensorrt-rtx.
    method : str
        How scales are chosen: auto, minmax, percentile:99.99, kl or mse.
    preparation : str, optional
        How pictures become samples: ``"resize=48x320,signed"``.
    shapes : mapping, optional
        Of inputs whose shape the model leaves open: ``{"x": (1, 3, 48, 320)}``.
    samples, judge_samples : int, optional
        Samples to calibrate with and to judge on, at most.
    keep : iterable of str
        Nodes that stay in float.
    weight_bits : int, optional
        8 or 7; else what this CPU needs.
    opset : int, optional
        Raise the model to this opset.
    cache : path, optional
        Write a TensorRT calibration cache, too.
    seed : int, optional
        Chooses the samples and their order.
    threads : int, optional
        Of the processor; else 1.

    Returns
    -------
    Document
        Scales, ranges, rules and losses: ``planex.quantize/1``.

    Raises
    ------
    BadInputError
        The model or the data can't be used: the message says why.
    ExternalToolError
        OpenVINO failed.
    """
    with _on_disk(data) as source:
        words: list[str] = [
            "quantize",
            os.fspath(model),
            f"--output={os.fspath(output)}",
            f"--data={source}",
        ]
        words += _options(
            target=target,
            method=method,
            prep=preparation,
            samples=samples,
            judge_samples=judge_samples,
            weight_bits=weight_bits,
            opset=opset,
            cache=None if cache is None else os.fspath(cache),
            seed=seed,
            threads=threads,
        )
        words += [f"--keep={node}" for node in keep]
        return cast("documents.Quantize", _ask([*words, *_shapes(shapes)]))


def accuracy(
    reference: PathLike,
    subject: PathLike | None = None,
    data: Samples | None = None,
    *,
    preparation: str | None = None,
    shapes: Mapping[str, Iterable[int]] | None = None,
    samples: int | None = None,
    layers: bool = True,
    alone: int | str | None = None,
    bisect: bool = False,
    cured: str | os.PathLike[str] | None = None,
    runners: Iterable[str] = (),
    absolute: float | None = None,
    relative: float | None = None,
    classes: bool = False,
    seed: int | None = None,
    threads: int | None = None,
) -> documents.LayerAccuracy | documents.Accuracy:
    """How far results are from a reference: of models on data, or of saved tensors.

    Parameters
    ----------
    reference : path
        What is taken as right: a float ONNX model, or saved outputs.
    subject : path, optional
        What is measured against it: the quantized model, or saved outputs; without it, the second
        run of `reference`.
    data : path or iterable, optional
        Of models: as for :func:`quantize`.
    preparation : str, optional
        Of models: how pictures become samples, as for :func:`quantize`.
    shapes : mapping, optional
        Of models: of inputs whose shape the model leaves open.
    samples : int, optional
        Of models: samples to run, at most; else 32.
    layers : bool
        Of models: look at what is between, too.
    alone : int or "all", optional
        Of models: layers to run with all others in float, to tell who is at fault; else 4.
    bisect : bool
        Of models: find the one scale, weight or layer that loses most.
    cured : path, optional
        Of models: write the quantized model with the cures of the engine's faults there.
    runners : iterable of str
        Of saved outputs: which run of a file, by its name or a part of it.
    absolute, relative : float, optional
        Of saved outputs: the tolerance.
    classes : bool
        Of saved outputs: the last axis is one of classes.
    seed : int, optional
        Of models: chooses the samples.
    threads : int, optional
        Of models: of the processor; else 1.

    Returns
    -------
    Document
        Of models ``planex.layer-accuracy/1``, of saved outputs ``planex.accuracy/1``.

    Raises
    ------
    BadInputError
        A file can't be used: the message says why.
    ExternalToolError
        OpenVINO failed.

    Examples
    --------
    >>> import planex
    >>> told = planex.accuracy("tests/data/arrays/polygraphy-outputs.json")
    >>> told.tensors[0].name, round(told.tensors[0].sqnr_db, 1)
    ('logits', 13.8)
    """
    words: list[str] = ["accuracy", os.fspath(reference)]
    words += [] if subject is None else [os.fspath(subject)]
    words += [f"--runner={runner}" for runner in runners]
    words += ["--classes"] if classes else []
    words += [] if layers else ["--outputs-only"]
    words += ["--bisect"] if bisect else []
    words += _options(
        prep=preparation,
        samples=samples,
        alone=alone,
        cured=None if cured is None else os.fspath(cured),
        absolute=absolute,
        relative=relative,
        seed=seed,
        threads=threads,
    )
    words += _shapes(shapes)
    with contextlib.ExitStack() as stack:
        if data is not None:
            words.append(f"--data={stack.enter_context(_on_disk(data))}")
        return cast("documents.LayerAccuracy | documents.Accuracy", _ask(words))


def _options(**given: object) -> list[str]:
    return [
        f"--{name.replace('_', '-')}={value}" for name, value in given.items() if value is not None
    ]


def _shapes(shapes: Mapping[str, Iterable[int]] | None) -> list[str]:
    return [f"--shape={name}={'x'.join(map(str, dims))}" for name, dims in (shapes or {}).items()]


def _ask(words: list[str]) -> Document:
    code, out, said = _program.run([*words, "--format=json"])
    if code != 0:
        raise _program.error(code, said)
    return Document(json.loads(out))


@contextlib.contextmanager
def _on_disk(data: Samples) -> Iterator[str]:
    """Samples of an iterable as a folder of .npz; a path as it is."""
    if isinstance(data, str | os.PathLike):
        yield os.fspath(data)
        return
    with tempfile.TemporaryDirectory(prefix="planex-") as folder:
        count = 0
        for sample in data:
            _write(pathlib.Path(folder) / f"{count:08}", sample)
            count += 1
        if count == 0:
            raise UsageError("data has no samples")
        yield folder


def _write(place: pathlib.Path, sample: object) -> None:
    import numpy as np

    if isinstance(sample, Mapping):
        np.savez(place.with_suffix(".npz"), **sample)
        return
    array = np.asarray(sample)
    if array.dtype.kind not in "fiub":
        raise UsageError(f"a sample is of type {array.dtype}, and must be numbers")
    np.save(place.with_suffix(".npy"), array)
