"""Makes the reference pages of the documentation site of what the program and the package say.

Commands from `planex VERB --help`, JSON documents from `planex schema`, the Python package from
its names, the tools for assistants from the server itself, C and C++ from Doxygen's XML.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import os
import pathlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

import docs_update
import schema_page
from markdown_pieces import escape, table
from stage import ROOT, StageError, toctree, write

JSON_FOLDER = ROOT / "docs/reference/json"
HEADERS = ROOT / "include/planex"
# The C interface, on a page of its own; the ABI of Arrow, which is Arrow's.
C_HEADERS = {"planex.h", "arrow_abi.h"}
# What a page shows of a header, in this order: nothing private.
SECTIONS = (
    "briefdescription detaileddescription innernamespace define typedef enum innerclass "
    "public-type public-static-func public-func public-attrib public-static-attrib func var"
)
# Parts of the Python package that have a page of their own.
PACKAGES = {"trex", "mcp"}


# --- Commands -------------------------------------------------------------------------------------


def planex(*arguments: str) -> str:
    return docs_update.planex_output(list(arguments))


def verbs() -> list[str]:
    return docs_update.verbs(planex("--help"))


def entries(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Heads and descriptions of a group of a help text: two columns, or one below the other."""
    head, words = "", []
    for line in lines:
        if re.match(r"  \S", line):
            if head:
                yield head, " ".join(words)
            head, _, rest = line.strip().partition("  ")
            words = [rest.strip()] if rest.strip() else []
        else:
            words.append(line.strip())
    if head:
        yield head, " ".join(words)


def command_page(verb: str, text: str) -> str:
    """The page of a verb. Raises StageError for a help text of another shape."""
    summary, *groups = re.split(r"\n\n(?=[A-Z][^\n]*:\n)|\n(?=Usage: )", text.strip())
    usage = groups.pop(0).removeprefix("Usage: ").strip()
    parts = [
        f"# planex {verb}\n",
        f"{escape(' '.join(summary.split()))}.\n",
        f"```text\n{usage}\n```\n",
        f"```{{program}} planex {verb}\n```\n",
    ]
    for group in groups:
        title, *lines = group.splitlines()
        if not title.endswith(":"):
            raise StageError(f"planex {verb} --help: what is this? {title!r}")
        parts.append(f"## {escape(title.removesuffix(':'))}\n")
        if title == "Examples:":
            commands = "\n".join(line.strip() for line in lines)
            parts.append(f"```sh\n{commands}\n```\n")
            continue
        for head, words in entries(lines):
            name = head.replace(",-", ", -")
            if head.startswith("-"):
                parts.append(f":::{{option}} {name}\n{escape(words)}\n:::\n")
            else:
                parts.append(f"`{name}`\n: {escape(words)}\n")
    return "\n".join(parts)


def write_commands(out: pathlib.Path) -> None:
    general = planex("--help").strip()
    names = verbs()
    rows = []
    for verb in names:
        text = planex(verb, "--help")
        write(out / f"{verb}.md", command_page(verb, text))
        summary = " ".join(text.partition("\nUsage:")[0].split())
        rows.append([f"[{verb}]({verb}.md)", escape(summary)])
    write(
        out / "index.md",
        "# Command line\n\n"
        "What the verbs print as JSON and how they end: [formats](../formats.md).\n\n"
        + table(["verb", "what it does"], rows)
        + f"\n```text\n{general}\n```\n"
        + toctree(names),
    )


# --- JSON documents -------------------------------------------------------------------------------


def write_documents(out: pathlib.Path) -> None:
    schemas = {
        name: json.loads(planex("schema", name)) for name in planex("schema", "--documents").split()
    }
    people = {
        path.name.removesuffix(".schema.json"): json.loads(path.read_text("utf-8"))
        for path in sorted(JSON_FOLDER.glob("*.schema.json"))
    }

    def page_of(name: str, schema: dict[str, Any]) -> list[str]:
        write(out / f"{name}.schema.json", json.dumps(schema, indent=2, ensure_ascii=False) + "\n")
        write(out / f"{name}.md", schema_page.page(schema, f"{name}.schema.json"))
        title, _, command = schema["title"].partition(": ")
        shown = f"`{command}`" if command.startswith("planex") else escape(command)
        return [f"[{schema_page.id_of(schema)}]({name}.md)", escape(title), shown]

    rows = [
        page_of(name.partition("/")[0].removeprefix("planex."), schemas[name]) for name in schemas
    ]
    people_rows = [page_of(name, schema)[:2] for name, schema in people.items()]
    names = [name.partition("/")[0].removeprefix("planex.") for name in schemas]
    write(
        out / "index.md",
        "# JSON documents\n\n"
        "One page for each document that planex prints, made of its JSON Schema. Within a version, "
        "keys are only added; a value that is not known is `null`. The schemas are also in the "
        "program (`planex schema lint`), and as [types of TypeScript](./planex.ts) "
        "(`planex schema --types typescript`).\n\n"
        + table(["document", "what it is", "who prints it"], rows)
        + "\n## Documents that you write\n\n"
        + table(["document", "what it is"], people_rows)
        + "\nTwo have pages of their own: [`planex.plan/1`](../plan-json.md), which planex also "
        "reads, and [`planex.report/2`](../report-data.md), the data of the report.\n"
        + toctree([*names, *people]),
    )
    write(out / "planex.ts", planex("schema", "--types", "typescript"))


# --- Python ---------------------------------------------------------------------------------------


def heading(text: str, mark: str) -> str:
    return f"{text}\n{mark * len(text)}\n\n"


def of_kind(module: ModuleType, is_kind: Callable[[Any], bool]) -> list[str]:
    return [name for name in module.__all__ if is_kind(getattr(module, name))]


def is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Exception)


def public_modules(package: ModuleType) -> list[str]:
    names = [found.name for found in pkgutil.iter_modules(package.__path__)]
    return [name for name in names if not name.startswith("_")]


def write_python(out: pathlib.Path) -> None:
    """A page for the functions, one for each class, one for the errors."""
    module = importlib.import_module("planex")
    functions = of_kind(module, inspect.isfunction)
    errors = of_kind(module, is_error)
    classes = [name for name in of_kind(module, inspect.isclass) if name not in errors]
    rest = set(module.__all__) - {*functions, *errors, *classes, "__version__"}
    if rest:
        raise StageError(f"planex.{min(rest)} is neither a function nor a class: place it here")
    # In the order in which one meets them.
    functions.sort(key=lambda name: (name != "open", name))
    classes.sort(key=lambda name: (name not in ("Engine", "Engines"), name))
    page = heading("Python", "=") + (
        "The package ``planex`` of the distribution ``planex-explorer``: "
        ":doc:`how to use it </how-to/use-from-python>`.\n\n"
        ".. automodule:: planex\n\n"
    )
    page += ".. py:data:: __version__\n   :module: planex\n   :type: str\n\n"
    page += "   Such as ``1.2.3``.\n\n"
    page += heading("Functions", "-")
    page += "".join(f".. autofunction:: planex.{name}\n\n" for name in functions)
    page += heading("Classes", "-") + ".. toctree::\n   :maxdepth: 1\n\n"
    modules = [name for name in public_modules(module) if name not in PACKAGES]
    page += "".join(f"   {name}\n" for name in [*classes, "errors", *modules])
    write(out / "index.rst", page)
    for name in modules:
        text = f".. automodule:: planex.{name}\n   :members:\n   :undoc-members:\n"
        write(out / f"{name}.rst", heading(f"planex.{name}", "=") + text)
    for name in classes:
        # Engine and Engines have much in common, in a base that is no part of the interface.
        write(
            out / f"{name}.rst",
            heading(name, "=") + f".. autoclass:: planex.{name}\n   :members:\n"
            "   :inherited-members: tuple, Executor\n   :undoc-members:\n",
        )
    errors.sort(key=lambda name: (name != "PlanexError", name))
    text = heading("Errors", "=")
    for name in errors:
        text += f".. autoexception:: planex.{name}\n   :members:\n   :undoc-members:\n"
        text += "   :show-inheritance:\n\n"
    write(out / "errors.rst", text)


def public_names(module: ModuleType) -> list[str]:
    """What a module says is public; else what is made in it."""
    if hasattr(module, "__all__"):
        return list(module.__all__)
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__
    ]


def directive(owner: str, name: str, value: object) -> str:
    if isinstance(value, type):
        return f".. autoclass:: {owner}.{name}\n   :members:\n   :undoc-members:\n\n"
    if inspect.isroutine(value):
        return f".. autofunction:: {owner}.{name}\n\n"
    return f".. py:data:: {name}\n   :module: {owner}\n\n"


def write_trex(out: pathlib.Path) -> None:
    """planex.trex: each name once, below the module that makes it."""
    package = importlib.import_module("planex.trex")
    text = heading("planex.trex", "=") + ".. automodule:: planex.trex\n\n"
    text += "Every name of TREx and where it is: :doc:`parity`.\n\n"
    names = {name: getattr(package, name) for name in public_names(package)}
    modules = [importlib.import_module(f"planex.trex.{name}") for name in public_modules(package)]
    owners = {id(value): name for name, value in names.items()}
    parts: dict[str, list[str]] = {}
    for name, value in names.items():
        if inspect.ismodule(value):
            continue
        maker = getattr(value, "__module__", package.__name__)
        parts.setdefault(maker, []).append(directive(package.__name__, name, value))
    for module in modules:
        for name in public_names(module):
            value = getattr(module, name)
            # TREx hands on names of others, too.
            is_own = str(getattr(value, "__module__", "planex")).startswith("planex")
            if is_own and id(value) not in owners:
                owners[id(value)] = name
                parts.setdefault(module.__name__, []).append(
                    directive(module.__name__, name, value)
                )
    for maker, directives in sorted({**{one.__name__: [] for one in modules}, **parts}.items()):
        text += heading(maker.rpartition(".")[2].lstrip("_"), "-")
        if maker != package.__name__:
            text += f".. py:module:: {maker}\n\n"
        text += "".join(directives)
    write(out, text)


# --- Assistants -----------------------------------------------------------------------------------


async def mcp_offer(python: str) -> tuple[list[Any], list[Any], str]:
    """Tools, templates of resources and instructions, as a client is told of them."""
    from mcp import Client, StdioServerParameters

    server = StdioServerParameters(
        command=python,
        args=["-P", "-m", "planex.mcp", str(ROOT / "examples/engines")],
        env=dict(os.environ),
    )
    async with Client(server, read_timeout_seconds=60) as client:
        tools = (await client.list_tools()).tools
        templates = (await client.list_resource_templates()).resource_templates
        return tools, templates, client.instructions or ""


def type_of(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(type_of(one) for one in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(one)}`" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {type_of(schema.get('items', {}))}"
    return str(schema.get("type", "any"))


def write_mcp(out: pathlib.Path, python: str) -> None:
    tools, templates, instructions = asyncio.run(mcp_offer(python))
    parts = [
        "# Tools for assistants\n",
        "What the server of the Model Context Protocol offers: "
        "[how to use it](../how-to/use-from-an-assistant.md). Each answer is a document of planex, "
        "with the engine, units and basis of its numbers.\n",
        f"It tells the assistant:\n\n```text\n{instructions.strip()}\n```\n",
        "## Tools\n",
    ]
    for tool in tools:
        parts.append(f"### {tool.name}\n\n{escape(' '.join((tool.description or '').split()))}\n")
        schema = tool.input_schema
        rows = [
            [
                f"`{name}`",
                type_of(argument),
                ""
                if name in schema.get("required", ())
                else f"`{json.dumps(argument.get('default'))}`",
                escape(argument.get("description", "")),
            ]
            for name, argument in schema.get("properties", {}).items()
        ]
        parts.append(table(["argument", "type", "default", "meaning"], rows))
    if templates:
        parts.append("## Resources\n")
        rows = [
            [f"`{one.uri_template}`", escape(" ".join((one.description or "").split()))]
            for one in templates
        ]
        parts.append(table(["address", "what it is"], rows))
    write(out, "\n".join(parts))


# --- C and C++ ------------------------------------------------------------------------------------


def header_page(file: str) -> str:
    return f".. doxygenfile:: {file}\n   :project: planex\n   :sections: {SECTIONS}\n"


def header_summary(header: pathlib.Path) -> str:
    """The first sentence of a header's opening comment."""
    first = re.match(
        r"//+ (.*?)(?:[.:](?:\s|$)|\n(?!//+ \S)|\n//+\s*\n)", header.read_text("utf-8"), re.DOTALL
    )
    return " ".join(first[1].replace("//", " ").split()) if first else ""


def write_cpp(out: pathlib.Path) -> None:
    headers = sorted(
        {*HEADERS.glob("*.h"), *HEADERS.glob("*.h.in")} - {HEADERS / n for n in C_HEADERS}
    )
    names = [header.name.partition(".")[0] for header in headers]
    page = heading("C++", "=") + (
        "The public headers, ``include/planex/``: data and documents of engines, by the standard "
        "library only. Other languages use the :doc:`C interface <../c>`.\n\n"
        ".. list-table::\n   :header-rows: 1\n\n   * - header\n     - what it is\n"
    )
    for header, name in zip(headers, names, strict=True):
        title = f"planex/{name}.h"
        page += f"   * - :doc:`{title} <{name}>`\n     - {header_summary(header)}\n"
        write(
            out / f"{name}.rst",
            heading(title, "=") + header_page(header.name),
        )
    page += "\n.. toctree::\n   :hidden:\n\n" + "".join(f"   {name}\n" for name in names)
    write(out / "index.rst", page)


def write_c(out: pathlib.Path) -> None:
    write(
        out,
        heading("C", "=")
        + "What other languages call: ``planex/planex.h``, and in it the structures of the Arrow C "
        "data interface (``planex/arrow_abi.h``).\n\n"
        + header_page("planex.h")
        + "\n"
        + heading("planex/arrow_abi.h", "-")
        + header_page("arrow_abi.h"),
    )


def generate(out: pathlib.Path, python: str) -> None:
    """Writes all generated pages below `out`."""
    folder = out / "reference"
    write_commands(folder / "commands")
    write_documents(folder / "documents")
    write_cpp(folder / "cpp")
    write_c(folder / "c.rst")
    write_python(folder / "python")
    write_trex(folder / "trex.rst")
    write_mcp(folder / "mcp.md", python)


def doxygen(config: pathlib.Path, out: pathlib.Path) -> None:
    """Reads the headers. Raises StageError where Doxygen warns."""
    environment = {**os.environ, "OUT": str(out), "PYTHON": sys.executable}
    out.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        ["doxygen", str(config)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        check=False,
        text=True,
    )
    if done.returncode != 0 or done.stderr.strip():
        raise StageError(f"doxygen:\n{done.stderr}")
