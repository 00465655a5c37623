"""NVIDIA's package tensorrt_rtx, played."""

import stand_in_of_tensorrt

globals().update(stand_in_of_tensorrt.play("rtx", "1.7.1.116"))
