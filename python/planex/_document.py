"""Documents: the versioned JSON that the command line writes, with access by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast, overload

from planex import _html

if TYPE_CHECKING:
    import pandas
    import polars
    from typing_extensions import TypeVar

    from planex._table import Table

    Row = TypeVar("Row", bound="Document", covariant=True, default="Document")
else:
    from typing import TypeVar

    Row = TypeVar("Row", covariant=True)

# Rows that a notebook shows.
_SHOWN_ROWS = 50


class Document(Mapping[str, Any]):
    """A JSON object: members by name, as items or as attributes.

    Objects in it are documents, too; lists of objects are :class:`Rows`. ``document["schema"]``
    contains the name and version of the document; ``planex schema DOCUMENT`` prints its schema.
    Type checkers know their members: :mod:`planex.documents` has the names of their types.

    ``str(document)`` is the text that the command line prints.

    Examples
    --------
    >>> import planex
    >>> summary = planex.open("examples/engines/resnet18-a100-qat").summary()
    >>> summary["schema"], summary.engine.producer
    ('planex.summary/2', 'tensorrt')
    >>> round(summary.time.layers_median_ms, 3)
    1.096
    """

    __slots__ = ("_data", "_html", "_place", "_render", "_rows")

    def __init__(
        self,
        data: Mapping[str, Any],
        render: Callable[[str], str] | None = None,
        place: tuple[str, str] | None = None,
        rows: Callable[[], Table] | None = None,
    ) -> None:
        """For internal use.

        `render` returns the document in another format; `place` is the schema that it is a part of,
        and its place there; `rows` returns it as a table.
        """
        self._data = data
        self._render = render
        self._place = place or (str(data.get("schema", "")), "")
        # Representation for a notebook, if that is more than Markdown or text.
        self._html: Callable[[], str] | None = None
        self._rows = rows

    def __getitem__(self, key: str) -> Any:
        schema, path = self._place
        return _wrapped(self._data[key], schema, f"{path}.{key}" if path else key)

    def __getattr__(self, name: str) -> Any:
        # Also called by copy and pickle, before `_data` exists.
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            members = ", ".join(self._data)
            raise AttributeError(f"there is no {name!r}; there are {members}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._data]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Document) and self._data == other._data

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and lists.

        Returns
        -------
        dict
            What ``--format json`` prints.

        Examples
        --------
        >>> import planex
        >>> type(planex.open("examples/engines/resnet18-a100-qat").summary().to_dict()["time"])
        <class 'dict'>
        """
        return dict(self._data)

    def to_json(self, indent: int | None = None) -> str:
        """As JSON.

        Parameters
        ----------
        indent : int, optional
            Spaces per level; by default everything is on one line.

        Returns
        -------
        str
            The text; non-ASCII letters are not escaped.

        Examples
        --------
        >>> import planex
        >>> planex.open("examples/engines/resnet18-a100-qat").lint().counts.to_json()
        '{"error": 0, "warning": 12, "info": 2}'
        """
        return json.dumps(self._data, ensure_ascii=False, indent=indent)

    def to_table(self) -> Table:
        """The rows that the document is about: the contents of its CSV, with types and units.

        Explanations, findings and comparisons have rows.

        Returns
        -------
        Table
            A row each.

        Raises
        ------
        UsageError
            It has no rows.

        Examples
        --------
        >>> import planex
        >>> engine = planex.open("examples/engines/resnet18-a100-qat")
        >>> speed = engine.explain("speed").to_table()
        >>> speed.schema["bound_ms"].unit, len(speed) == len(engine.work_layers)
        ('ms', True)
        """
        if self._rows is None:
            from planex._errors import UsageError

            raise UsageError("this document has no rows", hint="use to_pandas() of the lists in it")
        return self._rows()

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a pandas data frame; see :meth:`to_table` and :meth:`Table.to_pandas`.

        Returns
        -------
        pandas.DataFrame
            A row each.

        Raises
        ------
        UsageError
            It has no rows.

        Examples
        --------
        >>> import planex
        >>> engine = planex.open("examples/engines/resnet18-a100-qat")
        >>> len(engine.explain("speed").to_pandas())
        35
        """
        return self.to_table().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """The rows as a polars data frame; see :meth:`to_table`.

        Returns
        -------
        polars.DataFrame
            A row each.

        Raises
        ------
        UsageError
            It has no rows.

        Examples
        --------
        >>> import planex
        >>> engine = planex.open("examples/engines/resnet18-a100-qat")
        >>> engine.explain("speed").to_polars().height
        35
        """
        return self.to_table().to_polars()

    def __str__(self) -> str:
        return self._render("text") if self._render else self.to_json(indent=2)

    def __repr__(self) -> str:
        schema = f" {self._data['schema']}" if "schema" in self._data else ""
        return f"<planex.Document{schema}: {', '.join(self._data)}>"

    def _repr_markdown_(self) -> str | None:
        if self._render is None or self._html is not None:
            return None
        from planex._errors import UsageError

        try:
            return self._render("markdown")
        except UsageError:  # This one has no Markdown: the code below renders it.
            return None

    def _repr_html_(self) -> str | None:
        if self._html is not None:
            return self._html()
        if self._render is None:  # A part of another.
            return _html.pairs("", self._data.items())
        if self._repr_markdown_() is None:
            return _html.text(self._render("text"))
        return None


class Rows(Sequence[Row]):
    """A list of objects of one kind, such as the findings of lint.

    Examples
    --------
    >>> import planex
    >>> findings = planex.open("examples/engines/resnet18-a100-qat").lint().findings
    >>> findings[0].rule
    'int8-conv-writes-float'
    >>> findings.columns[:3]
    ('rule', 'severity', 'layer_id')
    """

    __slots__ = ("_data", "_place")

    def __init__(
        self, data: Sequence[Mapping[str, Any]], place: tuple[str, str] | None = None
    ) -> None:
        """For internal use."""
        self._data = data
        self._place = place or ("", "")

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Rows[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Rows[Row]:
        if isinstance(index, slice):
            return Rows(self._data[index], self._place)
        return cast("Row", Document(self._data[index], place=self._place))

    def __len__(self) -> int:
        return len(self._data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and list(self._data) == list(other._data)

    __hash__ = None  # type: ignore[assignment]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the members, even if there are no rows."""
        if not self._data:
            return _columns(*self._place) or ()
        return tuple(dict.fromkeys(name for row in self._data for name in row))

    def to_pylist(self) -> list[dict[str, Any]]:
        """Plain dictionaries.

        Returns
        -------
        list of dict
            One per row.

        Examples
        --------
        >>> import planex
        >>> planex.find("examples/engines").to_pylist()[0]["path"]
        'examples/engines/mnist-trtexec-log'
        """
        return [dict(row) for row in self._data]

    def to_pandas(self) -> pandas.DataFrame:
        """As a pandas data frame; nested values are unchanged.

        Returns
        -------
        pandas.DataFrame
            One column per member, even if there are no rows.

        Examples
        --------
        >>> import planex
        >>> findings = planex.open("examples/engines/resnet18-a100-qat").lint().findings
        >>> frame = findings.to_pandas()
        >>> frame.loc[frame["estimated_ms"].idxmax(), "fix"]
        'Put Q/DQ before "MaxPool_12", ...
        """
        import pandas

        return pandas.DataFrame(self.to_pylist(), columns=self.columns)

    def to_polars(self) -> polars.DataFrame:
        """As a polars data frame.

        Returns
        -------
        polars.DataFrame
            One column per member, even if there are no rows.

        Examples
        --------
        >>> import planex
        >>> planex.find("examples/engines").to_polars()["layer_count"].sum()
        257
        """
        import polars

        return polars.DataFrame(
            self.to_pylist(), None if self._data else self.columns, infer_schema_length=None
        )

    def __repr__(self) -> str:
        return f"<planex.Rows: {len(self)} of {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        rows = [[row.get(name) for name in self.columns] for row in self._data[:_SHOWN_ROWS]]
        more = f", the first {_SHOWN_ROWS} shown" if len(self) > _SHOWN_ROWS else ""
        return _html.table(self.columns, rows, f"{len(self)} rows{more}")


def _columns(schema: str, path: str) -> tuple[str, ...] | None:
    """The members of the objects in a list; None if it is not a list of objects."""
    from planex._rows import COLUMNS

    names = COLUMNS.get(schema, {}).get(path)
    return tuple(names.split()) if names is not None else None


def _wrapped(value: Any, schema: str, path: str) -> Any:
    if isinstance(value, dict):
        columns, rows = value.get("columns"), value.get("rows")
        if isinstance(columns, list) and isinstance(rows, list) and len(value) == 2:
            return table_rows(value)
        return Document(value, place=(schema, path))
    if isinstance(value, list):
        # For an empty list, only the schema can say what it would contain.
        is_rows = all(isinstance(one, dict) for one in value) if value else _columns(schema, path)
        if is_rows:
            return Rows(value, (schema, path))
    return value


def table_rows(document: Mapping[str, Any]) -> Rows:
    """The rows of a tabular document: columns with names, rows with values."""
    names = [column["name"] for column in document["columns"]]
    return Rows([dict(zip(names, row, strict=True)) for row in document["rows"]])
