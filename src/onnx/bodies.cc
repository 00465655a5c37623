#include "onnx/bodies.h"

#include <cstdint>
#include <protozero/pbf_writer.hpp>

#include "base/try.h"
#include "onnx/copied_message.h"
#include "onnx/edit_messages.h"
#include "onnx/fields.h"
#include "onnx/read.h"
#include "onnx/wire.h"

namespace planex::onnx {
namespace {

namespace f = field;
using protozero::pbf_writer;

// Without the graph: its version, operator sets and functions.
Result<std::string> head_of(std::string_view file) {
  return copied(file, [](const Field& next, std::string&) -> Result<bool> {
    return next.number != f::model::kIrVersion && next.number != f::model::kOpsetImport &&
           next.number != f::model::kFunctions;
  });
}

}  // namespace

Result<std::vector<std::string>> names_from_around(std::string_view file,
                                                   const Attribute& attribute) {
  PLANEX_ASSIGN(const std::string alone, body_model(file, attribute, {}, {}));
  PLANEX_ASSIGN(const Model model, read_model(alone));
  std::unordered_set<std::string_view> known = {""};
  for (const Graph& graph : model.graphs) {
    if (graph.kind == GraphKind::kFunction) continue;
    for (const Tensor& tensor : model.initializers_of(graph)) known.insert(tensor.name);
    for (const Value& value : model.values_of(graph)) {
      if (value.role == ValueRole::kInput) known.insert(value.name);
    }
    for (const Node& node : model.nodes_of(graph)) {
      for (const std::string_view name : model.outputs_of(node)) known.insert(name);
    }
  }
  std::vector<std::string> names;
  const auto read = [&](std::string_view name) {
    if (known.insert(name).second) names.emplace_back(name);
  };
  for (const Graph& graph : model.graphs) {
    if (graph.kind == GraphKind::kFunction) continue;
    for (const Node& node : model.nodes_of(graph)) {
      for (const std::string_view name : model.inputs_of(node)) read(name);
    }
    for (const Value& value : model.values_of(graph)) {
      if (value.role == ValueRole::kOutput) read(value.name);
    }
  }
  return names;
}

Result<std::string> body_model(std::string_view file, const Attribute& attribute,
                               const std::vector<NewValue>& inputs,
                               const std::vector<NewTensor>& constants) {
  PLANEX_ASSIGN(std::string model, head_of(file));
  PLANEX_ASSIGN(const std::string_view content, bytes_of(attribute.body, f::attribute::kGraph));
  std::string graph(content);
  for (const NewTensor& constant : constants) {
    write_tensor(f::graph::kInitializer, constant, graph);
  }
  for (const NewValue& input : inputs) write_value(f::graph::kInput, input, graph);
  pbf_writer(model).add_message(f::model::kGraph, graph);
  return model;
}

Result<std::string> with_body(const Attribute& attribute, std::string_view model,
                              const std::unordered_set<std::string>& borrowed) {
  PLANEX_ASSIGN(const std::string_view whole, bytes_of(model, f::model::kGraph));
  PLANEX_ASSIGN(const std::string graph,
                copied(whole, [&](const Field& next, std::string&) -> Result<bool> {
                  std::uint32_t name = 0;
                  if (next.is_bytes(f::graph::kInitializer)) name = f::tensor::kName;
                  if (next.is_bytes(f::graph::kInput)) name = f::value::kName;
                  if (name == 0) return false;
                  PLANEX_ASSIGN(const std::string_view text, bytes_of(next.span.bytes, name));
                  return borrowed.contains(std::string(text));
                }));
  PLANEX_ASSIGN(std::string message,
                copied(attribute.body, [](const Field& next, std::string&) -> Result<bool> {
                  return next.number == f::attribute::kGraph;
                }));
  pbf_writer(message).add_message(f::attribute::kGraph, graph);
  return message;
}

}  // namespace planex::onnx
