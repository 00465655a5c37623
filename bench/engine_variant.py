"""The same engine, changed: what another build of one model does, with the truth about it.

changed() takes the layers of engine_shapes and changes some of them, each in one of these ways:

rename     another name, and another operation that it stems from
retactic   another kernel
precision  a reformat to INT8 in front, and reads it
insert     a reformat in front
remove     gone, where what it reads and writes has the same dims
fuse       does what the pointwise layer behind it did, too
split      its activation is a layer of its own
replace    does something else with the same inputs and outputs
double     a second one like it behind it
swap       runs after the layer behind it, where that does not need it

The truth says which layers are which: {"runs": [[a, b, length]], "changes": [{"kind", "a", "b"}]}.
Pairs within one change (a fused layer and one of its parts) are neither right nor wrong, nor is
what one change took away with what the change beside it brought: together they are a replacement.
"""

import copy
import random
from collections import Counter

INT8 = "Thirty-two wide channel vectorized row major Int8 format"
PRODUCTS = ("CaskConvolution", "MatrixMultiply")


def changed(records: list[dict], fraction: float, seed: int) -> tuple[list[dict], dict]:
    """The changed layers and the truth; the same arguments give the same result."""
    chance = random.Random(seed)  # noqa: S311
    return Change(records, chance).run(round(fraction * len(records)))


class Change:
    """One run over the layers of an engine."""

    def __init__(self, records: list[dict], chance: random.Random) -> None:
        self.records = records
        self.chance = chance
        self.writers = Counter(port["Name"] for one in records for port in one["Outputs"])
        self.readers = Counter(port["Name"] for one in records for port in one["Inputs"])
        self.renamed: dict[str, str] = {}  # tensors that are no longer written
        self.result: list[dict] = []
        self.runs: list[list[int]] = []
        self.changes: list[dict] = []
        # Layers that changes without a gap between them took away, and brought.
        self.gone: list[int] = []
        self.new: list[int] = []

    def run(self, count: int) -> tuple[list[dict], dict]:
        chosen = set(self.chance.sample(range(len(self.records)), count))
        at = 0
        while at < len(self.records):
            kind = self.chance.choice(self.kinds(at)) if at in chosen else "keep"
            if kind == "keep":
                self.end_stretch()
            at += getattr(self, kind)(at) or 1
        self.end_stretch()
        return self.result, {"runs": self.runs, "changes": self.changes}

    def end_stretch(self) -> None:
        if self.gone and self.new:
            self.note("beside", self.gone, self.new)
        self.gone, self.new = [], []

    def kinds(self, at: int) -> list[str]:
        record = self.records[at]
        kinds = ["rename", "retactic", "replace"]
        if not record["Inputs"]:
            return kinds
        kinds += ["insert", "precision", "double"]
        if self.is_removable(at):
            kinds.append("remove")
        if record["LayerType"] in PRODUCTS and self.is_only_writer(record):
            kinds.append("split")
            if self.feeds_next(at) and self.records[at + 1]["LayerType"] == "ElementWise":
                kinds.append("fuse")
        if self.may_swap(at):
            kinds.append("swap")
        return kinds

    def is_only_writer(self, record: dict) -> bool:
        return len(record["Outputs"]) == 1 and self.writers[record["Outputs"][0]["Name"]] == 1

    def is_removable(self, at: int) -> bool:
        record = self.records[at]
        return (
            at + 1 < len(self.records)
            and self.is_only_writer(record)
            and record["Inputs"][0]["Dimensions"] == record["Outputs"][0]["Dimensions"]
        )

    def feeds_next(self, at: int) -> bool:
        name = self.records[at]["Outputs"][0]["Name"]
        return (
            at + 2 < len(self.records)
            and self.readers[name] == 1
            and any(port["Name"] == name for port in self.records[at + 1]["Inputs"])
        )

    def may_swap(self, at: int) -> bool:
        """The last layer stays, as it writes the engine's output."""
        if at + 2 >= len(self.records):
            return False
        record, behind = self.records[at], self.records[at + 1]
        written = {port["Name"] for port in record["Outputs"]}
        return not written & {port["Name"] for port in behind["Inputs"] + behind["Outputs"]}

    def add(self, record: dict) -> int:
        """Adds a layer; returns where it stands."""
        self.result.append(record)
        return len(self.result) - 1

    def taken(self, at: int) -> dict:
        """The layer, reading what is written now."""
        record = copy.deepcopy(self.records[at])
        for port in record["Inputs"]:
            port["Name"] = self.renamed.get(port["Name"], port["Name"])
        return record

    def same(self, a: int, b: int) -> None:
        last = self.runs[-1] if self.runs else None
        if last and last[0] + last[2] == a and last[1] + last[2] == b:
            last[2] += 1
        else:
            self.runs.append([a, b, 1])

    def note(self, kind: str, a: list[int], b: list[int]) -> None:
        self.changes.append({"kind": kind, "a": a, "b": b})

    def keep(self, at: int) -> None:
        self.same(at, self.add(self.taken(at)))

    def rename(self, at: int) -> None:
        record = self.taken(at)
        record["Name"] += " renamed"
        record["Metadata"] = f"[ONNX Layer: /renamed/{at}]"
        self.note("rename", [at], [len(self.result)])
        self.same(at, self.add(record))

    def retactic(self, at: int) -> None:
        record = self.taken(at)
        record["TacticValue"] = "0x00000000000abcde"
        record["TacticName"] = "another_" + record.get("TacticName", "kernel")
        self.note("retactic", [at], [len(self.result)])
        self.same(at, self.add(record))

    def insert(self, at: int) -> None:
        self.put_reformat_before(at, "insert", None)

    def precision(self, at: int) -> None:
        self.put_reformat_before(at, "precision", INT8)

    def put_reformat_before(self, at: int, kind: str, layout: str | None) -> None:
        record = self.taken(at)
        source = record["Inputs"][0]
        target = copy.deepcopy(source)
        target["Name"] = f"Reformatted Input Tensor 0 to {record['Name']} again"
        target["Format/Datatype"] = layout or source["Format/Datatype"]
        record["Inputs"][0] = target
        inserted = {
            "Name": f"Reformatting CopyNode for Input Tensor 0 to {record['Name']} again",
            "LayerType": "Reformat",
            "Inputs": [source],
            "Outputs": [target],
            "ParameterType": "Reformat",
            "Origin": "QDQ" if layout else "REFORMAT",
            "TacticValue": "0x00000000000003e8",
            "StreamId": 0,
            "Metadata": "",
        }
        first = self.add(inserted)
        self.note(kind, [at], [first, first + 1])
        self.same(at, self.add(record))

    def double(self, at: int) -> None:
        first, second = self.taken(at), self.taken(at)
        between = copy.deepcopy(second["Outputs"])
        for port in between:
            port["Name"] += " once"
        first["Outputs"] = between
        if second["Inputs"][0]["Dimensions"] == between[0]["Dimensions"]:
            second["Inputs"][0] = copy.deepcopy(between[0])
        else:
            second["Inputs"].append(copy.deepcopy(between[0]))
        second["Name"] += " again"
        second["Metadata"] = f"[ONNX Layer: /again/{at}]"
        both = [self.add(first), self.add(second)]
        self.note("double", [at], both)
        self.gone.append(at)
        self.new += both

    def remove(self, at: int) -> None:
        record = self.taken(at)
        self.renamed[record["Outputs"][0]["Name"]] = record["Inputs"][0]["Name"]
        self.note("remove", [at], [])
        self.gone.append(at)

    def split(self, at: int) -> None:
        record = self.taken(at)
        name, output = record["Name"], record["Outputs"][0]
        inner = {**output, "Name": f"{output['Name']} inner"}
        record["Outputs"] = [inner]
        activation = {
            "Name": f"{name} activation",
            "LayerType": "ElementWise",
            "Inputs": [inner],
            "Outputs": [output],
            "ParameterType": "ElementWise",
            "ElementWiseType": "RELU",
            "TacticValue": "0x0000000000000001",
            "StreamId": 0,
            "Metadata": "",
        }
        first = self.add(record)
        self.same(at, first)
        self.new.append(self.add(activation))
        self.note("split", [at], [first, first + 1])

    def fuse(self, at: int) -> int:
        record, behind = self.taken(at), self.taken(at + 1)
        inner = record["Outputs"][0]["Name"]
        record["Inputs"] += [port for port in behind["Inputs"] if port["Name"] != inner]
        record["Outputs"] = behind["Outputs"]
        record["Name"] += f" + {behind['Name']}"
        record["Metadata"] += f"\x1e{behind['Metadata']}"
        self.note("fuse", [at, at + 1], [self.add(record)])
        self.gone += [at, at + 1]
        self.new.append(len(self.result) - 1)
        return 2

    def replace(self, at: int) -> None:
        record = self.taken(at)
        record["Name"] = f"replaced {at}"
        record["Metadata"] = f"[ONNX Layer: /replaced/{at}]"
        if record["LayerType"] == "CaskConvolution":
            size = record["Kernel"][0] + 2
            record["Kernel"] = [size, size]
            record["PrePadding"] = record["PostPadding"] = [size // 2, size // 2]
            weights = record["Weights"]["Count"] // (size - 2) ** 2 * size * size
            record["Weights"] = {**record["Weights"], "Count": weights}
        else:
            record["LayerType"] = "PluginV2"
            record["ParameterType"] = "PluginV2"
        self.gone.append(at)
        self.new.append(self.add(record))
        self.note("replace", [at], self.new[-1:])

    def swap(self, at: int) -> int:
        first, second = self.taken(at), self.taken(at + 1)
        behind = self.add(second)
        self.same(at, self.add(first))
        self.same(at + 1, behind)
        self.note("swap", [], [])
        return 2
