"""Colors of charts: planex has them in another form; each name says in which."""

from planex.trex._elsewhere import __getattr__ as __getattr__

__all__: list[str] = []
