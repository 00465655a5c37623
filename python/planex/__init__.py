"""planex explains what an inference engine (TensorRT, TensorRT-RTX, OpenVINO, ONNX Runtime) does.

    import planex

    engine = planex.open("run/")
    engine.layers.to_pandas()
    engine.sql("SELECT name, median_ms FROM layers ORDER BY median_ms DESC LIMIT 10")
    engine.draw(by="heat")
    engine.report("report.html")

Times are in the unit at the end of a name, which `Table.schema` also contains: mostly ms. Unknown
values are null, never 0.
"""

from typing import TYPE_CHECKING

from planex._archive import archive, verify
from planex._core import version as _version
from planex._document import Document, Rows
from planex._engine import Engine
from planex._engines import Comparison, Engines, open_many
from planex._errors import (
    BadInputError,
    CancelledError,
    ExternalToolError,
    InternalError,
    IoError,
    NotFoundError,
    PlanexError,
    UnsupportedError,
    UsageError,
)
from planex._open import find, open
from planex._pictures import Drawing, Report
from planex._process import doctor, process
from planex._table import Column, Table
from planex._verbs import (
    accuracy,
    advise,
    cast,
    clean,
    compare,
    optimize,
    quantize,
    search,
)

if TYPE_CHECKING:
    from planex._dataset import Dataset
    from planex._ray import RayExecutor
    from planex._sweep import Sweep, sweep

__version__ = _version()

__all__ = [
    "BadInputError",
    "CancelledError",
    "Column",
    "Comparison",
    "Dataset",
    "Document",
    "Drawing",
    "Engine",
    "Engines",
    "ExternalToolError",
    "InternalError",
    "IoError",
    "NotFoundError",
    "PlanexError",
    "RayExecutor",
    "Report",
    "Rows",
    "Sweep",
    "Table",
    "UnsupportedError",
    "UsageError",
    "__version__",
    "accuracy",
    "advise",
    "archive",
    "cast",
    "clean",
    "compare",
    "doctor",
    "find",
    "open",
    "open_many",
    "optimize",
    "process",
    "quantize",
    "search",
    "sweep",
    "verify",
]

# Errors and signatures name the package, not the file that defines them.
for _name in __all__:
    if hasattr(globals().get(_name), "__module__"):
        globals()[_name].__module__ = "planex"
del _name


# Threads, hashes and executors take a third of the time of an import, and few need them.
_LATER = {
    "Dataset": "_dataset",
    "RayExecutor": "_ray",
    "Sweep": "_sweep",
    "sweep": "_sweep",
}


def __getattr__(name: str) -> object:
    if name in _LATER:
        import importlib

        value = getattr(importlib.import_module(f"planex.{_LATER[name]}"), name)
        value.__module__ = "planex"
        globals()[name] = value
        return value
    raise AttributeError(f"module 'planex' has no attribute {name!r}")
