#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/explain/memory_timeline.h"
#include "base/text.h"
#include "model/data_table.h"
#include "model/plan_model.h"
#include "render/fields/memory.h"
#include "render/text/grid.h"
#include "render/text/screen.h"
#include "render/words/display_width.h"
#include "render/words/layer_names.h"
#include "render/words/memory_sentences.h"
#include "render/words/numbers.h"
#include "session/answer/format.h"
#include "session/explain/topic.h"

namespace planex::session::memory_topic {
namespace {

using analyze::MemoryTimeline;
using analyze::PeakContributor;
using analyze::TimelineFrame;
using base::format;
using model::PlanModel;
using render::Alignment;
using render::Grid;
using render::Ink;
using render::JsonStyle;
using render::memory_document;
using render::memory_frame_fields;
using render::other_memory_text;
using render::padded_left;
using render::peak_advice;
using render::peak_sentences;
using render::Screen;
using render::ScreenSize;
using render::ShownIn;
using render::size_text;
using render::tensor_name;

constexpr std::size_t kMaxContributors = 10;

Grid holder_grid(const PlanModel& model, const MemoryTimeline& timeline, std::size_t count) {
  Grid grid({{Alignment::kLeft, true},
             {Alignment::kRight},
             {Alignment::kRight},
             {},
             {Alignment::kRight}});
  grid.add_row({{"live at the peak", Ink::kFaint},
                {"size", Ink::kFaint},
                {"layers", Ink::kFaint},
                {"", Ink::kFaint},
                {"peak without", Ink::kFaint}});
  for (const PeakContributor& contributor : timeline.contributors) {
    if (count-- == 0) break;
    grid.add_row(
        {{tensor_name(model, contributor.tensor)},
         {size_text(contributor.bytes)},
         {format("{} – {}", contributor.first.index(), contributor.last.index())},
         {contributor.is_live_through ? "waits" : "in use"},
         {contributor.peak_without_bytes ? size_text(*contributor.peak_without_bytes) : "–"}});
  }
  return grid;
}

model::DataTable holder_table(const PlanModel& model, const MemoryTimeline& timeline,
                              std::size_t count) {
  model::DataTable table;
  table.columns = {{"live at the peak", "", false}, {"bytes", "bytes", true},
                   {"first_layer_id", "", true},    {"last_layer_id", "", true},
                   {"is_live_through", "", true},   {"peak_without_bytes", "bytes", true}};
  for (const PeakContributor& contributor : std::span(timeline.contributors).first(count)) {
    table.rows.push_back({std::string(model.text(model.tensors.name[contributor.tensor.index()])),
                          contributor.bytes, static_cast<std::int64_t>(contributor.first.index()),
                          static_cast<std::int64_t>(contributor.last.index()),
                          std::int64_t{contributor.is_live_through},
                          model::value_of(contributor.peak_without_bytes)});
  }
  return table;
}

// A timeline as columns over execution, the fullest frame of each; a line of axis below.
std::vector<std::string> timeline_lines(std::span<const TimelineFrame> frames, std::size_t columns,
                                        std::size_t rows) {
  static constexpr std::array<std::string_view, 9> kEighths = {" ", "▁", "▂", "▃", "▄",
                                                               "▅", "▆", "▇", "█"};
  if (frames.empty() || columns == 0 || rows == 0) return {};
  columns = std::min(columns, frames.size());
  std::vector<std::int64_t> fullest(columns, 0);
  for (std::size_t frame = 0; frame < frames.size(); ++frame) {
    std::int64_t& column = fullest[frame * columns / frames.size()];
    column = std::max(column, frames[frame].live_bytes);
  }
  const auto peak = static_cast<double>(std::ranges::max(fullest));
  std::vector<std::string> lines;
  for (std::size_t row = 0; row < rows; ++row) {
    std::string line;
    for (const std::int64_t bytes : fullest) {
      const double eighths =
          peak > 0 ? static_cast<double>(bytes) / peak * static_cast<double>(rows * 8) : 0;
      const double here = eighths - static_cast<double>((rows - 1 - row) * 8);
      // Anything more than nothing is visible.
      const double least = bytes > 0 && row + 1 == rows ? 1 : 0;
      line += kEighths[static_cast<std::size_t>(std::clamp(here, least, 8.0))];
    }
    line.resize(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
  }
  std::string axis = format("{}", frames.front().layer.index());
  const std::string last = format("{}", frames.back().layer.index());
  const std::size_t blanks =
      columns > axis.size() + last.size() ? columns - axis.size() - last.size() : 1;
  lines.push_back(axis + std::string(blanks, ' ') + last);
  return lines;
}

// The same with the peak and the words of the axis at its left.
std::vector<std::string> labelled_timeline(const MemoryTimeline& timeline, std::size_t width) {
  constexpr std::size_t kMaxColumns = 72, kRows = 6, kLabel = 12;
  const std::size_t columns =
      width == 0 ? kMaxColumns
                 : std::clamp<std::size_t>(width, kLabel + 10, kMaxColumns + kLabel) - kLabel;
  std::vector<std::string> lines = timeline_lines(timeline.frames, columns, kRows);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string label = i == 0                  ? size_text(*timeline.peak.bytes)
                              : i + 2 == lines.size() ? "0"
                              : i + 1 == lines.size() ? "layer"
                                                      : "";
    std::string line = format("{} {}", padded_left(label, kLabel - 2), lines[i]);
    line.resize(line.find_last_not_of(' ') + 1);
    lines[i] = std::move(line);
  }
  return lines;
}

Screen screen_of(const PlanModel& model, const MemoryTimeline& timeline, const ScreenSize& size) {
  Screen screen = Screen::titled("memory", model.text(model.engine.name[0]));
  const auto say = [&](const std::string& line, ShownIn where = ShownIn::kBoth) {
    if (!line.empty()) screen.say(line, where);
  };
  for (const std::string& line : peak_sentences(model, timeline)) say(line);
  say(other_memory_text(timeline));
  const std::string advice = peak_advice(model, timeline);
  if (timeline.contributors.empty()) {
    say(advice, ShownIn::kMarkdown);
    return screen;
  }
  screen.add_gap();
  for (std::string& line : labelled_timeline(timeline, size.width)) {
    screen.add_line(std::move(line));
  }
  const std::size_t count = timeline.contributors.size();
  const std::size_t shown = size.of(count, kMaxContributors);
  screen.show(holder_grid(model, timeline, shown), count, shown);
  if (!advice.empty()) screen.add_gap();
  say(advice);
  screen.list_rows(holder_table(model, timeline, shown), shown);
  return screen;
}

Result<void> explain(const EngineToExplain& engine, const ExplainRequest& request,
                     const Take& take) {
  const analyze::MemoryTimeline timeline =
      analyze::memory_timeline(engine.model, engine.summary.memory);
  return take(
      {.document = {memory_document(), timeline, engine.model},
       // Compact: a timeline has one or two numbers per layer.
       .style = JsonStyle::kCompact,
       .rows =
           [&] { return record::rows_of(timeline.frames, memory_frame_fields(), engine.model); },
       .screen = [&](const ScreenSize& size) { return screen_of(engine.model, timeline, size); },
       .all = request.all});
}

constexpr Topic kTopic = {.name = "memory",
                          .summary = "what uses it",
                          .document = [] { return record::DocumentInfo(memory_document()); },
                          .explain = explain};

}  // namespace
}  // namespace planex::session::memory_topic

PLANEX_TOPIC(memory)
