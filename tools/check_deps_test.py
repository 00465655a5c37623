"""Tests of check_deps.py on small made-up trees."""

import pytest

import check_deps


@pytest.fixture
def tree(tmp_path):
    """Writes files ({path: text}) with a fitting ARCHITECTURE.md; returns what check() says."""

    def run(files, architecture=None):
        folders = set()
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            parts = name.split("/")
            folders.add("/".join(parts[:2] if parts[0] == "src" else parts[:1]) + "/")
        if architecture is None:
            architecture = "".join(f"{folder}  something\n" for folder in sorted(folders))
        (tmp_path / "ARCHITECTURE.md").write_text(architecture)
        return [str(v) for v in check_deps.check(tmp_path)]

    return run


@pytest.mark.parametrize(
    ("file", "include"),
    [
        ("src/base/text.h", "<fmt/format.h>"),
        ("src/model/a.cc", '"base/text.h"'),
        ("src/model/a.cc", '"src/base/text.h"'),
        ("src/model/a.cc", '"model/schema.h"'),
        ("src/model/a.cc", '"beside.h"'),
        ("src/model/a.h", '"planex/error.h"'),
        ("src/model/a.cc", "<vector>"),
        ("src/lint/a.cc", '"graph/graph.h"'),
        ("src/render/html/a.cc", '"analyze/summary.h"'),
        ("src/cli/main.cc", '"session/session.h"'),
        ("src/cli/main.cc", "<CLI/CLI.hpp>"),
        ("src/cli/main.cc", "<unistd.h>"),
        ("src/ingest/tensorrt/a.cc", "<simdjson.h>"),
        ("src/ingest/a.h", "<simdjson.h>"),
        ("src/ingest/discover/registry.cc", '"ingest/tensorrt/a.h"'),
        ("src/ingest/tensorrt/a.cc", '"ingest/tensorrt/b.h"'),
        ("src/ingest/tensorrt/a.cc", '"ingest/importer.h"'),
        ("src/ingest/tensorrt/a_test.cc", "<gtest/gtest.h>"),
        ("src/base/a_bench.cc", "<benchmark/benchmark.h>"),
        ("src/drive/openvino_driver/main.cc", "<openvino/openvino.hpp>"),
        ("src/drive/openvino_driver.cc", "<openvino/openvino.hpp>"),
        ("src/drive/openvino_driver/main.cc", '"drive/openvino_driver/times.h"'),
        ("tests/e2e/a.cc", "<simdjson.h>"),
        ("bench/a.cc", '"ingest/tensorrt/a.h"'),
        ("include/planex/a.h", "<string>"),
        ("include/planex/a.h", '"planex/b.h"'),
    ],
)
def test_allowed(tree, file, include):
    assert tree({file: f"#include {include}\n"}) == []


@pytest.mark.parametrize(
    ("file", "include", "says"),
    [
        ("src/base/a.cc", '"model/schema.h"', "base may only include nothing"),
        (
            "src/analyze/a.cc",
            '"lint/rule.h"',
            "analyze may only include base, engines, model, graph",
        ),
        (
            "src/lint/a.cc",
            '"analyze/summary.h"',
            "lint may only include base, engines, model, graph",
        ),
        ("src/render/a.cc", '"ingest/importer.h"', "render may only include"),
        ("src/drive/a.cc", '"model/schema.h"', "drive may only include base"),
        ("src/session/a.cc", '"cli/main.h"', "session may only include"),
        ("src/session/a.cc", '"ingest/tensorrt/a.h"', "only ingest/tensorrt itself"),
        ("src/ingest/openvino/a.cc", '"ingest/tensorrt/a.h"', "only ingest/tensorrt itself"),
        ("src/ingest/a.cc", '"ingest/tensorrt/a.h"', "only ingest/tensorrt itself"),
        ("src/model/a.cc", '"../base/text.h"', 'without ".."'),
        ("src/model/a.cc", '"helpers/text.h"', "belongs to no module"),
        ("src/model/a.cc", "<simdjson.h>", "may only be included by src/arrays/, src/ingest/"),
        ("src/model/a.cc", '"simdjson.h"', "may only be included by src/arrays/, src/ingest/"),
        ("src/model/a.cc", "<fmt/format.h>", "may only be included by src/base/"),
        ("src/model/a.cc", "<sys/stat.h>", "operating system"),
        ("src/model/a.cc", "<gtest/gtest.h>", "for tests only"),
        ("src/model/a.cc", "<benchmark/benchmark.h>", "for benchmarks only"),
        ("src/model/a.cc", "<boost/json.hpp>", "a new library is a row"),
        ("src/drive/a.cc", "<openvino/openvino.hpp>", "src/drive/openvino_driver"),
        ("src/drive/openvino_driver/a.cc", '"drive/run.h"', "may only include base"),
        ("include/planex/a.h", '"base/text.h"', "public headers"),
        ("include/planex/a.h", "<fmt/format.h>", "public headers"),
        ("src/helpers/a.cc", "<vector>", "has no row"),
    ],
)
def test_forbidden(tree, file, include, says):
    (found,) = tree({file: f"// A comment.\n\n#include {include}\n"})
    line = 1 if "has no row" in says else 3
    assert found.startswith(f"{file}:{line}: ")
    assert says in found


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("web/src/views/flow/index.ts", 'import { a } from "../../public/view";'),
        ("web/src/views/flow/index.ts", 'import { a } from "./parts/b";'),
        ("web/src/views/flow/index.ts", 'import "./flow.css";'),
        ("web/src/views/flow/index_test.ts", 'import { test } from "vitest";'),
        ("web/src/views/index.ts", 'import { flow } from "./flow";'),
        ("web/src/main.ts", 'import { views } from "./views";'),
        ("web/src/main.ts", 'import { views } from "./views/index";'),
        ("web/src/public/plot/treemap.ts", 'import { treemap } from "d3-hierarchy";'),
        ("web/src/public/chart.ts", 'import { a } from "../base/text";'),
        ("web/src/public/plot/pen.ts", 'import { a } from "../../base/text";'),
        ("web/src/layout/a_test.ts", 'import { a } from "../public/test_layout";'),
    ],
)
def test_web_allowed(tree, file, line):
    assert tree({file: line + "\n"}) == []


@pytest.mark.parametrize(
    ("file", "line", "says"),
    [
        ("web/src/views/flow/index.ts", 'import { a } from "../memory";', "knows the views"),
        ("web/src/views/flow/index.ts", 'import { a } from "../flow2/x";', "knows the views"),
        ("web/src/views/flow/index.ts", 'import { a } from "../index";', "knows the views"),
        (
            "web/src/views/flow/index.ts",
            'import { a } from "../../model/t";',
            "public, base, drawing",
        ),
        (
            "web/src/views/flow/index.ts",
            'import type { A } from "../../model/t";',
            "public, base, drawing",
        ),
        ("web/src/views/flow/index.ts", '} from "../../layout/t";', "base, drawing"),
        (
            "web/src/views/flow/index.ts",
            'import * as e from "d3-hierarchy";',
            "imports no packages",
        ),
        ("web/src/base/text.ts", 'import { a } from "../model/t";', "may only import nothing"),
        ("web/src/public/plot/pen.ts", '} from "../../drawing/t";', "public may only import"),
        ("web/src/layout/a.ts", 'import { a } from "../views/flow";', "knows the views"),
        ("web/src/main.ts", 'const v = await import("./views/flow");', "knows the views"),
    ],
)
def test_web_forbidden(tree, file, line, says):
    (found,) = tree({file: f"\n{line}\n"})
    assert found.startswith(f"{file}:2: ")
    assert says in found


def test_folders_of_a_module_form_no_ring(tree):
    files = {
        "src/lint/run.cc": '#include "lint/rules/rule.h"\n',
        "src/lint/rules/rule.h": '\n#include "lint/text/words.h"\n',
        "src/lint/text/words.h": '#include "lint/run.h"\n',
        "src/lint/run.h": "",
        "src/lint/alone/a.cc": '#include "lint/run.h"\n',
    }
    circle = "src/lint → src/lint/rules → src/lint/text → src/lint"
    assert tree(files) == [
        f"src/lint/rules/rule.h:2: src/lint/rules needs src/lint/text, and so folders need "
        f"each other: {circle}",
        f"src/lint/run.cc:1: src/lint needs src/lint/rules, and so folders need each "
        f"other: {circle}",
        f"src/lint/text/words.h:1: src/lint/text needs src/lint, and so folders need each "
        f"other: {circle}",
    ]


def test_a_test_may_close_the_ring(tree):
    files = {
        "src/lint/run.cc": '#include "lint/rules/rule.h"\n',
        "src/lint/rules/rule.h": "",
        "src/lint/run.h": "",
        "src/lint/rules/rule_test.cc": '#include "lint/run.h"\n',
    }
    assert tree(files) == []


def test_web_folders_form_no_ring(tree):
    files = {
        "web/src/public/grid/a.ts": "import { b } from '../page/b.ts';\n",
        "web/src/public/page/b.ts": "import { c } from '../grid/c.ts';\n",
        "web/src/public/grid/c.ts": "",
    }
    assert [message.split(":")[0] for message in tree(files)] == [
        "web/src/public/grid/a.ts",
        "web/src/public/page/b.ts",
    ]


@pytest.mark.parametrize(
    ("line", "is_ring"),
    [
        ("from planex import _open", True),
        ("from planex._open import open", True),
        ("import planex._open", True),
        ("if TYPE_CHECKING:\n    from planex._open import open", False),
        ("def later():\n    from planex._open import open", False),
        ("try:\n    from planex import _open\nexcept ImportError:\n    pass", True),
    ],
)
def test_python_modules_form_no_ring(tree, line, is_ring):
    files = {
        "python/planex/__init__.py": "from planex._engine import Engine\n",
        "python/planex/_engine.py": f"{line}\n",
        "python/planex/_open.py": "from ._engine import Engine\n",
    }
    assert [message.split(":")[0] for message in tree(files)] == (
        ["python/planex/_engine.py", "python/planex/_open.py"] if is_ring else []
    )


def test_libraries_do_not_leak_through_headers(tree):
    files = {
        "src/ingest/json.h": "#include <zip.h>\n",
        "src/ingest/reader.h": '\n#include "ingest/json.h"\n',
        "src/ingest/a.cc": '#include "ingest/reader.h"\n',
        "src/base/text.h": "#include <fmt/format.h>\n",
        "src/session/b.cc": '#include "base/text.h"\n',
    }
    assert tree(files) == []
    files["src/session/b.cc"] += '#include "ingest/reader.h"\n'
    assert tree(files) == [
        "src/session/b.cc:2: src/ingest/reader.h hands on <zip.h>, which only "
        "src/archive/, src/arrays/, src/ingest/ may see"
    ]


def test_length(tree):
    assert tree({"src/base/a.cc": "\n" * 800}) == []
    assert "801 lines" in tree({"src/base/a.cc": "\n" * 801})[0]
    assert tree({"src/base/a.cc": "// @generated from x\n" + "\n" * 900}) == []


def test_architecture(tree):
    files = {"src/base/a.cc": "", "include/planex/a.h": "", "docs/a.md": ""}
    good = "# Title\n\n- `src/base/`: basics\n| `include/planex/` | API |\ndocs/  documents\n"
    assert tree(files, good) == []
    assert tree(files, good + "docs/  again\n") == [
        "ARCHITECTURE.md:6: docs/ has a line already, line 5"
    ]
    assert tree(files, good + "web/src/  pages\n") == ["ARCHITECTURE.md:6: web/src/ does not exist"]
    assert tree(files, good.replace("docs/", "docs")) == [
        "ARCHITECTURE.md:1: docs/ has no line; say in one what it is for"
    ]


def test_hidden_and_built_files_do_not_count(tree, tmp_path):
    bad = "#include <boost/json.hpp>\n"
    assert tree({"src/base/a.cc": "", "build/src/base/a.cc": bad}, "src/base/  basics\n") == []
    assert tree({"web/build/a.h": bad}, "src/base/  basics\nweb/  pages\n") != []
    (tmp_path / "web/build/a.h").unlink()
    assert tree({".venv/a.h": bad}, "src/base/  basics\n") == []


def test_exit_code(tree, tmp_path, capsys):
    tree({"src/base/a.cc": "#include <boost/json.hpp>\n"})
    assert check_deps.main(["check_deps.py", str(tmp_path)]) == 1
    assert "src/base/a.cc:1: <boost/json.hpp>" in capsys.readouterr().out
