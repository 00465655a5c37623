#include "render/text/explain_kernels_text.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/text.h"
#include "render/fields/kernels.h"
#include "render/markdown/table_markdown.h"
#include "render/tables/record_table.h"
#include "render/text/grid.h"
#include "render/words/display_width.h"
#include "render/words/kernel_sentences.h"
#include "render/words/numbers.h"
#include "render/words/stream_sentences.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using analyze::KernelExplanation;
using analyze::KernelTotals;
using analyze::LayerKernels;
using base::counted;
using base::format;
using model::PlanModel;

constexpr std::size_t kMaxLayers = 10;
constexpr std::size_t kMaxKernels = 8;
constexpr std::size_t kMaxInMarkdown = 30;

std::string kernel_name(const PlanModel& model, base::StringId name) {
  return name.is_null() ? "(no name)" : printable(model.text(name));
}

// "49×1×32 × 256×1×1", blocks and threads; empty where it is not known.
std::string shape_text(const PlanModel& model, std::size_t row) {
  const model::KernelsTable& kernels = model.kernels;
  if (kernels.grid.is_null(row) || kernels.block.is_null(row)) return {};
  return format("{} × {}", dims_text(kernels.grid[row]), dims_text(kernels.block[row]));
}

std::string us_as_ms(const model::Real& column, std::size_t row) {
  const auto us = column.get(row);
  return us ? ms_text(*us / 1000) : "–";
}

Grid kernel_layers_grid(const PlanModel& model, const KernelExplanation& explanation,
                        std::size_t count) {
  Grid grid({{Alignment::kLeft, true},
             {Alignment::kRight},
             {Alignment::kRight},
             {Alignment::kRight},
             {Alignment::kLeft}});
  grid.add_row({{"layer, and what it launches", Ink::kFaint},
                {"layer ms", Ink::kFaint},
                {"kernel ms", Ink::kFaint},
                {"difference", Ink::kFaint},
                {"blocks × threads", Ink::kFaint}});
  for (const std::size_t i : explanation.by_time) {
    if (count-- == 0) break;
    const LayerKernels& of = explanation.layers[i];
    const std::string name = printable(model.text(model.layers.name[of.layer.index()]));
    grid.add_row({{name, Ink::kStrong},
                  {or_dash(of.time_ms, ms_text), Ink::kStrong},
                  {or_dash(of.kernel_ms, ms_text), Ink::kStrong},
                  {of.difference_ms ? signed_ms(*of.difference_ms) : "–"}});
    for (const std::size_t row : of.rows) {
      grid.add_row({{"  " + kernel_name(model, model.kernels.name[row])},
                    {""},
                    {us_as_ms(model.kernels.median_us, row)},
                    {""},
                    {shape_text(model, row), Ink::kFaint}});
    }
  }
  return grid;
}

Grid kernels_grid(const PlanModel& model, const KernelExplanation& explanation, std::size_t count) {
  Grid grid({{Alignment::kLeft, true},
             {Alignment::kRight},
             {Alignment::kRight},
             {Alignment::kRight},
             {Alignment::kRight}});
  grid.add_row({{"kernel", Ink::kFaint},
                {"launches", Ink::kFaint},
                {"layers", Ink::kFaint},
                {"ms", Ink::kFaint},
                {"share", Ink::kFaint}});
  for (const KernelTotals& kernel : explanation.kernels) {
    if (count-- == 0) break;
    grid.add_row({{kernel_name(model, kernel.name)},
                  {format("{}", kernel.rows)},
                  {format("{}", kernel.layers)},
                  {ms_text(kernel.time_ms)},
                  {or_dash(kernel.share, percent_text)}});
  }
  return grid;
}

// How much of the time each stream runs, and which one waits while which runs.
Grid streams_grid(const analyze::StreamUses& uses) {
  Grid grid({{Alignment::kLeft, true},
             {Alignment::kRight},
             {Alignment::kRight},
             {Alignment::kRight},
             {Alignment::kRight},
             {Alignment::kLeft}});
  grid.add_row({{format("of {} ms", ms_text(uses.window_ms)), Ink::kFaint},
                {"inferences", Ink::kFaint},
                {"runs", Ink::kFaint},
                {"of that, overlapped", Ink::kFaint},
                {"waits while others run", Ink::kFaint},
                {"mostly", Ink::kFaint}});
  const std::vector<std::string> names = stream_names(uses);
  for (std::size_t place = 0; place < uses.streams.size(); ++place) {
    const analyze::StreamUse& use = uses.streams[place];
    grid.add_row({{names[place]},
                  {use.inferences > 0 ? format("{}", use.inferences) : "of others"},
                  {percent_text(use.busy_share)},
                  {percent_text(use.overlapped_share)},
                  {or_dash(use.waiting_share, percent_text)},
                  {use.waits_while ? names[*use.waits_while] : "", Ink::kFaint}});
  }
  return grid;
}

}  // namespace

std::string explain_kernels_text(const PlanModel& model, const KernelExplanation& explanation,
                                 bool all, const TableStyle& style) {
  const std::size_t width = style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0));
  std::string text = painted(format("kernels: {}", printable(model.text(model.engine.name[0]))),
                             Ink::kStrong, style.color) +
                     "\n";
  for (const std::string& line : kernel_sentences(model, explanation)) {
    text += wrapped_hanging(line, width, kScreenIndent + 2, 2);
  }
  const auto grid = [&](const Grid& of, std::size_t count, std::size_t most) {
    text += '\n';
    for (const std::string& line : of.lines(width, kScreenIndent, style.color)) text += line + "\n";
    if (!all && count > most) text += format("  … {} more: --all\n", count - most);
  };
  const auto shown = [all](std::size_t count, std::size_t most) { return all ? count : most; };
  if (!explanation.layers.empty()) {
    const std::size_t count = explanation.layers.size();
    grid(kernel_layers_grid(model, explanation, shown(count, kMaxLayers)), count, kMaxLayers);
    const std::size_t kernels = explanation.kernels.size();
    grid(kernels_grid(model, explanation, shown(kernels, kMaxKernels)), kernels, kMaxKernels);
  }
  if (explanation.streams && explanation.streams->streams.size() > 1) {
    const std::size_t count = explanation.streams->streams.size();
    grid(streams_grid(*explanation.streams), count, count);
  }
  for (const analyze::OtherKernels* of : {&explanation.between, &explanation.elsewhere}) {
    const std::vector<std::size_t>& rows = of->rows;
    if (rows.empty()) continue;
    Grid others({{Alignment::kLeft, true}, {Alignment::kRight}, {Alignment::kRight}});
    others.add_row(
        {{of == &explanation.between ? "between layers" : "outside of inferences", Ink::kFaint},
         {"launches", Ink::kFaint},
         {"ms in all", Ink::kFaint}});
    for (std::size_t i = 0; i < std::min(rows.size(), shown(rows.size(), kMaxKernels)); ++i) {
      const std::size_t row = rows[i];
      others.add_row({{kernel_name(model, model.kernels.name[row])},
                      {format("{}", model.kernels.count.get(row).value_or(0))},
                      {or_dash(model.kernels.total_ms.get(row), ms_text)}});
    }
    grid(others, rows.size(), kMaxKernels);
  }
  return text;
}

std::string explain_kernels_markdown(const PlanModel& model, const KernelExplanation& explanation,
                                     bool all) {
  std::string text = format("### Kernels: {}\n\n", markdown_text(model.text(model.engine.name[0])));
  for (const std::string& line : kernel_sentences(model, explanation)) {
    text += format("- {}\n", markdown_text(line));
  }
  model::DataTable table = table_of(kernel_rows(explanation), kernel_row_fields(), model);
  if (table.rows.empty()) return text;
  if (!all && table.rows.size() > kMaxInMarkdown) {
    text += format("- {} more rows: --all\n", table.rows.size() - kMaxInMarkdown);
    table.rows.resize(kMaxInMarkdown);
  }
  return text + "\n" + markdown_table(table);
}

}  // namespace planex::render
