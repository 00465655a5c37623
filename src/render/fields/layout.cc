#include "render/fields/layout.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/drawing/edges.h"
#include "render/fields/common.h"

namespace planex::render {
namespace {

using graph::Node;
using graph::NodeKind;
using graph::layout::Rect;
using record::Fields;

// Hundredths of a pixel are finer than anything visible.
double hundredths(double number) { return std::round(number * 100) / 100; }

std::optional<std::uint32_t> index_or_null(std::uint32_t index) {
  return index == graph::kNoRow ? std::nullopt : std::optional(index);
}

const Fields<Rect>& rect_fields() {
  static const auto kFields =
      Fields<Rect>("Rect", "A rectangle.")
          .field("x", "px", "Left border.", [](const Rect& rect) { return hundredths(rect.x); })
          .field("y", "px", "Upper border.", [](const Rect& rect) { return hundredths(rect.y); })
          .field("width", "px", "Its width.",
                 [](const Rect& rect) { return hundredths(rect.width); })
          .field("height", "px", "Its height.",
                 [](const Rect& rect) { return hundredths(rect.height); });
  return kFields;
}

const graph::Box& box_of(std::size_t box, const Picture& picture) {
  return picture.input.boxes->boxes[box];
}
// The node of a box; null: a group.
const Node* node_of(std::size_t box, const Picture& picture) {
  const graph::NodeId node = box_of(box, picture).node;
  return node.is_null() ? nullptr : &picture.input.graph->nodes[node.index()];
}
const graph::Group& group_of(std::size_t box, const Picture& picture) {
  return picture.input.tree->groups[box_of(box, picture).group.index()];
}

bool is_group(std::size_t box, const Picture& picture) { return node_of(box, picture) == nullptr; }
bool is_layer(std::size_t box, const Picture& picture) {
  const Node* node = node_of(box, picture);
  return node != nullptr && (node->kind == NodeKind::kLayer || node->kind == NodeKind::kConstant);
}
bool is_operation(std::size_t box, const Picture& picture) {
  const Node* node = node_of(box, picture);
  return node != nullptr && node->kind == NodeKind::kOperation && !node->operation.is_null();
}
bool is_memory(std::size_t box, const Picture& picture) {
  const Node* node = node_of(box, picture);
  return node != nullptr && node->kind == NodeKind::kMemory;
}
bool is_binding(std::size_t box, const Picture& picture) {
  const Node* node = node_of(box, picture);
  return node != nullptr && !is_layer(box, picture) && node->kind != NodeKind::kOperation &&
         node->kind != NodeKind::kMemory;
}

std::string_view kind_of(std::size_t box, const Picture& picture) {
  const Node* node = node_of(box, picture);
  return node == nullptr ? "group" : to_string(node->kind);
}

std::string_view type_of_box(std::size_t box, const Picture& picture) {
  const model::PlanModel& model = *picture.input.model;
  const Node& node = *node_of(box, picture);
  return model.text(is_operation(box, picture) ? model.operations.type[node.operation.index()]
                                               : model.layers.type[node.layer.index()]);
}

std::optional<double> time_of_box(std::size_t box, const Picture& picture) {
  if (is_group(box, picture)) return group_of(box, picture).median_ms;
  return picture.times->of(node_of(box, picture)->layer);
}

std::string label_of(std::size_t box, const Picture& picture) {
  std::string label;
  for (const Run& run : picture.boxes[box].lines.front()) label += run.text;
  return label;
}

// What is known about a box, by its kind.
LayoutRow box_fact_fields() {
  const auto precision = [](model::Column<model::DType> model::LayersTable::* column) {
    return [column](std::size_t box, const Picture& picture) {
      return (picture.input.model->layers.*column)[node_of(box, picture)->layer.index()];
    };
  };
  return LayoutRow("", "")
      .field("layer_id", "", "For a layer or constant.",
             [](std::size_t box, const Picture& picture) {
               return node_of(box, picture)->layer.index();
             })
      .where(is_layer)
      .field("operation_id", "", "For an operation of the source model.",
             [](std::size_t box, const Picture& picture) {
               return node_of(box, picture)->operation.index();
             })
      .where(is_operation)
      .maybe("type", "", "For a layer or an operation.", type_of_box)
      .where([](std::size_t box, const Picture& picture) {
        return is_layer(box, picture) || is_operation(box, picture);
      })
      .maybe("precision", "", "Type of a layer's first input.",
             precision(&model::LayersTable::precision))
      .where(is_layer)
      .maybe("output_precision", "", "Type of a layer's first output.",
             precision(&model::LayersTable::output_precision))
      .where(is_layer)
      .field("layer_count", "count", "For a group.",
             [](std::size_t box, const Picture& picture) {
               return group_of(box, picture).layer_count;
             })
      .where(is_group)
      .field("time_ms", "ms",
             "For a layer, its time under --basis; for a group, the sum of medians.", time_of_box)
      .where([](std::size_t box, const Picture& picture) {
        return is_layer(box, picture) || is_group(box, picture);
      })
      .field(
          "generation", "", "For a tensor's memory: which of its contents, from 0.",
          [](std::size_t box, const Picture& picture) { return node_of(box, picture)->generation; })
      .where(is_memory)
      .field("generations", "count", "For a tensor's memory: how many contents it has.",
             [](std::size_t box, const Picture& picture) {
               return node_of(box, picture)->generations;
             })
      .where(is_memory)
      .field(
          "direction", "", "For an input or output of the engine.",
          [](std::size_t box, const Picture& picture) { return node_of(box, picture)->direction; })
      .one_of({"input", "output"})
      .where(is_binding);
}

const Fields<Flow>& flow_fields() {
  static const auto kFields = Fields<Flow>("Flow", "What flows, as one end sees it.")
                                  .field("dims", "", "Dimensions; -1 is dynamic.", &Flow::dims)
                                  .maybe("dtype", "", "Element type.", &Flow::dtype)
                                  .maybe("layout", "", "Memory layout.", &Flow::layout)
                                  .field("bytes", "bytes", "Its memory.", &Flow::bytes);
  return kFields;
}

const graph::BoxEdge& box_edge_of(std::size_t edge, const Picture& picture) {
  return picture.input.boxes->edges[edge];
}
const graph::Edge& first_edge_of(std::size_t edge, const Picture& picture) {
  return picture.input.graph->edges[box_edge_of(edge, picture).edge];
}
Ends ends_of_edge(std::size_t edge, const Picture& picture) {
  return ends_of(*picture.input.model, picture.input.graph->view, first_edge_of(edge, picture));
}

using Point = std::array<double, 2>;
Point rounded_point(const graph::layout::Point& point) {
  return {hundredths(point.x), hundredths(point.y)};
}
std::vector<Point> points_of(std::size_t edge, const Picture& picture) {
  std::vector<Point> points;
  for (const graph::layout::Point& point : picture.layout.route(edge)) {
    points.push_back(rounded_point(point));
  }
  return points;
}
std::optional<Point> label_place(std::size_t edge, const Picture& picture) {
  if (picture.edges[edge].words.empty()) return std::nullopt;
  return rounded_point(picture.layout.labels[edge]);
}

const graph::Frame& frame_of(std::size_t frame, const Picture& picture) {
  return picture.input.boxes->frames[frame];
}
const graph::Group& group_of_frame(std::size_t frame, const Picture& picture) {
  return picture.input.tree->groups[frame_of(frame, picture).group.index()];
}

template <typename List>
auto places_of(List Picture::* list) {
  return [list](const Picture& picture) {
    std::vector<std::size_t> places((picture.*list).size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    return places;
  };
}

}  // namespace

const Fields<Picture, Picture>& layout_engine_fields() {
  static const auto kFields =
      Fields<Picture, Picture>("LayoutEngine", "The engine that is drawn.")
          .with(producer_fields(),
                [](const Picture& picture) -> const model::PlanModel& {
                  return *picture.input.model;
                })
          .field("layer_count", "count", "Layers that do work.",
                 [](const Picture& picture) { return picture.input.summary->layer_count; })
          .field("layers_ms", "ms", "Sum of the times that are drawn.",
                 [](const Picture& picture) { return picture.times->sum_ms(); })
          .field("end_to_end_median_ms", "ms", "Median of the inferences, without a profiler.",
                 [](const Picture& picture) {
                   const auto& whole = picture.input.summary->time.end_to_end;
                   return whole ? whole->median_ms : std::nullopt;
                 });
  return kFields;
}

const Fields<Picture, Picture>& layout_size_fields() {
  static const auto kFields =
      Fields<Picture, Picture>("LayoutSize", "Size of the drawing.")
          .field("width", "px", "Its width.",
                 [](const Picture& picture) { return hundredths(picture.layout.width); })
          .field("height", "px", "Its height.",
                 [](const Picture& picture) { return hundredths(picture.layout.height); });
  return kFields;
}

const LayoutRow& layout_box_fields() {
  static const auto kFields =
      LayoutRow("LayoutBox", "A box: a layer, an operation, memory, a binding or a group.")
          .field("id", "",
                 "Unique in the document: layer-6, binding-0, memory-4-1 (tensor, generation), "
                 "operation-3, group-2.",
                 [](std::size_t box, const Picture& picture) -> std::string_view {
                   return picture.boxes[box].id;
                 })
          .field("kind", "", "What the box represents.", kind_of)
          .one_of({"layer", "constant", "binding", "memory", "operation", "group"})
          .field("name", "", "As the producer wrote it; for a group, its path.",
                 [](std::size_t box, const Picture& picture) -> std::string_view {
                   return picture.boxes[box].name;
                 })
          .field("label", "", "The first line that a drawing shows.", label_of)
          .with(box_fact_fields())
          .with(rect_fields(),
                [](std::size_t box, const Picture& picture) -> const Rect& {
                  return picture.layout.boxes[box];
                })
          .field("rank", "",
                 "Edges lead from a lower to a higher one, except those that lead back.",
                 [](std::size_t box, const Picture& picture) { return picture.layout.rank[box]; })
          .field("frame", "", "Index of the innermost frame around it.",
                 [](std::size_t box, const Picture& picture) {
                   return index_or_null(box_of(box, picture).frame);
                 })
          .field("is_marked", "", "Requested: by --select, --around, --highlight, ….",
                 [](std::size_t box, const Picture& picture) {
                   return bool{picture.boxes[box].is_marked};
                 });
  return kFields;
}

const LayoutRow& layout_edge_fields() {
  static const auto kFields =
      LayoutRow("LayoutEdge", "An edge between two boxes.")
          .field("from", "", "Index of the box it leaves.",
                 [](std::size_t edge, const Picture& picture) {
                   return box_edge_of(edge, picture).from;
                 })
          .field("to", "", "Index of the box it reaches.",
                 [](std::size_t edge, const Picture& picture) {
                   return box_edge_of(edge, picture).to;
                 })
          .field("kind", "", "What the edge represents.",
                 [](std::size_t edge, const Picture& picture) {
                   return first_edge_of(edge, picture).kind;
                 })
          .field("count", "count", "Number of edges of the graph that it represents.",
                 [](std::size_t edge, const Picture& picture) {
                   return box_edge_of(edge, picture).count;
                 })
          .maybe("tensor", "", "The tensor that flows.",
                 [](std::size_t edge, const Picture& picture) {
                   return ends_of_edge(edge, picture).to.tensor;
                 })
          .object("written", "As its writer sees it.", flow_fields(),
                  [](std::size_t edge, const Picture& picture) {
                    return ends_of_edge(edge, picture).from;
                  })
          .object("read", "As its reader sees it.", flow_fields(),
                  [](std::size_t edge, const Picture& picture) {
                    return ends_of_edge(edge, picture).to;
                  })
          .field("points", "px",
                 "From the writer's border to the reader's; only horizontal and vertical pieces.",
                 points_of)
          .field("label", "px", "Upper left corner of the space for its label, if it has one.",
                 label_place);
  return kFields;
}

const LayoutRow& layout_frame_fields() {
  static const auto kFields =
      LayoutRow("LayoutFrame", "A frame around a group that is open.")
          .field("name", "", "Name of the group.",
                 [](std::size_t frame, const Picture& picture) -> std::string_view {
                   return group_of_frame(frame, picture).name;
                 })
          .field("path", "", "Its path.",
                 [](std::size_t frame, const Picture& picture) -> std::string_view {
                   return group_of_frame(frame, picture).path;
                 })
          .field("parent", "", "Index of the frame around it.",
                 [](std::size_t frame, const Picture& picture) {
                   return index_or_null(frame_of(frame, picture).parent);
                 })
          .field("layer_count", "count", "Layers in it.",
                 [](std::size_t frame, const Picture& picture) {
                   return group_of_frame(frame, picture).layer_count;
                 })
          .field("time_ms", "ms", "Sum of their medians.",
                 [](std::size_t frame, const Picture& picture) {
                   return group_of_frame(frame, picture).median_ms;
                 })
          .with(rect_fields(), [](std::size_t frame, const Picture& picture) -> const Rect& {
            return picture.layout.frames[frame];
          });
  return kFields;
}

const record::Document<Picture, Picture>& layout_document() {
  static const record::Document<Picture, Picture> kDocument = {
      "planex.layout/1", "Positions of everything in a drawing: planex draw --format json",
      Fields<Picture, Picture>("Layout", "Positions of everything in a drawing.")
          .object("engine", "", layout_engine_fields(), std::identity{})
          .field("view", "", "What is drawn.",
                 [](const Picture& picture) { return picture.input.graph->view; })
          .object("size", "Pixels at scale 1; y grows downwards.", layout_size_fields(),
                  std::identity{})
          .list("boxes", "In execution order.", layout_box_fields(), places_of(&Picture::boxes))
          .list("edges", "Between boxes.", layout_edge_fields(), places_of(&Picture::edges))
          .list("frames", "Around open groups; outer ones first.", layout_frame_fields(),
                places_of(&Picture::frames))};
  return kDocument;
}

}  // namespace planex::render
