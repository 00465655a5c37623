// A compiled model that takes samples and returns its tensors by name.
#pragma once

#include <map>
#include <memory>
#include <openvino/runtime/core.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arrays/sample_folder.h"
#include "base/sha256.h"
#include "drive/inference.h"
#include "planex/error.h"

namespace planex::drive {

// One sample: a tensor for each input of the index, in its order.
using Sample = std::vector<ov::Tensor>;

// Shapes of the inputs that have no shape of their own, by position.
using InputShapes = std::map<std::size_t, ov::PartialShape>;

class RunningModel {
 public:
  // `taps`: all tensors that will be requested. Inputs get the shapes of the samples.
  // Errors: kBadInput (inputs and samples don't fit), kUnsupported, kExternalTool; file is set.
  static Result<std::unique_ptr<RunningModel>> compile(ov::Core& core, const ov::Model& model,
                                                       const InferenceModel& request,
                                                       const std::vector<std::string>& taps,
                                                       const arrays::SampleIndex& samples,
                                                       int threads);

  // Runs in the calling thread. Errors: kExternalTool.
  Result<void> infer(const Sample& sample);

  // A tensor of the last sample; null: the model has no such tensor.
  std::optional<ov::Tensor> tensor(const std::string& name);

  // Adds the model's own outputs for the last sample.
  void digest_outputs(base::Sha256& digest);

  const std::vector<std::string>& missing_taps() const { return missing_taps_; }
  double compile_ms() const { return compile_ms_; }
  std::int64_t layer_count() const { return layer_count_; }
  double last_infer_ms() const { return last_infer_ms_; }

 private:
  // Where a tensor comes from: an output of the compiled model, a sample's input, or a constant.
  struct Place {
    enum class Kind : std::uint8_t { kOutput, kInput, kConstant } kind = Kind::kOutput;
    std::size_t index = 0;
    ov::Tensor constant;
  };
  struct Feed {
    std::size_t sample_input = 0;
    ov::Tensor converted;  // Empty: the sample's tensor is used directly.
  };

  explicit RunningModel(std::string path) : path_(std::move(path)) {}
  Result<InputShapes> connect(const ov::Model& model, const arrays::SampleIndex& samples);
  std::vector<std::string> add_taps(ov::Model& model, const std::vector<std::string>& taps);
  void find_outputs(const std::vector<std::string>& taps);

  std::string path_;
  std::size_t own_outputs_ = 0;
  std::vector<Feed> feeds_;  // In the order of the model's inputs.
  std::map<std::string, Place, std::less<>> places_;
  std::vector<std::string> missing_taps_;
  ov::CompiledModel compiled_;
  ov::InferRequest request_;
  Sample sample_;
  double compile_ms_ = 0, last_infer_ms_ = 0;
  std::int64_t layer_count_ = 0;
};

// OpenVINO's element type with the same bytes.
ov::element::Type element_of(arrays::ElementType type);
// Null if a tensor can't be read as numbers: texts, packed types.
std::optional<arrays::ElementType> element_of(const ov::element::Type& type);

// The values as float32, converted into `scratch` if they have another type.
// Errors: kUnsupported (the type is not a number of whole bytes).
Result<std::span<const float>> float_values(const ov::Tensor& tensor, std::vector<float>& scratch);

}  // namespace planex::drive
