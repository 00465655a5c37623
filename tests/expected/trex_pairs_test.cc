// The predecessor's two rules pair what it paired: data/expected/compare/*.json.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyze/align/alignment.h"
#include "support/test_data.h"

namespace planex::test {
namespace {

using model::LayerId;
using model::PlanModel;
using Pair = std::pair<std::int64_t, std::int64_t>;

// Its rows: layers that do work, in their order.
std::vector<std::int64_t> rows_of_layers(const PlanModel& model) {
  std::vector<std::int64_t> rows(model.layers.row_count(), -1);
  std::int64_t next = 0;
  for (std::size_t layer = 0; layer < rows.size(); ++layer) {
    if (model.does_work(LayerId(layer))) rows[layer] = next++;
  }
  return rows;
}

std::set<Pair> our_pairs(const PlanModel& a, const PlanModel& b, analyze::AlignRule rule) {
  const std::vector<std::int64_t> rows_a = rows_of_layers(a), rows_b = rows_of_layers(b);
  std::set<Pair> pairs;
  for (const analyze::Match& match : analyze::align(a, b, rule).matches) {
    for (const LayerId x : match.a) {
      for (const LayerId y : match.b) pairs.emplace(rows_a[x.index()], rows_b[y.index()]);
    }
  }
  return pairs;
}

std::set<Pair> their_pairs(simdjson::dom::element mode) {
  std::set<Pair> pairs;
  for (const simdjson::dom::element pair : mode["pairs_in_trex_order"].get_array()) {
    if (!pair.at(0).is_null() && !pair.at(1).is_null()) pairs.emplace(pair.at(0), pair.at(1));
  }
  return pairs;
}

TEST(TrexPairs, BothRulesPairTheSame) {
  PLANEX_NEED_TEST_DATA(data);
  std::size_t compared = 0;
  for (const std::string& path : files_below(data + "/expected/compare", {".json"})) {
    simdjson::dom::parser parser;
    const simdjson::dom::element expected = parser.load(path);
    const PlanModel a = must(load_engine(data, std::string(expected["a"].get_string().value())));
    const PlanModel b = must(load_engine(data, std::string(expected["b"].get_string().value())));
    EXPECT_EQ(our_pairs(a, b, analyze::AlignRule::kExactShapes), their_pairs(expected["exact"]))
        << path;
    EXPECT_EQ(our_pairs(a, b, analyze::AlignRule::kFirstShapes),
              their_pairs(expected["first_io_only"]))
        << path;
    ++compared;
  }
  EXPECT_EQ(compared, 9U);
}

}  // namespace
}  // namespace planex::test
