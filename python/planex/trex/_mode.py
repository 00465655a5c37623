"""Whether figures are correct, or those of TREx."""

from __future__ import annotations

_compatible = False


def compatibility(on: bool | None = None) -> bool:
    """Whether plans have TREx's own figures, even where those are wrong.

    By default, unknown values are missing instead of 0, weights include biases, constants and those
    of fused layers, and a layer keeps all of its hazards. The differences are listed in
    docs/how-to/coming-from-other-tools.md.

    Parameters
    ----------
    on : bool, optional
        True for TREx's figures, False for correct ones; without it nothing changes. Existing plans
        keep their figures.

    Returns
    -------
    bool
        The current setting.

    Examples
    --------
    >>> import planex.trex as trex
    >>> trex.compatibility()
    False
    """
    global _compatible
    if on is not None:
        _compatible = bool(on)
    return _compatible
