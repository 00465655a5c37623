#include "analyze/explain/attention.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"

namespace planex::analyze {
namespace {

using base::contains_ignoring_case;
using base::format;
using graph::NodeId;
using model::Family;
using model::LayerId;
using model::PlanModel;

// Kernels and types that are attention as a whole.
constexpr std::array<std::string_view, 5> kFused = {"fmha", "_mha", "MultiHeadAttention",
                                                    "ScaledDotProductAttention", "flash_att"};

bool is_softmax(std::string_view word) { return contains_ignoring_case(word, "softmax"); }

bool is_product(std::string_view word) {
  return word == "MatMul" || word == "Gemm" || word == "Einsum" || word == "MatrixMultiply";
}

class AttentionFinder {
 public:
  AttentionFinder(const PlanModel& model, const graph::PlanGraph& graph)
      : model_(model), graph_(graph), edges_(graph), taken_(model.layers.row_count()) {}

  std::vector<AttentionBlock> find() {
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      if (model_.does_work(LayerId(row))) find_in_layer(LayerId(row));
    }
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      if (model_.does_work(LayerId(row)) && !taken_[row]) find_around(LayerId(row));
    }
    std::ranges::stable_sort(
        blocks_, {}, [](const AttentionBlock& block) { return block.layers.front().index(); });
    return std::move(blocks_);
  }

 private:
  void find_in_layer(LayerId layer) {
    const std::size_t row = layer.index();
    for (const base::StringId text :
         {model_.layers.tactic[row], model_.layers.type[row], model_.layers.name[row]}) {
      for (const std::string_view word : kFused) {
        if (!contains_ignoring_case(model_.text(text), word)) continue;
        add({layer}, AttentionEvidence::kKernel, base::quoted(word));
        return;
      }
    }
    std::size_t products = 0, softmaxes = 0;
    const model::RowRange sources = model_.sources_of(layer);
    for (std::size_t source = sources.first; source < sources.end(); ++source) {
      const std::string_view type = operation_type(model_, source);
      if (is_product(type)) ++products;
      if (is_softmax(type)) ++softmaxes;
    }
    if (products >= 2 && softmaxes >= 1) {
      add({layer}, AttentionEvidence::kSources,
          format("{} and {}", base::counted(products, "product"),
                 base::counted(softmaxes, "softmax", "softmaxes")));
    }
  }

  bool has_softmax(LayerId layer) const {
    const std::size_t row = layer.index();
    if (is_softmax(model_.text(model_.layers.type[row]))) return true;
    const model::RowRange sources = model_.sources_of(layer);
    for (std::size_t source = sources.first; source < sources.end(); ++source) {
      if (is_softmax(operation_type(model_, source))) return true;
    }
    return sources.count == 0 && is_softmax(model_.text(model_.layers.name[row]));
  }

  // Of two activations: projections of Q, K and V multiply by weights.
  bool is_product_layer(LayerId layer) const {
    if (model_.layers.family[layer.index()] != Family::kGemm) return false;
    constexpr std::int64_t kScalars = 64;  // factors of the product
    if (model_.layers.weight_bytes.get(layer.index()).value_or(0) > kScalars) return false;
    const model::RowRange ports = model_.ports_of(layer);
    std::size_t activations = 0;
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      if (model_.ports.direction[port] != model::Direction::kInput) continue;
      const model::TensorRole role = model_.tensors.role[model_.ports.tensor_id[port].index()];
      if (role == model::TensorRole::kActivation || role == model::TensorRole::kInput)
        ++activations;
    }
    return activations >= 2;
  }

  // A generated kernel that contains the softmax of what the model calls attention; the names of
  // its products may reveal nothing.
  bool is_named_attention(LayerId layer) const {
    if (model_.layers.family[layer.index()] != Family::kOpaque) return false;
    const model::RowRange sources = model_.sources_of(layer);
    constexpr std::size_t kMinOperations = 3;
    if (sources.count < kMinOperations) return false;
    for (std::size_t source = sources.first; source < sources.end(); ++source) {
      const std::string_view name = model_.text(model_.sources.op_name[source]);
      if (is_softmax(name) && contains_ignoring_case(name, "att")) return true;
    }
    return false;
  }

  void find_around(LayerId softmax) {
    if (!has_softmax(softmax)) return;
    const NodeId start = graph_.node_of_layer[softmax.index()];
    if (start.is_null()) return;
    std::vector<LayerId> before = way_to_product(start, true);
    std::vector<LayerId> after = way_to_product(start, false);
    if (before.empty() || after.empty()) {
      if (is_named_attention(softmax)) {
        add({softmax}, AttentionEvidence::kSources, "a softmax in an operation named attention");
      }
      return;
    }
    std::vector<LayerId> layers = std::move(before);
    layers.insert(layers.end(), after.begin(), after.end());
    layers.push_back(softmax);
    std::ranges::sort(layers);
    const auto rest = std::ranges::unique(layers);
    layers.erase(rest.begin(), rest.end());
    if (std::ranges::any_of(layers, [&](LayerId layer) { return taken_[layer.index()]; })) return;
    add(std::move(layers), AttentionEvidence::kGraph, "product, softmax, product");
  }

  // The layers from `start` to the nearest product, without `start`; nothing where there is no
  // product within kMaxLooked layers.
  std::vector<LayerId> way_to_product(NodeId start, bool backwards) const {
    struct Step {
      NodeId node;
      std::size_t from;  // index of the step before
    };
    std::vector<Step> steps = {{start, 0}};
    for (std::size_t at = 0; at < steps.size() && steps.size() <= kMaxLooked; ++at) {
      const auto around = backwards ? edges_.in(steps[at].node) : edges_.out(steps[at].node);
      for (const std::uint32_t edge : around.first(std::min(around.size(), kMaxLooked))) {
        const NodeId next = backwards ? graph_.edges[edge].from : graph_.edges[edge].to;
        const LayerId layer = graph_.nodes[next.index()].layer;
        if (graph_.edges[edge].kind != graph::EdgeKind::kData || layer.is_null() ||
            std::ranges::find(steps, next, &Step::node) != steps.end()) {
          continue;
        }
        steps.push_back({next, at});
        if (!is_product_layer(layer)) continue;
        std::vector<LayerId> way;
        for (std::size_t step = steps.size() - 1; step != 0; step = steps[step].from) {
          way.push_back(graph_.nodes[steps[step].node.index()].layer);
        }
        return way;
      }
    }
    return {};
  }

  void add(std::vector<LayerId> layers, AttentionEvidence evidence, std::string evidence_text) {
    for (const LayerId layer : layers) taken_[layer.index()] = true;
    blocks_.push_back({.layers = std::move(layers),
                       .evidence = evidence,
                       .evidence_text = std::move(evidence_text)});
  }

  const PlanModel& model_;
  const graph::PlanGraph& graph_;
  const graph::Adjacency edges_;
  std::vector<bool> taken_;
  std::vector<AttentionBlock> blocks_;
};

}  // namespace

std::string_view operation_word(std::string_view op_name) {
  const std::size_t slash = op_name.rfind('/');
  std::string_view word = slash == op_name.npos ? op_name : op_name.substr(slash + 1);
  // "MatMul_3", "Softmax_12_1": counters of exporters.
  while (true) {
    std::size_t end = word.size();
    while (end > 0 && word[end - 1] >= '0' && word[end - 1] <= '9') --end;
    if (end == word.size() || end < 2 || word[end - 1] != '_') return word;
    word = word.substr(0, end - 1);
  }
}

std::string_view operation_type(const PlanModel& model, std::size_t source) {
  const std::string_view type = model.text(model.sources.op_type[source]);
  if (!type.empty()) return type;
  const std::string_view word = operation_word(model.text(model.sources.op_name[source]));
  return word.empty() ? "not known" : word;
}

std::vector<AttentionBlock> find_attention(const PlanModel& model, const graph::PlanGraph& graph) {
  return AttentionFinder(model, graph).find();
}

}  // namespace planex::analyze
