"""Tests of test_groups.toml against the repository, and of test_groups.py on small histories."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess

import pytest

import test_groups

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = test_groups.table()
BEYOND = test_groups.groups("all")


def tracked() -> list[str]:
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_every_top_level_name_and_module_has_a_row():
    names = {path.split("/")[0] for path in tracked()}
    names |= {"/".join(path.split("/")[:2]) for path in tracked() if path.startswith("src/")}
    assert sorted(names - DATA["folders"].keys()) == []


def test_every_row_is_there():
    files = tracked()
    gone = [
        row
        for row in DATA["folders"]
        if not any(path == row or path.startswith(f"{row}/") for path in files)
    ]
    assert gone == []


def test_rows_name_groups():
    for row, named in DATA["folders"].items():
        assert named == "all" or set(named) <= set(BEYOND), row


def test_every_group_has_a_function_and_the_other_way_round():
    script = (ROOT / "tools/test.sh").read_text("utf-8")
    functions = set(re.findall(r"^group_(\w+)\(\)", script, re.MULTILINE))
    assert functions == {name.replace("-", "_") for name in test_groups.groups()}


def test_each_group_beyond_make_test_is_touched_by_something():
    named = {name for row in DATA["folders"].values() if row != "all" for name in row}
    assert named == set(BEYOND)


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ([], {}),
        (["docs/how-to/x.md"], {"site": "needed"}),
        (["src/query/sql.cc"], {"threads": "needed", "distribution": "needed"}),
        (["tests/cli/test_x.py"], {}),
        (["new_folder/x"], dict.fromkeys(BEYOND, "perhaps")),
        (["src/new_module/x.cc"], dict.fromkeys(BEYOND, "perhaps")),
        (["new_folder/x", "docs/x.md"], dict.fromkeys(BEYOND, "perhaps") | {"site": "needed"}),
        (["docs/x.md", "new_folder/x"], dict.fromkeys(BEYOND, "perhaps") | {"site": "needed"}),
        (None, dict.fromkeys(BEYOND, "perhaps")),
    ],
)
def test_what_a_change_touches(paths, expected):
    assert test_groups.touched_by(paths, DATA) == expected


@pytest.fixture
def history(tmp_path):
    """history(*hours): a repository with a commit at each of these hours."""

    def make(*hours: int) -> pathlib.Path:
        def git(*words: str, hour: int = 0) -> None:
            date = f"{1_700_000_000 + hour * 3600} +0000"
            subprocess.run(
                ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words],
                cwd=tmp_path,
                env=os.environ | {"GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": date},
                check=True,
                capture_output=True,
            )

        git("init", "-q")
        for hour in hours:
            git("commit", "-q", "--allow-empty", "-m", str(hour), hour=hour)
        return tmp_path

    return make


def subject(root, commit):
    return test_groups.git("log", "-1", "--format=%s", commit, root=root)


def test_base_is_twelve_hours_before_the_last_commit(history):
    root = history(0, 10, 20, 30, 31, 32)
    assert subject(root, test_groups.base({}, root)) == "20"


def test_base_is_unknown_where_all_is_one_change(history):
    root = history(0, 1, 2)
    assert test_groups.base({}, root) is None
    assert test_groups.changed_paths(None, root) is None


def test_base_by_name(history):
    root = history(0, 1, 2)
    assert subject(root, test_groups.base({"PLANEX_CI_BASE": "HEAD~1"}, root)) == "1"
    assert test_groups.base({"PLANEX_CI_BASE": "nobody"}, root) is None
    assert test_groups.base({"GITHUB_BASE_REF": "main"}, root) is None, "it was not fetched"
    # A branch that is new has no commit before.
    assert test_groups.base({"CI_COMMIT_BEFORE_SHA": "0" * 40}, root) is None


def test_changed_paths(history):
    root = history(0, 20)
    (root / "new").write_text("x")
    assert test_groups.changed_paths("HEAD~1", root) == ["new"]
