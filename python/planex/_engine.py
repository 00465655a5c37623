"""Engines: opened once, queried often."""

from __future__ import annotations

import datetime
import json
import pathlib
from typing import TYPE_CHECKING, cast

from planex import _core, _html
from planex._document import Document
from planex._options import Given, Options, PathLike, options, pairs
from planex._pictures import Drawing, Report
from planex._table import Table
from planex._topics import Topic, by_topic
from planex._verbs import EngineVerbs, SessionVerbs

if TYPE_CHECKING:
    from planex import documents


def _today() -> str:
    return datetime.date.today().isoformat()


class Session(SessionVerbs):
    """Common base of one engine and several; not part of the public interface."""

    __slots__ = ("_handle",)

    def __init__(self, handle: object) -> None:
        self._handle = handle

    def _text(self, verb: str, given: Options) -> str:
        return _core.call(self._handle, verb, given).decode()

    def _document(self, verb: str, given: Options) -> Document:
        return Document(
            json.loads(self._text(verb, given)),
            lambda format: self._text(verb, [*given, ("format", format)]),
            rows=lambda: Table(_core.call_table(self._handle, verb, given), verb),
        )

    def sql(self, query: str, *, max_rows: int = 0, max_memory_bytes: int = 0) -> Table:
        """The rows of one read-only SQL statement.

        Tables and columns are those of docs/reference/schema.md; for several engines, each table
        has a first column ``engine``. ``median(x)``, ``percentile(x, p)`` and ``REGEXP`` are
        available in addition to SQLite's own functions. Ctrl-C stops a query.

        Parameters
        ----------
        query : str
            One statement. It can't write.
        max_rows : int
            Maximum number of rows; 0: all.
        max_memory_bytes : int
            Limit for the result and its computation; 0: 4 GiB.

        Returns
        -------
        Table
            The rows of the result. A column taken from a table has that column's unit.

        Raises
        ------
        UsageError
            What is wrong in the query, where, and what could be meant.

        Examples
        --------
        >>> import planex
        >>> engine = planex.open("examples/engines/resnet18-a100-qat")
        >>> table = engine.sql("SELECT name, median_ms FROM layers ORDER BY median_ms DESC LIMIT 1")
        >>> table.schema["median_ms"].unit
        'ms'
        """
        given = options(max_rows=max_rows, max_memory_bytes=max_memory_bytes)
        return Table(_core.query(self._handle, query, given), "query")

    def _report(self, path: PathLike | None, given: Given) -> Report:
        own = options(today=_today(), may_measure=False)
        page = Report(self._text("report", [*pairs(given), *own]))
        if path is not None:
            page.save(path)
        return page


class Engine(Session, EngineVerbs):
    """An opened engine: its tables, and planex's analyses of them.

    Created by :func:`open`. It never changes; many threads can use it at once.

    Each table is a property, named as in SQL: docs/reference/schema.md describes them.

    Examples
    --------
    >>> import planex
    >>> engine = planex.open("examples/engines/resnet18-a100-qat")
    >>> engine.name
    'resnet18-a100-qat'
    >>> engine.layers
    <planex.Table layers: 37 rows, 43 columns>
    """

    __slots__ = ("_tables", "name")

    def __init__(self, handle: object) -> None:
        """For internal use."""
        super().__init__(handle)
        self._tables: dict[str, Table] = {}
        #: Short name: as given, or from its file or folder.
        self.name = _core.labels(handle)[0]

    def __repr__(self) -> str:
        return f"<planex.Engine {self.name}: {len(self.work_layers)} layers>"

    # --- Tables -----------------------------------------------------------------------------------

    def table(self, name: str) -> Table:
        """A table by its name in SQL.

        Parameters
        ----------
        name : str
            Its name, such as ``layers``; ``planex schema`` lists them.

        Returns
        -------
        Table
            The table; the same object each time.

        Raises
        ------
        UsageError
            There is no such table; the nearest name is in the hint.

        Examples
        --------
        >>> import planex
        >>> planex.open("examples/engines/resnet18-a100-qat").table("ports")
        <planex.Table ports: 82 rows, 12 columns>
        """
        if name not in self._tables:
            self._tables[name] = Table(_core.table(self._handle, name), name)
        return self._tables[name]

    @property
    def engine(self) -> Table:
        """The engine itself; one row."""
        return self.table("engine")

    @property
    def layers(self) -> Table:
        """Every record of the engine, in execution order."""
        return self.table("layers")

    @property
    def work_layers(self) -> Table:
        """The layers that do work in the optimization profile that is shown."""
        return self.table("work_layers")

    @property
    def ports(self) -> Table:
        """Inputs and outputs of layers: type, dimensions and layout at that end."""
        return self.table("ports")

    @property
    def tensors(self) -> Table:
        """Names that ports share."""
        return self.table("tensors")

    @property
    def sources(self) -> Table:
        """Operations of the source model that a layer stems from; many to many."""
        return self.table("sources")

    @property
    def attributes(self) -> Table:
        """Everything else the file records about a layer."""
        return self.table("attributes")

    @property
    def iterations(self) -> Table:
        """Timed inferences."""
        return self.table("iterations")

    @property
    def kernels(self) -> Table:
        """Kernels that layers launch, from a trace of Nsight Systems."""
        return self.table("kernels")

    @property
    def streams(self) -> Table:
        """Streams of the device that ran concurrently, from a trace of Nsight Systems."""
        return self.table("streams")

    @property
    def stream_pairs(self) -> Table:
        """Pairs of streams: time both ran at once, and time one waited while the other ran."""
        return self.table("stream_pairs")

    @property
    def tactic_choices(self) -> Table:
        """Choices of the builder: a layer with the formats it considered, from a verbose log."""
        return self.table("tactic_choices")

    @property
    def tactics(self) -> Table:
        """Candidates of these choices."""
        return self.table("tactics")

    @property
    def calibration(self) -> Table:
        """Tensors that were quantized, with their ranges and scales: from planex quantize."""
        return self.table("calibration")

    @property
    def accuracy(self) -> Table:
        """What quantizing lost, tensor by tensor: from planex accuracy."""
        return self.table("accuracy")

    @property
    def accuracy_outputs(self) -> Table:
        """What quantizing lost at the outputs."""
        return self.table("accuracy_outputs")

    @property
    def front(self) -> Table:
        """Models with some layers in float that no other model beats: from planex search."""
        return self.table("front")

    @property
    def front_layers(self) -> Table:
        """Layers that these models keep in float."""
        return self.table("front_layers")

    @property
    def difference_maps(self) -> Table:
        """Where in a tensor the differences are, as a picture: from planex accuracy --maps."""
        return self.table("difference_maps")

    @property
    def machine_samples(self) -> Table:
        """The machine during the inferences: clocks, temperatures, load."""
        return self.table("machine_samples")

    @property
    def regions(self) -> Table:
        """Memory that contains tensors."""
        return self.table("regions")

    @property
    def events(self) -> Table:
        """Signals and waits between streams."""
        return self.table("events")

    @property
    def blocks(self) -> Table:
        """Repeated or opaque groups of layers."""
        return self.table("blocks")

    @property
    def bindings(self) -> Table:
        """Inputs and outputs of the engine."""
        return self.table("bindings")

    @property
    def profiles(self) -> Table:
        """Shapes that each optimization profile allows."""
        return self.table("profiles")

    @property
    def operations(self) -> Table:
        """Operations of the source model, if it was read or the log lists them."""
        return self.table("operations")

    @property
    def operation_ports(self) -> Table:
        """Inputs and outputs of the source model's operations."""
        return self.table("operation_ports")

    @property
    def metadata(self) -> Table:
        """Builder options, device, performance summary, command lines."""
        return self.table("metadata")

    @property
    def files(self) -> Table:
        """Files that were read."""
        return self.table("files")

    @property
    def findings(self) -> Table:
        """What lint found with the built-in rules."""
        return self.table("findings")

    @property
    def diagnostics(self) -> Table:
        """Unexpected things in the files that did not stop the reading."""
        return self.table("diagnostics")

    # --- Documents --------------------------------------------------------------------------------

    def summary(self) -> documents.Summary:
        """The engine on one screen: latency, time by type and precision, slowest layers.

        Returns
        -------
        Document
            planex.summary/2. Times are in ms, sizes in bytes, as the names say.

        Examples
        --------
        >>> import planex
        >>> summary = planex.open("examples/engines/resnet18-a100-qat").summary()
        >>> summary.layer_count
        35
        """
        document = self._document("summary", [])
        document._html = lambda: _html.summary(document.to_dict(), self._figures())
        return cast("documents.Summary", document)

    def timing(self) -> documents.Timing:
        """Whether the times of inferences are steady, and which of them to trust.

        Returns
        -------
        Document
            planex.timing/2.

        Examples
        --------
        >>> import planex
        >>> planex.open("examples/engines/resnet18-a100-qat").timing().steady_state.verdict
        'steady-after-warm-up'
        """
        return cast("documents.Timing", self._document("timing", []))

    def _lint(self, given: Given) -> documents.Lint:
        own = options(all=True, today=_today())
        return cast("documents.Lint", self._document("lint", [*pairs(given), *own]))

    @by_topic
    def explain(
        self,
        topic: Topic,
        *,
        device: str | None = None,
        devices: PathLike | None = None,
        probe: bool = False,
        layer: str | None = None,
    ) -> Document:
        """One aspect in full.

        Parameters
        ----------
        topic : str
            What is explained, such as memory or speed: ``planex explain --help`` says what each is
            about.
        device : str, optional
            speed: the row of the device table to compare with.
        devices : path, optional
            speed: a device table of your own (JSON, like data/devices.json).
        probe : bool
            speed: compare with this machine's CPU; its peak rates are measured once, in about a
            second, and cached.
        layer : str, optional
            tactics: one layer, by name or id.

        Returns
        -------
        Document
            planex.explain-TOPIC.

        Raises
        ------
        UsageError
            There is no such topic, device or layer.

        Examples
        --------
        >>> import planex
        >>> engine = planex.open("examples/engines/resnet18-a100-qat")
        >>> engine.explain("memory").peak.layer
        'MaxPool_12'
        """
        given = options(
            topic=topic,
            device=device,
            devices=devices,
            probe=probe,
            may_measure=probe,
            layer=layer,
            all=True,
        )
        return self._document("explain", given)

    def _draw(self, given: Given) -> Drawing:
        format = str(dict(given)["format"])
        return Drawing(_core.call(self._handle, "draw", pairs(given)), format)

    def _export(self, path: PathLike, given: Given) -> pathlib.Path:
        target = pathlib.Path(path)
        target.write_bytes(_core.call(self._handle, "export", pairs(given)))
        return target

    # --- Display ----------------------------------------------------------------------------------

    def _figures(self) -> list[tuple[str, object]]:
        """Description of the engine and its figures, in words: key and text."""
        asked = options(section="summaries")
        totals = self._document("compare", [*asked, ("all", "true")]).to_dict()["totals"]
        # Comparisons with itself: useless for a single engine.
        left_out = {total["label"] for total in totals if total["metric"] == "speed_up_ratio"}
        rows: list[tuple[str, object]] = []
        for line in self._text("compare", [*asked, ("format", "markdown")]).splitlines()[2:]:
            section, key, value = (cell.strip() for cell in line.strip("| ").split(" | ", 2))
            if section in ("engine", "figures") and key not in left_out:
                rows.append((key, value))
        return rows

    def _repr_markdown_(self) -> str:
        lines = [f"| {key} | {value} |" for key, value in self._figures()]
        return "\n".join([f"| {self.name} | |", "| --- | --- |", *lines])

    def _repr_html_(self) -> str:
        return _html.pairs(self.name, self._figures())
