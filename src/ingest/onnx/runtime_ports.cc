#include "ingest/onnx/runtime_ports.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "base/checked.h"
#include "base/text.h"
#include "base/utf8.h"

namespace planex::ingest::onnx {
namespace {

using base::Lifetime;
using base::StringId;
using model::BlockId;
using model::Direction;
using model::LayerId;
using planex::onnx::Index;
using planex::onnx::kNoIndex;
using planex::onnx::Node;

constexpr std::string_view kLayoutDomain = "com.microsoft.nchwc";

// "Relu_12": does the trace give this name to a Relu without a name?
bool is_name_of_unnamed(std::string_view name, std::string_view type) {
  if (!name.starts_with(type) || !name.substr(type.size()).starts_with('_')) return false;
  return base::are_digits(name.substr(type.size() + 1));
}

class Matcher {
 public:
  Matcher(const planex::onnx::Model& source, const model::PlanModel& model)
      : source_(source), model_(model) {
    // Nodes by the node whose subgraph contains them, their name and type. The first is last.
    for (Index index = static_cast<Index>(source.nodes.size()); index-- > 0;) {
      const Node& node = source.nodes[index];
      waiting_[{source.graphs[node.graph].node, node.name, node.op_type}].push_back(index);
    }
    // The layer before the first layer of a block is the loop or conditional that the block belongs
    // to.
    holder_of_.resize(model.blocks.row_count());
    for (std::size_t row = model.layers.row_count(); row-- > 0;) {
      const BlockId block = model.layers.block_id[row];
      if (!block.is_null() && row > 0) holder_of_[block.index()] = LayerId(row - 1);
    }
  }

  RuntimePorts run() {
    RuntimePorts result;
    const std::size_t count = model_.layers.row_count();
    node_of_.assign(count, kNoIndex);
    for (std::size_t row = 0; row < count; ++row) {
      node_of_[row] = match(row);
      if (node_of_[row] == kNoIndex && result.missing_count++ == 0) {
        result.example = model_.layers.name[row];
      }
    }
    result.is_optimised_model = count > 0 && result.missing_count == 0;
    return result;
  }

  Index node_of(std::size_t layer) const { return node_of_[layer]; }

 private:
  Index match(std::size_t row) {
    Index holder = kNoIndex;
    if (const BlockId block = model_.layers.block_id[row]; !block.is_null()) {
      const LayerId layer = holder_of_[block.index()];
      holder = layer.is_null() ? kNoIndex : node_of_[layer.index()];
      if (holder == kNoIndex) return kNoIndex;
    }
    const std::string_view name = model_.text(model_.layers.name[row]);
    const std::string_view type = model_.text(model_.layers.raw_type[row]);
    const Index named = take({holder, name, type});
    if (named != kNoIndex || !is_name_of_unnamed(name, type)) return named;
    return take({holder, std::string_view{}, type});
  }

  using Key = std::tuple<Index, std::string_view, std::string_view>;

  Index take(const Key& key) {
    const auto found = waiting_.find(key);
    if (found == waiting_.end() || found->second.empty()) return kNoIndex;
    const Index node = found->second.back();
    found->second.pop_back();
    return node;
  }

  const planex::onnx::Model& source_;
  const model::PlanModel& model_;
  std::map<Key, std::vector<Index>> waiting_;
  std::vector<LayerId> holder_of_;  // by block
  std::vector<Index> node_of_;      // by layer
};

class PortsMaker {
 public:
  PortsMaker(const planex::onnx::Model& source, const KnownTensors& tensors,
             model::ModelBuilder& builder)
      : source_(source),
        tensors_(tensors),
        builder_(builder),
        position_of_(positions_of(builder.model())),
        old_(builder.take_ports()) {
    rows_of_.resize(builder.model().layers.row_count());
    for (std::size_t row = 0; row < old_.row_count(); ++row) {
      // The trace reader guessed the weights from sizes.
      const bool is_output = old_.direction[row] == Direction::kOutput;
      rows_of_[old_.layer_id[row].index()][is_output ? 1 : 0].push_back(row);
    }
    for (auto& sides : rows_of_) {
      for (auto& rows : sides) {
        std::ranges::stable_sort(rows, {}, [&](std::size_t row) { return position_of_[row]; });
      }
    }
    find_blocked();
  }

  void make(LayerId layer, const Node& node) {
    add_inputs(layer, node);
    const auto outputs = source_.outputs_of(node);
    const auto& rows = rows_of_[layer.index()][1];
    const auto given = static_cast<std::size_t>(
        std::ranges::count_if(outputs, [](std::string_view name) { return !name.empty(); }));
    std::size_t next = 0;
    for (const std::string_view name : outputs) {
      if (name.empty()) continue;
      const bool aligned = rows.size() == given;
      add(layer, Direction::kOutput, node, name,
          aligned ? std::optional(rows[next]) : std::nullopt);
      ++next;
    }
  }

  void add_bindings() {
    const auto& graph = source_.graphs.front();
    for (const auto& value : source_.values_of(graph)) {
      using planex::onnx::ValueRole;
      if (value.role == ValueRole::kInfo || value.name.empty()) continue;
      const TensorFacts* facts = tensors_.find(0, value.name);
      const bool is_input = value.role == ValueRole::kInput;
      if (is_input && facts != nullptr && facts->is_weight) continue;
      builder_.add_binding(text(value.name), is_input ? Direction::kInput : Direction::kOutput);
    }
  }

 private:
  // The trace reader calls tensors "LAYER:in3": their position in the trace, where weights are
  // mixed with activations.
  static std::vector<std::size_t> positions_of(const model::PlanModel& model) {
    std::vector<std::size_t> positions(model.ports.row_count());
    for (std::size_t row = 0; row < positions.size(); ++row) {
      const auto tensor = model.ports.tensor_id[row].index();
      const std::string_view name = model.text(model.tensors.name[tensor]);
      const std::size_t digits = name.find_last_not_of("0123456789") + 1;
      std::from_chars(name.data() + digits, name.data() + name.size(), positions[row]);
    }
    return positions;
  }

  // Blocked layouts (NCHWc) begin with a layer of that domain, pass through any elementwise
  // operations, and end with a ReorderOutput.
  void find_blocked() {
    for (const Node& node : source_.nodes) {
      if (node.op_type == "ReorderOutput") continue;
      const bool takes_blocked = std::ranges::any_of(
          source_.inputs_of(node), [&](std::string_view name) { return blocked_.contains(name); });
      if (node.domain != kLayoutDomain && !takes_blocked) continue;
      for (const std::string_view output : source_.outputs_of(node)) blocked_.insert(output);
    }
  }

  std::string_view text(std::string_view name) {
    if (base::is_valid_utf8(name)) return name;
    return builder_.strings().view(builder_.strings().intern(base::valid_utf8(name)));
  }

  // Which row of the trace each input is. The trace omits weights that the kernel packed when the
  // model was loaded.
  std::vector<std::optional<std::size_t>> align(const Node& node,
                                                std::span<const std::string_view> inputs,
                                                const std::vector<std::size_t>& rows) const {
    std::vector<std::optional<std::size_t>> result(inputs.size());
    std::size_t activations_left = 0;
    for (const std::string_view name : inputs) {
      if (!is_weight(node, name)) ++activations_left;
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::size_t rows_left = rows.size() - next;
      const bool weight = is_weight(node, inputs[i]);
      if (weight) {
        const bool all_given = rows_left == inputs.size() - i;
        const bool fits =
            rows_left > activations_left && (all_given || same_dims(node, inputs[i], rows[next]));
        if (!fits) continue;
      } else {
        if (rows_left == 0) return std::vector<std::optional<std::size_t>>(inputs.size());
        --activations_left;
      }
      result[i] = rows[next++];
    }
    if (next != rows.size()) return std::vector<std::optional<std::size_t>>(inputs.size());
    return result;
  }

  bool is_weight(const Node& node, std::string_view name) const {
    const TensorFacts* facts = tensors_.find(node.graph, name);
    return facts != nullptr && facts->is_weight;
  }

  bool same_dims(const Node& node, std::string_view name, std::size_t row) const {
    const TensorFacts* facts = tensors_.find(node.graph, name);
    return facts->dims_known && !old_.dims.is_null(row) &&
           std::ranges::equal(tensors_.dims_of(*facts), old_.dims[row]);
  }

  void add_inputs(LayerId layer, const Node& node) {
    std::vector<std::string_view> inputs;
    for (const std::string_view name : source_.inputs_of(node)) {
      if (!name.empty()) inputs.push_back(name);
    }
    const auto rows = align(node, inputs, rows_of_[layer.index()][0]);
    base::CheckedInt weights = 0;
    bool weights_known = true;
    for (const Direction direction : {Direction::kInput, Direction::kConstant}) {
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const bool weight = is_weight(node, inputs[i]);
        if (weight != (direction == Direction::kConstant)) continue;
        add(layer, direction, node, inputs[i], rows[i]);
        if (!weight) continue;
        const auto bytes = tensors_.find(node.graph, inputs[i])->stored_bytes;
        weights_known = weights_known && bytes.has_value();
        weights += bytes.value_or(0);
      }
    }
    model::LayersTable& layers = builder_.model().layers;
    layers.weight_bytes.set(layer.index(), weights_known ? weights.value() : std::nullopt);
    // Exact now that activations and weights are distinguished, unless a shape is missing.
    layers.input_bytes.set(layer.index(), std::nullopt);
  }

  void add(LayerId layer, Direction direction, const Node& node, std::string_view name,
           std::optional<std::size_t> row) {
    model::PortFacts facts{.tensor = text(name)};
    const TensorFacts* known = tensors_.find(node.graph, name);
    if (row) {
      facts.dims_known = !old_.dims.is_null(*row);
      facts.dims = old_.dims[*row];
      facts.dtype = old_.dtype[*row];
      facts.raw_format = old_.raw_format[*row];
    } else if (known != nullptr) {
      facts.dims_known = known->dims_known;
      if (known->dims_known) facts.dims = tensors_.dims_of(*known);
      facts.dtype = known->dtype;
    } else {
      facts.dims_known = false;
    }
    // Everything else is row-major; weights of blocked convolutions are not.
    const bool blocked_weight = direction == Direction::kConstant && node.domain == kLayoutDomain;
    if (!blocked_weight && !blocked_.contains(name)) facts.layout.order = model::Order::kLinear;
    builder_.add_port(layer, direction, facts, Lifetime::kBorrow);
    if (direction != Direction::kInput) return;
    // Nothing writes the inputs of a subgraph, but they are not constants.
    const model::PlanModel& model = builder_.model();
    const auto tensor = model.ports.tensor_id[model.ports.row_count() - 1];
    builder_.model().tensors.role.set(tensor.index(), model::TensorRole::kActivation);
  }

  const planex::onnx::Model& source_;
  const KnownTensors& tensors_;
  model::ModelBuilder& builder_;
  std::vector<std::size_t> position_of_;  // by old port
  model::PortsTable old_;
  std::vector<std::array<std::vector<std::size_t>, 2>> rows_of_;  // by layer: inputs, outputs
  std::unordered_set<std::string_view> blocked_;
};

}  // namespace

RuntimePorts take_tensor_names(const planex::onnx::Model& source, const KnownTensors& tensors,
                               planex::onnx::NodeNames& names, model::ModelBuilder& builder) {
  const model::PlanModel& model = builder.model();
  Matcher matcher(source, model);
  const RuntimePorts result = matcher.run();
  if (!result.is_optimised_model) return result;
  PortsMaker maker(source, tensors, builder);
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const Index node = matcher.node_of(row);
    names.tell(model.text(model.layers.name[row]), node);
    maker.make(LayerId(row), source.nodes[node]);
  }
  maker.add_bindings();
  return result;
}

}  // namespace planex::ingest::onnx
