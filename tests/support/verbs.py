"""Verbs, topics and options as the program itself lists them: planex schema --files."""

from __future__ import annotations

import re


def options_of(planex):
    """{verb: {option: row}}; positionals are options without dashes."""
    head, *lines = planex("schema", "--files").stdout.splitlines()
    columns = head.split("\t")
    found = {}
    for line in lines:
        row = dict(zip(columns, line.split("\t"), strict=False))
        found.setdefault(row["verb"], {})[row["option"]] = row
    return found


def choices(row):
    """The words that an option takes: those of TEXT:{a,b}."""
    listed = re.search(r"\{(.*)\}", row["type"])
    return listed.group(1).split(",") if listed else []


def verbs_with(planex, option):
    return {verb for verb, options in options_of(planex).items() if option in options}


def topics(planex):
    return choices(options_of(planex)["explain"]["TOPIC"])
