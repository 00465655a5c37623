// The recorder for programs with TensorRT, TensorRT-RTX included: asks the inspector, and attaches
// a profiler to a few inferences.
//
//   planex::recorder::TensorRtRecorder trt(recorder, *engine, *context);
//   for (...) {
//     auto inference = trt.inference();
//     context->enqueueV3(stream);
//     inference.enqueued();
//     cudaStreamSynchronize(stream);
//   }
//
// Compiled against NVIDIA's headers if they are available; else against tensorrt_interface.h, which
// only has the names.
#pragma once

#if __has_include(<NvInferRuntime.h>)
#include <NvInferRuntime.h>
#else
#include "planex/recorder/tensorrt_interface.h"
#endif

#include <cstddef>
#include <memory>
#include <string>

#include "planex/recorder/recorder.h"

namespace planex::recorder {

// TensorRT calls it once for each layer of an inference, when that has ended.
class LayerProfiler final : public nvinfer1::IProfiler {
 public:
  explicit LayerProfiler(Recorder& recorder) : recorder_(recorder) {}
  void reportLayerTime(const char* name, float ms) noexcept override {
    recorder_.layer_time(name == nullptr ? "" : name, static_cast<double>(ms));
  }

 private:
  Recorder& recorder_;
};

// For one execution context, and the thread that uses it. The recorder, the engine and the context
// must outlive it.
class TensorRtRecorder {
 public:
  // Build the engine with ProfilingVerbosity::kDETAILED; otherwise the inspector only returns the
  // layers' names.
  TensorRtRecorder(Recorder& recorder, nvinfer1::ICudaEngine& engine,
                   nvinfer1::IExecutionContext& context)
      : recorder_(recorder), context_(context), profiler_(recorder) {
    if (recorder.is_on()) inspect(engine);
  }
  TensorRtRecorder(const TensorRtRecorder&) = delete;
  TensorRtRecorder& operator=(const TensorRtRecorder&) = delete;
  ~TensorRtRecorder() { detach(); }

  // Of every hundred inferences, ten are profiled, until there are enough. The profiler makes
  // enqueueV3() wait for the result, so they are not among the times of inferences.
  Inference inference() {
    if (!recorder_.is_on()) return recorder_.inference();
    const bool is_profiled = count_++ % kPeriod >= kPeriod - kProfiled && recorder_.wants_profile();
    if (is_profiled != is_attached_) {
      if (is_profiled) {
        attach();
      } else {
        detach();
      }
    }
    return is_profiled ? recorder_.profiled_inference() : recorder_.inference();
  }

 private:
  static constexpr std::size_t kPeriod = 100;
  static constexpr std::size_t kProfiled = 10;

  void attach() {
    context_.setProfiler(&profiler_);
    is_attached_ = true;
  }
  void detach() {
    if (is_attached_) context_.setProfiler(nullptr);
    is_attached_ = false;
  }

  void inspect(nvinfer1::ICudaEngine& engine) {
    const std::unique_ptr<nvinfer1::IEngineInspector> inspector(engine.createEngineInspector());
    if (!inspector) return;
    // Shapes from the context instead of -1.
    inspector->setExecutionContext(&context_);
    const char* const text =
        inspector->getEngineInformation(nvinfer1::LayerInformationFormat::kJSON);
    if (text == nullptr) return;
    const std::string version = std::to_string(NV_TENSORRT_MAJOR) + "." +
                                std::to_string(NV_TENSORRT_MINOR) + "." +
                                std::to_string(NV_TENSORRT_PATCH);
    recorder_.set_engine("tensorrt", version, text, ".graph.json");
  }

  Recorder& recorder_;
  nvinfer1::IExecutionContext& context_;
  LayerProfiler profiler_;
  std::size_t count_ = 0;
  bool is_attached_ = false;
};

}  // namespace planex::recorder
