// What is drawn for an engine, before any geometry: nodes and the edges between them.
//
// Nodes and edges are dense lists in a stable order: nodes by execution (bindings that are read
// come first, those that are written come last), edges by their target node, then its port. So the
// same model always gives the same graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "model/plan_model.h"

namespace planex::graph {

struct NodeTag;
struct EdgeTag;
using NodeId = base::Id<NodeTag>;
using EdgeId = base::Id<EdgeTag>;

enum class View : std::uint8_t {
  kExecution,  // layers, and bindings
  kMemory,     // and every tensor's memory between them, one node per generation
  kSource,     // operations of the source model
};

enum class NodeKind : std::uint8_t {
  kLayer,      // a record of the engine that does work, or another requested one
  kConstant,   // a record that only contains a constant
  kBinding,    // an input or output of the engine
  kMemory,     // memory that layers write and read: one generation of one tensor
  kOperation,  // of the source model
};

enum class EdgeKind : std::uint8_t {
  kData,        // a tensor from its producer to its consumer
  kCarried,     // the same, into the next loop iteration: leads back
  kReuse,       // memory to the next generation that uses it
  kEvent,       // a signal to the layer that waits for it, on another stream
  kControl,     // a condition or a jump
  kOrder,       // one after the other, for no other reason (TrainStation)
  kContracted,  // a path through nodes that are not shown
};

// "execution", "layer", "data": the constant's name in lower case.
std::string_view to_string(View view);
std::string_view to_string(NodeKind kind);
std::string_view to_string(EdgeKind kind);

inline constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

struct Node {
  NodeKind kind = NodeKind::kLayer;
  // kLayer, kConstant, and a kOperation that only `sources` knows; null otherwise.
  model::LayerId layer;
  // kBinding and kMemory; null otherwise, and for a binding that no tensor is named after.
  model::TensorId tensor;
  // kOperation; null where the engine only names its sources.
  model::OperationId operation;
  // kOperation without a row of `operations`: row of `sources`.
  std::uint32_t source = kNoRow;
  // kBinding: row of `bindings`.
  std::uint32_t binding = kNoRow;
  // kBinding: kInput or kOutput, as the engine sees it.
  model::Direction direction = model::Direction::kNull;
  // kMemory: which use of the tensor's memory, counted from 0; generations is their number.
  std::uint32_t generation = 0;
  std::uint32_t generations = 1;
};

struct Edge {
  NodeId from;
  NodeId to;
  EdgeKind kind = EdgeKind::kData;
  // What flows; null where nothing does, and in the source view.
  model::TensorId tensor;
  // Rows of `ports` (in the source view of `operation_ports`) at both ends: type, dims and layout
  // can differ between them. kNoRow where the end is not a layer.
  std::uint32_t from_port = kNoRow;
  std::uint32_t to_port = kNoRow;
};

// Which generations become nodes in the execution view; the memory view shows all.
enum class MemoryNodes : std::uint8_t {
  // Bindings, tensors of several generations, and tensors for which an edge from each writer to
  // each reader would be too many (kMaxDirectEdges).
  kNeeded,
  kForking,  // also tensors with several writers or several readers
  kAll,
};

// A generation of w writers and r readers has w · r edges, or w + r through a node. It becomes a
// node where there would be more direct edges than this, and more than four times as many.
inline constexpr std::size_t kMaxDirectEdges = 4096;

struct GraphOptions {
  View view = View::kExecution;
  MemoryNodes memory = MemoryNodes::kNeeded;
  // Records that contain constants, and constants that nothing writes, as nodes.
  bool constants = false;
  // No-ops are left out; a reader of a no-op reads from the writers of what it passes on. A no-op
  // that joins so much for so many that edges would multiply stays a node.
  bool fold_no_ops = true;
  // Signals, waits, shape calls and jumps as nodes, instead of edges or nothing.
  bool bookkeeping = false;
};

struct PlanGraph {
  View view = View::kExecution;
  std::vector<Node> nodes;
  std::vector<Edge> edges;

  // The node of a layer, or null where it has none. Sized by the layers of the model.
  std::vector<NodeId> node_of_layer;
};

// Edges at each node, as indices into PlanGraph::edges, in their order.
class Adjacency {
 public:
  explicit Adjacency(const PlanGraph& graph);

  std::span<const std::uint32_t> in(NodeId node) const { return part(in_, first_in_, node); }
  std::span<const std::uint32_t> out(NodeId node) const { return part(out_, first_out_, node); }

 private:
  static std::span<const std::uint32_t> part(const std::vector<std::uint32_t>& edges,
                                             const std::vector<std::uint32_t>& firsts,
                                             NodeId node) {
    return std::span(edges).subspan(firsts[node.index()],
                                    firsts[node.index() + 1] - firsts[node.index()]);
  }

  std::vector<std::uint32_t> in_, out_, first_in_, first_out_;
};

// The graph of the shown profile. The model must be complete (analyze::complete). Cost: O(ports +
// attributes of TrainStation and control records).
PlanGraph build_plan_graph(const model::PlanModel& model, const GraphOptions& options);

}  // namespace planex::graph
