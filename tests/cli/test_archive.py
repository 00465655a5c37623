"""planex archive and verify: capsules are whole, the same each time, and redacted where asked."""

from __future__ import annotations

import json
import pathlib
import re
import shutil
import subprocess
import zipfile

import pytest

PLAN = "resnet18-a100-qat"
WITH_MODEL = "rtx1.7-conditional"

# Words for what any network has. A name of nothing else tells what the type tells as well.
WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        add adder aten attention average avgpool bias cast clip concat conditional const
        constant conv conv1d conv2d convert convolution copy cos copynode default
        dequantizelinear div else elementwise erf exp expand final flatten foreignnode
        for gather gemm global globalaveragepool if identity image input inputs layer
        loop lstm lin linear log matmul matrix max maxpool maxpool2d mean model mul
        multiply myelin nms nonmaxsuppression ops output outputs parameter permute plan
        pool pool2d pooling pow pwn quantizelinear reduce reducemax reducemean reducesum
        reformatting relu reshape resize result shape shuffle sigmoid sin slice softmax
        split sqrt squeeze sub sum tanh tensor then to topk transpose unnamed unsqueeze
        where x y z
        """,
    )
)
# Myelin makes its names of codes of operations and numbers.
OF_MYELIN = re.compile(r"(\+?__my[el]\w*)+|_gemm_mha\w*")


def tells_nothing(name):
    """Words alone, or what TensorRT calls what has no name: "(Unnamed Layer* 3) [Softmax]"."""
    numbered = r"\(Unnamed L\w+\* \d+\)|Tensor \d+ to|_myl\d+_\d+|ElementWise \d+_to|_1_output"
    words = re.findall(r"[A-Za-z]+\dd|[A-Za-z]+|\d+", re.sub(numbered, "", name))
    if not re.search("[A-Za-z]", name):
        return True
    return all(word.lower() in WORDS for word in words) or OF_MYELIN.fullmatch(name)


def every_engine(planex, data):
    """A path for each engine of the data, also where a folder has several."""
    for name in ("engines", "engines-2"):
        for folder in sorted((data / name).iterdir()):
            if not folder.is_dir():
                continue
            result = planex("summary", folder, code=None)
            if result.returncode == 0:
                yield folder
            else:
                yield from map(pathlib.Path, re.findall(r"^\s+(/\S+)$", result.stderr, re.M))


def summary(planex, path):
    document = json.loads(planex("summary", path, "--format", "json").stdout)
    # These are of files beside the engine: where they are, and which would tell more.
    return document


def without_paths(document, *paths):
    text = json.dumps(document)
    for path in sorted(map(str, paths), key=len, reverse=True):
        text = text.replace(path, "PLAN")
    return json.loads(text)


def members_of(path):
    with zipfile.ZipFile(path) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def rewritten(path, target, change):
    """A copy of an archive, its members changed by change(dict)."""
    members = members_of(path)
    change(members)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in members.items():
            opened.writestr(name, content)
    return target


@pytest.fixture
def capsule(planex, engines, tmp_path):
    planex("archive", engines / PLAN, "-o", tmp_path / "run.planex")
    return tmp_path / "run.planex"


def test_every_engine_is_the_same_in_its_capsule(planex, data, tmp_path):
    count = 0
    for engine in every_engine(planex, data):
        target = tmp_path / f"{count}.planex"
        planex("archive", engine, "-o", target)
        planex("verify", target)
        folder = engine if engine.is_dir() else engine.parent
        before = without_paths(summary(planex, engine), f"{folder}/")
        after = without_paths(summary(planex, target), f"{target}/")
        for document in (before, after):
            # What commands would write beside it.
            for piece in document["missing"]:
                piece["command"] = ""
        assert after == before, engine
        count += 1
    assert count >= 55


def test_redacted_engines_have_their_numbers_and_no_name(planex, data, tmp_path):
    count = 0
    for engine in every_engine(planex, data):
        target = tmp_path / f"{count}.planex"
        planex("archive", engine, "--redact", "--salt", "s", "-o", target)
        planex("verify", target)
        before, after = summary(planex, engine), summary(planex, target)
        assert numbers(after) == numbers(before), engine
        content = b"\n".join(members_of(target).values())
        text = content.decode()
        assert left_in(text, names_of(planex, engine)) == [], engine
        assert b"/work" not in content and str(engine.parent) not in text
        count += 1
    assert count >= 55


def numbers(document):
    """The figures of a summary, without what names, messages and commands say."""
    names = {"missing", "headline", "diagnostics", "bindings", "name", "message"}

    def walk(value):
        if isinstance(value, dict):
            return {key: walk(item) for key, item in value.items() if key not in names}
        if isinstance(value, list):
            return [walk(item) for item in value]
        return None if isinstance(value, str) else value

    return walk(document)


def names_of(planex, engine):
    plan = json.loads(planex("export", engine, "--format", "plan").stdout)
    names = {plan["engine"]["name"]}
    for layer in plan["layers"]:
        names.add(layer["name"])
        for key in ("inputs", "outputs", "constants"):
            for port in layer.get(key, []):
                names.add(port if isinstance(port, str) else port.get("tensor"))
        for source in layer.get("sources", []):
            names.add(source if isinstance(source, str) else source.get("op_name"))
    for operation in plan.get("operations", []):
        names.add(operation.get("name"))
        for key in ("inputs", "outputs"):
            for port in operation.get(key, []):
                names.add(port if isinstance(port, str) else port.get("tensor"))
    names |= {binding["name"] for binding in plan.get("bindings", [])}
    names |= {block.get("name") for block in plan.get("blocks", [])}
    for row in plan.get("metadata", []):
        names |= set(re.findall(r"GPU-[0-9a-f-]{36}", row.get("value") or ""))
        names.add(row.get("file"))
        names |= set(re.findall(r"[\w.-]+\.(?:onnx|plan|engine|so)\b", row.get("value") or ""))
    files = engine.iterdir() if engine.is_dir() else [engine]
    names |= {file.name for file in files if file.name not in ("README.md", "source.txt")}
    return {name for name in names - {None} if len(name) >= 4 and not tells_nothing(name)}


def left_in(text, names):
    """Names that stand in a text, not as a part of a longer word."""
    alone = r"(?<![A-Za-z0-9_]){}(?![A-Za-z0-9_])"
    return [
        name for name in names if name in text and re.search(alone.format(re.escape(name)), text)
    ]


def test_same_bytes_each_time(planex, engines, capsule, tmp_path):
    again = tmp_path / "again.planex"
    planex("archive", engines / PLAN, "-o", again, cwd="/", env={"TZ": "Asia/Tokyo"})
    assert again.read_bytes() == capsule.read_bytes()
    # Files from elsewhere, with other times.
    copy = tmp_path / "elsewhere" / PLAN
    shutil.copytree(engines / PLAN, copy, copy_function=shutil.copyfile)
    planex("archive", copy, "-o", again)
    assert again.read_bytes() == capsule.read_bytes()
    # A capsule of a capsule, and one with a name that TREx gives.
    planex("archive", capsule, "-o", again)
    assert again.read_bytes() == capsule.read_bytes()
    tea = tmp_path / "run.tea"
    planex("archive", engines / PLAN, "-o", tea)
    assert tea.read_bytes() == capsule.read_bytes()


def test_documents(planex, engines, valid, capsule, tmp_path):
    target = tmp_path / "x.planex"
    result = planex("archive", engines / PLAN, "-o", target, "--format", "json")
    document = valid(result.stdout, "archive")
    assert document["size_bytes"] == target.stat().st_size
    listed = valid(members_of(target)["capsule.json"].decode(), "capsule")
    assert listed["files"] == document["files"]
    for file in document["files"]:
        original = (engines / PLAN / file["file"]).read_bytes()
        assert members_of(target)[file["file"]] == original
    check = valid(planex("verify", target, "--format", "json").stdout, "verify")
    assert check["is_intact"] and check["sha256"] == document["sha256"]


def test_every_verb_opens_it(planex, engines, capsule, tmp_path):
    for words in (
        ["layers"],
        ["query", "select count(*) from layers"],
        ["lint"],
        ["explain", "speed"],
        ["doctor"],
        ["draw", "--format", "dot"],
        ["export", "--format", "csv"],
        ["list"],
    ):
        verb, *rest = words
        if verb in ("query", "explain"):
            result = planex(verb, *([capsule, *rest] if verb == "query" else [*rest, capsule]))
        else:
            result = planex(verb, capsule, *rest, code=None)
            assert result.returncode in (0, 1), (words, result.stderr)
        assert result.stdout
    same = planex("compare", engines / PLAN, capsule, "--format", "json").stdout
    assert json.loads(same)
    planex("report", capsule, "-o", tmp_path / "x.html")


def test_files_of_other_names_and_folders(planex, engines, tmp_path):
    source = engines / PLAN
    profile = next(source.glob("*profile.json"))
    graph = next(source.glob("*graph.json"))
    other = tmp_path / "other"
    other.mkdir()
    shutil.copyfile(graph, other / "x.json")
    (tmp_path / "third").mkdir()
    shutil.copyfile(profile, tmp_path / "third" / "x.json")
    words = [other / "x.json", "--profile", tmp_path / "third" / "x.json", "--name", "mine"]
    before = json.loads(planex("summary", *words, "--format", "json").stdout)
    capsule = tmp_path / "run.planex"
    planex("archive", *words, "-o", capsule)
    assert sorted(members_of(capsule)) == ["2-x.json", "capsule.json", "x.json"]
    after = summary(planex, capsule)
    assert numbers(after) == numbers(before)
    assert after["engine"]["name"] == before["engine"]["name"] == "mine"
    # An option still goes before what the capsule has.
    told = planex("doctor", capsule, "--profile", profile).stdout
    assert "named by --profile" in told


def test_model_without_weights(planex, engines, tmp_path):
    light, whole = tmp_path / "light.planex", tmp_path / "whole.planex"
    said = planex("archive", engines / WITH_MODEL, "-o", light).stdout
    assert "without its weights" in said
    planex("archive", engines / WITH_MODEL, "--with-weights", "-o", whole)
    model = next((engines / WITH_MODEL).glob("*.onnx"))
    assert members_of(whole)[model.name] == model.read_bytes()
    assert len(members_of(light)[model.name]) < model.stat().st_size / 4
    assert numbers(summary(planex, light)) == numbers(summary(planex, whole))


def test_altered_truncated_and_damaged(planex, valid, capsule, tmp_path):
    profile = next(name for name in members_of(capsule) if name.endswith("profile.json"))
    altered = tmp_path / "altered.planex"

    def one_digit(members):
        members[profile] = members[profile].replace(b"1", b"2", 1)

    rewritten(capsule, altered, one_digit)
    result = planex("verify", altered, code=3)
    assert re.search(
        rf"{profile}\s+altered: expected sha256 \w{{64}}, found \w{{64}}", result.stdout
    )
    document = valid(planex("verify", altered, "--format", "json", code=3).stdout, "verify")
    assert [m["file"] for m in document["members"] if m["state"] == "altered"] == [profile]
    error = planex("summary", altered, code=3).stderr
    assert f"{profile}: this member of the capsule was changed" in error.replace("\n", " ")

    missing = rewritten(capsule, tmp_path / "missing.planex", lambda members: members.pop(profile))
    assert re.search(rf"{profile}\s+missing", planex("verify", missing, code=3).stdout)
    error = planex("summary", missing, code=3).stderr
    assert f'lists "{profile}", but does not contain it' in error

    added = rewritten(
        capsule, tmp_path / "added.planex", lambda members: members.update({"extra.json": b"{}"})
    )
    assert re.search(
        r"extra.json\s+not in the capsule's list", planex("verify", added, code=3).stdout
    )

    content = capsule.read_bytes()
    for size in (10, 1000, len(content) - 30, len(content) - 1):
        cut = tmp_path / "cut.planex"
        cut.write_bytes(content[:size])
        for verb in ("verify", "summary"):
            assert planex(verb, cut, code=3).stderr.startswith("error:")
    # One bit inside of the data of a member.
    bits = bytearray(content)
    bits[len(bits) // 2] ^= 4
    damaged = tmp_path / "damaged.planex"
    damaged.write_bytes(bits)
    assert re.search("damaged|altered", planex("verify", damaged, code=3).stdout)
    planex("summary", damaged, code=3)


def test_bomb_and_escape(planex, capsule, tmp_path):
    bomb = tmp_path / "bomb.planex"
    zeros = b'{"schema":"planex.plan/1"' + b" " * (200 << 20)
    shutil.copyfile(capsule, bomb)
    with zipfile.ZipFile(bomb, "a", zipfile.ZIP_DEFLATED) as opened:
        listed = json.loads(opened.read("capsule.json"))
        listed["files"][0]["file"] = "bomb.json"
        opened.writestr("bomb.json", zeros)
    rewritten_list = tmp_path / "list.planex"
    with (
        zipfile.ZipFile(bomb) as opened,
        zipfile.ZipFile(rewritten_list, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        target.writestr("capsule.json", json.dumps(listed))
        for name in opened.namelist():
            if name != "capsule.json":
                target.writestr(name, opened.read(name))
    assert (
        "the member is too large when unpacked" in planex("verify", rewritten_list, code=3).stdout
    )
    assert (
        "the member is too large when unpacked" in planex("summary", rewritten_list, code=3).stderr
    )

    escape = tmp_path / "escape.planex"
    shutil.copyfile(capsule, escape)
    with zipfile.ZipFile(escape, "a") as opened:
        opened.writestr("../escaped.txt", "x")
    result = planex("verify", escape, code=3)
    assert '"../escaped.txt": its name points outside the archive' in result.stdout
    assert not (tmp_path.parent / "escaped.txt").exists()
    # A list that names what is outside: there is no such member.
    outside = tmp_path / "outside.planex"

    def name_outside(members):
        document = json.loads(members["capsule.json"])
        document["files"][0]["file"] = "../run.planex"
        members["capsule.json"] = json.dumps(document).encode()

    rewritten(capsule, outside, name_outside)
    planex("summary", outside, code=3)
    planex("verify", outside, code=3)


def test_list_of_another_kind(planex, capsule, tmp_path):
    def change(**values):
        def apply(members):
            document = json.loads(members["capsule.json"]) | values
            members["capsule.json"] = json.dumps(document).encode()

        return rewritten(capsule, tmp_path / "x.planex", apply)

    assert "planex.capsule" in planex("verify", change(schema="planex.capsule/9"), code=3).stderr
    assert "expected 1" in planex("summary", change(files=[]), code=3).stderr
    assert "/files" in planex("summary", change(files=[{"file": 3}]), code=3).stderr
    odd = change(files=[{"file": "a", "size_bytes": 1, "sha256": "zz", "is_engine": True}])
    assert "64 hexadecimal digits" in planex("summary", odd, code=3).stderr
    plain = tmp_path / "plain.zip"
    with zipfile.ZipFile(plain, "w") as opened:
        opened.writestr("notes.txt", "x")
    assert "not a capsule" in planex("verify", plain, code=3).stderr


def test_refusals(planex, engines, tmp_path, files_in):
    error = planex("archive", engines / PLAN, code=2).stderr
    assert "--output" in error
    error = planex("archive", engines / PLAN, "-o", tmp_path / "x.txt", code=2).stderr
    assert ".planex" in error
    error = planex("archive", engines / PLAN, engines / WITH_MODEL, "-o", "x.planex", code=2).stderr
    assert "one engine" in error
    error = planex("archive", engines / PLAN, "--salt", "x", "-o", "x.planex", code=2).stderr
    assert "--redact" in error
    planex("archive", tmp_path / "nothing", "-o", tmp_path / "x.planex", code=3)
    made = tmp_path / "run.planex"
    planex("archive", engines / PLAN, "-o", made)
    assert "overwrite" in planex("archive", made, "-o", made, code=2).stderr
    assert files_in(tmp_path) == [made]


def test_redaction_of_what_tells_who(planex, tmp_path):
    plan = {
        "schema": "planex.plan/1",
        "engine": {"name": "SecretProject", "producer": "tensorrt", "device": "NVIDIA B200"},
        "layers": [
            {
                "name": "acme/encoder0.fuse_block + Conv_17",
                "type": "AcmeFusedThing",
                "tactic": "acme_kernel_v3",
                "median_ms": 0.25,
                "mean_ms": 0.25,
                "inputs": [{"tensor": "acme_in", "dims": [1, 3], "dtype": "FP16"}],
                "outputs": [{"tensor": "größe_名前", "dims": [1, 3], "dtype": "FP16"}],
                "sources": ["Conv_17"],
                "attributes": {"acme_owner": "jdoe", "Kernel": [3, 3], "list": ["acme_in"]},
            }
        ],
        "metadata": [
            {
                "section": "host",
                "key": "hostname",
                "value": "buildbox7",
                "file": "/home/jdoe/a.json",
            },
            {
                "section": "command",
                "key": "trtexec",
                "value": "trtexec --onnx=/home/jdoe/acme.onnx",
            },
            {
                "section": "device_information",
                "key": "Device 0",
                "value": '"NVIDIA B200" UUID: GPU-93d15173-b29e-5b03-4ee8-20a903e941a2',
            },
        ],
        "diagnostics": [{"code": "odd", "severity": "info", "message": "layer acme_in of jdoe"}],
    }
    path = tmp_path / "acme.plan.json"
    path.write_text(json.dumps(plan, ensure_ascii=False))
    target = tmp_path / "x.planex"
    planex("archive", path, "--redact", "-o", target)
    text = b"\n".join(members_of(target).values()).decode()
    for word in (
        "acme",
        "Acme",
        "jdoe",
        "Secret",
        "buildbox",
        "93d15173",
        "20a903",
        "größe",
        "名前",
        "Conv_17",
        "encoder",
        "fuse",
    ):
        assert word not in text, word
    for word in ("NVIDIA B200", "Conv_", "--onnx=", '"median_ms":0.25', "FP16", '"Kernel":[3'):
        assert word in text, word
    # The same names have the same hashes, in this capsule and the next; with a salt, others.
    again = tmp_path / "y.planex"
    planex("archive", path, "--redact", "-o", again)
    assert again.read_bytes() == target.read_bytes()
    planex("archive", path, "--redact", "--salt", "ours", "-o", again)
    assert "the capsule was redacted" in planex("doctor", again).stdout
    assert "capsule of" in planex("doctor", tmp_path, code=None).stdout
    layers = [
        json.loads(members_of(file)["engine.plan.json"])["layers"][0] for file in (target, again)
    ]
    assert layers[0]["sources"][0]["op_name"] in layers[0]["name"]
    assert layers[0]["name"] != layers[1]["name"]


def test_unpacked_by_others(capsule, planex, tmp_path):
    folder = tmp_path / "unpacked"
    subprocess.run(["unzip", "-q", capsule, "-d", folder], check=True)
    assert numbers(summary(planex, folder)) == numbers(summary(planex, capsule))
