#include <algorithm>

#include "render/compare/words.h"
#include "render/json/documents.h"

namespace planex::render {
namespace {

using analyze::Comparison;
using analyze::EngineDifference;
using analyze::Femtoseconds;
using analyze::LayerPair;
using Values = std::vector<std::optional<double>>;

void write_values(JsonWriter& json, std::string_view key, const Values& values) {
  json.key(key).begin_array();
  for (const std::optional<double>& value : values) {
    // Counts and bytes are whole; they are written so.
    constexpr double kMostExact = 9'007'199'254'740'992.0;  // 2^53
    const bool whole = value && *value >= -kMostExact && *value <= kMostExact &&
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

void write_ids(JsonWriter& json, std::string_view key, std::span<const model::LayerId> layers) {
  json.key(key).begin_array();
  for (const model::LayerId layer : layers) json.value(static_cast<std::int64_t>(layer.index()));
  json.end_array();
}

void write_first(JsonWriter& json, std::string_view key, std::span<const model::LayerId> layers) {
  json.key(key);
  if (layers.empty()) {
    json.null();
  } else {
    json.value(static_cast<std::int64_t>(layers.front().index()));
  }
}

std::string_view match_text(analyze::MatchBy by) {
  switch (by) {
    case analyze::MatchBy::kSource:
      return "source";
    case analyze::MatchBy::kName:
      return "exact";
    case analyze::MatchBy::kShape:
    case analyze::MatchBy::kOrder:
      return "similar";
    case analyze::MatchBy::kUnmatched:
      break;
  }
  return "none";
}

void write_changed(JsonWriter& json, std::string_view key, analyze::Changed changed) {
  json.key(key);
  if (changed == analyze::Changed::kUnknown) {
    json.null();
  } else {
    json.value(changed == analyze::Changed::kYes);
  }
}

void write_pair(JsonWriter& json, const Comparison& comparison, const EngineDifference& difference,
                const LayerNames& names, std::size_t index) {
  const LayerPair& pair = difference.layers.pairs[index];
  json.begin_object().member("engine", difference.engine).member("index", index);
  write_first(json, "a", pair.a);
  write_first(json, "b", pair.b);
  write_ids(json, "a_layers", pair.a);
  write_ids(json, "b_layers", pair.b);
  json.member("name", names.pair(difference, pair))
      .member("match", match_text(pair.by))
      .member("match_by", to_string(pair.by))
      .member("certainty", pair.certainty)
      .member("a_ms", analyze::milliseconds(pair.a_time))
      .member("b_ms", analyze::milliseconds(pair.b_time))
      .member("delta_ms", analyze::milliseconds(pair.delta))
      .member("ratio", pair.ratio)
      .member("cause", to_string(pair.cause));
  write_changed(json, "beyond_noise", pair.noise.changed);
  json.member("low_ms", pair.noise.low_ms)
      .member("high_ms", pair.noise.high_ms)
      .member("noise_source", to_string(pair.noise.source));
  json.key("changes").begin_array();
  for (const analyze::ChangeKind kind : pair.changes) json.value(to_string(kind));
  json.end_array().key("details").begin_array();
  for (const ChangeDetail& detail : change_details(comparison, difference, pair)) {
    if (detail.from.empty() && detail.to.empty()) continue;
    json.begin_object()
        .member("change", to_string(detail.kind))
        .member("from", detail.from)
        .member("to", detail.to)
        .end_object();
  }
  json.end_array().end_object();
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
      .member("doubt", to_string(verdict.doubt))
      .member("source", to_string(verdict.source))
      .text_member("field", verdict.field)
      .member("change_ratio", verdict.change_ratio)
      .member("low_ratio", verdict.low_ratio)
      .member("high_ratio", verdict.high_ratio)
      .member("within_runs_low_ratio", verdict.within_runs_low_ratio)
      .member("within_runs_high_ratio", verdict.within_runs_high_ratio)
      .member("run_spread_ratio", verdict.run_spread_ratio)
      .member("is_run_spread_measured", verdict.is_run_spread_measured)
      .member("detectable_ratio", verdict.detectable_ratio);
  side("base", verdict.base);
  side("candidate", verdict.candidate);
  json.text_member("method", verdict.method);
  json.key("gate")
      .begin_object()
      .member("result", to_string(verdict.gate))
      .member("threshold_ratio", verdict.gate_threshold_ratio)
      .member("detectable_ratio", verdict.gate_detectable_ratio)
      .member("fails", verdict.fails)
      .end_object();
  json.end_object();
}

void write_difference(JsonWriter& json, const EngineDifference& difference,
                      const LayerNames& names) {
  const analyze::PairList& layers = difference.layers;
  json.begin_object().member("engine", difference.engine);
  write_verdict(json, difference.verdict);
  json.member("a_ms", analyze::milliseconds(layers.a_total))
      .member("b_ms", analyze::milliseconds(layers.b_total))
      .member("delta_ms", analyze::milliseconds(layers.delta))
      .text_member("sentence", difference_text(difference, names));
  json.key("counts")
      .begin_object()
      .member("matched", layers.counts.matched)
      .member("changed", layers.counts.changed)
      .member("only_a", layers.counts.only_a)
      .member("only_b", layers.counts.only_b)
      .end_object();
  json.key("causes").begin_array();
  for (const analyze::CauseRow& row : layers.causes) {
    const bool timed = layers.delta.has_value();
    const auto ms = [&](Femtoseconds time) {
      return timed ? std::optional(analyze::milliseconds(time)) : std::nullopt;
    };
    json.begin_object()
        .member("cause", to_string(row.cause))
        .member("pairs", row.pair_count)
        .member("a_layers", row.a_layers)
        .member("b_layers", row.b_layers)
        .member("a_ms", ms(row.a_time))
        .member("b_ms", ms(row.b_time))
        .member("delta_ms", ms(row.b_time - row.a_time))
        .end_object();
  }
  json.end_array().end_object();
}

void write_rows(JsonWriter& json, const Comparison& comparison) {
  json.key("rows").begin_array();
  for (const analyze::EngineRow& row : comparison.rows) {
    json.begin_object().key("layers").begin_array();
    for (const std::vector<model::LayerId>& layers : row.layers) {
      json.begin_array();
      for (const model::LayerId id : layers) json.value(static_cast<std::int64_t>(id.index()));
      json.end_array();
    }
    json.end_array().key("time_ms").begin_array();
    for (const auto& time : row.times) json.value(analyze::milliseconds(time));
    json.end_array().end_object();
  }
  json.end_array();
}

std::string_view kind_text(analyze::LedgerKind kind) {
  switch (kind) {
    case analyze::LedgerKind::kOperation:
      return "operation";
    case analyze::LedgerKind::kRemainder:
      return "no-operation";
    case analyze::LedgerKind::kNoWork:
      break;
  }
  return "no-work";
}

// Whole femtoseconds: they add up to the totals to the last digit, which doubles don't.
void write_ledger(JsonWriter& json, const analyze::Ledger& ledger) {
  json.key("ledger").begin_object().key("total_fs").begin_array();
  for (const auto& total : ledger.totals) json.value(total);
  json.end_array().key("rows").begin_array();
  for (const analyze::LedgerRow& row : ledger.rows) {
    json.begin_object()
        .member("kind", kind_text(row.kind))
        .text_member("name", row.name)
        .text_member("type", row.type)
        .text_member("parameter", row.parameter);
    const auto each = [&](std::string_view key, auto&& write) {
      json.key(key).begin_array();
      for (const auto& cell : row.cells) {
        if (cell) {
          write(*cell);
        } else {
          json.null();
        }
      }
      json.end_array();
    };
    each("time_fs", [&](const analyze::LedgerCell& cell) { json.value(cell.time); });
    each("reformat_fs", [&](const analyze::LedgerCell& cell) { json.value(cell.reformat_time); });
    each("layers", [&](const analyze::LedgerCell& cell) { json.value(cell.layer_count); });
    if (row.kind == analyze::LedgerKind::kOperation) {
      each("spread", [&](const analyze::LedgerCell& cell) { json.value(to_string(cell.rule)); });
      each("names", [&](const analyze::LedgerCell& cell) { json.value(cell.name); });
    }
    json.end_object();
  }
  json.end_array().end_object();
}

}  // namespace

void write_comparison(JsonWriter& json, const Comparison& comparison,
                      const SelectedPairs* selected) {
  const LayerNames names(comparison, Names::kShort);
  json.begin_object().member("schema", "planex.compare/1");
  write_engines(json, comparison);
  write_totals(json, comparison);
  write_groups(json, "by_type", "type", comparison.by_type);
  write_groups(json, "by_precision", "precision", comparison.by_precision);
  write_groups(json, "by_output_precision", "precision", comparison.by_output_precision);
  json.key("pairs").begin_array();
  for (std::size_t i = 0; i < comparison.differences.size(); ++i) {
    const EngineDifference& difference = comparison.differences[i];
    const std::size_t count =
        selected != nullptr ? (*selected)[i].size() : difference.layers.pairs.size();
    for (std::size_t j = 0; j < count; ++j) {
      write_pair(json, comparison, difference, names, selected != nullptr ? (*selected)[i][j] : j);
    }
  }
  json.end_array().key("differences").begin_array();
  for (const EngineDifference& difference : comparison.differences) {
    write_difference(json, difference, names);
  }
  json.end_array();
  write_rows(json, comparison);
  write_ledger(json, comparison.ledger);
  json.end_object();
}

std::string comparison_json(const Comparison& comparison, const SelectedPairs* selected) {
  JsonWriter json(JsonStyle::kPretty);
  write_comparison(json, comparison, selected);
  return json.take() + "\n";
}

}  // namespace planex::render
