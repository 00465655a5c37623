"""Tables: columns that other libraries can use without a copy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from planex import _core
from planex._html import table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

# Rows that a notebook shows.
_SHOWN_ROWS = 10


class Column(NamedTuple):
    """Description of a column."""

    name: str
    #: int64, double, text, list (of int64) or bool.
    type: str
    #: ms, us, bytes, ratio, count, flop/byte, or empty.
    unit: str
    description: str


class Table:
    """A table of an engine, or the rows of a query.

    It never changes. Libraries that support Arrow's PyCapsule interface accept it directly:
    ``polars.DataFrame(table)``, ``pyarrow.table(table)``, ``duckdb.sql("FROM table")``. Number
    columns of an engine's own tables are not copied then. A table keeps what it needs, so the
    engine can be deleted.

    Unknown values are null, never 0 and never NaN.

    Examples
    --------
    >>> import planex
    >>> layers = planex.open("examples/engines/resnet18-a100-qat").layers
    >>> len(layers)
    37
    >>> layers.columns[:4]
    ('layer_id', 'role', 'profile_index', 'name')
    >>> layers.schema["median_ms"].unit
    'ms'
    """

    __slots__ = ("_handle", "_schema", "name")

    def __init__(self, handle: object, name: str) -> None:
        """For internal use; tables come from engines."""
        self._handle = handle
        self._schema: dict[str, Column] | None = None
        #: Name of the table; ``query`` for the rows of a query.
        self.name = name

    @property
    def schema(self) -> Mapping[str, Column]:
        """Name, type, unit and description of each column, by name."""
        if self._schema is None:
            self._schema = {row[0]: Column(*row) for row in _core.columns(self._handle)}
        return self._schema

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(row[0] for row in _core.columns(self._handle))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self), len(self.columns)

    def __len__(self) -> int:
        return _core.row_count(self._handle)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        columns, step = self.columns, 1000
        for first in range(0, len(self), step):
            for row in _core.rows(self._handle, first, step):
                yield dict(zip(columns, row, strict=True))

    def to_pylist(self) -> list[dict[str, Any]]:
        """All rows as dictionaries; for many rows a frame is faster.

        Returns
        -------
        list of dict
            One per row.

        Examples
        --------
        >>> import planex
        >>> engine = planex.open("examples/engines/resnet18-a100-qat")
        >>> engine.sql("SELECT type, count(*) AS n FROM work_layers GROUP BY type").to_pylist()[0]
        {'type': 'Convolution', 'n': 21}
        """
        return list(self)

    # --- Arrow ------------------------------------------------------------------------------------

    def __arrow_c_schema__(self) -> object:
        return _core.arrow_schema(self._handle)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return _core.arrow_array(self._handle)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _core.arrow_stream(self._handle)

    def to_arrow(self) -> pyarrow.Table:
        """As a pyarrow table; numbers are not copied. Needs pyarrow.

        Returns
        -------
        pyarrow.Table
            The same columns.

        Examples
        --------
        >>> import planex
        >>> layers = planex.open("examples/engines/resnet18-a100-qat").layers
        >>> layers.to_arrow().column("median_ms").null_count
        0
        """
        import pyarrow

        # pyarrow.table(self) would import pandas, to check whether this is a data frame.
        return pyarrow.RecordBatchReader.from_stream(self).read_all()

    def to_polars(self) -> polars.DataFrame:
        """As a polars data frame; numbers are not copied. Needs polars.

        Returns
        -------
        polars.DataFrame
            The same columns.

        Examples
        --------
        >>> import planex
        >>> layers = planex.open("examples/engines/resnet18-a100-qat").layers
        >>> layers.to_polars()["median_ms"].dtype
        Float64
        """
        import polars

        return polars.DataFrame(self)

    def to_pandas(self) -> pandas.DataFrame:
        """As a pandas data frame. Needs pandas and pyarrow.

        Integers with nulls become pandas' ``Int64``, so that they stay integers; integers without
        are ``int64``. Unknown reals are NaN, as usual in pandas.

        Returns
        -------
        pandas.DataFrame
            The same columns.

        Examples
        --------
        >>> import planex
        >>> frame = planex.open("examples/engines/resnet18-a100-qat").layers.to_pandas()
        >>> frame.groupby("type")["median_ms"].sum().round(3).to_dict()["Reformat"]
        0.279
        """
        import pandas
        import pyarrow

        table = self.to_arrow()
        series: dict[str, Any] = {}
        for name, column in zip(table.column_names, table.columns, strict=True):
            whole = pyarrow.types.is_integer(column.type) and column.null_count > 0
            series[name] = column.to_pandas(
                types_mapper={column.type: pandas.Int64Dtype()}.get if whole else None
            )
        return pandas.DataFrame(series, copy=False)

    # --- Display ----------------------------------------------------------------------------------

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<planex.Table {self.name}: {rows} rows, {columns} columns>"

    def _repr_html_(self) -> str:
        heads = [(column.name, column.description) for column in self.schema.values()]
        count = len(self)
        more = f", the first {_SHOWN_ROWS} shown" if count > _SHOWN_ROWS else ""
        rows = _core.rows(self._handle, 0, _SHOWN_ROWS)
        return table(heads, rows, f"{self.name}: {count} rows{more}")
