#include "render/json/compare_parts.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace planex::render {
namespace {

using analyze::Comparison;
using analyze::EngineDifference;
using analyze::Femtoseconds;
using Values = std::vector<std::optional<double>>;

void write_values(JsonWriter& json, std::string_view key, const Values& values) {
  json.key(key).begin_array();
  for (const std::optional<double>& value : values) {
    // Counts and bytes are whole; they are written so.
    constexpr double kMaxExact = 9'007'199'254'740'992.0;  // 2^53
    const bool whole = value && *value >= -kMaxExact && *value <= kMaxExact &&
                       *value == static_cast<double>(static_cast<std::int64_t>(*value));
    if (whole) {
      json.value(static_cast<std::int64_t>(*value));
    } else {
      json.value(value);
    }
  }
  json.end_array();
}

std::string_view better_text(analyze::Better better) {
  switch (better) {
    case analyze::Better::kLower:
      return "lower";
    case analyze::Better::kHigher:
      return "higher";
    case analyze::Better::kNeither:
      break;
  }
  return "none";
}

void write_groups(JsonWriter& json, std::string_view key, std::string_view word,
                  const std::vector<analyze::GroupRow>& rows) {
  json.key(key).begin_array();
  for (const analyze::GroupRow& row : rows) {
    json.begin_object().text_member(word, row.key);
    if (row.family != model::Family::kNull) json.member("family", to_string(row.family));
    write_values(json, "median_ms", row.median_ms);
    write_values(json, "mean_ms", row.mean_ms);
    write_values(json, "count", row.count);
    write_values(json, "share", row.share);
    write_values(json, "item_ms", row.item_ms);
    write_values(json, "speed_up", row.speed_up);
    json.end_object();
  }
  json.end_array();
}

void write_engines(JsonWriter& json, const Comparison& comparison) {
  json.key("engines").begin_array();
  for (const analyze::ComparedEngine& engine : comparison.engines) {
    const model::EngineTable& table = engine.model->engine;
    json.begin_object()
        .member("name", engine.name)
        .member("label", engine.label)
        .text_member("producer", engine.model->text(table.producer[0]))
        .text_member("producer_version", engine.model->text(table.producer_version[0]))
        .text_member("device", engine.model->text(table.device[0]))
        .member("batch_size", table.batch_size.get(0))
        .text_member("time_basis", to_string(engine.basis))
        .end_object();
  }
  json.end_array();
}

void write_totals(JsonWriter& json, const Comparison& comparison) {
  json.key("totals").begin_array();
  for (const analyze::TotalRow& row : comparison.totals) {
    json.begin_object()
        .member("metric", row.metric)
        .member("label", row.label)
        .member("unit", row.unit)
        .member("better", better_text(row.better));
    write_values(json, "values", row.values);
    json.member("is_detail", row.is_detail).end_object();
  }
  json.end_array();
}

void write_verdict(JsonWriter& json, const analyze::Verdict& verdict) {
  const auto side = [&](std::string_view key, const analyze::VerdictSide& of) {
    json.key(key)
        .begin_object()
        .member("run_count", of.run_count)
        .member("median_ms", of.median_ms)
        .member("sample_count", of.sample_count)
        .member("greatest_deviation_ratio", of.greatest_deviation_ratio)
        .end_object();
  };
  json.key("verdict").begin_object();
  json.member("judgement", to_string(verdict.judgement))
      .member("unclear_reason", to_string(verdict.unclear_reason))
      .member("source", to_string(verdict.source))
      .text_member("field", verdict.field)
      .member("change_ratio", verdict.change_ratio)
      .member("low_ratio", verdict.low_ratio)
      .member("high_ratio", verdict.high_ratio)
      .member("within_runs_low_ratio", verdict.within_runs_low_ratio)
      .member("within_runs_high_ratio", verdict.within_runs_high_ratio)
      .member("run_spread_ratio", verdict.run_spread_ratio)
      .member("is_run_spread_measured", verdict.is_run_spread_measured)
      .member("run_difference_ratio", verdict.run_difference_ratio)
      .member("detectable_ratio", verdict.detectable_ratio)
      .member("needed_sample_count", verdict.needed_sample_count);
  side("base", verdict.base);
  side("candidate", verdict.candidate);
  json.text_member("method", verdict.method);
  json.key("gate")
      .begin_object()
      .member("result", to_string(verdict.gate))
      .member("threshold_ratio", verdict.gate_threshold_ratio)
      .member("low_ratio", verdict.gate_low_ratio)
      .member("high_ratio", verdict.gate_high_ratio)
      .member("detectable_ratio", verdict.gate_detectable_ratio)
      .member("fails", verdict.fails)
      .end_object();
  json.end_object();
}

void write_types(JsonWriter& json, const EngineDifference& difference) {
  json.key("types").begin_array();
  for (const analyze::TypeChange& type : difference.types) {
    json.begin_object()
        .text_member("type", type.type)
        .member("a_layers", type.a_layers)
        .member("b_layers", type.b_layers)
        .member("delta_ms", type.change.change_ms)
        .member("low_ms", type.change.low_ms)
        .member("high_ms", type.change.high_ms);
    write_changed(json, "exceeds_noise", type.change.changed);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void write_changed(JsonWriter& json, std::string_view key, analyze::Changed changed) {
  json.key(key);
  if (changed == analyze::Changed::kUnknown) {
    json.null();
  } else {
    json.value(changed == analyze::Changed::kYes);
  }
}

void write_comparison_figures(JsonWriter& json, const Comparison& comparison) {
  write_engines(json, comparison);
  write_totals(json, comparison);
  write_groups(json, "by_type", "type", comparison.by_type);
  write_groups(json, "by_precision", "precision", comparison.by_precision);
  write_groups(json, "by_output_precision", "precision", comparison.by_output_precision);
}

void write_difference_members(JsonWriter& json, const Comparison& comparison,
                              const EngineDifference& difference, const LayerNames& names) {
  const analyze::PairList& layers = difference.layers;
  write_verdict(json, difference.verdict);
  json.member("verdict_sentence", verdict_text(comparison, difference))
      .member("a_ms", analyze::milliseconds(layers.a_total))
      .member("b_ms", analyze::milliseconds(layers.b_total))
      .member("delta_ms", analyze::milliseconds(layers.delta))
      .text_member("sentence", difference_text(difference, names))
      .member("are_unrelated", difference.are_unrelated);
  json.key("settings").begin_array();
  for (const analyze::SettingDifference& setting : difference.settings) {
    json.begin_object()
        .member("key", setting.key)
        .member("label", setting.label)
        .text_member("a", setting.a)
        .text_member("b", setting.b)
        .end_object();
  }
  json.end_array();
  json.key("counts")
      .begin_object()
      .member("matched", layers.counts.matched)
      .member("changed", layers.counts.changed)
      .member("only_a", layers.counts.only_a)
      .member("only_b", layers.counts.only_b)
      .end_object();
  json.key("unchanged");
  if (layers.unchanged) {
    json.begin_object()
        .member("pairs", layers.unchanged->count)
        .member("shift_ratio", layers.unchanged->shift_ratio)
        .member("scatter_ms", layers.unchanged->scatter_ms)
        .end_object();
  } else {
    json.null();
  }
  json.key("causes").begin_array();
  for (const analyze::CauseRow& row : layers.causes) {
    const bool timed = layers.delta.has_value();
    const auto ms = [&](Femtoseconds time) {
      return timed ? std::optional(analyze::milliseconds(time)) : std::nullopt;
    };
    json.begin_object()
        .member("cause", to_string(row.cause))
        .member("text", cause_text(row.cause))
        .member("clause", cause_clause(difference, names, row))
        .member("pairs", row.pair_count)
        .member("a_layers", row.a_layers)
        .member("b_layers", row.b_layers)
        .member("a_ms", ms(row.a_time))
        .member("b_ms", ms(row.b_time))
        .member("delta_ms", ms(row.b_time - row.a_time))
        .end_object();
  }
  json.end_array();
  write_types(json, difference);
}

}  // namespace planex::render
