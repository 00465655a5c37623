#include "tune/whole_cache.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "drive/inference.h"
#include "tune/calibrate.h"

namespace planex::tune {
namespace {

// Tensors of the main graph, each once.
std::vector<std::string> made_tensors(const ModelFile& file) {
  const onnx::Model& model = file.model();
  const onnx::Graph& graph = model.graphs.front();
  std::vector<std::string> names;
  const auto initializers = model.initializers_of(graph);
  for (const onnx::Value& value : model.values_of(graph)) {
    if (value.role != onnx::ValueRole::kInput) continue;
    if (std::ranges::find(initializers, value.name, &onnx::Tensor::name) != initializers.end()) {
      continue;
    }
    names.emplace_back(value.name);
  }
  for (const onnx::Node& node : model.nodes_of(graph)) {
    if (node.op_type == "Constant") continue;
    for (const std::string_view output : model.outputs_of(node)) {
      if (!output.empty()) names.emplace_back(output);
    }
  }
  return names;
}

bool is_float(std::string_view type) {
  constexpr std::array<std::string_view, 4> kFloats = {"float16", "bfloat16", "float32", "float64"};
  return std::ranges::find(kFloats, type) != kFloats.end();
}

std::string names_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (const std::string& name : names) {
    if (&name - names.data() == static_cast<std::ptrdiff_t>(kShown)) return text + " …";
    text += base::format("{}{}", text.empty() ? "" : ", ", base::quoted(name));
  }
  return text;
}

}  // namespace

Result<quantize::CalibrationCache> whole_cache(const ModelFile& file,
                                               std::span<const quantize::QuantizedTensor> placed,
                                               const SampleRange& samples,
                                               const quantize::MethodOptions& method,
                                               Runner& runner, std::vector<std::string>& notes) {
  drive::InferencePass pass;
  pass.models.push_back({.id = "float", .path = file.path()});
  for (std::string& name : made_tensors(file)) pass.observed.push_back({"float", std::move(name)});
  pass.histogram_bins = quantize::kHistogramBins;
  PLANEX_ASSIGN(const drive::PassResult seen, runner.run(std::move(pass), samples, "cache"));
  std::map<std::string_view, double> known;
  for (const quantize::QuantizedTensor& tensor : placed) known[tensor.tensor] = tensor.threshold;
  quantize::CalibrationCache cache;
  std::vector<std::string> broken;
  for (const drive::ObservedTensor& one : seen.observed) {
    if (!is_float(one.type)) continue;
    if (one.nan_count > 0 || one.inf_count > 0) {
      broken.push_back(one.tensor.tensor);
      continue;
    }
    const auto found = known.find(one.tensor.tensor);
    double covered = found != known.end() ? found->second : 0;
    if (found == known.end()) {
      const quantize::Histogram histogram = histogram_of(one);
      covered = quantize::threshold(histogram, method);
    }
    cache.entries.push_back({one.tensor.tensor, quantize::signed_scale(covered)});
  }
  const auto& missing = seen.models.front().missing_taps;
  if (!missing.empty()) {
    notes.push_back(base::format("no line in the cache for {}, which OpenVINO's reader drops: {}",
                                 base::counted(missing.size(), "tensor"), names_of(missing)));
  }
  if (!broken.empty()) {
    notes.push_back(base::format("no line in the cache for {} with NaN or infinity: {}",
                                 base::counted(broken.size(), "tensor"), names_of(broken)));
  }
  return cache;
}

}  // namespace planex::tune
