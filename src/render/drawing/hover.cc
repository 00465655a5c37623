#include "render/drawing/hover.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "base/utf8.h"
#include "render/drawing/boxes.h"
#include "render/drawing/edges.h"
#include "render/words/characters.h"
#include "render/words/numbers.h"

namespace planex::render {
namespace {

using base::format;
using graph::Node;
using graph::NodeKind;
using model::LayerId;

constexpr std::size_t kMaxValueBytes = 400, kMaxBytes = 8000;

// Cut on a character's boundary.
std::string cut(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return visible(text);
  while (limit > 0 && base::is_inside_character(text, limit)) --limit;
  return visible(text.substr(0, limit)) + "…";
}

// And how many bytes it is.
std::string sized_text(const Flow& flow) {
  std::string text = flow_text(flow);
  if (!flow.bytes) return text;
  if (!text.empty()) text += ' ';
  return text += format("· {}", bytes_text(static_cast<double>(*flow.bytes)));
}

std::string_view kind_word(graph::EdgeKind kind) {
  switch (kind) {
    case graph::EdgeKind::kData:
      return "tensor";
    case graph::EdgeKind::kCarried:
      return "into the next loop iteration";
    case graph::EdgeKind::kReuse:
      return "the same memory, used again";
    case graph::EdgeKind::kEvent:
      return "event: waits for another stream";
    case graph::EdgeKind::kControl:
      return "condition or jump";
    case graph::EdgeKind::kOrder:
      return "order only";
    case graph::EdgeKind::kContracted:
      return "a path through nodes that are not drawn";
  }
  return {};
}

}  // namespace

class Hover::Text {
 public:
  void line(std::string_view words) {
    if (words.empty() || text_.size() > kMaxBytes) return;
    if (!text_.empty()) text_ += '\n';
    text_ += words;
    if (text_.size() > kMaxBytes) text_ += "\n…";
  }
  void value(std::string_view key, std::string_view words) {
    if (words.empty() || text_.size() > kMaxBytes) return;
    line(format("{}: {}", cut(key, 100), cut(words, kMaxValueBytes)));
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

Hover::Hover(const Picture& picture) : picture_(picture), model_(*picture.input.model) {
  const model::FindingsTable& findings = model_.findings;
  first_finding_.assign(model_.layers.row_count() + 1, 0);
  for (std::size_t row = 0; row < findings.row_count(); ++row) {
    if (findings.layer_id.is_null(row)) continue;
    findings_.push_back(static_cast<std::uint32_t>(row));
    ++first_finding_[findings.layer_id[row].index() + 1];
  }
  for (std::size_t i = 1; i < first_finding_.size(); ++i)
    first_finding_[i] += first_finding_[i - 1];
  std::ranges::stable_sort(findings_, {},
                           [&](std::uint32_t row) { return findings.layer_id[row]; });
}

void Hover::add_ports(LayerId layer, Text& text) const {
  const model::RowRange rows = model_.ports_of(layer);
  for (std::size_t row = rows.first; row < rows.end(); ++row) {
    const Flow flow = flow_at(model_, graph::View::kExecution, static_cast<std::uint32_t>(row));
    const model::Direction direction = model_.ports.direction[row];
    const std::string_view word = direction == model::Direction::kInput      ? "in"
                                  : direction == model::Direction::kConstant ? "constant"
                                                                             : "out";
    const auto index = model_.ports.index.get(row);
    text.line(format("{} {}: {} {}", word, index ? format("{}", *index) : std::string("?"),
                     cut(flow.tensor, kMaxValueBytes), sized_text(flow)));
  }
}

void Hover::add_layer(LayerId layer, Text& text) const {
  const model::LayersTable& layers = model_.layers;
  const std::size_t row = layer.index();
  std::string kind = format("#{} {}", row, cut(model_.text(layers.type[row]), 80));
  const std::string_view subtype = model_.text(layers.subtype[row]);
  if (!subtype.empty()) kind += format(" ({})", cut(subtype, 80));
  text.line(kind);
  std::string time;
  const auto add_time = [&](std::string_view word, std::optional<double> ms) {
    if (!ms) return;
    if (!time.empty()) time += " · ";
    time += format("{} {}", word, short_time_text(*ms));
  };
  add_time("median", layers.median_ms.get(row));
  add_time("mean", layers.mean_ms.get(row));
  add_time("min", layers.min_ms.get(row));
  add_time("max", layers.max_ms.get(row));
  if (const auto share = layers.share.get(row)) time += format(" · {} of Σ", percent_text(*share));
  text.line(time);
  add_ports(layer, text);
  const auto add_bytes = [&](std::string_view word, const model::Int& column) {
    if (const auto bytes = column.get(row)) {
      text.line(format("{}: {}", word, bytes_text(static_cast<double>(*bytes))));
    }
  };
  add_bytes("weights", layers.weight_bytes);
  add_bytes("bytes moved", layers.footprint_bytes);
  if (const auto flops = layers.flops.get(row)) {
    text.line(format("work: {}", flops_text(static_cast<double>(*flops))));
  }
  if (const auto stream = layers.stream.get(row)) text.line(format("stream: {}", *stream));
  text.value("tactic", model_.text(layers.tactic[row]));
  for (std::uint32_t i = first_finding_[row]; i < first_finding_[row + 1]; ++i) {
    const std::size_t finding = findings_[i];
    text.line(format("△ {}: {}", model_.text(model_.findings.rule[finding]),
                     cut(model_.text(model_.findings.message[finding]), kMaxValueBytes)));
  }
  const model::RowRange attributes = model_.attributes_of(layer);
  for (std::size_t i = attributes.first; i < attributes.end(); ++i) {
    text.value(model_.text(model_.attributes.key[i]), model_.text(model_.attributes.value[i]));
  }
  const model::RowRange sources = model_.sources_of(layer);
  for (std::size_t i = sources.first; i < sources.end(); ++i) {
    text.value("source", model_.text(model_.sources.op_name[i]));
  }
}

void Hover::add_tensor(const Node& node, Text& text) const {
  if (node.kind == NodeKind::kBinding) {
    text.line(node.direction == model::Direction::kOutput ? "output of the engine"
                                                          : "input of the engine");
    text.line(flow_text(flow_of_binding(model_, node.binding)));
  } else {
    text.line(format("memory, generation {} of {}", node.generation, node.generations));
  }
  if (node.tensor.is_null()) return;
  const std::size_t row = node.tensor.index();
  const model::TensorsTable& tensors = model_.tensors;
  if (const auto bytes = tensors.bytes.get(row)) {
    text.line(bytes_text(static_cast<double>(*bytes)));
  }
  const auto producers = tensors.producers.get(row), consumers = tensors.consumers.get(row);
  if (producers && consumers) {
    text.line(format("written by {}, read by {}", *producers, *consumers));
  }
  if (const auto region = tensors.region_id.get(row)) {
    text.value("region", model_.text(model_.regions.name[region->index()]));
  }
  if (const auto offset = tensors.offset_bytes.get(row)) text.line(format("offset: {} B", *offset));
}

void Hover::add_operation(model::OperationId operation, Text& text) const {
  const model::OperationsTable& operations = model_.operations;
  const std::size_t row = operation.index();
  text.value("type", model_.text(operations.type[row]));
  text.value("domain", model_.text(operations.domain[row]));
  text.value("subgraph", model_.text(operations.subgraph[row]));
  text.value("parameters", model_.text(operations.parameters[row]));
  if (const auto bytes = operations.weight_bytes.get(row)) {
    text.line(format("weights: {}", bytes_text(static_cast<double>(*bytes))));
  }
  if (const auto flops = operations.flops.get(row)) {
    text.line(format("work: {}", flops_text(static_cast<double>(*flops))));
  }
}

void Hover::add_group(graph::GroupId id, Text& text) const {
  const graph::Group& group = picture_.input.tree->groups[id.index()];
  text.line(base::counted(group.layer_count, "layer"));
  if (group.median_ms) text.line(format("Σ {} ms", ms_text(*group.median_ms)));
  if (group.instance_median_ms) {
    text.line(format(
        "instances: min {}, median {}, max {}", short_time_text(*group.instance_min_ms),
        short_time_text(*group.instance_median_ms), short_time_text(*group.instance_max_ms)));
  }
  for (const graph::GroupId odd : group.outliers) {
    const graph::Group& turn = picture_.input.tree->groups[odd.index()];
    text.value("stands out", turn.median_ms
                                 ? format("{}, {}", turn.name, short_time_text(*turn.median_ms))
                                 : turn.name);
  }
  if (!group.hottest.is_null()) {
    const Node& node = picture_.input.graph->nodes[group.hottest.index()];
    if (!node.layer.is_null()) {
      text.value("slowest", model_.text(model_.layers.name[node.layer.index()]));
    }
  }
}

std::string Hover::box(std::size_t index) const {
  const PictureInput& input = picture_.input;
  const graph::Box& box = input.boxes->boxes[index];
  Text text;
  text.line(cut(picture_.boxes[index].name, kMaxNameBytes));
  if (box.node.is_null()) {
    add_group(box.group, text);
    return text.take();
  }
  const Node& node = input.graph->nodes[box.node.index()];
  if (node.kind == NodeKind::kOperation) {
    if (!node.operation.is_null()) add_operation(node.operation, text);
    if (!node.layer.is_null()) {
      text.value("layer", model_.text(model_.layers.name[node.layer.index()]));
    }
  } else if (!node.layer.is_null()) {
    add_layer(node.layer, text);
  } else {
    add_tensor(node, text);
  }
  return text.take();
}

std::string Hover::edge(std::size_t index) const {
  const PictureInput& input = picture_.input;
  const graph::Edge& edge = input.graph->edges[input.boxes->edges[index].edge];
  const Ends ends = ends_of(model_, input.graph->view, edge);
  Text text;
  if (edge.kind != graph::EdgeKind::kData) text.line(kind_word(edge.kind));
  text.line(cut(ends.to.tensor, kMaxNameBytes));
  const std::string written = sized_text(ends.from), read = sized_text(ends.to);
  if (written == read) {
    text.line(read);
  } else {
    text.line("written as " + written);
    text.line("read as " + read);
  }
  const std::uint32_t count = input.boxes->edges[index].count;
  if (count > 1) text.line(format("{} edges", count));
  return text.take();
}

std::string Hover::frame(std::size_t index) const {
  const graph::GroupId id = picture_.input.boxes->frames[index].group;
  Text text;
  text.line(cut(picture_.input.tree->groups[id.index()].path, kMaxNameBytes));
  add_group(id, text);
  return text.take();
}

}  // namespace planex::render
