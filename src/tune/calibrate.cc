#include "tune/calibrate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "quantize/calibration_cache.h"
#include "quantize/scales.h"

namespace planex::tune {
namespace {

using drive::InferencePass;
using drive::ObservedTensor;
using quantize::QuantizedTensor;

Result<QuantizedTensor> calibrated_tensor(const ModelFile& file,
                                          const quantize::PlacedTensor& placed,
                                          const ObservedTensor& seen,
                                          std::vector<std::string>& notes) {
  if (seen.nan_count > 0 || seen.inf_count > 0) {
    return fail(
        {.code = ErrorCode::kBadInput,
         .message = base::format(
             "tensor {} of the float model has {} and {} on this data", base::quoted(placed.name),
             base::counted(static_cast<std::size_t>(seen.nan_count), "NaN"),
             base::counted(static_cast<std::size_t>(seen.inf_count), "infinity", "infinities")),
         .file = file.path(),
         .hint = "The data or the model is at fault: no scale can be had of these."});
  }
  QuantizedTensor tensor;
  tensor.tensor = placed.name;
  tensor.min = seen.min;
  tensor.max = seen.max;
  tensor.is_unsigned = placed.is_unsigned;
  tensor.scale_group = placed.scale_group;
  tensor.histogram = {.range = std::max(std::abs(seen.min), std::abs(seen.max)),
                      .counts = seen.histogram,
                      .negative_counts = seen.negative_histogram};
  for (const std::string_view rule : placed.rules) tensor.rules.emplace_back(rule);
  if (tensor.histogram.range == 0) {
    notes.push_back(base::format(
        "tensor {} is 0 in all samples: its scale is 1/127, and the data may not be typical",
        base::quoted(placed.name)));
  }
  return tensor;
}

}  // namespace

Result<void> observe(const ModelFile& file, const std::vector<std::string>& names,
                     const SampleRange& samples, Runner& runner, Observations& seen) {
  drive::InferenceModel model{.id = "float", .path = file.path()};
  InferencePass pass;
  pass.histogram_bins = quantize::kHistogramBins;
  for (const std::string& name : names) {
    if (seen.contains(name)) continue;
    model.taps.push_back(name);
    pass.observed.push_back({model.id, name});
  }
  if (pass.observed.empty()) return {};
  pass.models.push_back(std::move(model));
  PLANEX_ASSIGN(drive::PassResult result, runner.run(std::move(pass), samples, "calibrate"));
  for (ObservedTensor& tensor : result.observed) {
    std::string name = tensor.tensor.tensor;
    seen.insert_or_assign(std::move(name), std::move(tensor));
  }
  return {};
}

Result<std::vector<QuantizedTensor>> calibrated(const ModelFile& file,
                                                const quantize::Placement& placement,
                                                quantize::Target target,
                                                const Observations& seen,
                                                std::vector<std::string>& notes) {
  std::vector<QuantizedTensor> tensors;
  for (const quantize::PlacedTensor& placed : placement.tensors) {
    const auto found = seen.find(placed.name);
    if (found == seen.end()) {
      return fail(
          {.code = ErrorCode::kUnsupported,
           .message = base::format("OpenVINO's reader drops tensor {}, so its range is not seen",
                                   base::quoted(placed.name)),
           .file = file.path(),
           .hint = "Keep the layers that read it in float: --keep NODE"});
    }
    PLANEX_ASSIGN(QuantizedTensor tensor, calibrated_tensor(file, placed, found->second, notes));
    tensors.push_back(std::move(tensor));
  }
  quantize::choose_encodings(tensors, target);
  return tensors;
}

bool saturates(quantize::Target target, const Runner& runner) {
  return target == quantize::Target::kOpenvino && !runner.has_vnni();
}

std::string saturation_note(const Runner& runner) {
  return base::format(
      "weights are on 7 bits: this CPU ({}) adds products of 8 bits in 16, which overflow",
      runner.isa());
}

Result<std::vector<quantize::WeightScales>> write_quantized(ModelFile& file,
                                                            const quantize::Placement& placement,
                                                            const quantize::RewriteOptions& options,
                                                            const std::string& path) {
  onnx::Edit edit;
  PLANEX_ASSIGN(auto weights, quantize::rewrite(file.model(), file.links(), file.values(),
                                                placement, options, edit));
  PLANEX_TRY(file.write(edit, path));
  return weights;
}

Result<void> write_cache(const std::vector<QuantizedTensor>& tensors, const std::string& path) {
  constexpr double kLevels = 127;
  quantize::CalibrationCache cache;
  for (const QuantizedTensor& tensor : tensors) {
    cache.entries.push_back({tensor.tensor, static_cast<float>(tensor.threshold / kLevels)});
  }
  return base::write_file_atomically(path, quantize::write_calibration_cache(cache));
}

std::string node_name(const onnx::Model& model, onnx::Index node) {
  if (node == onnx::kNoIndex) return {};
  const onnx::Node& found = model.nodes[node];
  if (!found.name.empty()) return std::string(found.name);
  const auto outputs = model.outputs_of(found);
  return base::format("{} ({})", outputs.empty() ? std::string_view() : outputs.front(),
                      found.op_type);
}

}  // namespace planex::tune
