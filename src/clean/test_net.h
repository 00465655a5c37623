// Small ONNX models for tests, written node by node, and what is left of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"
#include "clean/clean.h"
#include "onnx/edit.h"
#include "onnx/links.h"
#include "onnx/read.h"
#include "onnx/test_message.h"
#include "onnx/values.h"

namespace planex::clean {

class TestNet {
 public:
  explicit TestNet(std::uint64_t opset = 20) : empty_(onnx::model_message("", opset)) {}

  TestNet& input(std::string name, Dims dims, onnx::DataType type = onnx::DataType::kFloat) {
    edit_.add_input({std::move(name), type, std::move(dims)});
    return *this;
  }
  TestNet& output(std::string name, Dims dims = {}, onnx::DataType type = onnx::DataType::kFloat) {
    edit_.add_output({std::move(name), type, std::move(dims)});
    return *this;
  }
  TestNet& floats(std::string name, Dims dims, const std::vector<float>& values) {
    edit_.add_initializer(
        {std::move(name), onnx::DataType::kFloat, std::move(dims), onnx::raw_of(values)});
    return *this;
  }
  TestNet& ints(std::string name, const Dims& values) {
    edit_.add_initializer({std::move(name),
                           onnx::DataType::kInt64,
                           {static_cast<std::int64_t>(values.size())},
                           onnx::raw_of(values)});
    return *this;
  }
  // The node is called like its output.
  TestNet& node(std::string op, std::vector<std::string> inputs, std::string made,
                std::vector<onnx::NewAttribute> attributes = {}) {
    edit_.insert_node(onnx::kNoIndex, {.op_type = std::move(op),
                                       .domain = {},
                                       .name = made,
                                       .inputs = std::move(inputs),
                                       .outputs = {made},
                                       .attributes = std::move(attributes)});
    return *this;
  }

  std::string bytes() const {
    return onnx::edited(empty_, onnx::read_model(empty_).value(), edit_).value();
  }

 private:
  std::string empty_;
  onnx::Edit edit_;
};

// A simplified model, read again.
struct CleanNet {
  explicit CleanNet(const TestNet& net, const CleanOptions& options = {})
      : before(net.bytes()),
        cleaned(clean_model(before, files, "", options).value()),
        bytes(cleaned.bytes.empty() ? before : cleaned.bytes),
        model(onnx::read_model(bytes).value()),
        links(model),
        values(bytes, model, files, "") {}
  CleanNet(const CleanNet&) = delete;
  CleanNet& operator=(const CleanNet&) = delete;

  // "Conv Relu", in the order of the graph.
  std::string operators() const {
    std::string text;
    for (const onnx::Node& node : model.nodes) {
      text += (text.empty() ? "" : " ") + std::string(node.op_type);
    }
    return text;
  }
  const onnx::Node& node(std::string_view op) const {
    return *std::ranges::find(model.nodes, op, &onnx::Node::op_type);
  }
  // Of the constant at an input of the first node of that operator; empty: it is not
  // constant.
  std::vector<float> floats(std::string_view op, std::size_t place) {
    const onnx::Index tensor = constant(op, place);
    return tensor == onnx::kNoIndex ? std::vector<float>()
                                    : values.floats(model.tensors[tensor]).value();
  }
  Dims ints(std::string_view op, std::size_t place) {
    const onnx::Index tensor = constant(op, place);
    return tensor == onnx::kNoIndex ? Dims() : values.ints(model.tensors[tensor]).value();
  }
  // "fold transposes": what was done.
  std::string passes() const {
    std::string text;
    for (const Step& step : cleaned.steps) text += (text.empty() ? "" : " ") + std::string(step.id);
    return text;
  }

  base::MemoryFiles files;
  std::string before;
  Cleaned cleaned;
  std::string bytes;
  onnx::Model model;
  onnx::Links links;
  onnx::Values values;

 private:
  onnx::Index constant(std::string_view op, std::size_t place) const {
    const auto inputs = model.inputs_of(node(op));
    return place < inputs.size() ? links.constant(inputs[place]) : onnx::kNoIndex;
  }
};

}  // namespace planex::clean
