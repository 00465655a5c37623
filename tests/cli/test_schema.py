"""planex schema: documents describe themselves."""

import json
import shutil
import subprocess

import jsonschema
import pytest

from unmet import unmet


@pytest.fixture(scope="module")
def documents(planex):
    return planex("schema", "--documents").stdout.split()


def test_every_document_has_a_schema(planex, documents):
    assert "planex.lint/2" in documents and "planex.plan/1" in documents
    assert documents == sorted(documents)
    for document in documents:
        schema = json.loads(planex("schema", document).stdout)
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["$id"] == document
        # By its short name, too.
        name = document.removeprefix("planex.").partition("/")[0]
        assert json.loads(planex("schema", name).stdout) == schema


def test_unknown_documents_name_the_nearest(planex):
    result = planex("schema", "planex.lnt/2", code=2)
    assert "planex.lint/2" in result.stderr


def test_types_compile(planex, root, tmp_path):
    """As strict TypeScript, and a program that uses them wrongly does not."""
    compiler = root / "web/node_modules/.bin/tsc"
    if not compiler.is_file() or not shutil.which("node"):
        unmet("no TypeScript compiler: tools/setup.sh")
    planex("schema", "--types", "typescript", "-o", tmp_path / "planex.ts")

    def compiles(text: str) -> bool:
        (tmp_path / "use.ts").write_text(text)
        words = ["--noEmit", "--strict", "--noUnusedLocals", "use.ts"]
        return subprocess.run([compiler, *words], cwd=tmp_path, check=False).returncode == 0

    use = "import type { Lint } from './planex';\nexport function gain(of: Lint): number {\n"
    assert compiles(use + "  return of.estimated_ms ?? 0;\n}\n")
    assert not compiles(use + "  return of.estimated_ms;\n}\n"), "it may be null"
    assert not compiles(use + "  return of.estimated_us ?? 0;\n}\n"), "there is no such field"
