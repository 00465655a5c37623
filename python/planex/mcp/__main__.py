"""python -m planex.mcp, and planex-mcp."""

from __future__ import annotations

import argparse
import importlib.util
import sys

from planex._errors import PlanexError, UsageError


def main() -> int:
    """Serves until standard input ends. Returns the exit status, like the command line."""
    parser = argparse.ArgumentParser(
        prog="planex-mcp",
        description="Serve engines to AI assistants: Model Context Protocol on stdin and stdout.",
    )
    parser.add_argument(
        "folders",
        metavar="FOLDER",
        nargs="+",
        help="folder to serve: only files below it can be read",
    )
    parser.add_argument(
        "--write",
        metavar="DIR",
        help="also offer the tools that run models (optimize, quantize, accuracy, advise, clean); "
        "what they write goes below DIR",
    )
    parser.add_argument(
        "--max-budget",
        metavar="TIME",
        help="the longest time that a run of a model can take: 90s, 10m, 2h [10m]",
    )
    given = parser.parse_args()
    if given.max_budget is not None and given.write is None:
        parser.error("--max-budget needs --write")
    if importlib.util.find_spec("mcp") is None:
        print(
            "error: the SDK of the Model Context Protocol is not installed\n"
            "  pip install 'planex-explorer[mcp]'",
            file=sys.stderr,
        )
        return 4
    from planex.mcp._runs import MAX_BUDGET
    from planex.mcp._server import make_server

    try:
        server = make_server(
            given.folders, write=given.write, max_budget=given.max_budget or MAX_BUDGET
        )
    except UsageError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except PlanexError as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    server.run("stdio")
    return 0


if __name__ == "__main__":
    sys.exit(main())
