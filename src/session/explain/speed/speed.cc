#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "model/data_table.h"
#include "model/plan_model.h"
#include "render/fields/speed.h"
#include "render/tables/record_table.h"
#include "render/text/grid.h"
#include "render/text/screen.h"
#include "render/words/display_width.h"
#include "render/words/layer_names.h"
#include "render/words/numbers.h"
#include "render/words/sentences.h"
#include "session/answer/format.h"
#include "session/explain/topic.h"
#include "session/machine/engine_speed.h"

namespace planex::session::speed_topic {
namespace {

using analyze::SpeedGroup;
using analyze::SpeedLimit;
using analyze::SpeedOfLight;
using analyze::SpeedRow;
using base::bandwidth_text;
using base::counted;
using base::format;
using base::ms_text;
using base::percent_text;
using base::printable;
using base::us_text;
using model::DType;
using model::PlanModel;
using render::Alignment;
using render::elide_middle;
using render::Grid;
using render::GridCell;
using render::GridColumn;
using render::Ink;
using render::layer_name;
using render::or_dash;
using render::plus_others_text;
using render::Screen;
using render::ScreenSize;
using render::ShownIn;
using render::speed_document;
using render::speed_layer_fields;
using render::table_of;

constexpr std::size_t kMaxRows = 10;

std::string headroom_text(double ms) { return ms < 0 ? "-" + ms_text(-ms) : ms_text(ms); }

std::string rate_text(double per_s, DType type) {
  return base::rate_text(
      per_s, model::is_float(type) ? base::Arithmetic::kFloat : base::Arithmetic::kInteger);
}

// Names in sentences: the name of a fused layer lists everything that it was made of.
constexpr std::size_t kNameInSentence = 48;

std::string_view limit_word(SpeedLimit limit) {
  return limit == SpeedLimit::kUnknown ? "not known" : to_string(limit);
}

// What rows are ordered by.
bool is_against_device(const SpeedOfLight& speed) { return speed.total.bound_ms.has_value(); }

std::string_view basis_word(const SpeedOfLight& speed) {
  return speed.basis == analyze::TimeBasis::kMean ? "mean" : "median";
}

// Types whose peaks layers are compared with, matrix units first.
std::string peaks_text(const SpeedOfLight& speed) {
  std::vector<bool> used(static_cast<std::size_t>(DType::kNull) + 1);
  for (const SpeedRow& row : speed.rows) used[static_cast<std::size_t>(row.rate_type)] = true;
  std::string text;
  for (std::size_t i = 0; i < static_cast<std::size_t>(DType::kNull); ++i) {
    const auto type = static_cast<DType>(i);
    const auto matrix = speed.device.limits->matrix_flops_per_s.of(type);
    const auto vector = speed.device.limits->vector_flops_per_s.of(type);
    if (!used[i] || (!matrix && !vector)) continue;
    text += format("{}{} {}", text.empty() ? "" : ", ", to_string(type),
                   rate_text(matrix ? *matrix : *vector, type));
    if (matrix && vector) text += format(" (vector units {})", rate_text(*vector, type));
  }
  return text;
}

// Sentences about the device; the first says which one it is.
std::vector<std::string> device_sentences(const SpeedOfLight& speed) {
  std::vector<std::string> lines;
  const auto& limits = speed.device.limits;
  if (!limits) {
    lines.push_back(
        format("no device to compare with: {}; {}", speed.device.problem, speed.device.hint));
    return lines;
  }
  std::string head = limits->name;
  if (limits->bytes_per_s) head += ": " + bandwidth_text(*limits->bytes_per_s);
  const std::string peaks = peaks_text(speed);
  if (!peaks.empty()) head += (limits->bytes_per_s ? ", " : ": ") + peaks;
  lines.push_back(head);
  if (!limits->source.empty()) lines.push_back("peaks from: " + limits->source);
  if (!limits->bandwidth_source.empty() && limits->bandwidth_source != limits->source) {
    lines.push_back("bandwidth from: " + limits->bandwidth_source);
  }
  if (!limits->note.empty()) lines.push_back(limits->note);
  if (speed.total.launch_count > 0) {
    lines.push_back(format("launch: no layer takes less than {} ms, whatever it does",
                           ms_text(*speed.floor_ms)));
  }
  for (const std::string& remark : limits->remarks) lines.push_back(remark);
  for (std::string& line : lines) line = printable(line);
  return lines;
}

// How the sum of layer times divides.
std::vector<std::string> sum_sentences(const SpeedOfLight& speed) {
  std::vector<std::string> lines;
  const SpeedGroup& total = speed.total;
  if (speed.no_measure) {
    lines.push_back(format(
        "the layer times do not represent the engine, so nothing is compared with them: they {}",
        model::words_of(*speed.no_measure)));
    return lines;
  }
  if (speed.at_once > 1) {
    lines.push_back(
        format("{} inferences run at once: layers were timed while they shared the device, but "
               "their limits assume a device of their own",
               speed.at_once));
  }
  if (!speed.layers_ms) {
    lines.emplace_back(total.bound_ms ? "no layer has a time: only bounds are known"
                                      : "no layer has a time, and no limit is known");
    return lines;
  }
  if (total.bound_ms) {
    std::string text =
        format("Σ layers {} ms = {} ms at the limit {} {} ms {}", ms_text(*speed.layers_ms),
               ms_text(*total.bound_ms), *total.headroom_ms < 0 ? "−" : "+",
               ms_text(std::fabs(*total.headroom_ms)),
               *total.headroom_ms < 0 ? "by which they are faster" : "above the limit");
    if (total.unknown_bound_ms > 0) {
      text += format(" + {} ms of {} whose work or bytes are not known",
                     ms_text(total.unknown_bound_ms),
                     counted(static_cast<std::size_t>(total.unknown_count), "layer"));
    }
    text += plus_others_text(speed.others_ms);
    // For a small part of the layers it says nothing about the engine.
    const double known_ms = *total.time_ms - total.unknown_bound_ms;
    if (total.reached && known_ms > total.unknown_bound_ms) {
      text += format("; {} of the limit is reached", percent_text(*total.reached));
      if (total.unknown_bound_ms > 0) text += " where it is known";
    }
    lines.push_back(text);
  } else {
    lines.push_back(format("Σ layers {} ms", ms_text(*speed.layers_ms)));
  }
  if (speed.overhead_ms && total.bound_ms) {
    lines.push_back(format("about {} ms of the time is profiling overhead ({} µs per layer)",
                           ms_text(*speed.overhead_ms), us_text(*speed.overhead_us_per_layer)));
  }
  if (speed.beyond_count > 0) {
    std::string reasons;
    const auto reason = [&](std::int64_t count, std::string_view words) {
      if (count > 0) reasons += format("{}{} {}", reasons.empty() ? "" : ", ", count, words);
    };
    reason(speed.faster_by_cache, "read what was still in a cache");
    reason(speed.faster_by_parts, "can read or write only parts of their tensors");
    reason(speed.faster_by_rate,
           "multiply less than the full product, or the device exceeds its stated peak");
    lines.push_back(
        format("{} faster than {} bound, by {} ms in all: {}",
               counted(static_cast<std::size_t>(speed.beyond_count), "layer is", "layers are"),
               speed.beyond_count == 1 ? "its" : "their", ms_text(speed.beyond_ms), reasons));
  }
  return lines;
}

std::string best_sentence(const PlanModel& model, const SpeedOfLight& speed) {
  std::string text;
  if (speed.best_bytes) {
    text += format("{} ({})", bandwidth_text(speed.best_bytes->per_s),
                   elide_middle(layer_name(model, speed.best_bytes->layer), kNameInSentence));
  }
  for (const analyze::BestSeen& best : speed.best_flops) {
    text += format("{}{} {} ({})", text.empty() ? "" : ", ", to_string(best.type),
                   rate_text(best.per_s, best.type),
                   elide_middle(layer_name(model, best.layer), kNameInSentence));
  }
  if (text.empty()) return text;
  return speed.best_bytes ? "best seen here (bandwidth of layers that read all of their tensors, "
                            "from memory): " +
                                text
                          : "best seen here: " + text;
}

// A narrow line has no room for what follows from the other columns or from the layer's name.
enum class Room : std::uint8_t { kWide, kNarrow };
constexpr std::size_t kWideLine = 112;

// Rows without some columns.
template <typename Cell>
std::vector<Cell> without(std::vector<Cell> cells, std::initializer_list<std::size_t> columns,
                          Room room) {
  if (room == Room::kWide) return cells;
  for (const std::size_t column : columns) {  // descending
    cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(column));
  }
  return cells;
}

std::string gigabytes_text(double bytes_per_s) { return format("{:.1f}", bytes_per_s / 1e9); }

Grid group_grid(const SpeedOfLight& speed, Room room) {
  Grid grid(without<GridColumn>({{Alignment::kLeft, true},
                                 {Alignment::kRight},
                                 {Alignment::kRight},
                                 {Alignment::kRight},
                                 {Alignment::kRight},
                                 {Alignment::kRight},
                                 {Alignment::kLeft, false, true}},
                                {3}, room));
  grid.add_row(without<GridCell>({{"by type", Ink::kFaint},
                                  {"layers", Ink::kFaint},
                                  {format("{} ms", basis_word(speed)), Ink::kFaint},
                                  {"limit ms", Ink::kFaint},
                                  {"above the limit", Ink::kFaint},
                                  {"reached", Ink::kFaint},
                                  {"limited by", Ink::kFaint}},
                                 {3}, room));
  const auto add = [&](const SpeedGroup& group, std::string label) {
    std::string limited;
    const auto part = [&](std::int64_t count, std::string_view word) {
      if (count > 0) limited += format("{}{} {}", limited.empty() ? "" : ", ", word, count);
    };
    part(group.compute_count, "compute");
    part(group.memory_count, "memory");
    part(group.launch_count, "launch");
    part(group.unknown_count, "not known");
    grid.add_row(without<GridCell>({{std::move(label)},
                                    {format("{}", group.count)},
                                    {or_dash(group.time_ms, ms_text)},
                                    {or_dash(group.bound_ms, ms_text)},
                                    {or_dash(group.headroom_ms, headroom_text)},
                                    {or_dash(group.reached, percent_text)},
                                    {limited}},
                                   {3}, room));
  };
  for (const SpeedGroup& group : speed.by_type) {
    add(group, group.key.empty() ? "not known" : printable(group.key));
  }
  add(speed.total, "all");
  return grid;
}

Grid layer_grid(const PlanModel& model, const SpeedOfLight& speed, std::size_t count, Room room) {
  const bool against_device = speed.device.limits.has_value();
  Grid grid(without<GridColumn>({{Alignment::kLeft, true},
                                 {},
                                 {},
                                 {Alignment::kRight},
                                 {Alignment::kRight},
                                 {Alignment::kRight},
                                 {Alignment::kRight},
                                 {}},
                                {4, 1}, room));
  grid.add_row(without<GridCell>(
      {{is_against_device(speed) || !against_device ? "most above the limit" : "bounds",
        Ink::kFaint},
       {"type", Ink::kFaint},
       {"computes in", Ink::kFaint},
       {format("{} ms", basis_word(speed)), Ink::kFaint},
       {against_device ? "limit ms" : "best seen ms", Ink::kFaint},
       {"above the limit", Ink::kFaint},
       {against_device ? "reached" : "GB/s", Ink::kFaint},
       {against_device ? "limited by" : "", Ink::kFaint}},
      {4, 1}, room));
  for (std::size_t i = 0; i < std::min(count, speed.rows.size()); ++i) {
    const SpeedRow& row = speed.rows[i];
    std::string type(to_string(row.rate_type));
    if (row.rate_evidence == analyze::RateEvidence::kAssumed) type += "?";
    if (type.empty()) type = "–";
    if (model.layers.tensor_cores[row.layer.index()] == 0 &&
        model.layers.macs.get(row.layer.index()).value_or(0) > 0) {
      type += " vector";
    }
    grid.add_row(without<GridCell>(
        {{layer_name(model, row.layer)},
         {printable(model.text(model.layers.type[row.layer.index()]))},
         {type},
         {or_dash(row.time_ms, ms_text)},
         {or_dash(against_device ? row.bound_ms : row.observed_bound_ms, ms_text)},
         {or_dash(against_device ? row.headroom_ms : row.observed_headroom_ms, headroom_text)},
         {against_device ? or_dash(row.reached, percent_text)
                         : or_dash(row.bytes_per_s, gigabytes_text)},
         {against_device ? std::string(limit_word(row.limit)) : ""}},
        {4, 1}, room));
  }
  return grid;
}

Screen screen_of(const PlanModel& model, const SpeedOfLight& speed, const ScreenSize& size) {
  Screen screen = Screen::titled("speed of light", model.text(model.engine.name[0]));
  const Room room = size.width == 0 || size.width >= kWideLine ? Room::kWide : Room::kNarrow;
  const bool has_layers = !speed.rows.empty();
  if (!has_layers) {
    screen.say("no layers: nothing to compare with a device", ShownIn::kText);
  }
  const ShownIn where = has_layers ? ShownIn::kBoth : ShownIn::kMarkdown;
  for (const std::string& line : device_sentences(speed)) screen.say(line, where);
  if (has_layers) screen.add_gap();
  for (const std::string& line : sum_sentences(speed)) screen.say(line, where);
  const std::size_t count = speed.rows.size();
  const std::size_t shown = size.of(count, kMaxRows);
  if (has_layers) {
    if (speed.device.limits) screen.show(group_grid(speed, room));
    screen.show(layer_grid(model, speed, shown, room), count, shown);
  }
  if (const std::string best = best_sentence(model, speed); !best.empty()) {
    if (has_layers) screen.add_gap();
    screen.say(best, where);
  }
  model::DataTable table = table_of(speed.rows, speed_layer_fields(), model);
  table.rows.resize(shown);
  screen.list_rows(std::move(table), shown);
  return screen;
}

Result<void> explain(const EngineToExplain& engine, const ExplainRequest& request,
                     const Take& take) {
  PLANEX_ASSIGN(const analyze::SpeedOfLight speed, speed_of(engine.model, engine.summary, request));
  return take(
      {.document = {speed_document(), speed, engine.model},
       .rows = [&] { return record::rows_of(speed.rows, speed_layer_fields(), engine.model); },
       .screen = [&](const ScreenSize& size) { return screen_of(engine.model, speed, size); },
       .all = request.all});
}

constexpr Topic kTopic = {.name = "speed",
                          .summary = "distance from the device's limits",
                          .document = [] { return record::DocumentInfo(speed_document()); },
                          .explain = explain};

}  // namespace
}  // namespace planex::session::speed_topic

PLANEX_TOPIC(speed)
