#include "graph/execution_graph.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "graph/bindings.h"
#include "graph/generations.h"
#include "graph/program_order.h"

namespace planex::graph {
namespace {

using model::BlockId;
using model::Direction;
using model::LayerId;
using model::PlanModel;
using model::Role;
using model::TensorId;

constexpr std::uint32_t kFirst = 0;
constexpr std::uint32_t kLast = std::numeric_limits<std::uint32_t>::max();

// A node before its position among all is known.
struct Draft {
  std::uint32_t record = 0;  // the record it stands at, plus one
  std::uint32_t step = 0;    // before, at or after it
  std::uint32_t order = 0;   // among those of the same step
  Node node;
};

class Builder {
 public:
  Builder(const PlanModel& model, const GraphOptions& options)
      : model_(model),
        options_(options),
        binding_tensors_(tensors_of_bindings(model)),
        generations_(find_generations(model, options, binding_tensors_)) {
    graph_.view = options.view;
  }

  PlanGraph run() {
    index_bindings();
    add_nodes();
    place_nodes();
    const JumpTargets jumps(model_, graph_);
    jumps_ = &jumps;
    for (std::size_t i = 0; i < generations_.list.size(); ++i) add_edges(i);
    add_passed_through();
    add_carried();
    add_order_edges(model_, graph_);
    return std::move(graph_);
  }

 private:
  void index_bindings() {
    input_of_tensor_.assign(model_.tensors.row_count(), kNoRow);
    output_of_tensor_.assign(model_.tensors.row_count(), kNoRow);
    node_of_binding_.assign(model_.bindings.row_count(), NodeId());
    for (std::size_t row = model_.bindings.row_count(); row-- > 0;) {
      if (binding_tensors_[row].is_null()) continue;
      const bool is_output = model_.bindings.direction[row] == Direction::kOutput;
      auto& of_tensor = is_output ? output_of_tensor_ : input_of_tensor_;
      of_tensor[binding_tensors_[row].index()] = static_cast<std::uint32_t>(row);
    }
  }

  // --- Nodes ---

  bool is_node(LayerId layer) const {
    if (!model_.is_shown(layer)) return false;
    switch (model_.layers.role[layer.index()]) {
      case Role::kInput:
      case Role::kOutput:
        return false;
      case Role::kConstant:
        return options_.constants;
      case Role::kNoOp:
        return !options_.fold_no_ops || generations_.kept_no_op[layer.index()];
      case Role::kSignal:
      case Role::kWait:
      case Role::kShape:
      case Role::kControl:
        return options_.bookkeeping;
      default:
        return true;
    }
  }

  std::uint32_t binding_of(const Generation& generation) const {
    const std::size_t tensor = generation.tensor.index();
    const bool is_written = generation.first_read > generation.first_write;
    if (generation.index == 0 && !is_written && input_of_tensor_[tensor] != kNoRow) {
      return input_of_tensor_[tensor];
    }
    return generation.index + 1 == generation.count ? output_of_tensor_[tensor] : kNoRow;
  }

  bool is_binding(TensorId tensor) const {
    return input_of_tensor_[tensor.index()] != kNoRow ||
           output_of_tensor_[tensor.index()] != kNoRow;
  }

  // Constant records wrote all of it, or no layer wrote the tensor.
  bool is_constant(const Generation& generation) const {
    const auto writes = generations_.writes(generation);
    if (is_binding(generation.tensor)) return false;
    if (writes.empty()) return generation.count == 1;
    return std::ranges::all_of(writes, [&](const Access& write) {
      return model_.layers.role[write.layer.index()] == Role::kConstant;
    });
  }

  bool is_memory_node(const Generation& generation) const {
    if (is_constant(generation)) {
      if (!options_.constants) return false;
      if (generations_.writes(generation).empty()) return true;
    }
    if (options_.memory == MemoryNodes::kAll || options_.view == View::kMemory) return true;
    if (generation.count > 1 || is_binding(generation.tensor)) return true;
    const std::size_t writes = generations_.writes(generation).size();
    const std::size_t reads = generations_.reads(generation).size();
    if (options_.memory == MemoryNodes::kForking && (writes > 1 || reads > 1)) return true;
    return writes * reads > kMaxDirectEdges && writes * reads > 4 * (writes + reads);
  }

  void add_nodes() {
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      if (!is_node(LayerId(row))) continue;
      const bool is_constant = model_.layers.role[row] == Role::kConstant;
      drafts_.push_back(
          {record_of(LayerId(row)),
           kAt,
           0,
           {.kind = is_constant ? NodeKind::kConstant : NodeKind::kLayer, .layer = LayerId(row)}});
    }
    std::vector<bool> has_node(model_.bindings.row_count(), false);
    draft_of_generation_.assign(generations_.list.size(), kNoRow);
    for (std::size_t i = 0; i < generations_.list.size(); ++i) {
      const Generation& generation = generations_.list[i];
      if (!is_memory_node(generation)) continue;
      const std::uint32_t binding = binding_of(generation);
      if (binding != kNoRow) has_node[binding] = true;
      draft_of_generation_[i] = static_cast<std::uint32_t>(drafts_.size());
      drafts_.push_back(draft_of(generation, i, binding));
    }
    for (std::size_t row = 0; row < has_node.size(); ++row) {
      if (!has_node[row] && !is_repeated(row)) drafts_.push_back(draft_of_binding(row));
    }
  }

  static constexpr std::uint32_t kBefore = 0, kAt = 1, kAfter = 2;
  static std::uint32_t record_of(LayerId layer) {
    return static_cast<std::uint32_t>(layer.index() + 1);
  }

  // Another row is about the same tensor.
  bool is_repeated(std::size_t row) const {
    const TensorId tensor = binding_tensors_[row];
    if (tensor.is_null()) return false;
    const bool is_output = model_.bindings.direction[row] == Direction::kOutput;
    return (is_output ? output_of_tensor_ : input_of_tensor_)[tensor.index()] != row;
  }

  Draft draft_of_binding(std::size_t row) const {
    const Direction direction = model_.bindings.direction[row];
    return {direction == Direction::kOutput ? kLast : kFirst,
            kAt,
            static_cast<std::uint32_t>(row),
            {.kind = NodeKind::kBinding,
             .tensor = binding_tensors_[row],
             .binding = static_cast<std::uint32_t>(row),
             .direction = direction}};
  }

  Draft draft_of(const Generation& generation, std::size_t index, std::uint32_t binding) const {
    const auto writes = generations_.writes(generation);
    const auto reads = generations_.reads(generation);
    Draft draft;
    if (binding != kNoRow) draft = draft_of_binding(binding);
    draft.node.kind = binding != kNoRow ? NodeKind::kBinding : NodeKind::kMemory;
    draft.node.tensor = generation.tensor;
    draft.node.generation = generation.index;
    draft.node.generations = generation.count;
    const bool is_end = binding != kNoRow && (writes.empty() || reads.empty());
    if (is_end) return draft;
    draft.order = static_cast<std::uint32_t>(index);
    draft.step = writes.empty() ? kBefore : kAfter;
    draft.record = record_of(writes.empty() ? first_layer(reads) : writes.back().layer);
    return draft;
  }

  static LayerId first_layer(std::span<const Access> reads) {
    for (const Access& read : reads) {
      if (!read.layer.is_null()) return read.layer;
    }
    return LayerId(0);
  }

  void place_nodes() {
    std::vector<std::uint32_t> order(drafts_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    std::ranges::sort(order, {}, [&](std::uint32_t i) {
      return std::tuple(drafts_[i].record, drafts_[i].step, drafts_[i].order, i);
    });
    graph_.node_of_layer.assign(model_.layers.row_count(), NodeId());
    std::vector<NodeId> node_of_draft(drafts_.size());
    graph_.nodes.reserve(drafts_.size());
    for (const std::uint32_t i : order) {
      const NodeId id(graph_.nodes.size());
      const Node& node = drafts_[i].node;
      node_of_draft[i] = id;
      if (!node.layer.is_null()) graph_.node_of_layer[node.layer.index()] = id;
      if (node.binding != kNoRow) node_of_binding_[node.binding] = id;
      graph_.nodes.push_back(node);
    }
    node_of_generation_.assign(generations_.list.size(), NodeId());
    for (std::size_t i = 0; i < generations_.list.size(); ++i) {
      const std::uint32_t draft = draft_of_generation_[i];
      if (draft != kNoRow) node_of_generation_[i] = node_of_draft[draft];
    }
  }

  // --- Edges ---

  void add_edge(NodeId from, NodeId to, EdgeKind kind, TensorId tensor, std::uint32_t from_port,
                std::uint32_t to_port) {
    graph_.edges.push_back({from, to, kind, tensor, from_port, to_port});
  }

  // From a node and its port to the nodes that the access represents.
  void add_read(NodeId from, std::uint32_t from_port, TensorId tensor, const Access& read) {
    if (read.layer.is_null()) {
      const NodeId to = node_of_binding_[read.binding];
      if (!to.is_null()) add_edge(from, to, EdgeKind::kData, tensor, from_port, kNoRow);
      return;
    }
    const NodeId to = graph_.node_of_layer[read.layer.index()];
    if (!to.is_null()) {
      add_edge(from, to, EdgeKind::kData, tensor, from_port, read.port);
      return;
    }
    for (const NodeId target : jumps_->of(read.layer)) {
      if (target != from) add_edge(from, target, EdgeKind::kControl, tensor, from_port, kNoRow);
    }
  }

  void add_edges(std::size_t i) {
    const Generation& generation = generations_.list[i];
    const NodeId memory = node_of_generation_[i];
    if (memory.is_null() && is_constant(generation) && !options_.constants) return;
    for (const Access& write : generations_.writes(generation)) {
      const NodeId from = graph_.node_of_layer[write.layer.index()];
      if (from.is_null()) continue;
      if (!memory.is_null()) {
        add_edge(from, memory, EdgeKind::kData, generation.tensor, write.port, kNoRow);
        continue;
      }
      for (const Access& read : generations_.reads(generation)) {
        add_read(from, write.port, generation.tensor, read);
      }
    }
    if (memory.is_null()) return;
    for (const Access& read : generations_.reads(generation)) {
      add_read(memory, kNoRow, generation.tensor, read);
    }
    if (generation.index == 0 || node_of_generation_[i - 1].is_null()) return;
    add_edge(node_of_generation_[i - 1], memory, EdgeKind::kReuse, generation.tensor, kNoRow,
             kNoRow);
  }

  // An input that is an output as well, untouched.
  void add_passed_through() {
    for (std::size_t row = 0; row < binding_tensors_.size(); ++row) {
      const TensorId tensor = binding_tensors_[row];
      if (tensor.is_null() || output_of_tensor_[tensor.index()] != row) continue;
      const std::uint32_t input = input_of_tensor_[tensor.index()];
      if (input == kNoRow || node_of_binding_[row].is_null() || node_of_binding_[input].is_null()) {
        continue;
      }
      const Node& output = graph_.nodes[node_of_binding_[row].index()];
      if (output.generations > 1) continue;
      add_edge(node_of_binding_[input], node_of_binding_[row], EdgeKind::kData, tensor, kNoRow,
               kNoRow);
    }
  }

  // What an iteration of a loop reads before it writes comes from the iteration before.
  void add_carried() {
    const Loops loops(model_);
    if (!loops.are_there()) return;
    std::size_t end = 0;
    for (std::size_t first = 0; first < generations_.list.size(); first = end) {
      end = first + generations_.list[first].count;
      if (end - first > 1) add_carried(first, end, loops);
    }
  }

  void add_carried(std::size_t first, std::size_t end, const Loops& loops) {
    struct Written {
      BlockId loop;
      std::size_t first, last;  // generations
    };
    std::vector<Written> written;
    const auto written_in = [&](BlockId loop) {
      return std::ranges::find(written, loop, &Written::loop);
    };
    constexpr std::size_t kMaxLoopsOfTensor = 64;
    for (std::size_t i = first; i < end; ++i) {
      for (const Access& write : generations_.writes(generations_.list[i])) {
        for (BlockId loop = loops.around(write.layer); !loop.is_null();
             loop = loops.outside(loop)) {
          const auto found = written_in(loop);
          if (found != written.end()) {
            found->last = i;
          } else if (written.size() < kMaxLoopsOfTensor) {
            written.push_back({loop, i, i});
          } else {
            break;
          }
        }
      }
    }
    for (std::size_t i = first; i < end && !written.empty(); ++i) {
      for (const Access& read : generations_.reads(generations_.list[i])) {
        if (read.layer.is_null()) continue;
        const NodeId to = graph_.node_of_layer[read.layer.index()];
        for (BlockId loop = loops.around(read.layer); !loop.is_null() && !to.is_null();
             loop = loops.outside(loop)) {
          const auto found = written_in(loop);
          if (found == written.end() || i >= found->first) continue;
          if (node_of_generation_[found->last].is_null()) continue;
          add_edge(node_of_generation_[found->last], to, EdgeKind::kCarried,
                   generations_.list[i].tensor, kNoRow, read.port);
          break;
        }
      }
    }
  }

  const PlanModel& model_;
  const GraphOptions& options_;
  PlanGraph graph_;
  std::vector<TensorId> binding_tensors_;
  Generations generations_;
  std::vector<std::uint32_t> input_of_tensor_, output_of_tensor_;
  std::vector<Draft> drafts_;
  std::vector<std::uint32_t> draft_of_generation_;
  std::vector<NodeId> node_of_generation_, node_of_binding_;
  const JumpTargets* jumps_ = nullptr;
};

}  // namespace

PlanGraph build_execution_graph(const PlanModel& model, const GraphOptions& options) {
  return Builder(model, options).run();
}

}  // namespace planex::graph
