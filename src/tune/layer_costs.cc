#include "tune/layer_costs.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/try.h"

namespace planex::tune {
namespace {

using Dims = std::span<const std::int64_t>;
// Number of values of a tensor in one sample.
using Counts = std::map<std::string, std::int64_t, std::less<>>;

std::int64_t product(Dims dims) {
  std::int64_t all = 1;
  for (const std::int64_t dim : dims) all *= dim;
  return all;
}

// The tensor whose size says how often the weight is used: the input of a ConvTranspose, the output
// of the others.
std::string_view counted_tensor(const onnx::Model& model, const onnx::Node& node) {
  if (node.op_type == "ConvTranspose") return model.inputs_of(node).front();
  return model.outputs_of(node).front();
}

// How many weights contribute to each value of the counted tensor.
std::int64_t weights_per_value(const onnx::Node& node, const quantize::PlacedWeight& weight,
                               std::uint32_t input, Dims dims) {
  if (dims.empty()) return 1;
  if (node.op_type == "Conv" || node.op_type == "ConvTranspose") {
    return product(dims.subspan(1));
  }
  if (node.op_type == "MatMul") {
    // Over the last axis of the first input, the last but one of the second.
    constexpr std::size_t kMatrix = 2;
    return input == 0 || dims.size() < kMatrix ? dims.back() : dims[dims.size() - kMatrix];
  }
  const auto axis = static_cast<std::size_t>(weight.axis);
  return axis < dims.size() && dims[axis] > 0 ? product(dims) / dims[axis] : product(dims);
}

Result<Counts> count_values(const ModelFile& file, const std::set<std::string_view>& names,
                            const SampleRange& samples, Runner& runner) {
  drive::InferenceModel float_model{.id = "float", .path = file.path()};
  drive::InferencePass pass;
  for (const std::string_view name : names) {
    float_model.taps.emplace_back(name);
    pass.observed.push_back({float_model.id, std::string(name)});
  }
  pass.models.push_back(std::move(float_model));
  PLANEX_ASSIGN(const drive::PassResult seen,
                runner.run(std::move(pass), {samples.folder, samples.first, 1}, "sizes of layers"));
  Counts counts;
  for (const drive::ObservedTensor& tensor : seen.observed) {
    counts[tensor.tensor.tensor] = tensor.count;
  }
  return counts;
}

}  // namespace

Result<std::vector<LayerCost>> layer_costs(const ModelFile& file,
                                           const quantize::Placement& placement,
                                           const SampleRange& samples, Runner& runner) {
  const onnx::Model& model = file.model();
  std::set<std::string_view> names;
  for (const onnx::Index layer : placement.layers) {
    names.insert(counted_tensor(model, model.nodes[layer]));
  }
  PLANEX_ASSIGN(const Counts counts, count_values(file, names, samples, runner));
  std::vector<LayerCost> costs(placement.layers.size());
  for (const quantize::PlacedWeight& weight : placement.weights) {
    const onnx::Tensor& tensor = model.tensors[weight.tensor];
    for (const onnx::Reader& reader : weight.readers) {
      const auto layer = std::ranges::lower_bound(placement.layers, reader.node);
      if (layer == placement.layers.end() || *layer != reader.node) continue;
      LayerCost& cost = costs[static_cast<std::size_t>(layer - placement.layers.begin())];
      const onnx::Node& node = model.nodes[reader.node];
      cost.weight_bytes += onnx::bytes_of(model, tensor).value_or(0);
      const auto count = counts.find(counted_tensor(model, node));
      std::int64_t macs = 0;
      if (count == counts.end() ||
          __builtin_mul_overflow(
              count->second, weights_per_value(node, weight, reader.input, model.dims_of(tensor)),
              &macs)) {
        continue;
      }
      cost.macs = cost.macs.value_or(0) + macs;
    }
  }
  return costs;
}

}  // namespace planex::tune
