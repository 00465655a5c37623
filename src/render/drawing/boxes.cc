#include "render/drawing/boxes.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "graph/selection.h"
#include "render/drawing/flow.h"
#include "render/drawing/line_width.h"
#include "render/words/characters.h"
#include "render/words/numbers.h"
#include "render/words/short_names.h"

namespace planex::render {
namespace {

using base::format;
using graph::GroupId;
using graph::Node;
using graph::NodeId;
using graph::NodeKind;
using model::LayerId;

constexpr double kMinWidth = 224, kMaxWidth = 400, kWidthStep = 4;
constexpr double kMinPill = 0.75;  // of a layer's width
constexpr double kPillInset = 24;  // what a pill is narrower than a layer, at least
constexpr double kGroupFoot = 14;  // the band of a folded group, and the stack behind it
constexpr double kPillHeight = 22, kTensorHeight = 22;
constexpr double kMinTensorWidth = 96;
constexpr std::size_t kMaxDetails = 6, kMaxOddTurns = 4;

bool is_tensor(BoxShape shape) {
  return shape == BoxShape::kBinding || shape == BoxShape::kMemory || shape == BoxShape::kConstant;
}

// Text from a file, as much of it as a line can show.
std::string shown(std::string_view text) { return visible(text.substr(0, kMaxNameBytes)); }

// The width that nine in ten fit into: a few very long names don't make all boxes wide.
double usual(std::vector<double> widths) {
  if (widths.empty()) return 0;
  const auto place =
      static_cast<std::ptrdiff_t>(std::ceil(static_cast<double>(widths.size() - 1) * 0.9));
  std::ranges::nth_element(widths, widths.begin() + place);
  return std::ceil(widths[static_cast<std::size_t>(place)] / kWidthStep) * kWidthStep;
}

std::vector<bool> layers_with_findings(const model::PlanModel& model) {
  std::vector<bool> has(model.layers.row_count());
  for (std::size_t row = 0; row < model.findings.row_count(); ++row) {
    const LayerId layer = model.findings.layer_id[row];
    // Findings of the lowest severity would mark most layers.
    if (!layer.is_null() && model.findings.severity[row] != model::Severity::kInfo) {
      has[layer.index()] = true;
    }
  }
  return has;
}

}  // namespace

BoxMaker::BoxMaker(const PictureInput& input, const PictureOptions& options, Colours& colours,
                   const Times& times, const LayerWords& words)
    : input_(input),
      options_(options),
      colours_(colours),
      times_(times),
      words_(words),
      has_findings_(layers_with_findings(*input.model)),
      parts_(input.boxes->boxes.size()) {
  if (options.names == NameChoice::kShort) short_names_ = short_names(*input.model);
  sum_parts();
  find_ports();
}

void BoxMaker::find_ports() {
  const graph::PlanGraph& graph = *input_.graph;
  port_of_node_.assign(graph.nodes.size(), graph::kNoRow);
  if (graph.view == graph::View::kSource) return;
  for (const graph::Edge& edge : graph.edges) {
    if (edge.tensor.is_null()) continue;
    auto& at_source = port_of_node_[edge.from.index()];
    if (at_source == graph::kNoRow) at_source = edge.to_port;
    auto& at_target = port_of_node_[edge.to.index()];
    if (at_target == graph::kNoRow) at_target = edge.from_port;
  }
}

// What the time of each folded group goes to, by colour.
void BoxMaker::sum_parts() {
  for (std::size_t i = 0; i < input_.graph->nodes.size(); ++i) {
    const std::uint32_t box = input_.boxes->box_of_node[i];
    if (box == graph::kNoRow || !input_.boxes->boxes[box].node.is_null()) continue;
    const Node& node = input_.graph->nodes[i];
    const auto ms = times_.of(node);
    if (!ms || *ms <= 0) continue;
    const bool is_hatched =
        !node.layer.is_null() &&
        input_.model->layers.family[node.layer.index()] == model::Family::kReformat;
    const ColourId fill = colours_.node(node);
    auto& parts = parts_[box];
    const auto same = std::ranges::find_if(parts, [&](const Part& part) {
      return part.fill == fill && part.is_hatched == is_hatched;
    });
    if (same == parts.end()) {
      parts.push_back({.fill = fill, .ratio = *ms, .is_hatched = is_hatched});
    } else {
      same->ratio += *ms;
    }
  }
  for (auto& parts : parts_) {
    double sum = 0;
    for (const Part& part : parts) sum += part.ratio;
    for (Part& part : parts) part.ratio /= sum;
    std::ranges::stable_sort(parts, std::ranges::greater(), &Part::ratio);
  }
}

PictureBox BoxMaker::make(std::size_t index) {
  const graph::Box& box = input_.boxes->boxes[index];
  PictureBox made;
  if (box.node.is_null()) {
    make_group(box.group, index, made);
  } else {
    make_node(input_.graph->nodes[box.node.index()], box.node, made);
  }
  return made;
}

void BoxMaker::make_node(const Node& node, NodeId id, PictureBox& box) {
  box.name = graph::node_name(*input_.model, node);
  box.is_marked = !input_.is_marked.empty() && input_.is_marked[id.index()];
  switch (node.kind) {
    case NodeKind::kLayer: {
      box.id = format("layer-{}", node.layer.index());
      const auto family = input_.model->layers.family[node.layer.index()];
      family == model::Family::kReformat ? make_reformat(node, box) : make_layer(node, box);
      box.has_findings = has_findings_[node.layer.index()];
      if (const auto ms = times_.of(node)) {
        box.time = times_.text(*ms);
        if (times_.slowest_ms() > 0) box.bar = std::clamp(*ms / times_.slowest_ms(), 0.0, 1.0);
      }
      break;
    }
    case NodeKind::kConstant:
      box.id = format("layer-{}", node.layer.index());
      box.shape = BoxShape::kConstant;
      box.lines.push_back({{.text = shown_name(node)}});
      break;
    case NodeKind::kBinding:
      box.id = format("binding-{}", node.binding);
      make_tensor(node, id, box);
      break;
    case NodeKind::kMemory:
      box.id = format("memory-{}-{}", node.tensor.index(), node.generation);
      make_tensor(node, id, box);
      break;
    case NodeKind::kOperation:
      box.id = node.operation.is_null() ? format("source-{}", node.source)
                                        : format("operation-{}", node.operation.index());
      make_operation(node, box);
      break;
  }
}

std::string BoxMaker::shown_name(const Node& node) const {
  if (options_.names == NameChoice::kNone) return {};
  if (options_.names == NameChoice::kShort && !node.layer.is_null()) {
    return shown(short_names_[node.layer.index()]);
  }
  return shown(graph::node_name(*input_.model, node));
}

void BoxMaker::paint(const Node& node, PictureBox& box) {
  box.fill = colours_.node(node);
  box.is_filled = options_.colour == ColourMode::kHeat || options_.colour == ColourMode::kMemory;
  if (box.is_filled) box.text = colours_.ink_on(box.fill);
}

void BoxMaker::add_layer_lines(LayerId layer, PictureBox& box) {
  if (options_.metadata) {
    for (std::string& text : words_.sources(layer, kMaxDetails)) {
      box.lines.push_back({{.text = shown(text), .ink = TextInk::kSoft}});
    }
  }
  if (options_.details) {
    for (std::string& text : words_.details(layer, kMaxDetails)) {
      box.lines.push_back({{.text = shown(text), .ink = TextInk::kSoft}});
    }
  }
}

void BoxMaker::make_layer(const Node& node, PictureBox& box) {
  const LayerId layer = node.layer;
  box.shape = BoxShape::kLayer;
  paint(node, box);
  const std::string name = shown_name(node);
  const std::string type = shown(words_.type_line(layer));
  Line second;
  if (name.empty()) {
    box.lines.push_back({{.text = type, .ink = TextInk::kBold}});
  } else {
    box.lines.push_back({{.text = name, .ink = TextInk::kBold}});
    second.push_back({.text = type, .ink = TextInk::kSoft});
  }
  const std::string flow = words_.flow(layer);
  if (!flow.empty()) {
    if (!second.empty()) second.back().text += " · ";
    if (words_.changes_precision(layer)) {
      const auto in = input_.model->layers.precision[layer.index()];
      const auto out = input_.model->layers.output_precision[layer.index()];
      second.push_back({.text = format("{} → ", to_string(in)), .square = colours_.precision(in)});
      second.push_back({.text = std::string(to_string(out)), .square = colours_.precision(out)});
    } else {
      second.push_back({.text = flow, .ink = TextInk::kSoft});
    }
  }
  if (!second.empty()) box.lines.push_back(std::move(second));
  add_layer_lines(layer, box);
}

void BoxMaker::make_reformat(const Node& node, PictureBox& box) {
  box.shape = BoxShape::kReformat;
  paint(node, box);
  std::string name = shown_name(node);
  // The flow shows that it is a copy.
  for (const auto& [start, word] :
       {std::pair<std::string_view, std::string_view>{"copy · output of ", "after "},
        {"copy · input of ", "before "}}) {
    if (name.starts_with(start)) name = std::string(word) + name.substr(start.size());
  }
  std::string flow = words_.flow(node.layer);
  if (flow.empty()) flow = shown(input_.model->text(input_.model->layers.type[node.layer.index()]));
  box.lines.push_back(
      {{.text = flow}, {.text = name.empty() ? "" : " " + name, .ink = TextInk::kSoft}});
  add_layer_lines(node.layer, box);
}

std::string BoxMaker::memory_text(const Node& node, std::uint32_t port) const {
  const model::PlanModel& model = *input_.model;
  std::string text = node.generations > 1 ? format("gen {}", node.generation) : std::string();
  const auto add = [&text](std::string_view words) {
    if (words.empty()) return;
    if (!text.empty()) text += ' ';
    text += words;
  };
  add(flow_text(flow_at(model, input_.graph->view, port)));
  const auto bytes =
      node.tensor.is_null() ? std::nullopt : model.tensors.bytes.get(node.tensor.index());
  if (bytes) add((text.empty() ? "" : "· ") + bytes_text(static_cast<double>(*bytes)));
  return text;
}

void BoxMaker::make_tensor(const Node& node, NodeId id, PictureBox& box) {
  const model::PlanModel& model = *input_.model;
  const bool is_binding = node.kind == NodeKind::kBinding;
  const std::uint32_t port = port_of_node_[id.index()];
  box.shape = is_binding ? BoxShape::kBinding : BoxShape::kMemory;
  auto type = port == graph::kNoRow ? model::DType::kNull : model.ports.dtype[port];
  if (is_binding && type == model::DType::kNull) type = model.bindings.dtype[node.binding];
  box.outline = colours_.precision(type);
  box.is_dashed = !is_binding || box.outline == 0;
  Line line;
  const bool has_name =
      (is_binding || options_.memory_names) && options_.names != NameChoice::kNone;
  if (has_name) line.push_back({.text = shown(box.name)});
  const std::string rest = is_binding ? std::string() : memory_text(node, port);
  if (!rest.empty()) {
    line.push_back({.text = (has_name ? " · " : "") + rest, .ink = TextInk::kSoft});
  }
  if (line.empty())
    line.push_back({.text = is_binding ? "binding" : "memory", .ink = TextInk::kSoft});
  box.lines.push_back(std::move(line));
}

void BoxMaker::make_operation(const Node& node, PictureBox& box) {
  box.shape = BoxShape::kOperation;
  paint(node, box);
  const std::string name = shown_name(node);
  if (node.operation.is_null()) {
    box.lines.push_back({{.text = name.empty() ? "operation" : name, .ink = TextInk::kBold}});
    return;
  }
  const model::OperationsTable& operations = input_.model->operations;
  const std::size_t row = node.operation.index();
  const std::string type = shown(input_.model->text(operations.type[row]));
  box.lines.push_back({{.text = name.empty() ? type : name, .ink = TextInk::kBold}});
  if (!name.empty()) box.lines.push_back({{.text = type, .ink = TextInk::kSoft}});
  if (options_.details && !operations.parameters.is_null(row)) {
    box.lines.push_back(
        {{.text = shown(input_.model->text(operations.parameters[row])), .ink = TextInk::kSoft}});
  }
}

void BoxMaker::add_turns(const graph::Group& group, PictureBox& box) {
  if (group.instance_median_ms) {
    box.lines.push_back({{.text = format("{} instances · {} · {} · {} (min, median, max)",
                                         group.groups.size(), times_.text(*group.instance_min_ms),
                                         times_.text(*group.instance_median_ms),
                                         times_.text(*group.instance_max_ms)),
                          .ink = TextInk::kSoft}});
  } else if (group.kind == graph::GroupKind::kSeries) {
    box.lines.push_back({{.text = format("{} turns", group.groups.size()), .ink = TextInk::kSoft}});
  }
  if (group.outliers.empty()) return;
  std::string odd = "stands out: ";
  for (std::size_t i = 0; i < std::min(group.outliers.size(), kMaxOddTurns); ++i) {
    if (i > 0) odd += ", ";
    odd += shown(input_.tree->groups[group.outliers[i].index()].name);
  }
  if (group.outliers.size() > kMaxOddTurns)
    odd += format(" and {} more", group.outliers.size() - kMaxOddTurns);
  box.lines.push_back({{.text = std::move(odd), .ink = TextInk::kWarning}});
}

void BoxMaker::make_group(GroupId id, std::size_t index, PictureBox& box) {
  const graph::Group& group = input_.tree->groups[id.index()];
  box.shape = BoxShape::kGroup;
  box.id = format("group-{}", id.index());
  box.name = group.path;
  box.parts = std::move(parts_[index]);
  box.lines.push_back({{.text = shown(group.name), .ink = TextInk::kBold}});
  std::string counts = base::counted(group.layer_count, "layer");
  if (group.layer_count == 0) counts = base::counted(group.node_count, "operation");
  // A layer's own time follows the choice; a group knows only the sum of medians.
  if (group.median_ms) {
    box.time = times_.text(*group.median_ms);
    const auto share = times_.share_of_group(group.median_ms);
    if (share) counts += format(" · {} of Σ", share_text(*share));
  }
  box.lines.push_back({{.text = std::move(counts), .ink = TextInk::kSoft}});
  add_turns(group, box);
  if (!group.hottest.is_null()) {
    const Node& hottest = input_.graph->nodes[group.hottest.index()];
    const auto ms = times_.of(hottest);
    Line line = {{.text = "slowest: ", .ink = TextInk::kSoft}, {.text = shown_name(hottest)}};
    if (ms) line.push_back({.text = " " + times_.text(*ms)});
    box.lines.push_back(std::move(line));
  }
  if (options_.colour == ColourMode::kHeat) {
    box.fill = colours_.heat(group.median_ms);
    box.is_filled = box.fill != 0;
    box.text = colours_.ink_on(box.fill);
  }
}

double BoxMaker::box_width(const PictureBox& box) const {
  if (box.shape == BoxShape::kReformat) {
    return std::floor(pill_width_ / kWidthStep) * kWidthStep;
  }
  if (!is_tensor(box.shape)) return layer_width_;
  const double text = line_width(box.lines.front(), kWordSize) + 28;
  return std::clamp(std::ceil(text / kWidthStep) * kWidthStep, kMinTensorWidth, layer_width_);
}

double BoxMaker::name_room(const PictureBox& box) const {
  double room = box_width(box) - kTextRight;
  if (is_tensor(box.shape)) return box_width(box) - 20;
  room -= box.shape == BoxShape::kReformat ? kPillHead + 8 : kTextLeft;
  if (!box.time.empty()) room -= text_width(box.time, Face::kBold, kNameSize) + 8;
  if (box.has_findings) room -= kMarkWidth;
  return room;
}

double BoxMaker::needed_width(const PictureBox& box) const {
  const bool is_pill = box.shape == BoxShape::kReformat;
  double width = kTextRight + (is_pill ? kPillHead + 9 : kTextLeft);
  width += line_width(box.lines.front(), is_pill ? kWordSize : kNameSize);
  if (!box.time.empty()) width += text_width(box.time, Face::kBold, kNameSize) + 8;
  if (box.has_findings) width += kMarkWidth;
  if (box.lines.size() > 1) {
    const double bar = box.bar >= 0 && !is_pill ? kBarWidth + 8 : 0;
    width = std::max(width, line_width(box.lines[1], kWordSize) + kTextLeft + kTextRight + bar);
  }
  return width;
}

// Makes the lines fit: the last run of each gives way.
void BoxMaker::cut_lines(PictureBox& box) const {
  for (std::size_t i = 0; i < box.lines.size(); ++i) {
    const bool is_first = i == 0;
    const double size = is_first && !is_tensor(box.shape) && box.shape != BoxShape::kReformat
                            ? kNameSize
                            : kWordSize;
    double room = is_first ? name_room(box) : box_width(box) - kTextLeft - kTextRight;
    if (i == 1 && box.bar >= 0 && box.shape != BoxShape::kReformat) room -= kBarWidth + 8;
    Line& line = box.lines[i];
    // What is shortened: the name of a copy, not what it converts; else the longest words.
    std::size_t widest = 0;
    const bool is_copy = is_first && box.shape == BoxShape::kReformat;
    for (std::size_t k = 1; k < line.size(); ++k) {
      if (is_copy || line[k].text.size() > line[widest].text.size()) widest = k;
    }
    const double all = line_width(line, size);
    if (all <= room) continue;
    const Face face = face_of(line[widest].ink);
    const double left = room - (all - text_width(line[widest].text, face, size));
    line[widest].text = fitted(line[widest].text, std::max(left, 24.0), face, size);
  }
}

void BoxMaker::choose_width(std::vector<PictureBox>& boxes) {
  std::vector<double> layers, pills;
  for (const PictureBox& box : boxes) {
    if (box.shape == BoxShape::kReformat) {
      pills.push_back(needed_width(box));
    } else if (!is_tensor(box.shape)) {
      layers.push_back(needed_width(box));
    }
  }
  const double pill = usual(std::move(pills));
  layer_width_ =
      std::clamp(std::max(usual(std::move(layers)), pill + kPillInset), kMinWidth, kMaxWidth);
  pill_width_ = std::clamp(pill, layer_width_ * kMinPill, layer_width_ - kPillInset);
  for (PictureBox& box : boxes) {
    cut_lines(box);
    std::string text;
    for (const Run& run : box.lines.front()) text += run.text;
    box.is_shortened = text.find(box.name) == std::string::npos;
  }
}

graph::layout::InputBox BoxMaker::measured(std::size_t index, const PictureBox& box) const {
  graph::layout::InputBox measured{.width = box_width(box),
                                   .frame = input_.boxes->boxes[index].frame};
  const auto lines = static_cast<double>(box.lines.size());
  if (box.shape == BoxShape::kReformat) {
    measured.height = kPillHeight + (lines - 1) * kLineStep;
  } else if (is_tensor(box.shape)) {
    measured.height = kTensorHeight;
  } else {
    measured.height = kFirstLine + (lines - 1) * kLineStep + 7;
    if (box.shape == BoxShape::kGroup) measured.height += kGroupFoot;
  }
  if (box.bar > 0) measured.weight = 1 + box.bar * 8;
  if (is_tensor(box.shape)) measured.weight = 0.5;
  return measured;
}

}  // namespace planex::render
