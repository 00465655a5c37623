// An If whose condition is constant is one of its branches: PyTorch writes one for each squeeze of
// a dimension that might have been 1.
#include <optional>
#include <unordered_map>
#include <utility>

#include "clean/passes.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

const onnx::Graph* branch_of(const Draft& draft, NodeId node, std::string_view attribute) {
  for (const onnx::Graph& graph : draft.model().graphs) {
    if (graph.kind == onnx::GraphKind::kSubgraph && graph.node == draft.origin(node) &&
        graph.attribute == attribute) {
      return &graph;
    }
  }
  return nullptr;
}

// Graphs inside of it would keep names that change here.
bool is_plain_branch(const Draft& draft, const onnx::Graph& graph) {
  const onnx::Model& model = draft.model();
  if (graph.sparse_initializers.count > 0) return false;
  for (const onnx::Node& node : model.nodes_of(graph)) {
    if (!onnx::is_default_domain(node.domain) || node.function != onnx::kNoIndex) return false;
    for (const onnx::Attribute& attribute : model.attributes_of(node)) {
      const bool has_graph = attribute.type == onnx::AttributeType::kGraph ||
                             attribute.type == onnx::AttributeType::kGraphs;
      if (has_graph) return false;
    }
  }
  return true;
}

// Puts the nodes of the branch before the If. False: it stays.
bool put_out(Draft& draft, NodeId node, const onnx::Graph& graph) {
  const onnx::Model& model = draft.model();
  std::vector<std::string_view> results;
  for (const onnx::Value& value : model.values_of(graph)) {
    if (value.role == onnx::ValueRole::kOutput) results.push_back(value.name);
  }
  if (results.size() != draft.outputs(node).size()) return false;
  std::unordered_map<std::string_view, TensorId> inside;
  const auto at = [&](std::string_view name) {
    const auto found = inside.find(name);
    return found == inside.end() ? draft.find(name) : found->second;
  };
  // Nothing is changed before all of it is known to fit.
  std::unordered_map<std::string_view, Constant> constants;
  for (onnx::Index i = 0; i < graph.initializers.count; ++i) {
    const onnx::Index tensor = graph.initializers.first + i;
    auto value = draft.load_tensor(tensor);
    if (!value) return false;
    constants.emplace(model.tensors[tensor].name, *std::move(value));
  }
  std::unordered_map<std::string_view, bool> made;
  for (const auto& [name, value] : constants) made.emplace(name, true);
  for (const onnx::Node& inner : model.nodes_of(graph)) {
    for (const std::string_view name : model.inputs_of(inner)) {
      if (!name.empty() && !made.contains(name) && draft.find(name) == kNone) return false;
    }
    for (const std::string_view name : model.outputs_of(inner)) made.emplace(name, true);
  }
  for (const std::string_view name : results) {
    if (!made.contains(name) && draft.find(name) == kNone) return false;
  }
  for (onnx::Index i = 0; i < graph.initializers.count; ++i) {
    const std::string_view name = model.tensors[graph.initializers.first + i].name;
    inside[name] = draft.add_constant(name, std::move(constants.at(name)));
  }
  for (const onnx::Node& inner : model.nodes_of(graph)) {
    NodeDraft copy{.op = inner.op_type, .name = std::string(inner.name)};
    for (const std::string_view name : model.inputs_of(inner)) {
      copy.inputs.push_back(name.empty() ? kNone : at(name));
    }
    for (const onnx::Attribute& attribute : model.attributes_of(inner)) {
      copy.attributes.push_back(
          {std::string(attribute.name), onnx::CopiedAttribute{std::string(attribute.body)}});
    }
    std::vector<TensorId> outputs;
    for (const std::string_view name : model.outputs_of(inner)) {
      outputs.push_back(
          name.empty() ? kNone : draft.add_tensor(name, onnx::DataType::kUndefined, std::nullopt));
      if (!name.empty()) inside[name] = outputs.back();
    }
    draft.insert(node, std::move(copy), std::move(outputs));
  }
  const std::vector<TensorId> outputs(draft.outputs(node).begin(), draft.outputs(node).end());
  for (std::size_t place = 0; place < outputs.size(); ++place) {
    if (outputs[place] == kNone) continue;
    draft.set_output(node, place, kNone);
    draft.insert(node,
                 {.op = "Identity",
                  .name = draft.tensor(outputs[place]).name,
                  .inputs = {at(results[place])},
                  .attributes = {}},
                 {outputs[place]});
  }
  draft.remove(node);
  return true;
}

void choose_branches(Work& work) {
  Draft& draft = work.draft;
  for (const NodeId node : draft.nodes()) {
    if (!draft.is_op(node, "If") || draft.origin(node) == onnx::kNoIndex) continue;
    const auto truth = draft.load(draft.input(node, 0), 1);
    if (!truth || truth->type != onnx::DataType::kBool || truth->raw.size() != 1) continue;
    const onnx::Graph* graph =
        branch_of(draft, node, truth->raw[0] != 0 ? "then_branch" : "else_branch");
    if (graph == nullptr || !is_plain_branch(draft, *graph)) continue;
    std::string name = draft.name_of(node);
    if (put_out(draft, node, *graph)) work.tell(std::move(name));
  }
}

}  // namespace

const Pass passes::kBranches{"branches", "an If with a constant condition becomes its branch",
                             Effect::kExact, choose_branches};

}  // namespace planex::clean
