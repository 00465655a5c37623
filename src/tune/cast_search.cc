#include "tune/cast_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace planex::tune {

using onnx::Index;
using onnx::kNoIndex;

double noise_ratio(const arrays::Difference& difference) {
  if (difference.is_equal) return 0;
  if (difference.nonfinite_mismatch_count > 0) return std::numeric_limits<double>::infinity();
  constexpr double kTen = 10;
  return difference.sqnr_db ? std::pow(kTen, -*difference.sqnr_db / kTen) : 0;
}

std::vector<Index> noisiest(const onnx::Model& model, const onnx::Links& links,
                            const quantize::CastPlan& plan, const Losses& losses,
                            const std::set<Index>& tried) {
  const auto noise_of = [&](std::string_view tensor) {
    const auto found = losses.find(tensor);
    return found == losses.end() ? 0.0 : noise_ratio(found->second);
  };
  Index worst = kNoIndex;
  double most = 0;
  const onnx::Range nodes = model.graphs.front().nodes;
  for (Index node = nodes.first; node < nodes.first + nodes.count; ++node) {
    if (!plan.is_small[node] || tried.contains(node)) continue;
    double in = 0, out = 0;
    for (const std::string_view tensor : model.inputs_of(model.nodes[node])) {
      in = std::max(in, noise_of(tensor));
    }
    for (const std::string_view tensor : model.outputs_of(model.nodes[node])) {
      out = std::max(out, noise_of(tensor));
    }
    // An infinity belongs to the first node that makes one.
    if (std::isinf(in) || out - in <= most) continue;
    most = out - in;
    worst = node;
  }
  if (worst == kNoIndex) return {};
  std::vector<Index> together = {worst};
  for (const std::string_view tensor : model.inputs_of(model.nodes[worst])) {
    const onnx::Link* link = links.find(tensor);
    if (link == nullptr || link->node == kNoIndex || !plan.is_small[link->node]) continue;
    if (std::ranges::find(together, link->node) == together.end()) together.push_back(link->node);
  }
  std::ranges::sort(together);
  return together;
}

}  // namespace planex::tune
