// What a drawing shows about a box or an edge when the mouse rests on it: everything that is known.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "render/drawing/picture.h"

namespace planex::render {

// Texts are made on request: those of a large engine take more memory than the rest of its picture.
// Lines end with \n; everything is visible() text. Long values and texts are cut.
class Hover {
 public:
  explicit Hover(const Picture& picture);

  std::string box(std::size_t index) const;
  std::string edge(std::size_t index) const;
  std::string frame(std::size_t index) const;

 private:
  class Text;
  void add_layer(model::LayerId layer, Text& text) const;
  void add_ports(model::LayerId layer, Text& text) const;
  void add_tensor(const graph::Node& node, Text& text) const;
  void add_operation(model::OperationId operation, Text& text) const;
  void add_group(graph::GroupId group, Text& text) const;

  const Picture& picture_;
  const model::PlanModel& model_;
  // Rows of `findings`, by layer; those of one layer from first_finding_[layer] on.
  std::vector<std::uint32_t> findings_, first_finding_;
};

}  // namespace planex::render
