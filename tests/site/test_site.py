"""The documentation site, as tools/site.sh builds it: whole, without dead links, and searchable.

PLANEX_SITE is the site, build/site/html otherwise; tools/site.sh makes it where it is not there.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest
from bs4 import BeautifulSoup
from sphinx.util.inventory import InventoryFile

import check_site
import doxygen_filter
import notebook_page
import schema_page
import stage
from unmet import unmet

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def site() -> pathlib.Path:
    path = pathlib.Path(os.environ.get("PLANEX_SITE", ROOT / "build/site/html"))
    if not (path / "index.html").is_file():
        subprocess.run([ROOT / "tools/site.sh"], check=True)
    return path


@pytest.fixture(scope="session")
def names(site):
    """What the site describes: kind -> names."""
    inventory = InventoryFile.load(
        (site / "objects.inv").open("rb"), "", lambda top, page: f"{top}{page}"
    )
    return {kind: set(items) for kind, items in inventory.items()}


def text_of(path: pathlib.Path) -> str:
    return BeautifulSoup(path.read_text("utf-8"), "html.parser").get_text()


def test_links_lead_somewhere(site):
    assert check_site.main(["check_site", str(site)]) == 0


def test_pages_load_nothing_from_elsewhere(site):
    for path in site.rglob("*.html"):
        loaded = check_site.page(path).loaded
        assert not [one for one in loaded if re.match(r"(?:[a-z]+:)?//", one)], path


def test_every_page_of_the_documents_is_there(site):
    pages = [stage.place(name) for name in stage.sources()]
    assert len(pages) > 80
    missing = [p for p in pages if not (site / p).with_suffix(".html").is_file()]
    assert not missing


# --- The reference names everything that there is -------------------------------------------------


def test_every_verb_and_option(site, names, planex):
    flags = re.findall(
        r"__fish_seen_subcommand_from ([a-z]+)' -l ([A-Za-z-]+)",
        planex("completion", "fish").stdout,
    )
    assert len({verb for verb, _ in flags}) > 10
    missing = [(v, f) for v, f in flags if f"planex-{v}.--{f}" not in names["std:cmdoption"]]
    assert not missing
    for verb, _ in flags:
        assert (site / f"reference/commands/{verb}.html").is_file()


def test_every_document(site, planex):
    ids = planex("schema", "--documents").stdout.split()
    assert len(ids) > 20
    for name in ids:
        schema = json.loads(planex("schema", name).stdout)
        file = name.partition("/")[0].removeprefix("planex.")
        page = text_of(site / f"reference/documents/{file}.html")
        parts = [schema, *schema.get("$defs", {}).values()]
        fields = [field for part in parts for field in part.get("properties", {})]
        assert not [field for field in fields if field not in page], name
        # Beside the page to download, as the program has it.
        link = next(
            link
            for link in check_site.page(site / f"reference/documents/{file}.html").links
            if link.endswith(f"/{file}.schema.json")
        )
        there = (site / "reference/documents" / link).read_text("utf-8")
        assert json.loads(there) == schema


def test_every_rule(site, planex):
    rules = re.findall(r"^\| \[([a-z0-9-]+)\]", planex("lint", "--rules").stdout, re.MULTILINE)
    assert len(rules) > 30
    places = check_site.page(site / "reference/rules.html").places
    assert not [rule for rule in rules if rule not in places]


def test_every_table_and_column(site, planex):
    page = text_of(site / "reference/schema.html")
    tables = json.loads(planex("schema", "--format", "json").stdout)["tables"]
    asked = {table["name"] for table in tables}
    asked |= {column["name"] for table in tables for column in table["columns"]}
    assert len(asked) > 100
    assert not [name for name in asked if name not in page]


def test_every_name_of_python(names):
    python = ROOT / "build/test/python/bin/python"
    script = (
        "import inspect, json, planex, planex.trex as trex\n"
        "names = [f'planex.{n}' for n in planex.__all__]\n"
        "classes = [getattr(planex, n) for n in planex.__all__]\n"
        "names += [f'planex.{c.__name__}.{m}' for c in classes if inspect.isclass(c)\n"
        "          for m in vars(c) if not m.startswith('_')]\n"
        "names += [f'planex.trex.{n}' for n in trex.__all__]\n"
        "print(json.dumps(names))\n"
    )
    done = subprocess.run([python, "-P", "-c", script], check=True, capture_output=True, text=True)
    there = set().union(*(items for kind, items in names.items() if kind.startswith("py:")))
    asked = json.loads(done.stdout)
    assert len(asked) > 100
    assert not [name for name in asked if name not in there]


def test_every_header(site, names):
    cpp = set().union(*(items for kind, items in names.items() if kind.startswith("cpp:")))
    types = []
    for header in (ROOT / "include/planex").glob("*.h*"):
        place = stage.place(f"include/planex/{header.name.partition('.')[0]}.h")
        if header.name == "arrow_abi.h":
            place = "reference/c.rst"
        assert (site / place).with_suffix(".html").is_file(), header.name
        text = header.read_text("utf-8")
        if place.startswith("reference/cpp/"):
            types += re.findall(
                r"^(?:struct|class|enum class) (?:PLANEX_EXPORT )?(\w+)[^;]*\{", text, re.MULTILINE
            )
    assert len(types) > 20
    described = {name.rpartition("::")[2] for name in cpp}
    # Members that are options (planex/options.h), too.
    assert {"without_rules", "max_boxes", "fail_above_ratio"} <= described
    assert not [name for name in types if name not in described]


def test_every_function_of_c(names):
    text = (ROOT / "include/planex/planex.h").read_text("utf-8")
    functions = re.findall(r"^PLANEX_API [^(;]*?\b(planex_\w+)\(", text, re.MULTILINE)
    assert len(functions) > 25
    assert not [name for name in functions if name not in names["c:function"]]


def test_tools_for_assistants(site):
    places = check_site.page(site / "reference/mcp.html").places
    asked = {"list-engines", "open-engine", "summary", "query", "lint", "compare"}
    assert asked <= places


# --- Search ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "page"),
    [
        ("reformat", "reference/rules.html"),
        ("roofline", "how-to/find-the-limit.html"),
        ("median_ms", "reference/schema.html"),
        ("--slowest", "reference/commands/draw.html"),
    ],
)
def test_search_finds_it_from_disk(site, word, page):
    browser = os.environ.get("PLANEX_CHROMIUM") or shutil.which("chromium")
    if not browser:
        unmet("no Chromium")
    done = subprocess.run(
        [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--virtual-time-budget=10000",
            "--dump-dom",
            f"file://{site}/search.html?q={word}",
        ],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    results = BeautifulSoup(done.stdout, "html.parser").select("ul.search a")
    found = [str(result["href"]).partition("#")[0].partition("?")[0] for result in results]
    assert page in found[:20], found[:20]


# --- What builds it -------------------------------------------------------------------------------


def test_a_dead_link_is_found(tmp_path):
    (tmp_path / "a.html").write_text('<p id="here"><a href="b.html#there">b</a></p>')
    (tmp_path / "b.html").write_text('<p id="there"><a href="a.html#here">a</a></p>')
    assert check_site.main(["check_site", str(tmp_path)]) == 0
    check_site.page.cache_clear()
    (tmp_path / "b.html").write_text('<p><a href="c.html">c</a></p>')
    assert check_site.problem_of(tmp_path / "a.html", "b.html#there", tmp_path)
    assert check_site.problem_of(tmp_path / "b.html", "c.html", tmp_path)
    assert not check_site.problem_of(tmp_path / "b.html", "https://example.org/", tmp_path)
    assert check_site.main(["check_site", str(tmp_path)]) == 1


@pytest.mark.parametrize(
    ("page", "target", "there"),
    [
        (
            "docs/how-to/draw.md",
            "../reference/rules.md#qdq-unfused",
            "../reference/rules.md#qdq-unfused",
        ),
        ("docs/how-to/draw.md", "../reference/cli.md#draw", "../reference/commands/draw.md"),
        ("docs/README.md", "../examples/engines/README.md", "project/engines.md"),
        ("docs/how-to/draw.md", "../../examples/notebooks/api.ipynb", "../notebooks/api.md"),
        ("docs/README.md", "how-to/README.md", "how-to/index.md"),
        ("README.md", "docs/how-to/draw.md", "../how-to/draw.md"),
        ("docs/reference/formats.md", "../../data/devices.json", "../files/data/devices.json"),
        ("docs/reference/formats.md", "json/waivers.schema.json", "documents/waivers.md"),
        ("docs/reference/README.md", "../../include/planex/lint.h", "cpp/lint.rst"),
        ("docs/reference/rules.md", "../../examples/lint", "../files/examples/lint.md"),
        ("README.md", "https://example.org/a.md", "https://example.org/a.md"),
    ],
)
def test_links_are_turned(page, target, there):
    assert stage.site_link(page, target) == there


def test_a_link_without_a_place_is_an_error():
    with pytest.raises(stage.StageError, match="no place for"):
        stage.site_link("docs/how-to/draw.md", "../gone.md")


def test_code_and_links_over_lines():
    picture = "pictures/report-work-light.png"
    text = f"![two\nlines](docs/{picture})\n```sh\n[x](docs/README.md)\n```\n"
    turned, files = stage.turned("README.md", text)
    assert turned == text.replace(f"(docs/{picture}", f"(../{picture}")
    assert files == {f"docs/{picture}"}


def test_a_folder_is_shown_by_its_files():
    page = stage.folder_page("examples/lint")
    assert page.startswith("---\norphan: true\n---\n\n# examples/lint\n")
    assert "## waivers.json\n\n~~~~json\n{\n" in page


def test_parts_of_a_schema_that_a_page_would_leave_out():
    schema = {"$id": "planex.x/1", "title": "X", "properties": {"a": {"type": "string", "if": {}}}}
    with pytest.raises(schema_page.UnknownKeyError, match="a: if"):
        schema_page.page(schema, "x.schema.json")


def test_comments_of_headers():
    cpp = "// A file.\n//\n//   int x;\n//\n// More.\nint a;  // what\n// Of b.\nint b;\n"
    assert doxygen_filter.of_cpp(cpp).splitlines() == [
        "/// @file",
        "///A file.",
        "///",
        "/// @verbatim embed:rst:leading-slashes",
        "///   .. code-block:: cpp",
        "///",
        "///      int x;",
        "/// @endverbatim",
        "///",
        "///More.",
        "int a;  ///< what",
        "///Of b.",
        "int b;",
    ]
    c = "/* A file.\n * More. */\n/* --- Part -- */\nint a, /* what */\n    b;\n"
    assert doxygen_filter.of_c(c) == (
        "/** @file\n A file.\n More. */\n\nint a, /**< what */\n    b;\n"
    )


def test_options_of_a_request_are_members():
    header = (
        "#define PLANEX_LAYERS_OPTIONS(OPTION)  \\\n"
        '  OPTION(std::string, type, {}, "type", "TYPE", \\\n'
        '         "Only layers of this type, with \\"kernel\\" "  \\\n'
        '         "as a column", .old = "kind")  \\\n'
        '  OPTION(bool, reverse, false, "reverse", "", "Reverse the order")\n'
        "\n"
        "struct LayersRequest {\n"
        "  PLANEX_LAYERS_OPTIONS(PLANEX_MEMBER)\n"
        "};\n"
    )
    assert doxygen_filter.with_members(header).split("\n") == [
        "",
        "struct LayersRequest {",
        '  // Only layers of this type, with "kernel" as a column (`--type`)',
        "  std::string type = {};",
        "  // Reverse the order (`--reverse`)",
        "  bool reverse = false;",
        "};",
        "",
    ]


def test_a_notebook_is_a_page(tmp_path):
    def code(source, *outputs):
        return {"cell_type": "code", "source": source, "outputs": list(outputs)}

    frame = "<iframe srcdoc='" + "x" * notebook_page.MAX_HTML + "'></iframe>"
    book = {
        "cells": [
            {"cell_type": "markdown", "source": ["# Title\n", "[rules](rules.md)"]},
            code("print(1)", {"output_type": "stream", "text": ["1\n"]}),
            code("x", {"output_type": "execute_result", "data": {"text/plain": "```"}}),
            code("y", {"output_type": "execute_result", "data": {"text/html": "<b>y</b>"}}),
            code("z", {"output_type": "execute_result", "data": {"image/svg+xml": "<svg/>"}}),
            code("r", {"output_type": "execute_result", "data": {"text/html": frame}}),
        ]
    }
    out = tmp_path / "notebooks/first.md"
    notebook_page.page(book, out, lambda text: text.replace("rules.md", "turned.md"))
    text = out.read_text("utf-8")
    assert text.startswith("# Title\n[rules](turned.md)\n")
    assert "```python\nprint(1)\n```\n\n```text\n1\n```\n" in text
    assert "````text\n```\n````\n" in text
    assert "```{raw} html\n<b>y</b>\n```\n" in text
    assert "![](first-4-0.svg)" in text
    assert (tmp_path / "notebooks/first-4-0.svg").read_text("utf-8") == "<svg/>"
    assert 'src="../_static/first-5-0.html"' in text
    assert frame in (tmp_path / "_static/first-5-0.html").read_text("utf-8")
