#include "render/json/documents.h"

namespace planex::render {
namespace {

using Values = std::vector<std::optional<double>>;

void write_values(JsonWriter& json, std::string_view key, const Values& values) {
  json.key(key).begin_array();
  for (const std::optional<double>& value : values) {
    // Counts and bytes are whole; they are written so.
    const bool whole = value && *value == static_cast<double>(static_cast<std::int64_t>(*value));
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
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void write_comparison(JsonWriter& json, const analyze::Comparison& comparison) {
  json.begin_object().member("schema", "planex.compare/1").key("engines").begin_array();
  for (const analyze::ComparedEngine& engine : comparison.engines) {
    json.begin_object().member("name", engine.name).member("label", engine.label).end_object();
  }
  json.end_array().key("totals").begin_array();
  for (const analyze::TotalRow& row : comparison.totals) {
    json.begin_object()
        .member("metric", row.metric)
        .member("label", row.label)
        .member("unit", row.unit)
        .member("better", better_text(row.better));
    write_values(json, "values", row.values);
    json.end_object();
  }
  json.end_array();
  write_groups(json, "by_type", "type", comparison.by_type);
  write_groups(json, "by_precision", "precision", comparison.by_precision);
  write_groups(json, "by_output_precision", "precision", comparison.by_output_precision);
  json.key("pairs").begin_array().end_array();
  json.end_object();
}

std::string comparison_json(const analyze::Comparison& comparison) {
  JsonWriter json(JsonStyle::kPretty);
  write_comparison(json, comparison);
  return json.take() + "\n";
}

}  // namespace planex::render
