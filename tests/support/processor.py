"""What this machine's processor has, where answers of an engine depend on it."""

import pathlib

_CPUINFO = pathlib.Path("/proc/cpuinfo")
# Matrix units of Intel; OpenVINO then computes in other ways.
_FLAGS = _CPUINFO.read_text("ascii", "replace") if _CPUINFO.exists() else ""
HAS_AMX = "amx_tile" in _FLAGS
# Its instructions that round to BF16 read what is below the least normal number as 0.
HAS_BF16 = HAS_AMX or "avx512_bf16" in _FLAGS
# Products of 8 bits are added in 32: nothing saturates, and engines have no fault to cure.
HAS_VNNI = HAS_AMX or "avx512_vnni" in _FLAGS or "avx_vnni" in _FLAGS
