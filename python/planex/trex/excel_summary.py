"""A plan as an Excel workbook.

``planex export -o engine.xlsx`` writes a more complete one, without Python.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from planex.trex._lazy import package
from planex.trex.engine_plan import EnginePlan
from planex.trex.report_card import report_card_memory_footprint, report_card_perf_overview

__all__ = ["MAX_PERMISSIBLE_NAME_LENGTH", "ExcelSummary"]

#: Maximum length of a sheet name in Excel.
MAX_PERMISSIBLE_NAME_LENGTH = 31

_LONGEST_TEXT = 32767
_MOST_RANGES = 30


class ExcelSummary:
    """Writes a workbook; with ``with``, it is saved at the end.

    Parameters
    ----------
    plan : EnginePlan
        What :meth:`generate_default_summary` is about.
    path : path
        The file.
    """

    def __init__(
        self, plan: EnginePlan, path: str | os.PathLike[str] = "engine_summary.xlsx"
    ) -> None:
        package("xlsxwriter")
        self.plan = plan
        self.path = path
        # Names of layers are texts, even if they look like formulas.
        options = {"strings_to_formulas": False, "strings_to_urls": False}
        self.Excelwriter = pd.ExcelWriter(
            path, engine="xlsxwriter", engine_kwargs={"options": options}
        )
        self.supported_reports = {
            "report_card_perf_overview": report_card_perf_overview,
            "report_card_memory_footprint": report_card_memory_footprint,
        }

    def __enter__(self) -> ExcelSummary:
        return self

    def __exit__(self, *_: object) -> None:
        self.save()

    def add_dataframes(self, df_dict: Mapping[str, pd.DataFrame]) -> None:
        """Adds a sheet for each frame.

        Parameters
        ----------
        df_dict : mapping
            From names of sheets to frames.
        """
        for name, df in df_dict.items():
            # A cell cannot contain lists or longer texts.
            cells = df.map(lambda value: str(value) if isinstance(value, (list, dict)) else value)
            cells = cells.map(
                lambda value: value[:_LONGEST_TEXT] if isinstance(value, str) else value
            )
            sheet = _sheet_name(name)
            cells.to_excel(self.Excelwriter, sheet_name=sheet, index=False, startrow=3, startcol=1)

    def add_images(self, image_dict: Mapping[str, str | os.PathLike[str]]) -> None:
        """Adds a sheet for each picture.

        Parameters
        ----------
        image_dict : mapping
            From names of sheets to files: PNG, JPEG, GIF, BMP.

        Raises
        ------
        FileNotFoundError
            A file is missing.
        """
        for name, file in image_dict.items():
            if not os.path.isfile(file):
                raise FileNotFoundError(f"{file}: there is no such picture")
            sheet = self.Excelwriter.book.add_worksheet(_sheet_name(name))
            sheet.insert_image("A1", os.fspath(file))

    def generate_default_summary(self, save: bool = True) -> None:
        """Adds the plan's frame, and a sheet for every chart of the performance overview and of the
        memory footprint. Excel draws the charts from the figures next to them.

        Parameters
        ----------
        save : bool
            Save the workbook too.
        """
        self.add_dataframes({"Plan": self.plan.df})
        for report in self.supported_reports.values():
            for title, draw in report(self.plan).items():
                self._add_chart(title, draw(title=title, do_show=False))
        if save:
            self.save()

    def save(self) -> None:
        """Writes the file. After that nothing can be added."""
        self.Excelwriter.close()
        print(f"{os.fspath(self.path)} has been saved")

    def _add_chart(self, title: str, figure: Any) -> None:
        """A sheet with the figures of a chart, and the chart."""
        book = self.Excelwriter.book
        name = _sheet_name(title)
        sheet = book.add_worksheet(name)
        column = drawn = 0
        for kind, headers, columns in _tables_of(figure.data):
            for offset, (header, values) in enumerate(zip(headers, columns, strict=True)):
                sheet.write_string(0, column + offset, str(header))
                for row, value in enumerate(values, 1):
                    if value is not None:
                        sheet.write(row, column + offset, value)
            rows = len(columns[0])
            if kind is not None and rows:
                # Rings and stacks become separate charts.
                chart = book.add_chart(kind)
                chart.set_title({"name": title, "overlay": False})
                chart.set_size({"width": 900, "height": 420})
                for value in range(1, len(headers)):
                    chart.add_series(
                        {
                            "name": [name, 0, column + value],
                            "categories": [name, 1, column, rows, column],
                            "values": [name, 1, column + value, rows, column + value],
                        }
                    )
                sheet.insert_chart(1 + 22 * drawn, 8, chart)
                drawn += 1
            column += len(headers) + 1


def _sheet_name(name: str) -> str:
    return name[:MAX_PERMISSIBLE_NAME_LENGTH]


_Table = tuple[dict[str, str] | None, Sequence[str], list[list[Any]]]


def _tables_of(traces: Sequence[Any]) -> list[_Table]:
    """The figures of a chart by columns, names first, and the type of Excel chart."""
    if traces and traces[0].type == "histogram":
        return [_distribution(traces)]
    return [_table_of(trace) for trace in traces]


def _table_of(trace: Any) -> _Table:
    if trace.type == "bar":
        lies = trace.orientation == "h"
        names, values = (trace.y, trace.x) if lies else (trace.x, trace.y)
        kind = {"type": "bar" if lies else "column"}
        return kind, ("name", trace.name or "value"), [list(names), list(values)]
    if trace.type == "pie":
        return {"type": "doughnut"}, ("name", trace.name), [list(trace.labels), list(trace.values)]
    # Excel has no chart of types and their parts that this library can write.
    rows = zip(trace.parents, trace.labels, trace.values, strict=True)
    pieces = [row for row in rows if row[0]]
    return None, ("type", "name", "value"), [[row[i] for row in pieces] for i in range(3)]


def _distribution(traces: Sequence[Any]) -> _Table:
    """Number of rows in each of equal ranges; one column per trace."""
    numpy = package("numpy")
    everything = [value for trace in traces for value in trace.x]
    edges = numpy.histogram_bin_edges(everything, bins=min(_MOST_RANGES, len(everything)))
    counts = [numpy.histogram(list(trace.x), edges)[0].tolist() for trace in traces]
    ranges = [f"{low:.4g} to {high:.4g}" for low, high in itertools.pairwise(edges)]
    kind = {"type": "column", "subtype": "stacked"}
    return kind, ("range", *(trace.name for trace in traces)), [ranges, *counts]
