"""Tests of check_words.py: the glossary's table is read, and its words are found."""

import check_words

TABLE = """# Glossary

| word | what it means |
|---|---|
| `lede` | a word of another table |

## Retired words

| retired | instead | where |
|---|---|---|
| `film` | timeline | src/ docs/ |
| `seen_(bound\\|headroom)_ms` | observed_…_ms | src/ |
"""


def test_reads_the_last_table_alone():
    words = check_words.retired_words(TABLE)
    assert [word.pattern.pattern for word in words] == [
        r"(?<!\w)film(?!\w)",
        r"(?<!\w)seen_(bound|headroom)_ms(?!\w)",
    ]
    assert words[0].folders == ("src/", "docs/")


def test_finds_whole_words_where_they_are_searched():
    words = check_words.retired_words(TABLE)
    text = "a film\nfilms and filmed\nseen_headroom_ms\nfilm  # retired-word: quoted\n"
    assert check_words.uses("src/a.cc", text, words) == [
        "src/a.cc:1: 'film' is retired: timeline",
        "src/a.cc:3: 'seen_headroom_ms' is retired: observed_…_ms",
    ]
    assert check_words.uses("docs/a.md", text, words) == [
        "docs/a.md:1: 'film' is retired: timeline"
    ]
    assert check_words.uses("web/a.ts", text, words) == []


def test_the_real_table_has_patterns():
    words = check_words.retired_words(check_words.GLOSSARY.read_text(encoding="utf-8"))
    assert len(words) > 15
    assert all(word.instead and word.folders for word in words)
