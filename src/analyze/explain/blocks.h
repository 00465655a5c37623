// The structure of an engine, block by block: repeated ones, attention, and layers that hide
// others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/timing/reconcile.h"
#include "graph/hierarchy.h"
#include "graph/plan_graph.h"
#include "model/plan_model.h"

namespace planex::analyze {

// An instance of a repeated block that stands out.
struct OutlierInstance {
  std::string name;
  std::optional<double> time_ms;
  std::optional<double> ratio;   // of the median instance
  bool has_other_shape = false;  // its types, precisions or edges differ from those of most
                                 // instances
};

struct RepeatedBlock {
  std::string name, path;  // of the series, as graph/hierarchy.h names it
  bool is_nested = false;  // inside another series of the list, whose times include its own
  std::int64_t instance_count = 0, layer_count = 0;
  // Sums of layer times under the basis; null where no layer has one.
  std::optional<double> time_ms, share;
  std::optional<double> instance_min_ms, instance_median_ms, instance_max_ms;
  std::optional<double> spread;  // (max - min) / median instance
  std::vector<OutlierInstance> outliers;
};

enum class AttentionEvidence : std::uint8_t {
  kKernel,   // the name of the layer, its type or its kernel
  kSources,  // the operations of one layer: two products with a softmax
  kGraph,    // product, softmax, product one after the other
};
std::string_view to_string(AttentionEvidence evidence);

struct AttentionBlock {
  std::vector<model::LayerId> layers;  // in execution order
  AttentionEvidence evidence = AttentionEvidence::kKernel;
  std::string evidence_text;  // why it was recognized: a word of the name, or the chain
  std::optional<double> time_ms, share;
};

// A layer that hides others, or a kernel that was generated from several operations.
struct OpaqueBlock {
  model::LayerId layer;
  std::optional<double> time_ms, share;
  // Operations of the source model in it, by type: the most frequent first, then by name.
  struct Part {
    std::string type;
    std::int64_t count = 0;
  };
  std::vector<Part> parts;
  std::int64_t operation_count = 0;
  // For a layer called {ForeignNode[first...last]}: the part of the model that it hides. The
  // operations between are unknown, so `parts` is empty.
  std::string first, last;
};

struct Blocks {
  TimeBasis basis = TimeBasis::kNone;
  std::vector<RepeatedBlock> repeated;    // in execution order, a series before those in it
  std::vector<AttentionBlock> attention;  // in execution order
  std::vector<OpaqueBlock> opaque;        // by time, descending, then in execution order
  // All layers that do work: time_ms = in_blocks_ms + rest_ms, where in_blocks_ms is the sum of the
  // repeated blocks that are not nested. Attention and opaque layers can be in either.
  std::int64_t layer_count = 0, layers_in_blocks = 0, rest_count = 0;
  std::optional<double> time_ms, in_blocks_ms, rest_ms;
  // Σ layers, the base of shares: time_ms plus the time of records that do no work.
  std::optional<double> layers_ms, others_ms;
  std::optional<double> attention_ms, opaque_ms;
};

// `tree` and `graph` belong to the execution view of `model`. Cost: O(layers + edges + sources),
// besides sorting; the search for products around a softmax visits at most kMaxLooked layers.
Blocks find_blocks(const model::PlanModel& model, const graph::PlanGraph& graph,
                   const graph::GroupTree& tree, const Reconciliation& time);

inline constexpr std::size_t kMaxLooked = 24;

// "/blocks.0/attn/MatMul_3" -> "MatMul": what exporters name nodes after.
std::string_view operation_word(std::string_view op_name);

}  // namespace planex::analyze
