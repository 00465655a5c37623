"""Drawings and reports, for notebooks and files."""

from __future__ import annotations

import os
import pathlib

from planex._html import escape


class Drawing:
    """A drawing of an engine. A notebook shows it if it is SVG or PNG."""

    __slots__ = ("data", "format")

    def __init__(self, data: bytes, format: str) -> None:
        #: The file's content.
        self.data = data
        #: svg, png, pdf, dot, onnx or json.
        self.format = format

    def save(self, path: str | os.PathLike[str]) -> pathlib.Path:
        """Writes the drawing in its format.

        Parameters
        ----------
        path : path
            The file.

        Returns
        -------
        pathlib.Path
            The file.

        Examples
        --------
        >>> import planex, tempfile
        >>> engine = planex.open("examples/engines/resnet18-a100-qat")
        >>> engine.draw(slowest=3).save(tempfile.mkdtemp() + "/slowest.svg").name
        'slowest.svg'
        """
        target = pathlib.Path(path)
        target.write_bytes(self.data)
        return target

    def __repr__(self) -> str:
        return f"<planex.Drawing {self.format}, {len(self.data)} bytes>"

    def _repr_html_(self) -> str | None:
        # As a separate picture: inline, the styles of an SVG would also apply to all other drawings
        # and charts on the page.
        if self.format != "svg":
            return None
        import base64

        data = base64.b64encode(self.data).decode()
        return f'<img alt="{escape(repr(self))}" src="data:image/svg+xml;base64,{data}">'

    def _repr_svg_(self) -> str | None:
        return self.data.decode() if self.format == "svg" else None

    def _repr_png_(self) -> bytes | None:
        return self.data if self.format == "png" else None


class Report:
    """A report: one self-contained page. A notebook shows it in a frame."""

    __slots__ = ("html",)

    def __init__(self, page: str) -> None:
        #: The page.
        self.html = page

    def save(self, path: str | os.PathLike[str]) -> pathlib.Path:
        """Writes the page.

        Parameters
        ----------
        path : path
            The file.

        Returns
        -------
        pathlib.Path
            The file.

        Examples
        --------
        >>> import planex, tempfile
        >>> engine = planex.open("examples/engines/resnet18-a100-qat")
        >>> engine.report().save(tempfile.mkdtemp() + "/report.html").name
        'report.html'
        """
        target = pathlib.Path(path)
        target.write_text(self.html, encoding="utf-8")
        return target

    def __repr__(self) -> str:
        return f"<planex.Report, {len(self.html)} characters>"

    def _repr_html_(self) -> str:
        # The page's own scripts run in the frame and reach nothing outside of it.
        return (
            '<iframe sandbox="allow-scripts allow-downloads" width="100%" height="800" '
            f'style="border:0" srcdoc="{escape(self.html)}"></iframe>'
        )
