// Folding and layout as WebAssembly: flat arrays in, flat arrays out, for web/src/layout/ and
// web/src/drawing/, which pack and unpack them. One instance of the module answers one call:
// nothing is ever freed here, the page lets go of the whole instance.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <vector>

#include "graph/layout/collapse.h"
#include "graph/layout/layout.h"

namespace {

using planex::graph::layout::Foldable;
using planex::graph::layout::Folded;
using planex::graph::layout::Input;
using planex::graph::layout::Layout;
using planex::graph::layout::Rect;

std::vector<double> result_numbers;
std::vector<std::uint32_t> result_indices;

void add_rects(const std::vector<Rect>& rects) {
  for (const Rect& rect : rects) {
    result_numbers.insert(result_numbers.end(), {rect.x, rect.y, rect.width, rect.height});
  }
}

void write_result(const Layout& layout) {
  result_numbers = {layout.width, layout.height};
  add_rects(layout.boxes);
  add_rects(layout.frames);
  for (const auto& label : layout.labels) {
    result_numbers.insert(result_numbers.end(), {label.x, label.y});
  }
  for (const auto& point : layout.points) {
    result_numbers.insert(result_numbers.end(), {point.x, point.y});
  }
  result_indices = layout.first_point;
}

void write_result(const Folded& folded) {
  result_indices = {static_cast<std::uint32_t>(folded.boxes.size()),
                    static_cast<std::uint32_t>(folded.edges.size()),
                    static_cast<std::uint32_t>(folded.frames.size())};
  const auto add = [](std::initializer_list<std::uint32_t> values) {
    result_indices.insert(result_indices.end(), values);
  };
  for (const auto& box : folded.boxes) add({box.node, box.group, box.frame});
  for (const auto& edge : folded.edges) add({edge.from, edge.to, edge.edge, edge.count});
  for (const auto& frame : folded.frames) add({frame.group, frame.parent});
  result_indices.insert(result_indices.end(), folded.box_of_node.begin(), folded.box_of_node.end());
}

}  // namespace

extern "C" {

// Room for an array that the page fills, aligned for doubles.
[[clang::export_name("allocate")]] void* allocate(std::size_t bytes) { return std::malloc(bytes); }

// `indices`: how many nodes, groups and edges; of nodes the group and 1 where it is hidden; of
// groups the parent and 1 where it is folded; of edges from, to, kind, tensor. Gives indices: how
// many boxes, edges and frames; of boxes node, group, frame; of edges from, to, edge, count; of
// frames group, parent; of nodes the box.
[[clang::export_name("collapse")]] void collapse(const double* /*numbers*/,
                                                 const std::uint32_t* indices) {
  const std::size_t nodes = indices[0], groups = indices[1], edges = indices[2];
  indices += 3;
  Foldable graph;
  for (std::size_t node = 0; node < nodes; ++node, indices += 2) {
    graph.group_of_node.push_back(indices[0]);
    graph.is_hidden.push_back(indices[1] != 0);
  }
  for (std::size_t group = 0; group < groups; ++group, indices += 2) {
    graph.parents.push_back(indices[0]);
    graph.is_folded.push_back(indices[1] != 0);
  }
  graph.edges.resize(edges);
  for (auto& edge : graph.edges) {
    edge = {.from = indices[0], .to = indices[1], .kind = indices[2], .tensor = indices[3]};
    indices += 4;
  }
  write_result(planex::graph::layout::collapse(graph));
}

// `indices`: how many boxes, edges and frames; of boxes the frame; of edges from, to, from_slot,
// is_back; of frames the parent. `numbers`: of boxes width, height, weight; of edges label width
// and height, stroke; of frames title width and height. Gives numbers: width and height of the
// whole; of boxes, then frames x, y, width, height; of edges the place of the words; x and y of all
// points; and indices: the first point of each edge, and one more.
[[clang::export_name("lay_out")]] void lay_out(const double* numbers,
                                               const std::uint32_t* indices) {
  Input input;
  input.boxes.resize(indices[0]);
  input.edges.resize(indices[1]);
  input.frames.resize(indices[2]);
  indices += 3;
  for (auto& box : input.boxes) {
    box = {.width = numbers[0], .height = numbers[1], .frame = *indices++, .weight = numbers[2]};
    numbers += 3;
  }
  for (auto& edge : input.edges) {
    edge = {.from = indices[0],
            .to = indices[1],
            .from_slot = indices[2],
            .label_width = numbers[0],
            .label_height = numbers[1],
            .stroke = numbers[2],
            .is_back = indices[3] != 0};
    indices += 4;
    numbers += 3;
  }
  for (auto& frame : input.frames) {
    frame = {.parent = *indices++, .title_width = numbers[0], .title_height = numbers[1]};
    numbers += 2;
  }
  write_result(planex::graph::layout::lay_out(input));
}

[[clang::export_name("numbers")]] const double* numbers() { return result_numbers.data(); }
[[clang::export_name("number_count")]] std::size_t number_count() { return result_numbers.size(); }
[[clang::export_name("indices")]] const std::uint32_t* indices() { return result_indices.data(); }
[[clang::export_name("index_count")]] std::size_t index_count() { return result_indices.size(); }

}  // extern "C"
