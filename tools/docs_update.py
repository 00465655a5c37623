#!/usr/bin/env python3
"""Writes what the documents show of planex: whole pages, and blocks of real output.

    tools/docs_update.py            write everything again
    tools/docs_update.py --check    compare, print the differences, exit 1 if there are any
    tools/docs_update.py PAGE…      only these pages
    tools/docs_update.py --record PAGE…    what takes minutes, too

A block of output is a fenced block behind a comment that holds the command:

    <!-- run: planex examples/engines/resnet18-a100-qat -->
    <!-- run last=3 exit=1: planex lint examples/engines/resnet18-a100-qat --fail-on warning -->
    <!-- run-only: planex process models/resnet18-fp32.onnx -o runs/fp32 -->
    <!-- recorded: planex optimize models/resnet18-fp32.onnx -o best/ -->

`run` writes the command and what it prints into the block. Of a long output, `from=TEXT` begins at
the first line that has this text in it, `count=N` keeps N lines, `last=N` the last ones. `exit` is
the code that the command must end with, 0 otherwise. `run-only` is for output that depends on the
machine: the command must succeed, and the block stays as it was written by hand. `recorded` is for
output that depends on the machine and takes minutes: only --record runs the command and writes the
block (without the talk), as it does those of `run-only`; a test has to run such a command,
shortened. Commands run
without a shell, in a scratch folder that has the repository's examples/, tests/ and .venv/, one for
each page: so a page can write files and read them again. A page with engines/ in a command is told
of the engines in PLANEX_TEST_DATA (default ../shared/data), which are not in the repository: where
they are missing it is left as it is, or is an error where CI=true.

Commands that print text get --width 110, so that the result depends on no terminal. PLANEX_BIN is
the program, build/release/planex otherwise. --skip-run-only leaves the machine's share out.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import difflib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRATCH = ROOT / "build" / "docs" / "scratch"
WIDTH = "110"
TIMEOUT_S = 900

# Pages and headers that are output as a whole: file -> arguments of planex.
PAGES = {
    "docs/reference/schema.md": ["schema", "--format", "markdown"],
    "docs/reference/rules.md": ["lint", "--rules"],
    "docs/reference/messages.md": ["explain", "messages", "--format", "markdown"],
    "docs/reference/engine-rules.md": ["explain", "engines", "--format", "markdown"],
    "docs/reference/placement.md": ["explain", "placement", "--format", "markdown"],
    "docs/reference/options.md": ["schema", "--options"],
    "web/src/model/report_types.ts": ["schema", "--types", "page"],
    "include/planex/results.h": ["schema", "--types", "c++"],
    "include/planex/tables.h": ["schema", "--types", "c++-tables"],
}
CLI_PAGE = "docs/reference/cli.md"

# Verbs without --width.
NO_WIDTH = {"report", "process", "cast", "clean", "completion", "version", "--help", "--version"}

BLOCK = re.compile(
    r"^<!-- (?P<kind>run|run-only|recorded)(?P<options>(?: [a-z]+=[^\s:]+)*): "
    r"(?P<command>.*?) -->\n"
    r"(?P<open>```\w*\n)(?P<body>.*?)(?P<close>^```$)",
    re.DOTALL | re.MULTILINE,
)
MARK = re.compile(r"^<!-- (?:run|recorded)\b", re.MULTILINE)
ENGINES = re.compile(r"(?<!\S)engines/")
VERB = re.compile(r"^  (?P<name>[a-z]+)  +\S", re.MULTILINE)


class DocsError(Exception):
    """Something a person has to mend in a page."""


@dataclasses.dataclass(frozen=True)
class Runs:
    """Which blocks are run."""

    skips_run_only: bool = False
    records: bool = False


@dataclasses.dataclass(frozen=True)
class Result:
    code: int
    stdout: str
    stderr: str


def program() -> pathlib.Path:
    """planex, as an absolute path."""
    path = ROOT / os.environ.get("PLANEX_BIN", "build/release/planex")
    if not path.is_file():
        raise DocsError(f"{path} is missing; tools/build.sh release makes it")
    return path


def execute(words: list[str], folder: pathlib.Path) -> Result:
    """Runs a command of a page: planex, or the Python of the repository."""
    if words[0] == "planex":
        words = [str(program()), *words[1:]]
    elif words[0] != ".venv/bin/python":
        raise DocsError(f"a page may run planex and .venv/bin/python, not {words[0]!r}")
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    environment["NO_COLOR"] = "1"
    done = subprocess.run(
        words,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
        timeout=TIMEOUT_S,
    )
    return Result(done.returncode, done.stdout, done.stderr)


def with_width(words: list[str]) -> list[str]:
    """The command with a fixed width, where it prints text."""
    is_text = not any(word.split("=")[0] in ("--format", "--width") for word in words)
    if words[0] != "planex" or not is_text or NO_WIDTH.intersection(words[1:]):
        return words
    return [*words, "--width", WIDTH]


def cut(output: str, options: dict[str, str]) -> str:
    """The lines of the output that the options ask for, with a mark where others are left out."""
    lines = [line.rstrip() for line in output.splitlines()]
    first, end = 0, len(lines)
    if "from" in options:
        first = next((i for i, line in enumerate(lines) if options["from"] in line), -1)
        if first < 0:
            raise DocsError(f"no line has {options['from']!r} in it")
    if "count" in options:
        end = min(end, first + int(options["count"]))
    if "last" in options:
        first = max(first, end - int(options["last"]))
    kept = lines[first:end]
    before = ["…"] if first > 0 else []
    after = ["…"] if end < len(lines) else []
    return "\n".join([*before, *kept, *after]) + "\n"


def test_engines() -> pathlib.Path:
    """The folder of the real engines, as an absolute path; it may not exist."""
    return (ROOT / os.environ.get("PLANEX_TEST_DATA", "../shared/data") / "engines").resolve()


def scratch_folder(page: pathlib.Path) -> pathlib.Path:
    """A fresh folder for the commands of one page; examples/, .venv/, engines/ are seen from it."""
    folder = SCRATCH / page.relative_to(ROOT).as_posix().replace("/", "-").removesuffix(".md")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("examples", "tests", ".venv"):
        (folder / name).symlink_to(ROOT / name)
    if test_engines().is_dir():
        (folder / "engines").symlink_to(test_engines())
    return folder


def run_block(match: re.Match[str], folder: pathlib.Path, runs: Runs) -> str:
    """The block as it should be."""
    kind = match["kind"]
    if (kind == "recorded" and not runs.records) or (kind == "run-only" and runs.skips_run_only):
        return match[0]
    is_run_only = kind != "run" and not runs.records
    options = dict(option.split("=") for option in match["options"].split())
    unknown = options.keys() - {"from", "count", "last", "exit"}
    if unknown:
        raise DocsError(f"unknown option {sorted(unknown)[0]!r} before: {match['command']}")
    words = shlex.split(match["command"])
    result = execute(words if is_run_only else with_width(words), folder)
    if result.code != int(options.get("exit", "0")):
        raise DocsError(f"exit code {result.code} from: {match['command']}\n{result.stderr}")
    if is_run_only:
        return match[0]
    # What goes to a terminal: the data, then the talk.
    output = result.stdout + ("" if kind == "recorded" else result.stderr)
    output = cut(output, options)
    head = match[0][: match.start("body") - match.start()]
    return f"{head}$ {match['command']}\n{output}{match['close']}"


def fresh_page(page: pathlib.Path, runs: Runs) -> str:
    """A page whose blocks were run again."""
    text = page.read_text("utf-8")
    blocks = list(BLOCK.finditer(text))
    if len(blocks) != len(MARK.findall(text)):
        raise DocsError("a run comment is not followed by a fenced block")
    if not blocks:
        return text
    if any(ENGINES.search(block["command"]) for block in blocks) and not test_engines().is_dir():
        if os.environ.get("CI") == "true":
            raise DocsError(f"no real engines in {test_engines()} (set PLANEX_TEST_DATA)")
        print(f"docs_update: no {test_engines()}; left as it is: {page.name}", file=sys.stderr)
        return text
    folder = scratch_folder(page)
    parts, at = [], 0
    for block in blocks:
        parts += [text[at : block.start()], run_block(block, folder, runs)]
        at = block.end()
    return "".join([*parts, text[at:]])


def planex_output(arguments: list[str]) -> str:
    result = execute(["planex", *arguments], ROOT)
    if result.code != 0:
        raise DocsError(f"exit code {result.code} from: planex {shlex.join(arguments)}")
    return result.stdout


def verbs(general: str) -> list[str]:
    """The verbs that the general help lists."""
    names = [found["name"] for found in VERB.finditer(general.split("Subcommands:")[1])]
    if not names:
        raise DocsError("planex --help names no verbs")
    return names


def cli_page() -> str:
    """The command line, from the program's own help."""
    general = planex_output(["--help"])
    parts = [
        "# Command line\n\n"
        "<!-- Generated by tools/docs_update.py from the program's help. -->\n\n"
        "What the verbs print as JSON and how they end: [formats.md](formats.md).\n\n"
        f"```text\n{general.strip()}\n```\n"
    ]
    for verb in verbs(general):
        text = planex_output([verb, "--help"])
        summary, _, rest = text.partition("\n")
        parts.append(f"\n## {verb}\n\n{summary.strip()}.\n\n```text\n{rest.strip()}\n```\n")
    return "".join(parts)


def documents() -> list[pathlib.Path]:
    """All pages that may have blocks."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
    return sorted(page for page in pages if page.is_file())


def wanted(page: pathlib.Path, runs: Runs) -> tuple[pathlib.Path, str, str]:
    """A page, what it should say, and what is wrong with it."""
    name = page.relative_to(ROOT).as_posix()
    try:
        if name == CLI_PAGE:
            return page, cli_page(), ""
        if name in PAGES:
            return page, planex_output(PAGES[name]), ""
        return page, fresh_page(page, runs), ""
    except (DocsError, ValueError, subprocess.TimeoutExpired) as error:
        return page, "", str(error)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--skip-run-only", action="store_true", help="not the slow commands")
    parser.add_argument("--record", action="store_true", help="the machine's share, too, of PAGE…")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="only these pages")
    arguments = parser.parse_args(argv[1:])

    generated = {ROOT / name for name in [*PAGES, CLI_PAGE]}
    pages = sorted({*documents(), *generated})
    if arguments.pages:
        chosen = {pathlib.Path(name).resolve() for name in arguments.pages}
        if unknown := chosen - set(pages):
            parser.error(f"no page of the documents: {sorted(unknown)[0]}")
        pages = sorted(chosen)
    if arguments.record and not arguments.pages:
        parser.error("--record takes the pages to record: times of others stay as they are")
    runs = Runs(arguments.skip_run_only, arguments.record)
    status = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        results = pool.map(lambda page: wanted(page, runs), pages)
    for page, fresh, problem in results:
        name = page.relative_to(ROOT).as_posix()
        current = page.read_text("utf-8") if page.is_file() else ""
        if problem:
            print(f"{name}:1: {problem}", file=sys.stderr)
            status = 1
        elif fresh == current:
            continue
        elif arguments.check:
            lines = difflib.unified_diff(
                current.splitlines(keepends=True),
                fresh.splitlines(keepends=True),
                name,
                f"{name}, fresh",
            )
            sys.stderr.writelines(lines)
            print(
                f"{name}:1: is out of date; run tools/check_generated.sh --update", file=sys.stderr
            )
            status = 1
        else:
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(fresh, "utf-8")
            print(f"docs_update: wrote {name}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv))
