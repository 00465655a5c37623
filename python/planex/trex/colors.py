"""Colors of charts, by type of layer and by precision.

They are planex's own, as in the report, and color-blind readers can distinguish them;
:func:`planex.trex.compatibility` restores those of TREx.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from planex.trex._mode import compatibility
from planex.trex._palette import FAMILIES, LINE, PRECISIONS, TREX_PRECISIONS, TREX_TYPES
from planex.trex.activations import open_records

__all__ = [
    "GRID_COLOR",
    "NVDA_GREEN",
    "UNKNOWN_KEY_COLOR",
    "Colormap",
    "default_pallete",
    "layer_colormap",
    "precision_colormap",
]

#: For TREx's headings.
NVDA_GREEN = TREX_PRECISIONS["int8"]
#: For everything without a color of its own.
UNKNOWN_KEY_COLOR = "gray"
#: For grid lines of charts.
GRID_COLOR = LINE
#: For other categories, in this order; the last one is for all remaining ones.
default_pallete = [*(FAMILIES[name] for name in FAMILIES if name != "other"), UNKNOWN_KEY_COLOR]

# Types of counts, positions or conditions.
_INDEX_TYPES = ("INT32", "INT64", "BOOL")


class Colormap(Mapping[str, str]):
    """Colors by key; unknown keys get :data:`UNKNOWN_KEY_COLOR`.

    Parameters
    ----------
    keys : sequence of str
        The listed keys.
    color_of : callable
        From a key to its color; None if it has none.
    """

    def __init__(self, keys: tuple[str, ...], color_of: Callable[[str], str | None]) -> None:
        self._keys = keys
        self._color_of = color_of

    def __getitem__(self, key: object) -> str:
        found = self._color_of(key) if isinstance(key, str) and key else None
        return found or UNKNOWN_KEY_COLOR

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def copy(self) -> dict[str, str]:
        """The listed colors as a dictionary, which plotly expects.

        Returns
        -------
        dict
            From keys to colors.
        """
        return dict(self)


def _color_of_precision(name: str) -> str | None:
    colors = TREX_PRECISIONS if compatibility() else PRECISIONS
    if name in _INDEX_TYPES:
        return colors["index"]
    return colors.get("int8" if name == "UINT8" else name.lower())


_families: dict[str, str] = {}


def _color_of_type(name: str) -> str | None:
    if compatibility():
        return TREX_TYPES.get(name)
    if name not in _families:
        # planex's own reader knows what a layer of this type does.
        layer = {"Name": name, "LayerType": name, "Inputs": [], "Outputs": []}
        rows = open_records([layer]).layers.to_pylist()
        _families[name] = rows[0]["family"] or "other"
    return FAMILIES[_families[name]]


#: Colors by precision: ``precision_colormap["INT8"]``.
precision_colormap = Colormap(
    ("INT8", "FP32", "FP16", "BF16", "FP8", "INT4", "FP4", *_INDEX_TYPES), _color_of_precision
)
#: Colors by type of layer: ``layer_colormap["Convolution"]``.
layer_colormap = Colormap(tuple(TREX_TYPES), _color_of_type)
