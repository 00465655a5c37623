"""The types of documents, for annotations: ``planex.documents.Summary``, ``ExplainSpeed``.

Type checkers and editors read them in ``documents.pyi``. At run time each of them is
:class:`planex.Document`, whose members are what the document has.
"""

from planex._document import Document


def __getattr__(name: str) -> type[Document]:
    if name[:1].isupper():
        return Document
    raise AttributeError(f"module 'planex.documents' has no attribute {name!r}")
