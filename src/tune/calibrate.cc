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

QuantizedTensor calibrated_tensor(const ModelFile& file, const quantize::PlacedTensor& placed,
                                  const ObservedTensor& seen) {
  QuantizedTensor tensor;
  tensor.tensor = placed.name;
  const onnx::Link* link = file.links().find(placed.name);
  if (link != nullptr && link->node != onnx::kNoIndex) {
    tensor.node = file.model().nodes[link->node].name;
  }
  tensor.min = seen.min;
  tensor.max = seen.max;
  tensor.is_unsigned = placed.is_unsigned;
  tensor.scale_group = placed.scale_group;
  tensor.histogram = histogram_of(seen);
  for (const std::string_view rule : placed.rules) tensor.rules.emplace_back(rule);
  return tensor;
}

}  // namespace

Result<void> observe(const ModelFile& file, const std::vector<std::string>& names,
                     const SampleRange& samples, Runner& runner, Observations& seen,
                     drive::Arithmetic arithmetic) {
  drive::InferenceModel model{.id = "observed", .path = file.path(), .arithmetic = arithmetic};
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

Result<const ObservedTensor*> finite_tensor(const ModelFile& file, std::string_view name,
                                            const Observations& seen, const std::string& hint) {
  const auto found = seen.find(name);
  if (found == seen.end()) {
    return fail(
        {.code = ErrorCode::kUnsupported,
         .message = base::format("OpenVINO's reader drops tensor {}, so its range is unknown",
                                 base::quoted(name)),
         .file = file.path(),
         .hint = hint});
  }
  const ObservedTensor& tensor = found->second;
  if (tensor.nan_count == 0 && tensor.inf_count == 0) return &tensor;
  return fail(
      {.code = ErrorCode::kBadInput,
       .message = base::format(
           "tensor {} of the model has {} and {} on this data", base::quoted(name),
           base::counted(static_cast<std::size_t>(tensor.nan_count), "NaN"),
           base::counted(static_cast<std::size_t>(tensor.inf_count), "infinity", "infinities")),
       .file = file.path(),
       .hint = "The data or the model is at fault: no scale can be computed from these values."});
}

quantize::Histogram histogram_of(const ObservedTensor& seen) {
  return {.range = std::max(std::abs(seen.min), std::abs(seen.max)),
          .counts = seen.histogram,
          .negative_counts = seen.negative_histogram};
}

std::string zero_note(std::string_view tensor) {
  return base::format(
      "tensor {} is 0 in all samples: its scale covers -1 to 1, and the data may not be typical",
      base::quoted(tensor));
}

Result<std::vector<QuantizedTensor>> calibrated(
    const ModelFile& file, const quantize::Placement& placement, quantize::Target target,
    quantize::NumberFormat format, const Observations& seen, std::vector<std::string>& notes) {
  std::vector<QuantizedTensor> tensors;
  for (const quantize::PlacedTensor& placed : placement.tensors) {
    PLANEX_ASSIGN(const ObservedTensor* observed,
                  finite_tensor(file, placed.name, seen,
                                "Keep the layers that read it in float: --keep NODE"));
    tensors.push_back(calibrated_tensor(file, placed, *observed));
    if (tensors.back().histogram.range == 0) notes.push_back(zero_note(placed.name));
  }
  quantize::choose_encodings(tensors, target, format);
  return tensors;
}

bool saturates(quantize::Target target, const Runner& runner) {
  const bool is_on_cpu =
      target == quantize::Target::kOpenvino || target == quantize::Target::kOnnxruntime;
  return is_on_cpu && !runner.has_vnni();
}

std::string saturation_note(const Runner& runner) {
  return base::format(
      "weights have 7 bits: this CPU ({}) adds 8-bit products in 16 bits, which overflow",
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
  quantize::CalibrationCache cache;
  for (const QuantizedTensor& tensor : tensors) {
    cache.entries.push_back({tensor.tensor, quantize::signed_scale(tensor.threshold)});
  }
  return base::write_file_atomically(path, quantize::write_calibration_cache(cache));
}

}  // namespace planex::tune
