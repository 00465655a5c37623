"""Choices in a notebook: a list, and below it the chosen item."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from typing import Any

from planex.trex._lazy import display, has_notebook, package

__all__ = ["InteractiveDiagram", "InteractiveDiagram_2"]


class _Choice:
    """Common base of both kinds.

    In a notebook with ipywidgets this shows a list to choose from, else the first choice;
    :meth:`show` shows another.
    """

    def __init__(self, choices: Mapping[str, Any], description: str) -> None:
        self.choices = choices
        self.choice_widget: Any = None
        first = next(iter(choices))
        if not has_notebook() or importlib.util.find_spec("ipywidgets") is None:
            self.show(first)
            return
        widgets = package("ipywidgets")
        self.choice_widget = widgets.Dropdown(
            options=list(choices), value=first, description=description
        )
        output = widgets.interactive_output(self.show, {"choice": self.choice_widget})
        display(widgets.VBox([self.choice_widget, output]))

    def show(self, choice: str) -> Any:
        raise NotImplementedError

    def _ipython_display_(self) -> None:
        """Nothing: it was shown when it was created."""


class InteractiveDiagram(_Choice):
    """A list of choices, drawn by one function.

    Parameters
    ----------
    diagram_renderer : callable
        Takes the name of the choice, and then its values.
    choices : mapping
        Names of choices to their values: a tuple, a list or one value.
    description : str
        Label of the list.
    """

    def __init__(
        self, diagram_renderer: Callable[..., Any], choices: Mapping[str, Any], description: str
    ) -> None:
        self.diagram_renderer = diagram_renderer
        super().__init__(choices, description)

    def show(self, choice: str) -> Any:
        """Shows one of the choices.

        Parameters
        ----------
        choice : str
            A key of `choices`.

        Returns
        -------
        object
            The result of the drawing function, if any.
        """
        values = self.choices[choice]
        if not isinstance(values, (list, tuple)):
            values = (values,)
        return self.diagram_renderer(choice, *values)


class InteractiveDiagram_2(_Choice):
    """A list of choices, each with a function that draws it.

    Parameters
    ----------
    choices : mapping
        Names of choices to functions, which take it as ``title``.
    description : str
        Label of the list.
    """

    def show(self, choice: str) -> Any:
        """Shows one of the choices.

        Parameters
        ----------
        choice : str
            A key of `choices`.

        Returns
        -------
        object
            The result of the drawing function, if any.
        """
        return self.choices[choice](title=choice)
