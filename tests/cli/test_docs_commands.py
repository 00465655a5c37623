"""Commands in the documents: shell blocks parse, and the program has their verbs and flags.

Blocks behind `<!-- run: … -->` are run by tools/docs_update.py; here are all the others, and what
stands in the text between backquotes.
"""

from __future__ import annotations

import pathlib
import re
import shlex
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`(planex [^`]+)`")
# Decisions say what was true on their day.
PAGES = sorted(
    page
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("examples/**/*.md")]
    if "design" not in page.parts
)


def text_of(page):
    # A command may go on in the next line of a paragraph.
    return page.read_text("utf-8")


def blocks(page, *languages):
    return [m["body"] for m in FENCE.finditer(text_of(page)) if m["language"] in languages]


def commands_of_shell(script):
    """The commands that begin with planex, without what the shell does around them."""
    script = re.sub(r"\\\n", " ", script)
    lexer = shlex.shlex(script.replace("\n", "\n;"), posix=True, punctuation_chars=";&|<>()")
    lexer.whitespace_split = True
    commands, words = [], []
    for word in [*lexer, ";"]:
        if word[0] in ";&|<>()":
            commands.append(words)
            words = []
        elif words or word not in ("do", "then", "else", "if", "!", "sudo", "time"):
            words.append(word)
    return [words for words in commands if words and words[0] == "planex"]


def commands_of(page):
    found = [c for body in blocks(page, "sh") for c in commands_of_shell(body)]
    # Outside of blocks; "planex VERB" and "planex …" are patterns, not commands.
    prose = FENCE.sub("", text_of(page))
    for match in INLINE.finditer(prose):
        found += commands_of_shell(match[1].replace("\n", " "))
    return found


@pytest.fixture(scope="module")
def flags(planex):
    """Verb -> its flags; and True where the flag takes a value."""
    table = {}
    for line in planex("completion", "fish").stdout.splitlines():
        if found := re.search(r"__fish_seen_subcommand_from ([a-z]+)' -l ([a-z-]+)", line):
            table.setdefault(found[1], set()).add("--" + found[2])
    assert len(table) > 10
    return table


def test_collects_commands():
    """The collector itself: continued lines, pipes, loops, comments."""
    script = (
        "for x in a b; do\n  planex run/ --top 5 \\\n    --wide # all\n"
        'done | planex lint "$x" --all\n'
    )
    assert commands_of_shell(script) == [
        ["planex", "run/", "--top", "5", "--wide"],
        ["planex", "lint", "$x", "--all"],
    ]
    assert sum(len(commands_of(page)) for page in PAGES) > 150


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_exist(planex, flags, page):
    for command in commands_of(page):
        words = command[1:]
        shown = shlex.join(command)
        verb = next((word for word in words if not word.startswith("-")), "")
        if verb == "help":
            continue
        if verb not in flags:
            # `planex FILE` is the summary; a word without a place in a file system is a verb.
            assert not re.fullmatch(r"[a-z]+", verb), f"no verb {verb!r}: {shown}"
            verb = "summary"
        for word in words[: words.index("--")] if "--" in words else words:
            if found := re.match(r"--[a-z][a-z-]*", word):
                known = flags[verb] | {"--help", "--version"}
                assert found[0] in known, f"{verb} has no {found[0]}: {shown}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_shell_blocks_can_be_pasted(page):
    """A comment without # makes an argument of itself."""
    for body in blocks(page, "sh"):
        done = subprocess.run(["bash", "-n"], input=body, text=True, capture_output=True)
        assert done.returncode == 0, f"{body}\n{done.stderr}"
        for line in body.splitlines():
            rest = line.split(" #")[0]
            assert not re.search(r"\S {3,}\S", rest.lstrip()) or "\\" in line, (
                f"a remark without #? {line}"
            )
    for body in blocks(page, ""):
        assert not re.search(r"^ *(planex|make|tools/)", body, re.MULTILINE), (
            f"commands need a block of ```sh: {body[:200]}"
        )


def messages_of_sources():
    """Every message in the sources as a pattern: what is filled in may be anything."""
    patterns = []
    for path in (ROOT / "src").rglob("*.cc"):
        if path.name.endswith("_test.cc"):
            continue
        joined = re.sub(r'"\s*\n\s*"', "", path.read_text("utf-8"))
        for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', joined):
            fixed = re.split(r"\{[^}]*\}", literal)
            if max(map(len, fixed)) >= 10:
                patterns.append(literal)
    return patterns


def is_message(words, literals):
    """The words are a part of a literal, or a literal with its gaps filled is a part of them."""
    for literal in literals:
        if words in literal:
            return True
        # Two words that are filled in are no evidence: the fixed part has to be most of it.
        fixed = re.split(r"\{[^}]*\}", literal)
        pattern = ".+".join(map(re.escape, fixed))
        if len(fixed) > 1 and 2 * sum(map(len, fixed)) > len(words) and re.search(pattern, words):
            return True
    return False


def test_troubleshooting_quotes_real_messages():
    """What users search for is what the program says."""
    page = text_of(ROOT / "docs/how-to/troubleshooting.md")
    quoted = []
    for table in re.split(r"\n\n", page):
        if table.startswith("| message |"):
            quoted += [re.match(r"\| `([^`]+)`", row)[1] for row in table.splitlines()[2:]]
    assert len(quoted) > 8
    literals = messages_of_sources()
    unknown = [
        message
        for message in quoted
        if not any(
            is_message(part.strip(), literals)
            for part in re.split(r'"?…"?', message)
            if len(part.strip()) >= 8
        )
    ]
    assert not unknown
