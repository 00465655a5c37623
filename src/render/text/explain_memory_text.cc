#include "render/text/explain_memory_text.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "render/layer_names.h"
#include "render/markdown/table_markdown.h"
#include "render/memory_sentences.h"
#include "render/text/display_width.h"
#include "render/text/grid.h"
#include "render/text/numbers.h"
#include "render/text/wrap.h"

namespace planex::render {
namespace {

using analyze::FilmFrame;
using analyze::MemoryFilm;
using analyze::PeakHolder;
using base::counted;
using base::format;
using model::PlanModel;

constexpr std::size_t kMostHolders = 10;

Grid holder_grid(const PlanModel& model, const MemoryFilm& film, std::size_t count) {
  Grid grid({{Alignment::kLeft, true},
             {Alignment::kRight},
             {Alignment::kRight},
             {},
             {Alignment::kRight}});
  grid.add_row({{"held at the peak", Ink::kFaint},
                {"size", Ink::kFaint},
                {"layers", Ink::kFaint},
                {"", Ink::kFaint},
                {"peak without", Ink::kFaint}});
  for (const PeakHolder& holder : film.holders) {
    if (count-- == 0) break;
    grid.add_row({{tensor_name(model, holder.tensor)},
                  {size_text(holder.bytes)},
                  {format("{} – {}", holder.first.index(), holder.last.index())},
                  {holder.is_carried ? "waits" : "in use"},
                  {holder.peak_without_bytes ? size_text(*holder.peak_without_bytes) : "–"}});
  }
  return grid;
}

}  // namespace

std::vector<std::string> film_lines(std::span<const FilmFrame> frames, std::size_t columns,
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
      // What is held at all is seen.
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

std::string explain_memory_text(const PlanModel& model, const MemoryFilm& film, MemoryDetail detail,
                                const TableStyle& style) {
  const std::size_t width = style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0));
  std::string text = painted(format("memory: {}", printable(model.text(model.engine.name[0]))),
                             Ink::kStrong, style.color) +
                     "\n";
  const auto sentence = [&](const std::string& line) {
    if (!line.empty()) text += wrapped_hanging(line, width, kScreenIndent + 2, 2);
  };
  for (const std::string& line : peak_sentences(model, film)) sentence(line);
  sentence(beside_text(film));
  if (film.holders.empty()) return text;
  constexpr std::size_t kMostColumns = 72, kRows = 6, kLabel = 12;
  const std::size_t columns =
      width == 0 ? kMostColumns
                 : std::clamp<std::size_t>(width, kLabel + 10, kMostColumns + kLabel) - kLabel;
  text += '\n';
  const std::vector<std::string> lines = film_lines(film.frames, columns, kRows);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string label = i == 0                  ? size_text(*film.peak.bytes)
                              : i + 2 == lines.size() ? "0"
                              : i + 1 == lines.size() ? "layer"
                                                      : "";
    std::string line = format("{} {}", padded_left(label, kLabel - 2), lines[i]);
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  text += '\n';
  const std::size_t count = detail == MemoryDetail::kAll ? film.holders.size() : kMostHolders;
  for (const std::string& line :
       holder_grid(model, film, count).lines(width, kScreenIndent, style.color)) {
    text += line + "\n";
  }
  if (count < film.holders.size()) {
    text += format("  … {} more: --all\n", film.holders.size() - count);
  }
  if (const std::string advice = peak_advice(model, film); !advice.empty()) {
    text += '\n';
    sentence(advice);
  }
  return text;
}

std::string explain_memory_markdown(const PlanModel& model, const MemoryFilm& film,
                                    MemoryDetail detail) {
  std::string text = format("### Memory: {}\n\n", markdown_text(model.text(model.engine.name[0])));
  const auto item = [&](const std::string& line) {
    if (!line.empty()) text += format("- {}\n", markdown_text(line));
  };
  for (const std::string& line : peak_sentences(model, film)) item(line);
  item(beside_text(film));
  item(peak_advice(model, film));
  if (film.holders.empty()) return text;
  model::DataTable table;
  table.columns = {{"held at the peak", "", false}, {"bytes", "bytes", true},
                   {"first_layer_id", "", true},    {"last_layer_id", "", true},
                   {"is_carried", "", true},        {"peak_without_bytes", "bytes", true}};
  const std::size_t count = detail == MemoryDetail::kAll ? film.holders.size() : kMostHolders;
  for (const PeakHolder& holder :
       std::span(film.holders).first(std::min(count, film.holders.size()))) {
    table.rows.push_back({std::string(model.text(model.tensors.name[holder.tensor.index()])),
                          holder.bytes, static_cast<std::int64_t>(holder.first.index()),
                          static_cast<std::int64_t>(holder.last.index()),
                          std::int64_t{holder.is_carried},
                          model::value_of(holder.peak_without_bytes)});
  }
  return text + "\n" + markdown_table(table);
}

model::DataTable explain_memory_table(const PlanModel& model, const MemoryFilm& film) {
  model::DataTable table;
  table.columns = {{"layer_id", "", true},
                   {"layer", "", false},
                   {"live_bytes", "bytes", true},
                   {"scratch_bytes", "bytes", true}};
  for (const FilmFrame& frame : film.frames) {
    table.rows.push_back({static_cast<std::int64_t>(frame.layer.index()),
                          std::string(model.text(model.layers.name[frame.layer.index()])),
                          frame.live_bytes, model::value_of(frame.scratch_bytes)});
  }
  return table;
}

}  // namespace planex::render
