// Which nodes make and read each tensor of a model's main graph.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "onnx/model.h"

namespace planex::onnx {

struct Reader {
  Index node = kNoIndex;
  std::uint32_t input = 0;  // position among the node's inputs
};

struct Link {
  std::string_view name;
  Index node = kNoIndex;         // node that makes it
  Index initializer = kNoIndex;  // Model::tensors: its constant value, or its default
  Index value = kNoIndex;        // Model::values: its declared type
  bool is_input = false;         // of the graph
  bool is_output = false;
  // Read inside the body of an If, Loop or Scan, which is not edited.
  bool is_captured = false;
  std::vector<Reader> readers;  // in the main graph, in its order
};

class Links {
 public:
  explicit Links(const Model& model);

  // Null where the main graph has no such tensor.
  const Link* find(std::string_view name) const;
  const std::vector<Link>& all() const { return links_; }  // in the order of their first mention

  // The tensor with the value of `name` where it is constant: an initializer that is not an input,
  // or the `value` of a Constant node; through Identity. kNoIndex: not constant.
  Index constant(std::string_view name) const;

 private:
  Link& at(std::string_view name);

  const Model& model_;
  std::vector<Link> links_;
  std::unordered_map<std::string_view, std::uint32_t> places_;
};

}  // namespace planex::onnx
