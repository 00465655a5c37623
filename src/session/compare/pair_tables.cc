#include "session/compare/pair_tables.h"

#include <array>
#include <span>
#include <string>
#include <utility>

namespace planex::session {
namespace {

using analyze::LayerPair;
using model::ColumnInfo;
using model::ColumnType;
using model::Value;

constexpr std::array<ColumnInfo, 11> kPairs = {{
    {"candidate", ColumnType::kText, "", "The engine that is compared with the first."},
    {"pair", ColumnType::kInt64, "", "The number of the pair, as in planex compare."},
    {"match", ColumnType::kText, "", "How it was matched: source, name, shape, order or none."},
    {"certainty", ColumnType::kDouble, "", "Confidence in the match, 0 to 1."},
    {"a_ms", ColumnType::kDouble, "ms", "Time of its layers in the first engine."},
    {"b_ms", ColumnType::kDouble, "ms", "Time of its layers in the candidate."},
    {"delta_ms", ColumnType::kDouble, "ms", "b_ms minus a_ms; a missing side counts as 0."},
    {"ratio", ColumnType::kDouble, "", "b_ms divided by a_ms."},
    {"exceeds_noise", ColumnType::kInt64, "", "1 or 0; null where unknown."},
    {"cause", ColumnType::kText, "", "Where the change comes from."},
    {"changes", ColumnType::kText, "", "What is different, as a JSON list of words."},
}};

constexpr std::array<ColumnInfo, 4> kPairLayers = {{
    {"candidate", ColumnType::kText, "", "The engine that is compared with the first."},
    {"pair", ColumnType::kInt64, "", "The number of the pair."},
    {"engine", ColumnType::kText, "", "The engine of the layer: the first or the candidate."},
    {"layer_id", ColumnType::kInt64, "", "The layer."},
}};

Value ms(const std::optional<analyze::Femtoseconds>& time) {
  return model::value_of(analyze::milliseconds(time));
}

Value exceeds_noise(analyze::Changed changed) {
  if (changed == analyze::Changed::kUnknown) return std::monostate{};
  return std::int64_t{changed == analyze::Changed::kYes};
}

// The words need no escaping.
std::string changes(const LayerPair& pair) {
  std::string text = "[";
  for (const analyze::ChangeKind kind : pair.changes) {
    if (text.size() > 1) text += ",";
    text.append("\"").append(to_string(kind)).append("\"");
  }
  return text + "]";
}

}  // namespace

std::vector<query::ExtraTable> pair_tables(const analyze::Comparison* comparison) {
  query::ExtraTable pairs{
      kPairsTable, "Matching layers of the first engine and of each other one.", kPairs, {}};
  query::ExtraTable layers{kPairLayersTable, "The layers of each pair.", kPairLayers, {}};
  std::span<const analyze::EngineDifference> differences;
  if (comparison != nullptr) differences = comparison->differences;
  for (const analyze::EngineDifference& difference : differences) {
    const std::string& candidate = comparison->engines[difference.engine].label;
    for (std::size_t i = 0; i < difference.layers.pairs.size(); ++i) {
      const LayerPair& pair = difference.layers.pairs[i];
      const auto index = static_cast<std::int64_t>(i);
      pairs.rows.push_back({candidate, index, std::string(to_string(pair.by)), pair.certainty,
                            ms(pair.a_time), ms(pair.b_time), ms(pair.delta),
                            model::value_of(pair.ratio), exceeds_noise(pair.noise.changed),
                            std::string(to_string(pair.cause)), changes(pair)});
      const auto add = [&](std::size_t engine, std::span<const model::LayerId> ids) {
        for (const model::LayerId id : ids) {
          layers.rows.push_back({candidate, index, comparison->engines[engine].label,
                                 static_cast<std::int64_t>(id.index())});
        }
      };
      add(0, pair.a);
      add(difference.engine, pair.b);
    }
  }
  std::vector<query::ExtraTable> tables;
  tables.push_back(std::move(pairs));
  tables.push_back(std::move(layers));
  return tables;
}

}  // namespace planex::session
