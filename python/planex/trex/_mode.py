"""Whether numbers are right, or those of TREx."""

from __future__ import annotations

_compatible = False


def compatibility(on: bool | None = None) -> bool:
    """Whether plans have TREx's own figures, also where those are wrong.

    Without it (the default) what is not known is missing instead of 0, weights include biases,
    constants and those of fused layers, and a layer keeps all of its hazards. The differences are
    listed in docs/how-to/coming-from-other-tools.md.

    Parameters
    ----------
    on : bool, optional
        True for TREx's figures, False for right ones; without it nothing changes. Plans that were
        made before keep what they have.

    Returns
    -------
    bool
        What holds now.

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
