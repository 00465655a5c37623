"""Several engines, queried together and compared with one another."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast, overload

from planex import _core
from planex._document import Rows
from planex._engine import Engine, Session
from planex._errors import UsageError
from planex._open import open
from planex._options import Given, Options, PathLike, options, pairs

if TYPE_CHECKING:
    from planex import documents


def _known(text: str) -> str | None:
    return text or None


def _number(text: str) -> float | None:
    return float(text) if text else None


# Columns of pairs that are more than a name; no changes are an empty text, not null.
_PAIR_VALUES: Mapping[str, Callable[[str], object]] = {
    "pair": int,
    **dict.fromkeys(("certainty", "a_ms", "b_ms", "delta_ms", "speed_up"), _number),
    "exceeds_noise": lambda text: text == "1" if text else None,
    "changes": str,
}


class Engines(Session, Sequence[Engine]):
    """Several engines to query together. Created by :func:`open_many`.

    Examples
    --------
    >>> import planex
    >>> engines = planex.open_many(
    ...     ["examples/engines/resnet18-a100-qat", "examples/engines/resnet18-a100-qat-residual"])
    >>> engines.sql("SELECT engine, count(*) AS n FROM work_layers GROUP BY engine").to_pylist()
    [{'engine': 'qat', 'n': 35}, {'engine': 'qat-residual', 'n': 25}]
    """

    __slots__ = ("_engines", "names")

    def __init__(self, engines: Sequence[Engine]) -> None:
        """For internal use."""
        super().__init__(_core.join(tuple(engine._handle for engine in engines)))
        self._engines = tuple(engines)
        #: Shortest distinguishing names: the column ``engine`` of tables.
        self.names = tuple(_core.labels(self._handle))

    @overload
    def __getitem__(self, index: int) -> Engine: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Engine, ...]: ...
    def __getitem__(self, index: int | slice) -> Engine | tuple[Engine, ...]:
        return self._engines[index]

    def __len__(self) -> int:
        return len(self._engines)

    def __repr__(self) -> str:
        return f"<planex.{type(self).__name__}: {', '.join(self.names)}>"


class Comparison(Engines):
    """Engines compared with the first of them. Created by :func:`compare`."""

    __slots__ = ("_given", "_overview")

    def __init__(self, engines: Sequence[Engine], given: Options) -> None:
        """For internal use."""
        super().__init__(engines)
        self._given = given
        self._overview: documents.Compare | None = None

    def _section(self, section: str, given: Options | None = None) -> documents.Compare:
        asked = [*self._given, *(given or []), ("section", section), ("all", "true")]
        return cast("documents.Compare", self._document("compare", asked))

    @property
    def overview(self) -> documents.Compare:
        """Totals, the verdict, and every pair of layers: planex.compare/2."""
        if self._overview is None:
            self._overview = self._section("overview")
        return self._overview

    def pairs(self, only: str | None = None) -> Rows:
        """Layers in pairs, one row per pair; a layer without a partner has its own row.

        Parameters
        ----------
        only : str, optional
            changed, mismatch-precision, mismatch-tactic, type=T or a kind of change.

        Returns
        -------
        Rows
            ``a`` and ``b`` are the layers, in the base and in ``engine``.

        Examples
        --------
        >>> import planex
        >>> comparison = planex.compare("examples/engines/resnet18-a100-qat",
        ...                             "examples/engines/resnet18-a100-qat-residual")
        >>> max(pair.delta_ms for pair in comparison.pairs("changed") if pair.b and pair.a)
        0.038912
        """
        given = [*self._given, *options(section="pairs", only=only, all=True, format="csv")]
        text = self._text("compare", given)
        return Rows(
            [
                {name: _PAIR_VALUES.get(name, _known)(value) for name, value in row.items()}
                for row in csv.DictReader(io.StringIO(text))
            ]
        )

    def pair(self, index: int, engine: int = 1) -> documents.Compare:
        """One pair: what is the same and what differs.

        Parameters
        ----------
        index : int
            The pair: ``index`` in ``overview.pairs``, ``pair`` in :meth:`pairs`.
        engine : int
            The engine of the pair, from 1; the base is 0.

        Returns
        -------
        Compare
            planex.compare/2; its text, and what a notebook shows, covers only the pair.

        Raises
        ------
        UsageError
            There is no such pair or engine.

        Examples
        --------
        >>> import planex
        >>> comparison = planex.compare("examples/engines/resnet18-a100-qat",
        ...                             "examples/engines/resnet18-a100-qat-residual")
        >>> print(str(comparison.pair(0)).splitlines()[2].split()[:3])
        ['time', '0.0614', 'ms']
        """
        return self._section("pair", options(pair=index, engine=engine))

    def ledger(self) -> documents.Compare:
        """Time by operation of the source model.

        Returns
        -------
        Compare
            planex.compare/2, with ``ledger``; times are in fs, so that they add up.

        Examples
        --------
        >>> import planex
        >>> comparison = planex.compare("examples/engines/resnet18-a100-qat",
        ...                             "examples/engines/resnet18-a100-qat-residual")
        >>> ledger = comparison.ledger().ledger
        >>> sum(row.time_fs[0] or 0 for row in ledger.rows) == ledger.total_fs[0]
        True
        """
        return self._section("ledger")

    def summaries(self) -> documents.Compare:
        """A description of each engine, and how it was built and run.

        Returns
        -------
        Compare
            planex.compare/2; its text is the table of engines side by side.

        Examples
        --------
        >>> import planex
        >>> comparison = planex.compare("examples/engines/resnet18-a100-qat",
        ...                             "examples/engines/resnet18-a100-qat-residual")
        >>> [engine.label for engine in comparison.summaries().engines]
        ['qat', 'qat-residual']
        """
        return self._section("summaries")

    def __str__(self) -> str:
        return str(self.overview)

    def _repr_markdown_(self) -> str | None:
        return self.overview._repr_markdown_()


def _opened(engine: Engine | PathLike) -> Engine:
    return engine if isinstance(engine, Engine) else open(engine)


def open_many(paths: Iterable[Engine | PathLike]) -> Engines:
    """Opens several engines to query together. Engines that are already open are not read again.

    Parameters
    ----------
    paths : iterable of Engine or path
        As for :func:`open`, or engines.

    Returns
    -------
    Engines
        In the order given.

    Raises
    ------
    UsageError
        No engine was given.
    PlanexError
        Those of :func:`open`.

    Examples
    --------
    >>> import planex
    >>> engines = planex.open_many(row.path for row in planex.find("examples/engines"))
    >>> engines.sql("SELECT count(*) AS n FROM layers WHERE family = 'convolution'").to_pylist()
    [{'n': 168}]
    """
    return Engines([_opened(engine) for engine in paths])


def comparison(engines: Iterable[Engine | PathLike], given: Given) -> Comparison:
    """What :func:`compare` makes."""
    opened = [_opened(engine) for engine in engines]
    if len(opened) < 2:
        raise UsageError("compare needs two or more engines")
    return Comparison(opened, pairs(given))
