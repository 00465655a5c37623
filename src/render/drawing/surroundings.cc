#include "render/drawing/surroundings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "render/font/text_width.h"
#include "render/words/characters.h"
#include "render/words/numbers.h"
#include "render/words/sentences.h"

namespace planex::render {
namespace {

using base::format;
using graph::EdgeKind;

constexpr double kLegendSize = 10.5, kSampleWidth = 30, kBlockHead = 18, kBlockGap = 14;
// A legend at the right would be out of view beyond this.
constexpr double kNarrow = 1000;
constexpr double kWordsSize = 12;
// Rows of the ruler don't touch.
constexpr double kMinStep = 12;

std::string_view view_word(graph::View view) {
  switch (view) {
    case graph::View::kMemory:
      return "memory";
    case graph::View::kSource:
      return "source model";
    case graph::View::kExecution:
      break;
  }
  return "execution";
}

std::string_view time_word(TimeChoice choice) {
  switch (choice) {
    case TimeChoice::kMean:
      return "mean";
    case TimeChoice::kTotal:
      return "of all inferences";
    case TimeChoice::kMedian:
      break;
  }
  return "median";
}

std::string_view mode_title(ColourMode mode) {
  switch (mode) {
    case ColourMode::kPrecision:
      return "Box: precision read";
    case ColourMode::kHeat:
      return "Box: time";
    case ColourMode::kMemory:
      return "Box: bytes moved";
    case ColourMode::kStream:
      return "Box: stream";
    case ColourMode::kType:
      break;
  }
  return "Box: layer type";
}

void measure(LegendBlock& block) {
  block.width = text_width(block.title, Face::kBold, kLegendSize);
  for (const LegendRow& row : block.rows) {
    const double width = kSampleWidth + text_width(row.label, Face::kRegular, kLegendSize);
    block.width = std::max(block.width, width);
  }
  block.height = kBlockHead + static_cast<double>(block.rows.size()) * kLegendStep;
}

LegendBlock precision_block(const Picture& picture, Colours& colours) {
  LegendBlock block{.title = "Edge: precision"};
  bool has_unknown = false;
  std::vector<bool> is_used;
  const auto use = [&](ColourId id) {
    if (is_used.size() <= id) is_used.resize(id + 1U);
    is_used[id] = true;
  };
  for (const PictureEdge& edge : picture.edges) {
    if (edge.kind != EdgeKind::kData && edge.kind != EdgeKind::kCarried) continue;
    has_unknown = has_unknown || edge.colour == 0;
    use(edge.colour);
    use(edge.reader_colour);
  }
  // Types that share a colour share a row.
  std::vector<ColourId> order;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < static_cast<std::size_t>(model::DType::kNull); ++i) {
    const auto type = static_cast<model::DType>(i);
    const ColourId id = colours.precision(type);
    if (id == 0 || id >= is_used.size() || !is_used[id]) continue;
    const auto found = std::ranges::find(order, id);
    if (found == order.end()) {
      order.push_back(id);
      labels.emplace_back(to_string(type));
    } else {
      labels[static_cast<std::size_t>(found - order.begin())] += format(", {}", to_string(type));
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    block.rows.push_back(
        {.sample = Sample::kLine, .colour = order[i], .stroke = 2.4, .label = labels[i]});
  }
  if (has_unknown) {
    block.rows.push_back({.sample = Sample::kLine, .stroke = 1.4, .label = "not known"});
  }
  return block;
}

LegendBlock width_block(const Picture& picture) {
  LegendBlock block{.title = "Edge width: bytes"};
  double thickest = 0;
  for (const PictureEdge& edge : picture.edges) thickest = std::max(thickest, edge.stroke);
  constexpr std::array<std::int64_t, 4> kSizes = {4'000'000, 32'000'000, 256'000'000,
                                                  2'048'000'000};
  for (const std::int64_t bytes : kSizes) {
    const double stroke = stroke_of(bytes);
    if (!block.rows.empty() && stroke > thickest) break;
    const std::string text = bytes_text(static_cast<double>(bytes));
    block.rows.push_back({.sample = Sample::kLine,
                          .stroke = stroke,
                          .label = block.rows.empty() ? "≤ " + text : text});
  }
  return block;
}

LegendBlock sign_block(const Picture& picture) {
  LegendBlock block{.title = "Signs"};
  const auto has = [&](auto&& test) { return std::ranges::any_of(picture.boxes, test); };
  const auto has_edge = [&](auto&& test) { return std::ranges::any_of(picture.edges, test); };
  if (has([](const PictureBox& box) { return box.has_findings; })) {
    block.rows.push_back({.sample = Sample::kFinding, .label = "finding of planex lint"});
  }
  if (has([](const PictureBox& box) { return box.is_marked; })) {
    block.rows.push_back({.sample = Sample::kMark, .label = "requested"});
  }
  if (has_edge([](const PictureEdge& edge) { return edge.reader_colour != 0; })) {
    block.rows.push_back({.sample = Sample::kTwoColours, .label = "read as another type"});
  }
  struct Word {
    EdgeKind kind;
    std::string_view text;
  };
  constexpr std::array<Word, 6> kWords = {
      {{EdgeKind::kCarried, "into the next loop iteration"},
       {EdgeKind::kReuse, "memory used again"},
       {EdgeKind::kEvent, "waits for another stream"},
       {EdgeKind::kControl, "condition or jump"},
       {EdgeKind::kOrder, "order only"},
       {EdgeKind::kContracted, "through nodes that are not drawn"}}};
  for (const Word& word : kWords) {
    if (!has_edge([&](const PictureEdge& edge) { return edge.kind == word.kind; })) continue;
    block.rows.push_back(
        {.sample = Sample::kDashes, .kind = word.kind, .label = std::string(word.text)});
  }
  return block;
}

}  // namespace

std::vector<Line> title_of(const PictureInput& input, const PictureOptions& options,
                           const Times& times) {
  const model::PlanModel& model = *input.model;
  std::vector<Line> lines;
  const auto cut = [](std::string_view text) {
    return fitted(visible(text.substr(0, 2000)), 560, Face::kBold, kTitleSize);
  };
  lines.push_back({{.text = cut(model.text(model.engine.name[0])), .ink = TextInk::kBold}});
  std::string made = producer_text(model);
  const std::string_view device = model.text(model.engine.device[0]);
  if (!device.empty()) made += (made.empty() ? "" : " · ") + cut(device);
  const auto batch = model.engine.batch_size.get(0);
  if (batch) made += format(" · batch {}", *batch);
  lines.push_back({{.text = std::move(made), .ink = TextInk::kSoft}});
  Line figures;
  const analyze::Summary& summary = *input.summary;
  figures.push_back(
      {.text = base::counted(static_cast<std::size_t>(summary.layer_count), "layer")});
  if (times.sum_ms()) {
    figures.push_back(
        {.text = format(" · Σ layers {} ms", ms_text(*times.sum_ms())), .ink = TextInk::kBold});
    figures.push_back({.text = format(" ({})", time_word(options.time)), .ink = TextInk::kSoft});
  }
  const auto& whole = summary.time.end_to_end;
  if (whole && whole->median_ms) {
    figures.push_back(
        {.text = format(" · end to end {} ms", ms_text(*whole->median_ms)), .ink = TextInk::kBold});
  }
  figures.push_back(
      {.text = format(" · {} view", view_word(input.graph->view)), .ink = TextInk::kSoft});
  lines.push_back(std::move(figures));
  if (input.graph->view != graph::View::kSource) {
    if (std::string why = unlinked_text(model); !why.empty()) {
      lines.push_back({{.text = std::move(why), .ink = TextInk::kWarning}});
    }
  }
  if (!input.part.empty())
    lines.push_back({{.text = visible(input.part), .ink = TextInk::kWarning}});
  return lines;
}

std::vector<RulerMark> ruler_of(const Picture& picture, const Times& times) {
  std::vector<RulerMark> marks;
  const PictureInput& input = picture.input;
  if (input.graph->view != graph::View::kExecution) return marks;
  const bool in_ms = times.slowest_ms() > 0;
  double last = -kMinStep;
  for (std::size_t i = 0; i < picture.boxes.size(); ++i) {
    const graph::Box& box = input.boxes->boxes[i];
    const graph::NodeId end =
        box.node.is_null() ? input.tree->groups[box.group.index()].last : box.node;
    if (end.is_null()) continue;
    const graph::Node& node = input.graph->nodes[end.index()];
    if (node.layer.is_null()) continue;
    const graph::layout::Rect& rect = picture.layout.boxes[i];
    const double y = rect.y + rect.height / 2;
    // Side by side, or above the previous one if its place on the ruler is taken.
    if (y < last + kMinStep) continue;
    last = y;
    const graph::NodeId begin =
        box.node.is_null() ? input.tree->groups[box.group.index()].first : box.node;
    const model::LayerId first = input.graph->nodes[begin.index()].layer;
    std::string number = format("{}", node.layer.index());
    if (!first.is_null() && first != node.layer) number = format("{}–{}", first.index(), number);
    marks.push_back({.y = y, .number = std::move(number)});
    if (in_ms) marks.back().time = format("{:.3f}", times.up_to()[node.layer.index()]);
  }
  return marks;
}

std::vector<LegendBlock> legend_of(const Picture& picture, Colours& colours, const Times& times) {
  std::vector<LegendBlock> blocks;
  LegendBlock boxes{.title = std::string(mode_title(picture.options.colour)),
                    .rows = colours.legend()};
  blocks.push_back(std::move(boxes));
  blocks.push_back(precision_block(picture, colours));
  blocks.push_back(width_block(picture));
  blocks.push_back(sign_block(picture));
  const bool has_bars = std::ranges::any_of(
      picture.boxes, [](const PictureBox& box) { return box.bar >= 0 && !box.is_filled; });
  if (has_bars && times.slowest_ms() > 0) {
    blocks[0].rows.push_back({.sample = Sample::kBar,
                              .label = format("time; full: {}", times.text(times.slowest_ms()))});
  }
  std::erase_if(blocks, [](const LegendBlock& block) { return block.rows.empty(); });
  for (LegendBlock& block : blocks) measure(block);
  return blocks;
}

void arrange(Picture& picture) {
  const double ruler = picture.ruler.empty() ? 0 : kRulerWidth;
  double y = kPageMargin + 8 + static_cast<double>(picture.title.size()) * kTitleStep + 10;
  double title_width = 0;
  for (std::size_t i = 0; i < picture.title.size(); ++i) {
    double width = 0;
    for (const Run& run : picture.title[i]) {
      width += text_width(run.text, Face::kBold, i == 0 ? kTitleSize : kWordsSize);
    }
    title_width = std::max(title_width, width);
  }
  picture.graph_x = kPageMargin + ruler;
  const double graph_right = picture.graph_x + picture.layout.width;
  double right = std::max(graph_right, kPageMargin + title_width);
  double bottom = 0;
  if (graph_right <= kNarrow) {
    picture.graph_y = y;
    const double x = graph_right + 2 * kPageMargin;
    for (LegendBlock& block : picture.legend) {
      block.x = x;
      block.y = y;
      y += block.height + kBlockGap;
      right = std::max(right, x + block.width);
    }
    bottom = y;
  } else {
    double x = kPageMargin, highest = 0;
    for (LegendBlock& block : picture.legend) {
      block.x = x;
      block.y = y;
      x += block.width + 2.5 * kPageMargin;
      highest = std::max(highest, block.height);
      right = std::max(right, x);
    }
    picture.graph_y = y + highest + kBlockGap;
  }
  // The head of the ruler is above its first row.
  if (ruler > 0) picture.graph_y += kLegendStep;
  picture.width = std::ceil(right + kPageMargin);
  picture.height =
      std::ceil(std::max(bottom, picture.graph_y + picture.layout.height) + kPageMargin);
}

}  // namespace planex::render
