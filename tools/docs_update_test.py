"""Tests of the tools that keep the documents true."""

import pathlib

import pytest

import docs_links
import docs_update

OUTPUT = "one\ntwo\nthree  \nfour\n"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "one\ntwo\nthree\nfour\n"),
        ({"count": "2"}, "one\ntwo\n…\n"),
        ({"count": "9"}, "one\ntwo\nthree\nfour\n"),
        ({"last": "1"}, "…\nfour\n"),
        ({"from": "thr"}, "…\nthree\nfour\n"),
        ({"from": "two", "count": "1"}, "…\ntwo\n…\n"),
    ],
)
def test_cut(options: dict[str, str], expected: str) -> None:
    assert docs_update.cut(OUTPUT, options) == expected


def test_cut_says_when_a_line_is_gone() -> None:
    with pytest.raises(docs_update.DocsError, match="'five'"):
        docs_update.cut(OUTPUT, {"from": "five"})


@pytest.mark.parametrize(
    ("command", "has_width"),
    [
        (["planex", "run/"], True),
        (["planex", "query", "run/", "select 1"], True),
        (["planex", "query", "run/", "select 1", "--format", "csv"], False),
        (["planex", "summary", "run/", "--width", "80"], False),
        (["planex", "process", "model.onnx"], False),
        ([".venv/bin/python", "x.py"], False),
    ],
)
def test_width_goes_to_text_only(command: list[str], has_width: bool) -> None:
    assert ("110" in docs_update.with_width(command)) == has_width


def test_blocks_are_found_with_their_options() -> None:
    text = '<!-- run from=a-b exit=1: planex query x "\n  select 1" -->\n```text\nold\n```\n'
    found = docs_update.BLOCK.search(text)
    assert found is not None
    assert found["options"] == " from=a-b exit=1"
    assert found["command"] == 'planex query x "\n  select 1"'
    assert found["body"] == "old\n"


def test_only_known_programs_run(tmp_path: pathlib.Path) -> None:
    with pytest.raises(docs_update.DocsError, match="'rm'"):
        docs_update.execute(["rm", "-r", "."], tmp_path)


def test_page_of_engines_that_are_not_there(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANEX_TEST_DATA", str(tmp_path / "nowhere"))
    page = tmp_path / "a.md"
    page.write_text("<!-- run: planex summary engines/x -->\n```text\nold\n```\n", "utf-8")
    monkeypatch.setenv("CI", "")
    assert docs_update.fresh_page(page, False) == page.read_text("utf-8")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(docs_update.DocsError, match="nowhere"):
        docs_update.fresh_page(page, False)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Exit codes", "exit-codes"),
        ("What is read", "what-is-read"),
        ("`planex.layers/1`, in full", "planexlayers1-in-full"),
        ("8. See [this](that.md)", "8-see-this"),
    ],
)
def test_anchor(title: str, expected: str) -> None:
    assert docs_links.anchor(title) == expected


def test_links(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docs_links, "ROOT", tmp_path)
    (tmp_path / "b.md").write_text("# One\n\n# One\n", "utf-8")
    page = tmp_path / "a.md"
    page.write_text(
        "[fine](b.md#one) [fine](b.md#one-1) [fine](https://example.org/nowhere)\n"
        "[bad](c.md)\n"
        "[bad](b.md#two)\n"
        "```\n[in code](d.md)\n```\n"
        "/home/someone/model.onnx\n",
        "utf-8",
    )
    assert [(line, text.split(":")[0]) for line, text in docs_links.check(page)] == [
        (2, "c.md"),
        (3, "b.md#two"),
        (7, "/home/someone is a path of one machine"),
    ]
