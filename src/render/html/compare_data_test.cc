#include "render/html/compare_data.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/compare/engine_pairs.h"
#include "analyze/summary/summary.h"
#include "model/builder.h"
#include "render/html/columns.h"

namespace planex::render {
namespace {

using model::LayerId;
using model::PlanModel;
using Numbers = std::vector<std::optional<std::int64_t>>;

TEST(Columns, AreDifferencesAndLeftOutWhereUsual) {
  JsonWriter json;
  json.begin_object();
  const auto same = [](const auto& value) { return *value; };
  write_column(json, "ids", Numbers{5, 6, 7, 0}, -1, same);
  write_column(json, "usual", Numbers{1, 1}, 1, same);
  write_column(json, "empty", Numbers{}, 0, same);
  json.end_object();
  EXPECT_EQ(json.take(), R"({"ids":[5,1,1,-7]})");
}

TEST(Columns, OfMeasuresHaveNulls) {
  JsonWriter json;
  json.begin_object();
  const auto same = [](const auto& value) { return value; };
  write_measures(json, "times", Numbers{30, std::nullopt, 7}, same);
  write_measures(json, "none", Numbers{std::nullopt}, same);
  json.end_object();
  EXPECT_EQ(json.take(), R"({"times":[30,null,7]})");
}

PlanModel engine_of(double conv_ms, bool has_pool) {
  model::ModelBuilder builder;
  builder.model().engine.producer.set(0, builder.strings().intern("tensorrt"));
  const auto add = [&](std::string_view name, model::Family family, double median_ms) {
    const LayerId layer = builder.add_layer(builder.strings().add(name));
    model::LayersTable& table = builder.model().layers;
    table.family.set(layer.index(), family);
    table.type.set(layer.index(), builder.strings().intern(to_string(family)));
    table.role.set(layer.index(), model::Role::kWork);
    table.median_ms.set(layer.index(), median_ms);
  };
  add("conv", model::Family::kConvolution, conv_ms);
  if (has_pool) add("pool", model::Family::kPool, 0.0125);
  return builder.finish();
}

class CompareData : public testing::Test {
 protected:
  const PlanModel a_ = engine_of(0.2, true), b_ = engine_of(0.15, false);
  const analyze::Summary a_summary_ = analyze::summarize(a_), b_summary_ = analyze::summarize(b_);
  const std::vector<analyze::EngineToCompare> engines_ = {{"a", &a_, &a_summary_, {}},
                                                          {"b", &b_, &b_summary_, {}}};
  const analyze::Comparison comparison_ = analyze::compare(engines_);

  static std::string json_of(const ReportComparison& of) {
    JsonWriter json;
    write_compare_data(json, of);
    return json.take();
  }
};

TEST_F(CompareData, HasPairsInColumns) {
  const auto engine_pairs = analyze::compare_engine_pairs(engines_, comparison_);
  const std::string json = json_of({&comparison_, engine_pairs});
  // 0.2, 0.15 and 0.0125 ms are multiples of 0.1 µs; the pooling is only in a; no layer has ports.
  const std::string_view sides =
      R"("pairs":{"count":2,"tick_fs":100000000,)"
      R"("a":{"layers":[0,1],"input":[-1,0],"output":[-1,0]},)"
      R"("b":{"count":[1,-1],"layers":[0],"input":[-1,1],"output":[-1,1]})";
  EXPECT_NE(json.find(sides), json.npos) << json;
  EXPECT_NE(json.find(R"("a_time":[2000,125],"b_time":[1500,null])"), json.npos) << json;
  EXPECT_NE(json.find(R"("delta_ms":-0.0625)"), json.npos) << json;
  EXPECT_NE(json.find(R"("delta_ms":0.0625)"), json.npos) << "the other way";
}

TEST_F(CompareData, LeavesOutEnginePairsOfOneWay) {
  const std::string json = json_of({&comparison_, {}});
  EXPECT_NE(json.find(R"("engine_pairs":[])"), json.npos) << json;
}

TEST_F(CompareData, LedgerHasNanosecondsAndWhatIsLeft) {
  const PlanModel odd = engine_of(0.1000000005, false);
  const analyze::Summary summary = analyze::summarize(odd);
  const std::vector<analyze::EngineToCompare> engines = {{"odd", &odd, &summary, {}}};
  const analyze::Comparison alone = analyze::compare(engines);
  const std::string json = json_of({&alone, {}});
  EXPECT_NE(json.find(R"("total_fs":[100000000500])"), json.npos) << json;
  EXPECT_NE(json.find(R"("time_ns":[100000],"time_fs":[500])"), json.npos) << json;
}

}  // namespace
}  // namespace planex::render
