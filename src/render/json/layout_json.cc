#include "render/json/layout_json.h"

#include <cmath>
#include <string>
#include <string_view>

#include "base/try.h"
#include "render/drawing/edges.h"
#include "render/json/json_writer.h"

namespace planex::render {
namespace {

using graph::Node;
using graph::NodeKind;
using graph::layout::Rect;

// Hundredths of a pixel are more than anybody sees.
double rounded(double number) { return std::round(number * 100) / 100; }

class LayoutWriter {
 public:
  LayoutWriter(const Picture& picture, const DocumentSink& sink)
      : picture_(picture), input_(picture.input), sink_(sink), times_(*picture.times) {}

  Result<void> write() {
    write_head();
    PLANEX_TRY(write_list("boxes", picture_.boxes.size(), &LayoutWriter::write_box));
    PLANEX_TRY(write_list("edges", picture_.edges.size(), &LayoutWriter::write_edge));
    PLANEX_TRY(write_list("frames", picture_.frames.size(), &LayoutWriter::write_frame));
    text_ += "\n}\n";
    return sink_(text_);
  }

 private:
  void write_head() {
    const model::EngineTable& engine = input_.model->engine;
    const auto engine_text = [&](const model::Text& column) {
      return input_.model->text(column[0]);
    };
    text_ = "{\"schema\":\"planex.layout/1\",\n\"engine\":";
    json_.begin_object();
    json_.member("name", engine_text(engine.name));
    json_.text_member("producer", engine_text(engine.producer));
    json_.text_member("producer_version", engine_text(engine.producer_version));
    json_.text_member("device", engine_text(engine.device));
    json_.member("layer_count", input_.summary->layer_count);
    json_.member("layers_ms", times_.sum_ms());
    const auto& whole = input_.summary->time.end_to_end;
    json_.key("end_to_end_median_ms");
    whole && whole->median_ms ? json_.value(*whole->median_ms) : json_.null();
    json_.end_object();
    text_ += json_.take();
    text_ += ",\n\"view\":\"";
    text_ += to_string(input_.graph->view);
    text_ += "\",\n\"size\":";
    json_.begin_object();
    json_.member("width", rounded(picture_.layout.width));
    json_.member("height", rounded(picture_.layout.height));
    json_.end_object();
    text_ += json_.take();
  }

  Result<void> write_list(std::string_view name, std::size_t count,
                          void (LayoutWriter::*write_one)(std::size_t)) {
    text_ += ",\n\"";
    text_ += name;
    text_ += "\":[";
    for (std::size_t i = 0; i < count; ++i) {
      text_ += i == 0 ? "\n" : ",\n";
      json_.begin_object();
      (this->*write_one)(i);
      json_.end_object();
      text_ += json_.take();
      if (text_.size() < kPieceBytes) continue;
      PLANEX_TRY(sink_(text_));
      text_.clear();
    }
    text_ += "\n]";
    return {};
  }

  void write_rect(const Rect& rect) {
    json_.member("x", rounded(rect.x)).member("y", rounded(rect.y));
    json_.member("width", rounded(rect.width)).member("height", rounded(rect.height));
  }

  void write_index(std::string_view key, std::uint32_t index) {
    json_.key(key);
    index == graph::kNoRow ? json_.null() : json_.value(index);
  }

  void write_box(std::size_t index) {
    const graph::Box& box = input_.boxes->boxes[index];
    const PictureBox& made = picture_.boxes[index];
    json_.member("id", made.id);
    if (box.node.is_null()) {
      json_.member("kind", "group");
    } else {
      json_.member("kind", to_string(input_.graph->nodes[box.node.index()].kind));
    }
    json_.member("name", made.name);
    std::string label;
    for (const Run& run : made.lines.front()) label += run.text;
    json_.member("label", label);
    write_facts(box);
    write_rect(picture_.layout.boxes[index]);
    json_.member("rank", picture_.layout.rank[index]);
    write_index("frame", box.frame);
    json_.member("is_marked", made.is_marked);
  }

  void write_facts(const graph::Box& box) {
    const model::LayersTable& layers = input_.model->layers;
    if (box.node.is_null()) {
      const graph::Group& group = input_.tree->groups[box.group.index()];
      json_.member("layer_count", group.layer_count).member("time_ms", group.median_ms);
      return;
    }
    const Node& node = input_.graph->nodes[box.node.index()];
    if (node.kind == NodeKind::kLayer || node.kind == NodeKind::kConstant) {
      const std::size_t row = node.layer.index();
      json_.member("layer_id", row);
      json_.text_member("type", input_.model->text(layers.type[row]));
      json_.text_member("precision", to_string(layers.precision[row]));
      json_.text_member("output_precision", to_string(layers.output_precision[row]));
      json_.member("time_ms", times_.of(node.layer));
    } else if (node.kind == NodeKind::kOperation) {
      if (node.operation.is_null()) return;
      const std::size_t row = node.operation.index();
      json_.member("operation_id", row);
      json_.text_member("type", input_.model->text(input_.model->operations.type[row]));
    } else if (node.kind == NodeKind::kMemory) {
      json_.member("generation", node.generation).member("generations", node.generations);
    } else {
      json_.member("direction", to_string(node.direction));
    }
  }

  void write_flow(std::string_view key, const Flow& flow) {
    json_.key(key).begin_object().key("dims");
    if (flow.dims) {
      json_.begin_array();
      for (const std::int64_t dim : *flow.dims) json_.value(dim);
      json_.end_array();
    } else {
      json_.null();
    }
    json_.text_member("dtype", to_string(flow.dtype));
    json_.text_member("layout", to_string(flow.layout));
    json_.member("bytes", flow.bytes).end_object();
  }

  void write_edge(std::size_t index) {
    const graph::BoxEdge& edge = input_.boxes->edges[index];
    const graph::Edge& first = input_.graph->edges[edge.edge];
    const Ends ends = ends_of(*input_.model, input_.graph->view, first);
    json_.member("from", edge.from).member("to", edge.to).member("kind", to_string(first.kind));
    json_.member("count", edge.count);
    json_.text_member("tensor", ends.to.tensor);
    write_flow("written", ends.from);
    write_flow("read", ends.to);
    json_.key("points").begin_array();
    for (const graph::layout::Point& point : picture_.layout.route(index)) {
      json_.begin_array().value(rounded(point.x)).value(rounded(point.y)).end_array();
    }
    json_.end_array().key("label");
    if (picture_.edges[index].words.empty()) {
      json_.null();
      return;
    }
    const graph::layout::Point& label = picture_.layout.labels[index];
    json_.begin_array().value(rounded(label.x)).value(rounded(label.y)).end_array();
  }

  void write_frame(std::size_t index) {
    const graph::Frame& frame = input_.boxes->frames[index];
    const graph::Group& group = input_.tree->groups[frame.group.index()];
    json_.member("name", group.name).member("path", group.path);
    write_index("parent", frame.parent);
    json_.member("layer_count", group.layer_count).member("time_ms", group.median_ms);
    write_rect(picture_.layout.frames[index]);
  }

  const Picture& picture_;
  const PictureInput& input_;
  const DocumentSink& sink_;
  const Times& times_;
  JsonWriter json_;
  std::string text_;  // not handed on yet
};

}  // namespace

Result<void> write_layout(const Picture& picture, const DocumentSink& sink) {
  return LayoutWriter(picture, sink).write();
}

}  // namespace planex::render
