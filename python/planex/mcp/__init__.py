"""planex for AI assistants: a server of the Model Context Protocol, over standard input and output.

    python -m planex.mcp FOLDER...

It reads the engines below these folders and nothing else. Needs the extra ``mcp``:
``pip install 'planex-explorer[mcp]'``. docs/how-to/use-from-an-assistant.md says how to set it up.
"""
