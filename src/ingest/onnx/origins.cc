#include "ingest/onnx/origins.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/utf8.h"

namespace planex::ingest::onnx {
namespace {

using model::Direction;
using model::LayerId;
using planex::onnx::Index;
using planex::onnx::kNoIndex;
using planex::onnx::Node;

// Operations that a convolution in a blocked layout fuses after itself.
constexpr auto kFusedBehind = std::to_array<std::string_view>(
    {"Add", "Clip", "HardSigmoid", "LeakyRelu", "Relu", "Sigmoid", "Sum", "Tanh"});

class Origins {
 public:
  Origins(const planex::onnx::Model& source, const planex::onnx::NodeNames& names,
          model::ModelBuilder& builder)
      : source_(source), names_(names), builder_(builder), model_(builder.model()) {
    for (Index index = 0; index < source.nodes.size(); ++index) {
      const Node& node = source.nodes[index];
      if (node.graph != 0) continue;
      for (const std::string_view output : source.outputs_of(node)) {
        if (!output.empty()) writer_of_.emplace(output, index);
      }
      for (const std::string_view input : source.inputs_of(node)) {
        if (!input.empty()) readers_of_[input].push_back(index);
      }
    }
  }

  std::size_t add() {
    find_ends();
    for (std::size_t row = 0; row < ends_of_.size(); ++row) {
      if (is_blocked_[row]) take_what_follows(row);
    }
    std::size_t layer_count = 0;
    std::vector<std::vector<Index>> nodes_of(model_.layers.row_count());
    for (std::size_t row = 0; row < nodes_of.size(); ++row) {
      nodes_of[row] = walk_back(ends_of_[row]);
      if (!nodes_of[row].empty()) ++layer_count;
    }
    if (layer_count > 0) write(nodes_of);
    return layer_count;
  }

 private:
  // The nodes that write a layer's outputs. If several layers output the same tensor, the first one
  // computes it.
  void find_ends() {
    const std::size_t count = model_.layers.row_count();
    ends_of_.resize(count);
    is_blocked_.resize(count);
    std::vector<std::vector<std::string_view>> outputs_of(count);
    for (std::size_t row = 0; row < model_.ports.row_count(); ++row) {
      if (model_.ports.direction[row] != Direction::kOutput) continue;
      const auto tensor = model_.ports.tensor_id[row].index();
      outputs_of[model_.ports.layer_id[row].index()].push_back(
          model_.text(model_.tensors.name[tensor]));
    }
    for (std::size_t row = 0; row < count; ++row) {
      if (!model_.layers.block_id[row].is_null()) continue;
      // Passes on a tensor that another layer computed.
      if (model_.text(model_.layers.raw_type[row]) == "ReorderOutput") continue;
      // In a blocked layout its tensors have their own names, and the layer has the tensor's name.
      const Index named = names_.find(model_.text(model_.layers.name[row]));
      bool has_end = false;
      for (const std::string_view name : outputs_of[row]) {
        const auto writer = writer_of_.find(name);
        if (writer != writer_of_.end()) has_end = add_end(row, writer->second, name) || has_end;
      }
      if (has_end || named == kNoIndex || source_.nodes[named].graph != 0) continue;
      for (const std::string_view name : source_.outputs_of(source_.nodes[named])) {
        if (!name.empty()) is_blocked_[row] = add_end(row, named, name) || is_blocked_[row];
      }
    }
  }

  bool add_end(std::size_t row, Index node, std::string_view tensor) {
    if (!ends_.emplace(tensor, row).second) return false;
    ends_of_[row].push_back(node);
    return true;
  }

  // A layer in a blocked layout gets its name before later operations are fused into it: a sum with
  // outputs of earlier layers, an activation.
  void take_what_follows(std::size_t row) {
    std::string_view tensor = source_.outputs_of(source_.nodes[ends_of_[row].back()]).front();
    while (true) {
      const auto readers = readers_of_.find(tensor);
      if (readers == readers_of_.end() || readers->second.size() != 1) return;
      const Index index = readers->second.front();
      const Node& node = source_.nodes[index];
      const auto outputs = source_.outputs_of(node);
      if (std::ranges::find(kFusedBehind, node.op_type) == kFusedBehind.end()) return;
      if (outputs.size() != 1 || ends_.contains(outputs.front())) return;
      for (const std::string_view input : source_.inputs_of(node)) {
        const auto end = ends_.find(input);
        const bool is_here = end == ends_.end() ? !writer_of_.contains(input) : end->second <= row;
        if (!is_here) return;
      }
      tensor = outputs.front();
      ends_.emplace(tensor, row);
      ends_of_[row].push_back(index);
    }
  }

  // The nodes before these ones, up to the outputs of other layers. Each node is used once: work
  // that is done for two layers belongs to the first.
  std::vector<Index> walk_back(std::vector<Index> waiting) {
    std::vector<Index> found;
    while (!waiting.empty()) {
      const Index index = waiting.back();
      waiting.pop_back();
      if (!taken_.insert(index).second) continue;
      const Node& node = source_.nodes[index];
      if (node.op_type != "Constant") found.push_back(index);
      for (const std::string_view input : source_.inputs_of(node)) {
        const auto writer = writer_of_.find(input);
        if (writer != writer_of_.end() && !ends_.contains(input)) waiting.push_back(writer->second);
      }
    }
    std::ranges::sort(found);
    return found;
  }

  // The names that OpenVINO gives to nodes without a name.
  std::string_view name_of(Index index) const {
    const std::string_view name = names_.name_of(index);
    if (!name.empty()) return name;
    const auto outputs = source_.outputs_of(source_.nodes[index]);
    return outputs.empty() ? std::string_view() : outputs.front();
  }

  // The rows of a layer are contiguous, so the table is rebuilt.
  void write(const std::vector<std::vector<Index>>& nodes_of) {
    const model::SourcesTable old = std::exchange(model_.sources, {});
    std::size_t next = 0;
    for (std::size_t row = 0; row < nodes_of.size(); ++row) {
      std::unordered_set<std::string_view> known;
      for (; next < old.row_count() && old.layer_id[next].index() == row; ++next) {
        const std::string_view name = model_.text(old.op_name[next]);
        known.insert(name);
        const std::string_view type =
            old.op_type.is_null(next) ? std::string_view() : model_.text(old.op_type[next]);
        builder_.add_source(LayerId(row), name, type, old.evidence[next], base::Lifetime::kBorrow);
      }
      for (const Index index : nodes_of[row]) {
        const std::string_view name = name_of(index);
        if (name.empty() || known.contains(name)) continue;
        // A repaired copy, which must be kept.
        const std::string_view kept =
            base::is_valid_utf8(name)
                ? name
                : builder_.strings().view(builder_.strings().intern(base::valid_utf8(name)));
        builder_.add_source(LayerId(row), kept, base::valid_utf8(source_.nodes[index].op_type),
                            model::Evidence::kName, base::Lifetime::kBorrow);
      }
    }
  }

  const planex::onnx::Model& source_;
  const planex::onnx::NodeNames& names_;
  model::ModelBuilder& builder_;
  model::PlanModel& model_;
  std::unordered_map<std::string_view, Index> writer_of_;  // by tensor of the main graph
  std::unordered_map<std::string_view, std::vector<Index>> readers_of_;
  std::unordered_map<std::string_view, std::size_t> ends_;  // output tensors of layers
  std::vector<std::vector<Index>> ends_of_;                 // by layer: the nodes that write them
  std::vector<bool> is_blocked_;                            // by layer
  std::unordered_set<Index> taken_;
};

}  // namespace

std::size_t add_origins(const planex::onnx::Model& source, const planex::onnx::NodeNames& names,
                        model::ModelBuilder& builder) {
  return Origins(source, names, builder).add();
}

}  // namespace planex::ingest::onnx
