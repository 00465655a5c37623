"""The invented engines are whole: every tensor is written before it is read, names are unique."""

import engine_shapes
import pytest


@pytest.mark.parametrize("shape", engine_shapes.SHAPES)
@pytest.mark.parametrize("count", [1, 2, 9, 333, 1000])
def test_engine(shape, count):
    records = list(engine_shapes.SHAPES[shape](count))
    assert len(records) == count
    assert len({record["Name"] for record in records}) == count
    known = set(engine_shapes.INPUTS[shape])
    for record in records:
        assert {port["Name"] for port in record["Inputs"]} <= known
        known |= {port["Name"] for port in record["Outputs"]}


def test_hubs_are_read_by_many():
    records = list(engine_shapes.hubs(2000))
    readers = sum(port["Name"] == "mask" for record in records for port in record["Inputs"])
    assert readers > 400
    assert max(len(record["Inputs"]) for record in records) == 48


def test_branches_write_one_tensor():
    writers = [port["Name"] for record in engine_shapes.branchy(200) for port in record["Outputs"]]
    assert writers.count("/mix0/Concat_output_0") == 4
