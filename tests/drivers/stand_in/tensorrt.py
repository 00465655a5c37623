"""NVIDIA's package tensorrt, played; PLANEX_STAND_IN says which version."""

import os

import stand_in_of_tensorrt

_version = os.environ.get("PLANEX_STAND_IN", "11.4.0.106")
globals().update(stand_in_of_tensorrt.play(_version, _version))
