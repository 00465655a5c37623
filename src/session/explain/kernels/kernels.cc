#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/explain/kernels.h"
#include "base/text.h"
#include "model/data_table.h"
#include "model/plan_model.h"
#include "render/tables/record_table.h"
#include "render/text/grid.h"
#include "render/text/screen.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/stream_sentences.h"
#include "session/answer/format.h"
#include "session/explain/kernels/kernel_fields.h"
#include "session/explain/kernels/kernel_sentences.h"
#include "session/explain/topic.h"

namespace planex::session::kernels_topic {
namespace {

using analyze::KernelExplanation;
using analyze::KernelTotals;
using analyze::LayerKernels;
using base::dims_text;
using base::format;
using base::ms_text;
using base::percent_text;
using base::printable;
using model::PlanModel;
using render::Alignment;
using render::Grid;
using render::Ink;
using render::or_dash;
using render::Screen;
using render::ScreenSize;
using render::stream_names;
using render::table_of;

constexpr std::size_t kMaxLayers = 10;
constexpr std::size_t kMaxKernels = 8;
constexpr std::size_t kMaxKernelRows = 30;

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

Grid other_kernels_grid(const PlanModel& model, const std::vector<std::size_t>& rows,
                        std::string_view head, std::size_t count) {
  Grid grid({{Alignment::kLeft, true}, {Alignment::kRight}, {Alignment::kRight}});
  grid.add_row(
      {{std::string(head), Ink::kFaint}, {"launches", Ink::kFaint}, {"ms in all", Ink::kFaint}});
  for (const std::size_t row : rows) {
    if (count-- == 0) break;
    grid.add_row({{kernel_name(model, model.kernels.name[row])},
                  {format("{}", model.kernels.count.get(row).value_or(0))},
                  {or_dash(model.kernels.total_ms.get(row), ms_text)}});
  }
  return grid;
}

Screen screen_of(const PlanModel& model, const KernelExplanation& explanation,
                 const ScreenSize& size) {
  Screen screen = Screen::titled("kernels", model.text(model.engine.name[0]));
  for (const std::string& line : kernel_sentences(model, explanation)) screen.say(line);
  if (!explanation.layers.empty()) {
    const std::size_t layers = size.of(explanation.layers.size(), kMaxLayers);
    screen.show(kernel_layers_grid(model, explanation, layers), explanation.layers.size(), layers);
    const std::size_t kernels = size.of(explanation.kernels.size(), kMaxKernels);
    screen.show(kernels_grid(model, explanation, kernels), explanation.kernels.size(), kernels);
  }
  if (explanation.streams && explanation.streams->streams.size() > 1) {
    screen.show(streams_grid(*explanation.streams));
  }
  for (const auto& [of, head] : {std::pair(&explanation.between, "between layers"),
                                 std::pair(&explanation.elsewhere, "outside of inferences")}) {
    if (of->rows.empty()) continue;
    const std::size_t shown = size.of(of->rows.size(), kMaxKernels);
    screen.show(other_kernels_grid(model, of->rows, head, shown), of->rows.size(), shown);
  }
  model::DataTable table = table_of(kernel_rows(explanation), kernel_row_fields(), model);
  if (table.rows.empty()) return screen;
  const std::size_t shown = size.of(table.rows.size(), kMaxKernelRows);
  screen.list_rows(std::move(table), shown);
  return screen;
}

Result<void> explain(const EngineToExplain& engine, const ExplainRequest& request,
                     const Take& take) {
  const model::PlanModel& model = engine.model;
  const auto explanation = analyze::explain_kernels(model, engine.summary.time);
  return take(
      {.document = {kernels_document(), explanation, model},
       .rows =
           [&] { return record::rows_of(kernel_rows(explanation), kernel_row_fields(), model); },
       .screen = [&](const ScreenSize& size) { return screen_of(model, explanation, size); },
       .all = request.all});
}

constexpr Topic kTopic = {.name = "kernels",
                          .summary = "what each layer launches",
                          .document = [] { return record::DocumentInfo(kernels_document()); },
                          .explain = explain};

}  // namespace
}  // namespace planex::session::kernels_topic

PLANEX_TOPIC(kernels)
