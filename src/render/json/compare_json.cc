#include "render/compare/words.h"
#include "render/json/compare_parts.h"
#include "render/json/documents.h"

namespace planex::render {
namespace {

using analyze::Comparison;
using analyze::EngineDifference;
using analyze::LayerPair;

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
  write_changed(json, "exceeds_noise", pair.noise.changed);
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
  json.begin_object().member("schema", "planex.compare/2");
  write_comparison_figures(json, comparison);
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
    json.begin_object().member("engine", difference.engine);
    write_difference_members(json, comparison, difference, names);
    json.end_object();
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
