"""Tests of check_unity.py: names of files that are compiled together, and of those that aren't."""

import check_unity
import pytest


def source(definitions: str, more: str = "") -> str:
    return (
        f"namespace planex::lint {{\nnamespace {{\n\n{definitions}\n\n}}  // namespace\n\n"
        f"{more}\n}}  // namespace planex::lint\n"
    )


@pytest.fixture
def problems_of(tmp_path, monkeypatch):
    monkeypatch.setattr(check_unity, "ROOT", tmp_path)

    def problems(files):
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        return check_unity.find_problems()

    return problems


def test_a_name_of_two_tests_of_a_folder(problems_of):
    text = source("std::vector<int> rows_of(int count) { return {}; }")
    assert problems_of({"src/lint/a_test.cc": text, "src/lint/b_test.cc": text}) == [
        "rows_of: defined in the unnamed namespaces of src/lint/a_test.cc, src/lint/b_test.cc"
    ]


def test_tests_are_apart_from_the_library(problems_of):
    text = source("struct Row {")
    assert problems_of({"src/lint/a.cc": text, "src/lint/a_test.cc": text}) == []


def test_small_folders_of_a_program_are_one(problems_of):
    text = source("constexpr int kRows = 1;")
    assert problems_of({"src/lint/x/a_test.cc": text, "src/lint/y/a_test.cc": text}) == [
        "kRows: defined in the unnamed namespaces of src/lint/x/a_test.cc, src/lint/y/a_test.cc"
    ]
    large = {f"src/lint/x/{name}_test.cc": source("") for name in "bcde"}
    assert problems_of(large) == []


def test_a_name_of_a_header_that_tests_share(problems_of):
    header = "namespace planex::lint {\n\ninline int rows_of() { return 1; }\n\n}\n"
    text = source("int rows_of(int count) { return count; }")
    assert problems_of({"src/lint/lint_test_model.h": header, "src/lint/a.cc": text}) == []
    assert problems_of({"src/lint/a_test.cc": text}) == [
        "rows_of: of src/lint/lint_test_model.h, and again in src/lint/a_test.cc"
    ]


def test_a_test_that_a_program_has_twice(problems_of):
    text = source("TEST(Rows, AreCounted) {}")
    assert problems_of({"src/lint/a_test.cc": text, "src/lint/b_test.cc": text}) == [
        "test Rows.AreCounted: in src/lint/a_test.cc, src/lint/b_test.cc"
    ]
