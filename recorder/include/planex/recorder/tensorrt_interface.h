// The parts of TensorRT that the recorder uses, declared by name, for machines without NVIDIA's
// headers: recording code can be compiled and tested there against a runtime that imitates
// TensorRT. These are not the library's binary interfaces: nothing compiled with this header may be
// linked with TensorRT, which is why it is inactive where NvInferRuntime.h exists. Names and
// signatures: NVIDIA TensorRT C++ API Reference, 8.5 to 11.
#pragma once

#include <cstdint>

#define NV_TENSORRT_MAJOR 10
#define NV_TENSORRT_MINOR 0
#define NV_TENSORRT_PATCH 0

using cudaStream_t = struct CUstream_st*;

namespace nvinfer1 {

class IProfiler {
 public:
  virtual void reportLayerTime(const char* layerName, float ms) noexcept = 0;
  virtual ~IProfiler() noexcept = default;
};

enum class LayerInformationFormat : std::int32_t { kONELINE = 0, kJSON = 1 };

class IExecutionContext {
 public:
  virtual ~IExecutionContext() noexcept = default;
  // Null: none.
  virtual void setProfiler(IProfiler* profiler) noexcept = 0;
  virtual bool enqueueV3(cudaStream_t stream) noexcept = 0;
};

class IEngineInspector {
 public:
  virtual ~IEngineInspector() noexcept = default;
  virtual bool setExecutionContext(const IExecutionContext* context) noexcept = 0;
  // Belongs to the inspector.
  virtual const char* getEngineInformation(LayerInformationFormat format) const noexcept = 0;
};

class ICudaEngine {
 public:
  virtual ~ICudaEngine() noexcept = default;
  // The caller deletes it.
  virtual IEngineInspector* createEngineInspector() const noexcept = 0;
};

}  // namespace nvinfer1
