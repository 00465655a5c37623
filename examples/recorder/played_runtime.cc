#include "played_runtime.h"

#include <utility>

namespace {

class Inspector final : public nvinfer1::IEngineInspector {
 public:
  explicit Inspector(const std::string& json) : json_(json) {}
  bool setExecutionContext(const nvinfer1::IExecutionContext* context) noexcept override {
    return context != nullptr;
  }
  const char* getEngineInformation(
      nvinfer1::LayerInformationFormat format) const noexcept override {
    return format == nvinfer1::LayerInformationFormat::kJSON ? json_.c_str() : nullptr;
  }

 private:
  std::string json_;
};

class Engine final : public nvinfer1::ICudaEngine {
 public:
  explicit Engine(std::string json) : json_(std::move(json)) {}
  nvinfer1::IEngineInspector* createEngineInspector() const noexcept override {
    return new Inspector(json_);
  }

 private:
  std::string json_;
};

class Context final : public nvinfer1::IExecutionContext {
 public:
  explicit Context(std::vector<PlayedLayer> layers) : layers_(std::move(layers)) {}
  void setProfiler(nvinfer1::IProfiler* profiler) noexcept override { profiler_ = profiler; }
  bool enqueueV3(cudaStream_t) noexcept override {
    if (profiler_ == nullptr) return true;
    for (const PlayedLayer& layer : layers_) {
      profiler_->reportLayerTime(layer.name.c_str(), layer.ms);
    }
    return true;
  }

 private:
  std::vector<PlayedLayer> layers_;
  nvinfer1::IProfiler* profiler_ = nullptr;
};

}  // namespace

std::unique_ptr<nvinfer1::ICudaEngine> make_engine(std::string json) {
  return std::make_unique<Engine>(std::move(json));
}

std::unique_ptr<nvinfer1::IExecutionContext> make_context(std::vector<PlayedLayer> layers) {
  return std::make_unique<Context>(std::move(layers));
}
