"""`planex schema --options`: one option, one meaning."""

import re
from collections import defaultdict

# What verbs say of their own: the formats that they write, and where their output goes; which of
# their rows they show, which nodes or passes they take; what they compute with samples, threads
# and methods.
SAID_BY_EACH = {
    "--all",
    "--basis",
    "--device",
    "--engine",
    "--format",
    "--goal",
    "--judge-samples",
    "--keep",
    "--measure",
    "--method",
    "--model",
    "--only",
    "--open",
    "--output",
    "--samples",
    "--shape",
    "--sort",
    "--target",
    "--threads",
    "--to",
}


def rows(planex):
    table = planex("schema", "--options").stdout.split("|---|---|---|---|\n")[1]
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table.splitlines()
    ]


def test_an_option_has_one_meaning(planex):
    meanings = defaultdict(set)
    for option, value, does, _ in rows(planex):
        # `explain` says for which topic.
        does = re.sub(r"^[a-z]+: ", "", does)
        meanings[option.strip("`")].add((value, does[:1].lower() + does[1:]))
    several = {option for option, said in meanings.items() if len(said) > 1}
    assert several <= SAID_BY_EACH, several - SAID_BY_EACH
    # None is excused that need not be.
    assert several == SAID_BY_EACH


def test_every_option_of_help_is_in_it(planex):
    listed = {
        (option.strip("`"), verb)
        for option, _, _, verbs in rows(planex)
        for verb in verbs.split(", ")
    }
    for verb in ("lint", "compare", "draw", "quantize", "sweep"):
        shown = set(re.findall(r"^  (?:-\w,)?(--[a-z-]+)", planex(verb, "--help").stdout, re.M))
        assert shown, verb
        assert {(option, verb) for option in shown - {"--help"}} <= listed
