"""Quantizing and casting models, the loss of accuracy, and where Q/DQ should be."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import tempfile
import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from planex import _program
from planex._document import Document
from planex._engine import PathLike
from planex._errors import UsageError

if TYPE_CHECKING:
    from planex import documents

#: A path as for ``--data``, or samples: each an array, or a mapping of arrays by input.
Samples = PathLike | Iterable[Any]


def quantize(
    model: PathLike,
    output: PathLike,
    data: Samples | None = None,
    *,
    to: str = "int8",
    target: str = "openvino",
    method: str = "auto",
    preparation: str | None = None,
    shapes: Mapping[str, Iterable[int]] | None = None,
    samples: int | None = None,
    judge_samples: int | None = None,
    keep: Iterable[str] = (),
    only_ops: Iterable[str] = (),
    weight_bits: int | None = None,
    block_size: int | str | None = None,
    opset: int | None = None,
    cache: PathLike | None = None,
    dla: bool = False,
    labels: PathLike | None = None,
    metrics: Iterable[str | os.PathLike[str]] = (),
    seed: int | None = None,
    threads: int | None = None,
) -> documents.Quantize:
    """Writes an INT8, FP8 or INT4 model from a float one and data, and reports the loss.

    Parameters
    ----------
    model : path
        The float model, as ONNX.
    output : path
        The quantized model.
    data : path or iterable
        Pictures or arrays as for ``planex quantize --data``; or samples: NumPy arrays, or for a
        model with several inputs, mappings of arrays by name. A generator is read once, one sample
        at a time. INT4 needs no data: the model is then not judged.
    to : str
        Type to quantize to: int8, fp8 (for TensorRT and TensorRT-RTX), or int4, which only
        quantizes the weights of products.
    target : str
        The target compiler: openvino, tensorrt, tensorrt-rtx or onnxruntime.
    method : str
        How scales are chosen: auto, minmax, percentile:99.99, kl or mse.
    preparation : str, optional
        How pictures become samples: ``"resize=48x320,signed"``.
    shapes : mapping, optional
        Shapes of inputs with dynamic dimensions: ``{"x": (1, 3, 48, 320)}``.
    samples, judge_samples : int, optional
        Maximum number of samples to calibrate with and to judge on.
    keep : iterable of str
        Nodes that stay in float.
    only_ops : iterable of str
        Operators to quantize: Conv, ConvTranspose, Gemm, MatMul; default: those that the target
        benefits from.
    weight_bits : int, optional
        INT8 only: 8 or 7; default: what this CPU needs.
    block_size : int or str, optional
        INT4 only: number of summed values that share a scale, or ``"channel"``; default: 128.
    opset : int, optional
        Raise the model to this opset.
    cache : path, optional
        Also write a TensorRT calibration cache.
    dla : bool
        With `cache`: a scale for every float tensor, as a DLA needs.
    labels : path, optional
        A text file with the label of each sample: one label per line, in sample order, or
        NAME,LABEL.
    metrics : iterable of str
        Programs that are called with two .npz files of outputs, the float model's and another's,
        and print a number, or a JSON object of names and numbers.
    seed : int, optional
        Chooses the samples and their order.
    threads : int, optional
        CPU threads; default: 1.

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
    words: list[str] = ["quantize", os.fspath(model), f"--output={os.fspath(output)}"]
    words += _options(
        to=to,
        target=target,
        method=method,
        prep=preparation,
        samples=samples,
        judge_samples=judge_samples,
        weight_bits=weight_bits,
        block_size=block_size,
        opset=opset,
        cache=None if cache is None else os.fspath(cache),
        labels=None if labels is None else os.fspath(labels),
        seed=seed,
        threads=threads,
    )
    words += [f"--metric={os.fspath(metric)}" for metric in metrics]
    words += ["--dla"] if dla else []
    words += [f"--keep={node}" for node in keep]
    words += [f"--only-op={operator}" for operator in only_ops]
    words += _shapes(shapes)
    with contextlib.ExitStack() as stack:
        if data is not None:
            words.append(f"--data={stack.enter_context(_on_disk(data))}")
        return typing.cast("documents.Quantize", _ask(words))


def cast(
    model: PathLike | None = None,
    output: PathLike | None = None,
    to: str | None = None,
    *,
    data: Samples | None = None,
    keep: Iterable[str] = (),
    keep_ops: Iterable[str] = (),
    only: Iterable[str] = (),
    io: str | Iterable[str] = "keep",
    margin: float | None = None,
    keep_below: float | None = None,
    layer_precisions: str | None = None,
    layer_output_types: str | None = None,
    from_trtexec: str | None = None,
    preparation: str | None = None,
    shapes: Mapping[str, Iterable[int]] | None = None,
    samples: int | None = None,
    judge_samples: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
) -> documents.Cast:
    """Writes a model in FP16 or BF16 where that is safe, and reports what stays in float and why.

    Parameters
    ----------
    model : path, optional
        The float model, as ONNX; default: that of `from_trtexec`.
    output : path, optional
        The cast model.
    to : str, optional
        The small type, fp16 or bf16; default: the type that `from_trtexec` requests.
    data : path or iterable, optional
        As for :func:`quantize`: values between the nodes are measured on it. Without it, only the
        ranges of weights decide.
    keep, keep_ops : iterable of str
        Nodes that stay in float: by name, by one with ``*``, by number (``#17``); by operator.
    only : iterable of str
        Nodes to cast; all others stay in float.
    io : str or iterable of str
        Inputs and outputs: keep their types, small, or names of those that get the small type.
    margin : float, optional
        Share of the type's range that values may use; default: 0.9.
    keep_below : float, optional
        Keep nodes in float until each output has this SQNR, in dB; needs `data`.
    layer_precisions, layer_output_types : str, optional
        As in trtexec up to 10.16: ``"conv1:fp32,block*:fp16"``.
    from_trtexec : str, optional
        A command of trtexec up to 10.16; the document contains the one for TensorRT 11.
    preparation : str, optional
        How pictures become samples, as for :func:`quantize`.
    shapes : mapping, optional
        Shapes of inputs with dynamic dimensions.
    samples, judge_samples : int, optional
        Maximum number of samples to measure and to judge on.
    seed : int, optional
        Chooses the samples and their order.
    threads : int, optional
        CPU threads; default: 1.

    Returns
    -------
    Document
        Counts, nodes in float, ranges and losses: ``planex.cast/1``.

    Raises
    ------
    BadInputError
        The model or the data can't be used: the message says why.
    ExternalToolError
        OpenVINO failed.

    Examples
    --------
    >>> import planex
    >>> model = "tests/quantize/models/resnet18-fp32.onnx"
    >>> told = planex.cast(from_trtexec=f"trtexec --onnx={model} --useCudaGraph --minTiming=4")
    >>> told.new_command
    'trtexec --onnx=tests/quantize/models/resnet18-fp32.onnx'
    """
    words: list[str] = ["cast"]
    words += [] if model is None else [os.fspath(model)]
    words += [f"--keep={node}" for node in keep]
    words += [f"--keep-op={operator}" for operator in keep_ops]
    words += [f"--only={node}" for node in only]
    words += [f"--io={name}" for name in ([io] if isinstance(io, str) else io)]
    words += _options(
        to=to,
        output=None if output is None else os.fspath(output),
        margin=margin,
        keep_below=keep_below,
        layer_precisions=layer_precisions,
        layer_output_types=layer_output_types,
        from_trtexec=from_trtexec,
        prep=preparation,
        samples=samples,
        judge_samples=judge_samples,
        seed=seed,
        threads=threads,
    )
    words += _shapes(shapes)
    with contextlib.ExitStack() as stack:
        if data is not None:
            words.append(f"--data={stack.enter_context(_on_disk(data))}")
        return typing.cast("documents.Cast", _ask(words))


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
    maps: int | None = None,
    cured: str | os.PathLike[str] | None = None,
    extract: PathLike | None = None,
    engine_outputs: PathLike | None = None,
    labels: PathLike | None = None,
    metrics: Iterable[str | os.PathLike[str]] = (),
    runners: Iterable[str] = (),
    absolute: float | None = None,
    relative: float | None = None,
    classes: bool = False,
    seed: int | None = None,
    threads: int | None = None,
) -> documents.LayerAccuracy | documents.Accuracy:
    """Compares models on data, or saved tensors, with a reference.

    A model can also be compared with outputs that an engine saved elsewhere for the same data.

    Parameters
    ----------
    reference : path
        The reference, assumed to be right: a float ONNX model, or saved outputs.
    subject : path, optional
        What to compare with it: the quantized model, or outputs that an engine saved; default: the
        second run of `reference`.
    data : path or iterable, optional
        Models only: as for :func:`quantize`.
    preparation : str, optional
        Models only: how pictures become samples, as for :func:`quantize`.
    shapes : mapping, optional
        Models only: shapes of inputs with dynamic dimensions.
    samples : int, optional
        Models only: maximum number of samples to run; default: 32.
    layers : bool
        Models only: also compare intermediate tensors.
    alone : int or "all", optional
        Models only: number of layers to run with all others in float, to find the cause; default:
        4.
    bisect : bool
        Models only: find the one scale, weight or layer that loses most.
    maps : int, optional
        Models only: draw where the differences are, for this many of the tensors that lose most.
    cured : path, optional
        Models only: write the quantized model with workarounds for engine faults there.
    extract : path, optional
        Models only: write the smallest part around the cause, with the same part in float and an
        .npz of its inputs and expected outputs beside it.
    engine_outputs : path, optional
        Models only: take the engine's outputs from here instead of running OpenVINO; samples are
        those of `data`, in their order.
    labels : path, optional
        Models only: a text file with the label of each sample: one label per line, in sample order,
        or NAME,LABEL.
    metrics : iterable of str
        Models only: programs that are called with two .npz files of outputs, the float model's and
        another's, and print a number, or a JSON object of names and numbers.
    runners : iterable of str
        Saved outputs only: which run of a file, by its name or a part of it.
    absolute, relative : float, optional
        Saved outputs only: the tolerance.
    classes : bool
        Saved outputs only: the last axis contains classes.
    seed : int, optional
        Models only: chooses the samples.
    threads : int, optional
        Models only: CPU threads; default: 1.

    Returns
    -------
    Document
        For models ``planex.layer-accuracy/1``, for saved outputs only ``planex.accuracy/1``.

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
    words += [f"--metric={os.fspath(metric)}" for metric in metrics]
    words += _options(
        prep=preparation,
        samples=samples,
        alone=alone,
        maps=maps,
        cured=None if cured is None else os.fspath(cured),
        extract=None if extract is None else os.fspath(extract),
        engine_outputs=None if engine_outputs is None else os.fspath(engine_outputs),
        labels=None if labels is None else os.fspath(labels),
        absolute=absolute,
        relative=relative,
        seed=seed,
        threads=threads,
    )
    words += _shapes(shapes)
    with contextlib.ExitStack() as stack:
        if data is not None:
            words.append(f"--data={stack.enter_context(_on_disk(data))}")
        return typing.cast("documents.LayerAccuracy | documents.Accuracy", _ask(words))


def search(
    model: PathLike,
    output: PathLike,
    data: Samples,
    *,
    goal: str | None = None,
    float_layers: int | None = None,
    float_share: float | None = None,
    cost: str | None = None,
    search_samples: int | None = None,
    state: PathLike | None = None,
    engine: PathLike | None = None,
    measure: bool = False,
    runs: int | None = None,
    nodes: PathLike | None = None,
    trtexec: PathLike | None = None,
    trtexec_type: str | None = None,
    target: str = "openvino",
    method: str = "auto",
    preparation: str | None = None,
    shapes: Mapping[str, Iterable[int]] | None = None,
    samples: int | None = None,
    judge_samples: int | None = None,
    keep: Iterable[str] = (),
    only_ops: Iterable[str] = (),
    weight_bits: int | None = None,
    opset: int | None = None,
    cache: PathLike | None = None,
    labels: PathLike | None = None,
    metrics: Iterable[str | os.PathLike[str]] = (),
    seed: int | None = None,
    threads: int | None = None,
) -> documents.Search:
    """Finds the few layers of a quantized model that have to stay in float, and writes that model.

    One of `goal`, `float_layers` and `float_share` is required. A goal that no model reaches is not
    an error: the nearest model is written, and ``is_reached`` is false.

    Parameters
    ----------
    model : path
        The float model, as ONNX.
    output : path
        The quantized model.
    data : path or iterable
        Samples, as for :func:`quantize`.
    goal : str, optional
        Required accuracy relative to the float model: ``"20dB"`` of its outputs, or ``"top1=99%"``
        of rows whose largest class is the same.
    float_layers : int, optional
        Maximum number of layers in float.
    float_share : float, optional
        Maximum share of the multiplications in float: 0 to 1.
    cost : str, optional
        What a layer in float costs: layers, macs, bytes or ms (of `engine`).
    search_samples : int, optional
        Maximum number of held-back samples to search on; the result is judged on all.
    state : path, optional
        File of measurements, to continue from after a stop; default: beside `output`.
    engine : path, optional
        A run of the float model, with times.
    measure : bool
        Build each model of the front with OpenVINO here, and time them alternately.
    runs : int, optional
        With `measure`: runs of each model; else 2.
    nodes, trtexec : path, optional
        Write the names of the layers in float, and the trtexec options that keep them there.
    trtexec_type : str, optional
        Type that these options keep the layers in: fp16 or fp32.
    target : str
        The target compiler: openvino, tensorrt, tensorrt-rtx or onnxruntime.
    method : str
        How scales are chosen: auto, minmax, percentile:99.99, kl or mse.
    preparation : str, optional
        How pictures become samples: ``"resize=48x320,signed"``.
    shapes : mapping, optional
        Shapes of inputs with dynamic dimensions: ``{"x": (1, 3, 48, 320)}``.
    samples, judge_samples : int, optional
        Maximum number of samples to calibrate with and to judge on.
    keep : iterable of str
        Nodes that stay in float in any case.
    only_ops : iterable of str
        Operators to quantize, as for :func:`quantize`.
    weight_bits : int, optional
        8 or 7; default: what this CPU needs.
    opset : int, optional
        Raise the model to this opset.
    cache : path, optional
        Also write a TensorRT calibration cache.
    labels : path, optional
        A text file with the label of each sample, as for :func:`quantize`.
    metrics : iterable of str
        Programs that judge the written model, as for :func:`quantize`.
    seed : int, optional
        Chooses the samples and their order.
    threads : int, optional
        CPU threads; default: 1.

    Returns
    -------
    Document
        Effects of layers, the path, the front: ``planex.search/1``.

    Raises
    ------
    BadInputError
        The model, the data or the state can't be used: the message says why.
    ExternalToolError
        OpenVINO failed.
    """
    with _on_disk(data) as source:
        words: list[str] = [
            "search",
            os.fspath(model),
            f"--output={os.fspath(output)}",
            f"--data={source}",
        ]
        words += _options(
            goal=goal,
            float_layers=float_layers,
            float_share=float_share,
            cost=cost,
            search_samples=search_samples,
            state=None if state is None else os.fspath(state),
            engine=None if engine is None else os.fspath(engine),
            runs=runs,
            export_nodes=None if nodes is None else os.fspath(nodes),
            export_trtexec=None if trtexec is None else os.fspath(trtexec),
            trtexec_type=trtexec_type,
            target=target,
            method=method,
            prep=preparation,
            samples=samples,
            judge_samples=judge_samples,
            weight_bits=weight_bits,
            opset=opset,
            cache=None if cache is None else os.fspath(cache),
            labels=None if labels is None else os.fspath(labels),
            seed=seed,
            threads=threads,
        )
        words += ["--measure"] if measure else []
        words += [f"--metric={os.fspath(metric)}" for metric in metrics]
        words += [f"--keep={node}" for node in keep]
        words += [f"--only-op={operator}" for operator in only_ops]
        # 1: the goal is not reached; the document says so.
        return typing.cast("documents.Search", _ask([*words, *_shapes(shapes)], fine=(0, 1)))


def advise(
    model: PathLike,
    output: PathLike | None = None,
    data: Samples | None = None,
    *,
    engine: PathLike | None = None,
    target: str = "auto",
    what_if: Iterable[str] = (),
    method: str | None = None,
    preparation: str | None = None,
    shapes: Mapping[str, Iterable[int]] | None = None,
    samples: int | None = None,
    measure: bool = False,
    runs: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
) -> documents.Advise:
    """Where the Q/DQ of a model should be for a compiler, what that gains, and the edited model.

    Parameters
    ----------
    model : path
        The model with Q/DQ, as ONNX.
    output : path, optional
        Write the model with all advice applied. Trained scales stay identical, bit for bit.
    data : path or iterable, optional
        With `output`: samples as for :func:`quantize`, to choose the scales of tensors that have
        none. Without samples, such advice is left out.
    engine : path, optional
        A profiled run of this model, to estimate gains.
    target : str
        The target compiler of Q/DQ: openvino, tensorrt, tensorrt-rtx, onnxruntime; auto: the one
        that built `engine`, else openvino.
    what_if : iterable of str
        Nodes of a block that runs in float: what INT8 would gain.
    method : str, optional
        How scales are chosen: mse, minmax, percentile:99.99 or kl.
    preparation : str, optional
        How pictures become samples: ``"resize=48x320,signed"``.
    shapes : mapping, optional
        Shapes of inputs with dynamic dimensions: ``{"x": (1, 3, 48, 320)}``.
    samples : int, optional
        Maximum number of samples to calibrate with.
    measure : bool
        With `output`: build both models with OpenVINO here, and time them alternately.
    runs : int, optional
        With `measure`: runs of each model.
    seed : int, optional
        Chooses the samples and their order.
    threads : int, optional
        CPU threads; default: 1.

    Returns
    -------
    Document
        Advice, gains as ranges, what was applied and measured: ``planex.advise/1``.

    Raises
    ------
    BadInputError
        The model, the engine or the data can't be used, or `output` is given for a model without
        Q/DQ: the message says why.
    ExternalToolError
        OpenVINO failed.
    """
    words: list[str] = ["advise", os.fspath(model)]
    words += [] if output is None else ["--apply", f"--output={os.fspath(output)}"]
    words += ["--measure"] if measure else []
    words += _options(
        engine=None if engine is None else os.fspath(engine),
        target=target,
        method=method,
        prep=preparation,
        samples=samples,
        runs=runs,
        seed=seed,
        threads=threads,
    )
    words += [f"--what-if={node}" for node in what_if]
    words += _shapes(shapes)
    with contextlib.ExitStack() as stack:
        if data is not None:
            words.append(f"--data={stack.enter_context(_on_disk(data))}")
        return typing.cast("documents.Advise", _ask(words))


def _options(**given: object) -> list[str]:
    return [
        f"--{name.replace('_', '-')}={value}" for name, value in given.items() if value is not None
    ]


def _shapes(shapes: Mapping[str, Iterable[int]] | None) -> list[str]:
    return [f"--shape={name}={'x'.join(map(str, dims))}" for name, dims in (shapes or {}).items()]


def _ask(words: list[str], fine: tuple[int, ...] = (0,)) -> Document:
    code, out, said = _program.run([*words, "--format=json"])
    if code not in fine:
        raise _program.error(code, said)
    return Document(json.loads(out))


@contextlib.contextmanager
def _on_disk(data: Samples) -> Iterator[str]:
    """Samples of an iterable as a folder of .npz files; a path unchanged."""
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
        raise UsageError(f"a sample has type {array.dtype}, expected numbers")
    np.save(place.with_suffix(".npy"), array)
