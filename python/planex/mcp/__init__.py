"""planex for AI assistants: a server of the Model Context Protocol, over standard input and output.

    python -m planex.mcp FOLDER...

It only reads the engines below these folders. Needs the extra ``mcp``: ``pip install
'planex-explorer[mcp]'``. docs/how-to/use-from-an-assistant.md explains the setup.
"""
