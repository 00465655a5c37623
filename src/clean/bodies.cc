#include "clean/bodies.h"

#include <optional>
#include <protozero/pbf_writer.hpp>
#include <utility>
#include <vector>

#include "base/try.h"
#include "onnx/edit_messages.h"
#include "onnx/fields.h"
#include "onnx/read.h"
#include "onnx/wire.h"

namespace planex::clean {
namespace {

namespace f = onnx::field;
using protozero::pbf_writer;

// Constants around a body that are copied into its model, to be computed with.
constexpr std::int64_t kMaxBorrowedBytes = 64 * 1024;

// The content of a field of bytes that stands once; of several, the last.
Result<std::string_view> part_of(std::string_view message, std::uint32_t number) {
  std::string_view part;
  onnx::WireReader reader({message, 0});
  onnx::Field next;
  while (reader.next(next)) {
    if (next.is_bytes(number)) part = next.span.bytes;
  }
  PLANEX_TRY(reader.status());
  return part;
}

// The message without the fields that `is_left_out`, as they are.
template <typename Choose>
Result<std::string> filtered(std::string_view message, Choose is_left_out) {
  std::string text;
  onnx::WireReader reader({message, 0});
  onnx::Field next;
  for (std::uint64_t start = 0; reader.next(next); start = reader.offset()) {
    PLANEX_ASSIGN(const bool goes, is_left_out(next));
    if (!goes) text += message.substr(start, reader.offset() - start);
  }
  PLANEX_TRY(reader.status());
  return text;
}

// What the graph reads, in it or in bodies inside of it, and nothing there makes; in the order of
// the file.
std::vector<std::string_view> names_from_around(const onnx::Model& model) {
  std::unordered_set<std::string_view> known = {""};
  for (const onnx::Graph& graph : model.graphs) {
    if (graph.kind == onnx::GraphKind::kFunction) continue;
    for (const onnx::Tensor& tensor : model.initializers_of(graph)) known.insert(tensor.name);
    for (const onnx::Value& value : model.values_of(graph)) {
      if (value.role == onnx::ValueRole::kInput) known.insert(value.name);
    }
    for (const onnx::Node& node : model.nodes_of(graph)) {
      for (const std::string_view name : model.outputs_of(node)) known.insert(name);
    }
  }
  std::vector<std::string_view> names;
  const auto read = [&](std::string_view name) {
    if (known.insert(name).second) names.push_back(name);
  };
  for (const onnx::Graph& graph : model.graphs) {
    if (graph.kind == onnx::GraphKind::kFunction) continue;
    for (const onnx::Node& node : model.nodes_of(graph)) {
      for (const std::string_view name : model.inputs_of(node)) read(name);
    }
    for (const onnx::Value& value : model.values_of(graph)) {
      if (value.role == onnx::ValueRole::kOutput) read(value.name);
    }
  }
  return names;
}

// Without the graph: its version, operator sets and functions.
Result<std::string> head_of(std::string_view file) {
  return filtered(file, [](const onnx::Field& next) -> Result<bool> {
    return next.number != f::model::kIrVersion && next.number != f::model::kOpsetImport &&
           next.number != f::model::kFunctions;
  });
}

std::string model_of(const std::string& head, std::string_view graph) {
  std::string model = head;
  pbf_writer(model).add_message(f::model::kGraph, graph.data(), graph.size());
  return model;
}

void borrow(Draft& around, TensorId tensor, std::string& graph) {
  const DraftTensor& known = around.tensor(tensor);
  if (auto value = around.load(tensor, kMaxBorrowedBytes)) {
    onnx::write_tensor(f::graph::kInitializer,
                       {known.name, value->type, std::move(value->dims), std::move(value->raw)},
                       graph);
    return;
  }
  onnx::write_value(f::graph::kInput, {known.name, known.type, known.shape}, graph);
}

}  // namespace

Result<BodyModel> body_model(std::string_view file, Draft& around,
                             const onnx::Attribute& attribute) {
  PLANEX_ASSIGN(const std::string head, head_of(file));
  PLANEX_ASSIGN(const std::string_view content, part_of(attribute.body, f::attribute::kGraph));
  const std::string alone = model_of(head, content);
  PLANEX_ASSIGN(const onnx::Model model, onnx::read_model(alone));
  std::string graph(content);
  BodyModel body;
  for (const std::string_view name : names_from_around(model)) {
    const TensorId tensor = around.find(name);
    if (tensor == kNone) return BodyModel();
    borrow(around, tensor, graph);
    body.borrowed.emplace(name);
  }
  body.bytes = model_of(head, graph);
  return body;
}

Result<std::string> with_body(const onnx::Attribute& attribute, std::string_view simplified,
                              const Names& borrowed) {
  PLANEX_ASSIGN(const std::string_view whole, part_of(simplified, f::model::kGraph));
  PLANEX_ASSIGN(const std::string graph,
                filtered(whole, [&](const onnx::Field& next) -> Result<bool> {
                  std::uint32_t name = 0;
                  if (next.is_bytes(f::graph::kInitializer)) name = f::tensor::kName;
                  if (next.is_bytes(f::graph::kInput)) name = f::value::kName;
                  if (name == 0) return false;
                  PLANEX_ASSIGN(const std::string_view text, part_of(next.span.bytes, name));
                  return borrowed.contains(std::string(text));
                }));
  PLANEX_ASSIGN(std::string message,
                filtered(attribute.body, [](const onnx::Field& next) -> Result<bool> {
                  return next.number == f::attribute::kGraph;
                }));
  pbf_writer(message).add_message(f::attribute::kGraph, graph);
  return message;
}

}  // namespace planex::clean
