#include "render/drawing/edges.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "render/drawing/line_width.h"
#include "render/words/characters.h"
#include "render/words/numbers.h"

namespace planex::render {
namespace {

using base::format;
using graph::EdgeKind;

constexpr double kThinnest = 1.4, kThickest = 9, kPerDoubling = 0.75, kThinBytes = 4e6;
constexpr double kWordsLeft = 7;  // between an edge and its words
constexpr std::size_t kMaxTensorName = 60;

bool carries_data(EdgeKind kind) { return kind == EdgeKind::kData || kind == EdgeKind::kCarried; }

std::string_view word_of(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::kReuse:
      return "same memory";
    case EdgeKind::kEvent:
      return "event";
    case EdgeKind::kControl:
      return "control";
    case EdgeKind::kContracted:
    case EdgeKind::kOrder:
    case EdgeKind::kData:
    case EdgeKind::kCarried:
      break;
  }
  return {};
}

std::string dims_of(const Flow& flow) { return flow.dims ? dims_text(*flow.dims) : std::string(); }

// "FP16", or "FP16 → INT8" where reader and writer disagree.
std::string both(std::string_view from, std::string_view to) {
  if (from.empty() || to.empty() || from == to) return std::string(to.empty() ? from : to);
  return format("{} → {}", from, to);
}

std::string joined(std::initializer_list<std::string> words, std::string_view by) {
  std::string text;
  for (const std::string& word : words) {
    if (word.empty()) continue;
    if (!text.empty()) text += by;
    text += word;
  }
  return text;
}

}  // namespace

double stroke_of(std::optional<std::int64_t> bytes) {
  if (!bytes || static_cast<double>(*bytes) <= kThinBytes) return kThinnest;
  const double doublings = std::log2(static_cast<double>(*bytes) / kThinBytes);
  return std::min(kThinnest + kPerDoubling * doublings, kThickest);
}

EdgeMaker::EdgeMaker(const PictureInput& input, const PictureOptions& options, Colours& colours,
                     const LayerWords& words)
    : input_(input), options_(options), colours_(colours), words_(words) {
  choose_labelled();
}

// A tensor with several readers is described once, next to its way to the nearest reader; as a
// residual it is described again.
void EdgeMaker::choose_labelled() {
  const auto& edges = input_.boxes->edges;
  is_labelled_.assign(edges.size(), false);
  is_residual_.assign(edges.size(), false);
  from_slot_.assign(edges.size(), 0);
  std::vector<std::uint32_t> by_source(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) by_source[i] = static_cast<std::uint32_t>(i);
  const auto tensor_of = [&](std::uint32_t i) { return input_.graph->edges[edges[i].edge].tensor; };
  const auto port_of = [&](std::uint32_t i) {
    return input_.graph->edges[edges[i].edge].from_port;
  };
  const auto key = [&](std::uint32_t i) {
    return std::tuple(edges[i].from, port_of(i), tensor_of(i));
  };
  std::ranges::stable_sort(by_source, {}, key);
  std::uint32_t slot = 0;
  for (std::size_t i = 0; i < by_source.size(); ++i) {
    const std::uint32_t edge = by_source[i];
    const bool is_first = i == 0 || key(by_source[i - 1]) != key(edge);
    if (i > 0 && edges[by_source[i - 1]].from != edges[edge].from)
      slot = 0;
    else if (i > 0 && is_first)
      ++slot;
    from_slot_[edge] = slot;
    // The box graph's edges are by target, so the first of a tensor leads to its nearest reader.
    is_labelled_[edge] = is_first;
    is_residual_[edge] = is_residual(edges[edge]);
    if (is_residual_[edge]) is_labelled_[edge] = true;
  }
}

bool EdgeMaker::is_residual(const graph::BoxEdge& box_edge) const {
  const graph::Edge& edge = input_.graph->edges[box_edge.edge];
  // The edge from the layer just before is the main way.
  if (box_edge.to <= box_edge.from + 1) return false;
  const graph::Box& box = input_.boxes->boxes[box_edge.to];
  if (box.node.is_null() || !carries_data(edge.kind)) return false;
  const graph::Node& node = input_.graph->nodes[box.node.index()];
  return node.kind == graph::NodeKind::kLayer && words_.adds(node.layer) &&
         words_.is_added(node.layer, edge.to_port);
}

std::vector<Line> EdgeMaker::words_of(std::size_t index, const graph::Edge& edge,
                                      const Ends& ends) const {
  std::vector<Line> lines;
  if (options_.edges == EdgeWords::kNone || !is_labelled_[index]) return lines;
  const std::string_view word = word_of(edge.kind);
  if (!word.empty()) {
    lines.push_back({{.text = std::string(word), .ink = TextInk::kSoft}});
    return lines;
  }
  if (!carries_data(edge.kind)) return lines;
  if (options_.edges == EdgeWords::kNameAndShape && !ends.to.tensor.empty()) {
    const std::string name = visible(ends.to.tensor.substr(0, 2000));
    lines.push_back({{.text = fitted(name, kMaxTensorName * 4.0, Face::kRegular, kEdgeWordSize)}});
  }
  const std::string dims = dims_of(ends.to);
  const std::string type = both(to_string(ends.from.dtype), to_string(ends.to.dtype));
  const std::string layout = both(to_string(ends.from.layout), to_string(ends.to.layout));
  const std::string bytes =
      ends.to.bytes ? bytes_text(static_cast<double>(*ends.to.bytes)) : std::string();
  const std::string rest = joined({layout, bytes}, " · ");
  const bool agree = ends.from.dtype == ends.to.dtype;
  if (is_residual_[index]) {
    lines.push_back({{.text = joined({"residual", type}, " "), .ink = TextInk::kBold}});
    if (!dims.empty()) lines.push_back({{.text = dims, .ink = TextInk::kSoft}});
    if (!rest.empty()) lines.push_back({{.text = rest, .ink = TextInk::kSoft}});
    return lines;
  }
  Line line;
  if (!dims.empty()) line.push_back({.text = dims + " ", .ink = TextInk::kSoft});
  if (!type.empty())
    line.push_back({.text = type, .ink = agree ? TextInk::kBold : TextInk::kWarning});
  if (!rest.empty()) line.push_back({.text = " " + rest, .ink = TextInk::kSoft});
  const std::uint32_t count = input_.boxes->edges[index].count;
  if (count > 1) line.push_back({.text = format(" ×{}", count), .ink = TextInk::kSoft});
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

PictureEdge EdgeMaker::make(std::size_t index) const {
  const graph::Edge& edge = input_.graph->edges[input_.boxes->edges[index].edge];
  const Ends ends = ends_of(*input_.model, input_.graph->view, edge);
  PictureEdge made{.kind = edge.kind};
  if (carries_data(edge.kind)) {
    made.colour = colours_.precision(ends.from.dtype);
    if (ends.from.dtype != ends.to.dtype) made.reader_colour = colours_.precision(ends.to.dtype);
    made.stroke = stroke_of(ends.to.bytes);
  }
  made.words = words_of(index, edge, ends);
  return made;
}

graph::layout::InputEdge EdgeMaker::measured(std::size_t index, const PictureEdge& made) const {
  const graph::BoxEdge& edge = input_.boxes->edges[index];
  // Readers of one port share an end.
  const std::uint32_t to_slot = input_.graph->edges[edge.edge].to_port;
  graph::layout::InputEdge measured{.from = edge.from,
                                    .to = edge.to,
                                    .from_slot = from_slot_[index],
                                    .to_slot = to_slot,
                                    .stroke = made.stroke,
                                    .is_back = made.kind == EdgeKind::kCarried};
  if (made.words.empty()) return measured;
  for (const Line& line : made.words) {
    measured.label_width =
        std::max(measured.label_width, kWordsLeft + line_width(line, kEdgeWordSize) + 2);
  }
  measured.label_height = static_cast<double>(made.words.size()) * kEdgeWordStep + 2;
  return measured;
}

}  // namespace planex::render
