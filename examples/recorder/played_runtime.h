// Plays TensorRT: an engine whose layers take the time they are told to, and whose inspector says
// what a file says. With TensorRT itself this is nvinfer1::createInferRuntime() and so on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "planex/recorder/tensorrt.h"

struct PlayedLayer {
  std::string name;
  float ms;
};

// The engine whose layer information is `json`.
std::unique_ptr<nvinfer1::ICudaEngine> make_engine(std::string json);
// Calls the profiler for each layer when an inference has ended, in their order.
std::unique_ptr<nvinfer1::IExecutionContext> make_context(std::vector<PlayedLayer> layers);
