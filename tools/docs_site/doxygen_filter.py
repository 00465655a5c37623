#!/usr/bin/env python3
"""A public header as Doxygen reads it: comments become its own.

    doxygen_filter.py HEADER

The headers are written for people: `//` above what it is about, or behind a member; in C the same
with `/* */`. Doxygen wants one more sign each. The comment at the top is that of the file. Lists of
options (planex/options.h) become the members that they declare, each with its help.
"""

from __future__ import annotations

import itertools
import re
import sys

C_COMMENT = re.compile(r"/\*(?!\*)(?P<body>.*?)\*/", re.DOTALL)
COMMENT_LINE = re.compile(r"\s*//")
# A comment behind what it is about.
CODE_BEFORE = re.compile(r"\S[^\n]*[;,)\w]\s*$")
BEHIND_CODE = re.compile(r"(?<=[;,{\w])\s+//(?!/) (?!namespace|NOLINT)")
# "--- Tables ---": a title within a header, about no name.
SECTION = re.compile(r"\s*--- ")
CODE = re.compile(r" {3,}\S")


# Handed on as it is: Doxygen's own blocks of code lose their indentation on the way to the page.
CODE_BEGINS = [" @verbatim embed:rst:leading-slashes", "   .. code-block:: cpp", ""]


def with_code(lines: list[str]) -> list[str]:
    """The lines of a comment; what is indented in it is code."""
    turned: list[str] = []
    is_code = False
    for line in lines:
        if bool(CODE.match(line)) != is_code:
            is_code = not is_code
            turned += CODE_BEGINS if is_code else [" @endverbatim"]
        turned.append(f"   {line}" if is_code else line)
    return [*turned, " @endverbatim"] if is_code else turned


# A list of options, and where a request is made of it.
OPTIONS = re.compile(
    r"(?:// clang-format off\n)?#define (?P<name>PLANEX_\w+)\(OPTION\)(?P<rows>(?:.*\\\n)*.*\n)"
    r"(?:// clang-format on\n\n?)?"
)
MEMBERS = re.compile(r"^ *(?P<name>PLANEX_\w+)\(PLANEX_MEMBER\)\n", re.MULTILINE)
ROW = re.compile(
    r"OPTION\((?P<declared>[^\"]*(?:\"\w*\",(?=\s*\"))?)\s*"
    r"\"(?P<option>[a-z-]+)\",\s*\"[^\"]*\",\s*(?P<help>\"(?:[^\"\\]|\\.)*\"(?:\s*\"(?:[^\"\\]|\\.)*\")*)"
)


def members_of(rows: str) -> str:
    """Each option as a member behind a comment that says what it does."""
    lines = []
    for row in ROW.finditer(re.sub(r"\\\n", "\n", rows)):
        kind, member, initial = (
            part.strip() for part in row["declared"].strip(", \n").split(",", 2)
        )
        text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', row["help"])).replace('\\"', '"')
        lines += [f"  // {text} (`--{row['option']}`)", f"  {kind} {member} = {initial};"]
    return "\n".join(lines) + "\n"


def with_members(text: str) -> str:
    members = {found["name"]: members_of(found["rows"]) for found in OPTIONS.finditer(text)}
    text = OPTIONS.sub("", text)
    return MEMBERS.sub(lambda found: members.get(found["name"], found[0]), text)


def of_c(text: str) -> str:
    def turn(match: re.Match[str]) -> str:
        if SECTION.match(match["body"]):
            return ""
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        # Behind the star of a line there is one blank, as behind the slashes in C++.
        lines = [re.sub(r"^\s*\*(?=\s|$)", "", one) for one in match["body"].splitlines()]
        body = "\n".join(with_code(lines))
        if CODE_BEFORE.search(line):
            return f"/**<{body}*/"
        at_top = match.start() == 0
        return f"/** @file\n{body}*/" if at_top else f"/**{body}*/"

    return C_COMMENT.sub(turn, text)


def of_cpp(text: str) -> str:
    turned: list[str] = []
    groups = itertools.groupby(text.splitlines(), key=lambda line: bool(COMMENT_LINE.match(line)))
    for is_comment, group in groups:
        lines = list(group)
        if not is_comment:
            turned += [BEHIND_CODE.sub("  ///< ", line) for line in lines]
            continue
        if not turned:
            turned.append("/// @file")
        rest = [line.strip().removeprefix("//").removeprefix("/") for line in lines]
        rest = ["" if SECTION.match(line) else line for line in rest]
        # At the left: text that is indented by more than a block before it would be code.
        turned += [f"///{re.sub('^ (?![@ ])', '', line)}" for line in with_code(rest)]
    return "\n".join(turned) + "\n"


def main() -> int:
    path = sys.argv[1]
    with open(path, encoding="utf-8") as header:
        text = header.read()
    is_c = text.startswith("/*")
    sys.stdout.write(of_c(text) if is_c else of_cpp(with_members(text)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
