#!/usr/bin/env python3
"""Builds an engine of a model with TensorRT-RTX, for a compute capability: no GPU is needed."""

import pathlib
import sys

import tensorrt_rtx as trt


def main() -> int:
    logger = trt.Logger(trt.Logger.ERROR)
    builder = trt.Builder(logger)
    network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
    parser = trt.OnnxParser(network, logger)
    if not parser.parse(pathlib.Path(sys.argv[1]).read_bytes()):
        for place in range(parser.num_errors):
            print(parser.get_error(place).desc(), file=sys.stderr)
        return 1
    config = builder.create_builder_config()
    config.num_compute_capabilities = 1
    config.set_compute_capability(trt.ComputeCapability.SM89, 0)
    engine = builder.build_serialized_network(network, config)
    if engine is None:
        print("no engine was built", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
