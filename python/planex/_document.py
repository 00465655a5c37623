"""Documents: the versioned JSON that the command line writes, to be read by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from planex._html import cell, escape

if TYPE_CHECKING:
    import pandas
    import polars

    from planex._table import Table


class Document(Mapping[str, Any]):
    """A JSON object: members by name, as items or as attributes.

    Objects in it are documents, too; lists of objects are :class:`Rows`. ``document["schema"]``
    says which document it is and in which version: docs/reference/json has its schema.

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

    __slots__ = ("_data", "_render", "_rows")

    def __init__(
        self,
        data: Mapping[str, Any],
        render: Callable[[str], str] | None = None,
        rows: Callable[[], Table] | None = None,
    ) -> None:
        """For the package itself. `render` gives it in another format, `rows` as a table."""
        self._data = data
        self._render = render
        self._rows = rows

    def __getitem__(self, key: str) -> Any:
        return _wrapped(self._data[key])

    def __getattr__(self, name: str) -> Any:
        # Also asked for by copy and pickle, before there is a `_data`.
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
        """Plain dictionaries and lists."""
        return dict(self._data)

    def to_json(self, indent: int | None = None) -> str:
        """As JSON."""
        return json.dumps(self._data, ensure_ascii=False, indent=indent)

    def to_table(self) -> Table:
        """The rows that the document is about: what its CSV has, with types and units.

        Explanations, findings and comparisons have rows.

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

            raise UsageError("this document has no rows", hint="lists in it have to_pandas()")
        return self._rows()

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a frame of pandas; see :meth:`to_table` and :meth:`Table.to_pandas`."""
        return self.to_table().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """The rows as a frame of polars; see :meth:`to_table`."""
        return self.to_table().to_polars()

    def __str__(self) -> str:
        return self._render("text") if self._render else self.to_json(indent=2)

    def __repr__(self) -> str:
        return f"<planex.Document {self._data.get('schema', '')}: {', '.join(self._data)}>"

    def _repr_markdown_(self) -> str | None:
        if self._render is None:
            return None
        from planex._errors import UsageError

        try:
            return self._render("markdown")
        except UsageError:  # This one has no Markdown.
            return "```\n" + self._render("text") + "\n```"


class Rows(Sequence[Document]):
    """A list of objects of one kind, such as the findings of lint.

    Examples
    --------
    >>> import planex
    >>> findings = planex.open("examples/engines/resnet18-a100-qat").lint().findings
    >>> findings[0].rule
    'int8-conv-writes-float'
    """

    __slots__ = ("_data",)

    def __init__(self, data: Sequence[Mapping[str, Any]]) -> None:
        """For the package itself."""
        self._data = data

    @overload
    def __getitem__(self, index: int) -> Document: ...
    @overload
    def __getitem__(self, index: slice) -> Rows: ...
    def __getitem__(self, index: int | slice) -> Document | Rows:
        if isinstance(index, slice):
            return Rows(self._data[index])
        return Document(self._data[index])

    def __len__(self) -> int:
        return len(self._data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and list(self._data) == list(other._data)

    __hash__ = None  # type: ignore[assignment]

    def to_pylist(self) -> list[dict[str, Any]]:
        """Plain dictionaries."""
        return [dict(row) for row in self._data]

    def to_pandas(self) -> pandas.DataFrame:
        """As a frame of pandas; what is nested stays what it is."""
        import pandas

        return pandas.DataFrame(self.to_pylist())

    def to_polars(self) -> polars.DataFrame:
        """As a frame of polars."""
        import polars

        return polars.DataFrame(self.to_pylist(), infer_schema_length=None)

    def __repr__(self) -> str:
        names = ", ".join(self._data[0]) if self._data else ""
        return f"<planex.Rows: {len(self)} of {names}>"

    def _repr_html_(self) -> str:
        names = list(self._data[0]) if self._data else []
        heads = "".join(f"<th>{escape(name)}</th>" for name in names)
        rows = "".join(
            "<tr>" + "".join(f"<td>{cell(row.get(name))}</td>" for name in names) + "</tr>"
            for row in self._data[:50]
        )
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _wrapped(value: Any) -> Any:
    if isinstance(value, dict):
        columns, rows = value.get("columns"), value.get("rows")
        if isinstance(columns, list) and isinstance(rows, list) and len(value) == 2:
            return table_rows(value)
        return Document(value)
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return Rows(value)
    return value


def table_rows(document: Mapping[str, Any]) -> Rows:
    """The rows of a document that is a table: columns with names, rows with values."""
    names = [column["name"] for column in document["columns"]]
    return Rows([dict(zip(names, row, strict=True)) for row in document["rows"]])
