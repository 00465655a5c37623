#include "ingest/olive/footprint_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/discover/load.h"
#include "ingest/discover/registry.h"
#include "model/builder.h"
#include "planex/error.h"
#include "support/test_data.h"

namespace planex::ingest::olive {
namespace {

using test::to_text;
using ::testing::HasSubstr;

const std::string kRecorded = PLANEX_SOURCE_DIR "/tests/data/olive/";

// A model with these fields behind those that each has.
std::string node_with(std::string_view fields) {
  return base::format(R"({{"a": {{"parent_model_id": null, "model_id": "a", "from_pass": null, )"
                      R"("pass_run_config": null, {}}}}})",
                      fields);
}

Result<model::PlanModel> read_text(std::string_view text) {
  model::ModelBuilder builder;
  Artefact artefact{.path = "footprint.json", .bytes = base::make_bytes(text)};
  artefact.file_row = builder.add_file("footprint.json", "olive-footprint", "test", text.size());
  PLANEX_TRY(read_footprint(artefact, builder));
  return builder.finish();
}

std::string error_of(std::string_view text) {
  const auto read = read_text(text);
  return read ? "" : to_text(read.error());
}

std::optional<std::string> value_of(const model::PlanModel& model, std::string_view section,
                                    std::string_view key) {
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    if (model.text(model.metadata.section[row]) == section &&
        model.text(model.metadata.key[row]) == key) {
      return std::string(model.text(model.metadata.value[row]));
    }
  }
  return std::nullopt;
}

std::size_t rows_in(const model::PlanModel& model, std::string_view section) {
  std::size_t count = 0;
  for (const base::StringId id : model.metadata.section.values()) {
    count += model.text(id) == section ? 1U : 0U;
  }
  return count;
}

TEST(OliveFootprint, ReadsWhatOliveWrote) {
  for (const std::string_view version : {"0.13", "0.9"}) {
    const std::string folder = kRecorded + std::string(version);
    const auto model = load({.path = folder}, base::disk());
    ASSERT_TRUE(model) << to_text(model.error());
    EXPECT_EQ(value_of(*model, "olive", "models"), "10") << version;
    EXPECT_EQ(value_of(*model, "olive metric latency-avg", "priority"), "1");
    EXPECT_EQ(value_of(*model, "olive metric latency-avg", "better"), "lower");
    EXPECT_EQ(value_of(*model, "olive candidate 0", "parent"), std::nullopt);
    // Olive's own zero is not a time.
    EXPECT_EQ(value_of(*model, "olive candidate 0", "seconds"), std::nullopt);
    EXPECT_EQ(value_of(*model, "olive candidate 2", "pass"), "onnxdynamicquantization");
    EXPECT_EQ(value_of(*model, "olive candidate 2", "set per_channel"), "true");
    EXPECT_TRUE(value_of(*model, "olive candidate 2", "seconds"));
    EXPECT_EQ(value_of(*model, "olive candidate 10", "model"), std::nullopt);
    EXPECT_EQ(model->text(model->engine.producer[0]), "olive");
  }
  const auto latest = load({.path = kRecorded + "0.13"}, base::disk());
  ASSERT_TRUE(latest);
  EXPECT_EQ(value_of(*latest, "olive candidate 0", "metric latency-avg"), "0.05516");
  EXPECT_EQ(value_of(*latest, "olive candidate 1", "file"),
            "cache-0_13_0/default_workflow/runs/98438680/models/glyphs.onnx");
  EXPECT_EQ(value_of(*latest, "olive candidate 1", "front"), "yes");
  EXPECT_EQ(latest->text(latest->engine.producer_version[0]), "0.12+");
}

TEST(OliveFootprint, OnlyTheWholeSearchIsRead) {
  const auto model = load({.path = kRecorded + "0.9"}, base::disk());
  ASSERT_TRUE(model) << to_text(model.error());
  EXPECT_EQ(rows_in(*model, "olive"), 1U);
  EXPECT_EQ(model->text(model->engine.producer_version[0]), "before 0.12");
  bool is_told = false;
  for (const base::StringId code : model->diagnostics.code.values()) {
    is_told = is_told || model->text(code) == "olive-footprint-left-out";
  }
  EXPECT_TRUE(is_told);
  const auto front =
      load({.path = kRecorded + "0.9/pareto_frontier_footprints.json"}, base::disk());
  ASSERT_TRUE(front) << to_text(front.error());
}

TEST(OliveFootprint, RefusesOtherVersions) {
  constexpr std::string_view kTimes = R"("start_time": 1, "end_time": 2)";
  EXPECT_EQ(error_of(node_with(base::format(R"("model_config": null, {})", kTimes))), "");
  EXPECT_EQ(error_of(node_with(base::format(R"("model_config_data": null, {})", kTimes))), "");
  EXPECT_THAT(error_of(node_with(kTimes)), HasSubstr("no model_config_data"));
  // As 0.2 wrote it.
  EXPECT_THAT(error_of(node_with(R"("model_config": null, "date_time": 1)")),
              HasSubstr("no start_time"));
  EXPECT_THAT(error_of(R"({"a": {"model_config": null, "start_time": 1}})"),
              HasSubstr("no parent_model_id"));
  EXPECT_THAT(
      error_of(node_with(base::format(
          R"("model_config": null, {}, "metrics": {{"value": {{"latency": 2.5}}}})", kTimes))),
      HasSubstr("a metric is a number"));
  EXPECT_THAT(error_of("{}"), HasSubstr("lists no models"));
  EXPECT_THAT(error_of("[]"), HasSubstr("expected an object"));
}

TEST(OliveFootprint, RefusesWhatIsTruncated) {
  const auto whole = base::disk().read(kRecorded + "0.13/footprint.json");
  ASSERT_TRUE(whole);
  const std::string_view text = (*whole)->view();
  for (std::size_t parts = 1; parts < 20; ++parts) {
    EXPECT_NE(error_of(text.substr(0, text.size() * parts / 20)), "") << parts;
  }
}

TEST(OliveFootprint, WhatIsNotKnownIsMissing) {
  const auto model = read_text(
      node_with(R"("model_config": {"type": "x", "config": {"model_path": {"type": "azureml"}}}, )"
                R"("start_time": 0, "end_time": 0, "metrics": {"value": {"latency-avg": )"
                R"({"value": NaN, "priority": 1, "higher_is_better": false}}})"));
  ASSERT_TRUE(model) << to_text(model.error());
  EXPECT_EQ(value_of(*model, "olive candidate 0", "file"), std::nullopt);
  EXPECT_EQ(value_of(*model, "olive candidate 0", "metric latency-avg"), std::nullopt);
  EXPECT_EQ(value_of(*model, "olive candidate 0", "goals met"), std::nullopt);
}

TEST(OliveFootprint, IsRecognizedByContent) {
  const auto text = base::disk().read(kRecorded + "0.9/footprints.json");
  ASSERT_TRUE(text);
  const ReaderInfo* reader = sniff((*text)->view());
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(reader->id, "olive-footprint");
  EXPECT_EQ(sniff_footprint(R"({"parent_model_id": 1, "from_pass": 2})"), Confidence::kNo);
}

}  // namespace
}  // namespace planex::ingest::olive
