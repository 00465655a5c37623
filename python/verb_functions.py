#!/usr/bin/env python3
"""Writes the functions of the Python package that are verbs of planex, from what the program says.

    verb_functions.py PLANEX FOLDER

PLANEX is the program. The folder gets _verbs.py: a function per verb that runs models, and the
methods of an engine, with a parameter per option of the verb, its type and its description; and
_tools.json: the same for the tools of planex.mcp. What the program can't know of Python is in the
tables below.
"""

from __future__ import annotations

import json
import keyword
import pathlib
import re
import subprocess
import sys
import textwrap
from typing import Any, NamedTuple

MARK = "Made by python/verb_functions.py from planex schema --verbs."

WIDTH = 96

Option = dict[str, Any]
Verb = dict[str, Any]

# Values that are mappings in Python, by how the program calls them in help.
MAPPINGS = {
    "NAME=DIMS": "Mapping[str, Iterable[int]]",
    "NAME=1x3x8x8": "Mapping[str, Iterable[int]]",
    "RULE=SEVERITY": "Mapping[str, str]",
}

RAISES_OF_MODELS = """\
BadInputError
    The model, the data or another file can't be used: the message says why.
UnsupportedError
    The model is of a kind that this can't be done with.
UsageError
    Arguments contradict each other, or one is missing.
ExternalToolError
    OpenVINO failed."""

PROGRESS = """\
progress : callable, "auto" or None
    Called with the engine, the phase and the finished part of it, from 0 to 1; "auto" shows it in a
    notebook and on a terminal. An exception in it, or Ctrl-C, stops the work."""

DATA = """\
data : path or iterable, optional
    Pictures or arrays as for ``planex quantize --data``; or samples: NumPy arrays, or for a model
    with several inputs, mappings of arrays by name. A generator is read once, one sample at a
    time."""

# What a function returns beside its document's name, and an example.
EXAMPLES = {
    "accuracy": """\
>>> import planex
>>> accuracy = planex.accuracy("tests/data/arrays/polygraphy-outputs.json")
>>> accuracy.tensors[0].name, round(accuracy.tensors[0].sqnr_db, 1)
('logits', 13.8)""",
    "cast": """\
>>> import planex
>>> model = "tests/quantize/models/resnet18-fp32.onnx"
>>> cast = planex.cast(from_trtexec=f"trtexec --onnx={model} --useCudaGraph --minTiming=4")
>>> cast.new_command
'trtexec --onnx=tests/quantize/models/resnet18-fp32.onnx'""",
    "compare": """\
>>> import planex
>>> comparison = planex.compare("examples/engines/resnet18-a100-qat",
...                             "examples/engines/resnet18-a100-qat-residual")
>>> comparison.names
('qat', 'qat-residual')
>>> comparison.overview["schema"]
'planex.compare/2'""",
    "export": """\
>>> import planex, tempfile
>>> engine = planex.open("examples/engines/resnet18-a100-qat")
>>> path = engine.export(tempfile.mkdtemp() + "/qat.plan.json", format="plan")
>>> planex.open(path)
<planex.Engine qat: 35 layers>""",
    "report": """\
>>> import planex, tempfile
>>> engine = planex.open("examples/engines/resnet18-a100-qat")
>>> page = engine.report(tempfile.mkdtemp() + "/report.html")""",
    "lint": """\
>>> import planex
>>> engine = planex.open("examples/engines/resnet18-a100-qat")
>>> engine.lint(rules=["reformat-changes-type"]).counts.error
0""",
    "draw": """\
>>> import planex
>>> engine = planex.open("examples/engines/resnet18-a100-qat")
>>> engine.draw(slowest=3, by="heat").data[:4]
b'<svg'""",
}


def pascal(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("-"))


def is_inverse(option: Option) -> bool:
    """A flag of the program that says no to what a parameter says yes to."""
    return str(option["python"] or "").startswith("!")


def parameter(option: Option) -> str:
    name: str = (option["python"] or option["name"].replace("-", "_")).removeprefix("!")
    return name + "_" if keyword.iskeyword(name) else name


def of_words(words: list[str]) -> str:
    texts = ", ".join(json.dumps(word) for word in words)
    # "8" is a word, and 8 as good.
    return f"Literal[{texts}]" + (" | int" if any(word.isdigit() for word in words) else "")


def type_of(option: Option) -> str:
    if option["name"] == "data":
        return "Samples"
    if option["metavar"] in MAPPINGS:
        return MAPPINGS[option["metavar"]]
    one = {
        "flag": "bool",
        "integer": "int",
        "number": "float",
        "ratio": "float | str",
        "seconds": "float",
        "path": "PathLike",
        "text": "int | str" if option["metavar"] in ("COUNT", "N") else "str",
        "word": of_words(option["words"]),
    }[option["type"]]
    if not option["is_list"]:
        return one
    texts = one if option["type"] == "word" else "str | os.PathLike[str]"
    # One alone is itself a list of letters.
    return f"{texts} | Iterable[{texts}]"


def signature(option: Option) -> str:
    """`to: Literal[...] = "int8"`."""
    name, kind = parameter(option), type_of(option)
    if option["type"] == "flag":
        return f"{name}: bool = {is_inverse(option)}"
    if option["is_required"]:
        return f"{name}: {kind}"
    if option["is_list"] and option["metavar"] not in MAPPINGS:
        return f"{name}: {kind} = ()"
    if option["type"] == "word" and option["initial"] in option["words"]:
        return f"{name}: {kind} | None = {json.dumps(option['initial'])}"
    return f"{name}: {kind} | None = None"


def plain_type(option: Option) -> str:
    """As a docstring says it."""
    if option["metavar"] in MAPPINGS:
        kind = "mapping"
    else:
        kind = {
            "flag": "bool",
            "integer": "int",
            "number": "float",
            "ratio": "float or str",
            "seconds": "float",
            "path": "path",
            "text": "str",
            "word": "str",
        }[option["type"]]
        if option["is_list"]:
            kind = f"{kind} or iterable of {kind}"
    is_optional = not option["is_required"] and option["type"] != "flag" and not option["is_list"]
    return kind + (", optional" if is_optional else "")


def description(option: Option, names: dict[str, str]) -> str:
    text: str = option["help"]
    if is_inverse(option):
        text = f"False: {text[0].lower()}{text[1:]}"
    # Options of the program are parameters here.
    text = re.sub(
        r"--([a-z][a-z-]*)", lambda match: f"`{names.get(match[1], match[1])}`", text
    ).rstrip(".")
    initial = option["initial"]
    if initial and option["type"] in ("integer", "number") and not option["is_list"]:
        text += f"; default: {initial}"
    are_said = any(word in text for word in option["words"])
    if option["type"] == "word" and not option["is_list"] and not are_said:
        text += f": {', '.join(option['words'])}"
    # A star alone begins an emphasis.
    return text.replace("\\", "\\\\").replace("*", "``*``") + "."


def paragraph(text: str, indent: int) -> str:
    blanks = " " * indent
    return "\n".join(
        textwrap.wrap(
            text,
            WIDTH - indent,
            initial_indent=blanks,
            subsequent_indent=blanks,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )


class More(NamedTuple):
    """A parameter that is no option of the program: its signature, its lines of the docstring, and
    the options that it becomes."""

    signature: str
    doc: str
    given: tuple[str, ...] = ()


class Function:
    """A function, or a method, of a verb."""

    def __init__(
        self,
        verb: Verb,
        name: str,
        *,
        summary: str,
        returns: str,
        body: str,
        raises: str,
        first: More | None = None,
        more: More | None = None,
        is_method: bool = False,
        left_out: tuple[str, ...] = (),
    ) -> None:
        self.verb, self.name = verb, name
        self.summary, self.returns, self.body, self.raises = summary, returns, body, raises
        self.first, self.more, self.is_method = first, more, is_method
        own = [
            one for one in verb["options"] if not one["for_people"] and one["name"] not in left_out
        ]
        self.placed = sorted((one for one in own if one["place"]), key=lambda one: one["place"])
        self.named = [one for one in own if not one["place"]]

    def text(self) -> str:
        options = [*self.placed, *self.named]
        names = {one["name"]: parameter(one) for one in options}
        signatures = [signature(one) for one in self.placed]
        signatures += [self.first.signature] if self.first else []
        if not any(one.startswith("*") for one in signatures):
            signatures.append("*")
        signatures += [signature(one) for one in self.named]
        signatures += [self.more.signature] if self.more else []
        signatures = ["self", *signatures] if self.is_method else signatures
        blocks = [self.first.doc] if self.first else []
        for one in options:
            if one["name"] == "data":
                blocks.append(DATA)
                continue
            blocks.append(
                f"{parameter(one)} : {plain_type(one)}\n" + paragraph(description(one, names), 4)
            )
        blocks += [self.more.doc] if self.more else []
        doc = self.summary + "\n\nParameters\n----------\n" + "\n".join(blocks)
        doc += f"\n\nReturns\n-------\n{self.returns[1]}\n\nRaises\n------\n{self.raises}"
        if self.name in EXAMPLES:
            doc += f"\n\nExamples\n--------\n{EXAMPLES[self.name]}"
        given = [
            f'    ("{one["name"]}", {"not " if is_inverse(one) else ""}{parameter(one)}),'
            for one in options
        ]
        given += self.more.given if self.more else ()
        lines = [
            f"def {self.name}(",
            *(f"    {one}," for one in signatures),
            f") -> {self.returns[0]}:",
            textwrap.indent(f'"""{doc}\n"""', "    ", lambda line: line.strip() != ""),
            "    given: Given = (",
            *(f"    {line}" for line in given),
            "    )",
            textwrap.indent(self.body, "    "),
        ]
        return "\n".join(lines)


HEAD = f'''\
# {MARK}
"""Verbs of planex as functions, and as methods of an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast as _cast

if TYPE_CHECKING:
    import os
    import pathlib
    from collections.abc import Iterable, Mapping
    from typing import Literal

    from planex import documents
    from planex._engine import Engine
    from planex._engines import Comparison
    from planex._options import Given, PathLike
    from planex._pictures import Drawing, Report
    from planex._run import Progress, Samples


'''


def functions(verbs: dict[str, Verb]) -> list[str]:
    texts = []
    for name in ("optimize", "clean", "quantize", "cast", "accuracy", "search", "advise"):
        verb = verbs[name]
        kinds = " | ".join(f"documents.{pascal(one)}" for one in verb["documents"])
        documents = " or ".join(f"planex.{one}/1" for one in verb["documents"])
        texts.append(
            Function(
                verb,
                name,
                summary=verb["summary"] + ".",
                returns=(kinds, f"Document\n    {documents}."),
                body="from planex import _run\n\n"
                f'return _cast("{kinds}", _run.document("{name}", given, progress))',
                raises=RAISES_OF_MODELS,
                more=More('progress: Progress | Literal["auto"] | None = "auto"', PROGRESS),
            ).text()
        )
    texts.append(
        Function(
            verbs["compare"],
            "compare",
            summary="Compares engines with the first of them: which is faster, how certain that is,"
            "\nlayer by layer.",
            first=More(
                "*engines: Engine | PathLike", "*engines : Engine or path\n    Two or more."
            ),
            returns=("Comparison", "Comparison\n    The engines and their differences."),
            body="from planex import _engines\n\nreturn _engines.comparison(engines, given)",
            raises="UsageError\n    Fewer than two engines were given.",
            left_out=("section", "all", "which", "pair", "against", "transpose"),
        ).text()
    )
    return texts


def methods(verbs: dict[str, Verb]) -> list[str]:
    lint = Function(
        verbs["lint"],
        "lint",
        is_method=True,
        summary="What is worth changing, the evidence, and what it would save.",
        returns=("documents.Lint", "Document\n    planex.lint/2, with ``findings``."),
        body="return self._lint(given)",
        raises="UsageError\n    There is no such rule, pack or severity.\n"
        "PlanexError\n    Those of the files that are named.",
    )
    draw = Function(
        verbs["draw"],
        "draw",
        is_method=True,
        summary="A drawing: layers, or the operations of the source model, and what flows "
        "between\nthem.",
        returns=("Drawing", "Drawing\n    The file's bytes; a notebook shows SVG and PNG."),
        body="return self._draw(given)",
        raises="UsageError\n    There is no such node or group, or nothing is selected.",
        more=More(
            "between: tuple[str, str] | None = None",
            "between : pair of str, optional\n"
            "    Only what lies on a path from the first layer to the second.",
            tuple(
                f'    ("between-{end}", between[{i}] if between else None),'
                for i, end in enumerate(("from", "to"))
            ),
        ),
        left_out=("between-from", "between-to"),
    )
    export = Function(
        verbs["export"],
        "export",
        is_method=True,
        summary="Writes the engine in a format that other tools read, as ``planex export`` does.",
        first=More("path: PathLike", "path : path\n    The file."),
        returns=("pathlib.Path", "pathlib.Path\n    The file."),
        body="return self._export(path, given)",
        raises="UsageError\n    There is no such table, or there are no times of that kind.\n"
        "UnsupportedError\n    The library for the format is not installed.",
    )
    return [lint.text(), draw.text(), export.text()]


def session_methods(verbs: dict[str, Verb]) -> list[str]:
    return [
        Function(
            verbs["report"],
            "report",
            is_method=True,
            summary="The report: one self-contained page.",
            first=More(
                "path: PathLike | None = None",
                "path : path, optional\n    A file to write it to in addition.",
            ),
            returns=("Report", "Report\n    The page; a notebook shows it in a frame."),
            body="return self._report(path, given)",
            raises="PlanexError\n    Those of the files that are named.",
            left_out=("format", "overview", "may-measure"),
        ).text()
    ]


# What the methods are made of is written by hand, in _engine.py.
CLASSES = """\


class SessionVerbs:
    \"\"\"Verbs of one engine, and of several.\"\"\"

    __slots__ = ()

    if TYPE_CHECKING:

        def _report(self, path: PathLike | None, given: Given) -> Report: ...

{session}


class EngineVerbs:
    \"\"\"Verbs of one engine.\"\"\"

    __slots__ = ()

    if TYPE_CHECKING:

        def _lint(self, given: Given) -> documents.Lint: ...
        def _draw(self, given: Given) -> Drawing: ...
        def _export(self, path: PathLike, given: Given) -> pathlib.Path: ...

{engine}
"""


# Verbs that are tools of planex.mcp.
TOOLS = (
    *("summary", "timing", "explain", "lint", "compare", "draw"),
    *("optimize", "quantize", "accuracy", "advise", "clean"),
)


def argument(option: Option) -> str:
    """The parameter's name, except that words of Python are no matter there."""
    return parameter(option).removesuffix("_")


def tool(verb: Verb, topics: list[dict[str, str]]) -> dict[str, Any]:
    """A verb as a tool: what it does, and its arguments, which are the options for programs."""
    summary: str = verb["summary"]
    by_name = [one["name"] for one in topics]
    options = [
        one
        for one in verb["options"]
        if not one["for_people"] and (one["topic"] is None or one["topic"] in by_name)
    ]
    for one in options:
        if (verb["name"], one["name"]) != ("explain", "topic"):
            continue
        one["type"], one["words"] = "word", by_name
        about = ", ".join(f"{topic['name']} ({topic['summary']})" for topic in topics)
        summary = f"{summary.split(':')[0]}: {about}"
    names = {one["name"]: argument(one) for one in options}
    is_for_people = {one["name"] for one in verb["options"] if one["for_people"]}
    arguments = []
    for one in options:
        # An option that only people have is what would write it.
        is_read = (one["updated_with"] or "").removeprefix("--") in is_for_people
        text = description(one, names).replace("\\\\", "\\").replace("``*``", "*")
        if one["topic"]:
            text = f"{one['topic']}: {text[0].lower()}{text[1:]}"
        arguments.append(
            {
                "name": argument(one),
                "option": one["name"],
                "description": text,
                **{key: one[key] for key in ("type", "metavar", "is_list", "words", "initial")},
                "is_required": one["is_required"],
                "is_mapping": one["metavar"] in MAPPINGS,
                "is_inverse": is_inverse(one),
                "file": "reads" if is_read else one["file"],
                "also": one["also"],
                "starts": one["starts"],
            }
        )
    return {"summary": summary + ".", "arguments": arguments}


def indented(texts: list[str]) -> str:
    return "\n\n".join(
        textwrap.indent(one, "    ", lambda line: line.strip() != "") for one in texts
    )


def main(program: str, folder: str) -> None:
    command = [program, "schema", "--verbs"]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    verbs = {verb["name"]: verb for verb in told["verbs"]}
    text = HEAD + "\n\n\n".join(functions(verbs)) + "\n"
    text += CLASSES.format(
        session=indented(session_methods(verbs)), engine=indented(methods(verbs))
    )
    made = pathlib.Path(folder)
    made.mkdir(parents=True, exist_ok=True)
    (made / "_verbs.py").write_text(text, "utf-8")
    tools = {name: tool(verbs[name], told["topics"]) for name in TOOLS}
    (made / "_tools.json").write_text(json.dumps(tools, ensure_ascii=False, indent=1), "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
