"""Settings of Sphinx for the documentation site; build.py copies it to build/site/source."""

import pathlib
from typing import Any

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx import addnodes
from sphinx.application import Sphinx

project = "planex"
author = "planex"
copyright = "the planex authors; Apache License 2.0"
# release comes by -D.

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "breathe",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
root_doc = "index"

# --- Markdown ---
myst_enable_extensions = ["colon_fence", "deflist"]
# As forges make them of headings.
myst_heading_anchors = 6

# --- Python: the package of the wheel; no import of it looks at the tree ---
autodoc_member_order = "groupwise"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
maximum_signature_line_length = 88
python_display_short_literal_types = True
napoleon_google_docstring = False
napoleon_use_rtype = False
# An attribute may also be a property of the class.
napoleon_use_ivar = True
napoleon_preprocess_types = False

# --- C and C++ ---
breathe_projects = {"planex": str(pathlib.Path(__file__).parent.parent / "doxygen/xml")}
breathe_default_project = "planex"
breathe_default_members = ("members", "undoc-members")
breathe_show_include = False
breathe_domain_by_file_pattern = {"*/planex.h": "c", "*/arrow_abi.h": "c"}
breathe_implementation_filename_extensions = []
# The namespace is declared on the page of each header, and a C structure also by its typedef. What
# a compiler takes has nothing else twice.
suppress_warnings = ["duplicate_declaration.cpp", "duplicate_declaration.c"]
cpp_maximum_signature_line_length = 88
c_maximum_signature_line_length = 88

# --- Pages ---
html_theme = "furo"
html_title = "planex"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(pathlib.Path(__file__).parent / "_static/search_order.js")
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {
    "navigation_with_keys": True,
}
pygments_style = "friendly"
pygments_dark_style = "github-dark"
# No date or machine in the pages: the same sources make the same site.
html_last_updated_fmt = None


def without_handle(
    app: Sphinx,
    what: str,
    name: str,
    value: object,
    options: object,
    signature: str | None,
    annotation: str | None,
) -> tuple[str, None] | None:
    """Hides how the package itself makes objects that users are given."""
    made = getattr(value, "__init__", None)
    is_own = what == "class" and (getattr(made, "__doc__", "") or "").startswith("For the package")
    return ("", None) if is_own else None


def titles(toc: nodes.Element) -> nodes.Element:
    """Of a page's contents what the navigation shows: its title, and the pages below it."""
    short = toc.deepcopy()
    for entry in short:
        if len(entry) > 1:
            below = list(entry.findall(addnodes.toctree))
            entry[1:] = [nodes.bullet_list("", *below)] if below else []
    return short


def with_short_navigation(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Computes the navigation of titles alone. Sphinx copies every name of every page for each page
    and then drops all but the titles: most of the time that a build takes.
    """
    whole = context.get("toctree")
    if whole is None:
        return
    env = app.env
    if not hasattr(app, "short_tocs"):
        app.short_tocs = {name: titles(toc) for name, toc in env.tocs.items()}

    def short(**options: Any) -> str:
        tocs, env.tocs = env.tocs, app.short_tocs
        try:
            return str(whole(**options))
        finally:
            env.tocs = tocs

    context["toctree"] = short


def setup(app: Sphinx) -> None:
    # Before Furo asks for it.
    app.connect("html-page-context", with_short_navigation, priority=100)
    app.connect("autodoc-process-signature", without_handle)
    # JSON with remarks and gaps, which forges color and no lexer here knows.
    app.add_lexer("jsonc", TextLexer)
