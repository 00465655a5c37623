"""What this machine's processor has, where answers of an engine depend on it."""

import pathlib

_CPUINFO = pathlib.Path("/proc/cpuinfo")
# Matrix units of Intel; OpenVINO then computes in other ways.
HAS_AMX = _CPUINFO.exists() and "amx_tile" in _CPUINFO.read_text("ascii", "replace")
