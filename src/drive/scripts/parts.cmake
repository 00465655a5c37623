# The programs that drive an engine through its Python package: the files of each, in the order in
# which they are joined to one text. driver_common.py explains why they are joined.
set(PLANEX_DRIVER_SCRIPT_onnxruntime driver_common.py onnxruntime.py)
set(PLANEX_DRIVER_SCRIPT_tensorrt driver_common.py tensorrt_common.py tensorrt.py)
set(PLANEX_DRIVER_SCRIPT_tensorrt-rtx driver_common.py tensorrt_common.py tensorrt_rtx.py)
