// Records of quantization beside an engine: files of planex quantize and planex accuracy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "ingest/discover/discover.h"
#include "ingest/ingest_test_support.h"
#include "ingest/planex/accuracy_reader.h"
#include "ingest/planex/quantize_reader.h"
#include "ingest/planex/search_reader.h"
#include "support/model_texts.h"
#include "support/test_data.h"

namespace planex::ingest::planex_files {
namespace {

using model::PlanModel;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kQuantize = R"({"schema": "planex.quantize/1", "model": "m.onnx",
  "target": "openvino", "method": "mse", "weight_bits": 7, "calibration_count": 64,
  "preparation": ["resize=48x192"], "cache": null, "layers": ["c1", "c2"],
  "scores": [
    {"method": "kl", "is_chosen": false, "simulated": [{"tensor": "y", "sqnr_db": 3.5}]},
    {"simulated": [{"tensor": "y", "sqnr_db": 21.75, "cosine": 0.997, "is_equal": false,
                    "nan_count": 0, "row_count": 16, "top1_ratio": 1}],
     "method": "mse", "is_chosen": true}],
  "engine": [{"tensor": "y", "sqnr_db": 20.5, "top1_ratio": 0.9375}],
  "engine_to_simulated": [{"tensor": "y", "sqnr_db": null, "is_equal": true}],
  "tensors": [
    {"tensor": "x", "node": null, "min": -1, "max": 1.5, "threshold": 1.25, "scale": 0.00984,
     "is_unsigned": false, "scale_group": 0, "clipped_ratio": 0.001, "sqnr_db": 33.5,
     "rules": ["weighted-inputs"], "histogram_max": 1.5, "histogram": [7, 0, 2]},
    {"tensor": "t", "node": "c1", "min": 0, "max": 6, "threshold": 6, "scale": 0.0472,
     "is_unsigned": true, "zero_point": 3, "new": {"a": [1]}},
    {"tensor": "u", "scale": 0.25, "dtype": "FP8", "is_unsigned": null, "zero_point": 0},
    {"tensor": "v", "dtype": "FP9"}],
  "weights": [{"weight": "w"}], "decisions": [{"rule": "r"}],
  "notes": ["weights are on 7 bits"]})";

constexpr std::string_view kAccuracy = R"({"schema": "planex.layer-accuracy/1",
  "reference": "m.onnx", "subject": "q.onnx", "sample_count": 32,
  "simulated": [{"tensor": "y", "sqnr_db": 21.8}], "engine": [{"tensor": "y", "sqnr_db": 20.4}],
  "engine_to_simulated": [{"tensor": "y", "sqnr_db": 26}],
  "layers": [
    {"tensor": "t", "node": "c1", "op_type": "Conv", "simulated_db": 43.4,
     "simulated_is_equal": false, "simulated_max_abs": 0.5, "simulated_cosine": 0.9999,
     "simulated_not_finite_count": 0, "engine_db": 8.25, "engine_is_equal": false,
     "engine_not_finite_count": 3, "tap": "verified", "alone_simulated_db": 40},
    {"tensor": "u", "node": null, "op_type": "Relu", "simulated_db": null,
     "simulated_is_equal": true, "engine_db": -1.5, "tap": "disturbed"}],
  "compile_count": 9, "runtime_version": "2026.4.1", "isa": "avx2", "has_vnni": false,
  "notes": []})";

constexpr std::string_view kSearch = R"({"schema": "planex.search/1", "model": "m.onnx",
  "target": "openvino", "method": "mse", "weight_bits": 8, "goal": "20 dB", "is_reached": true,
  "most_layers": null, "cost": "macs", "kept": ["c9", "c2"],
  "front": [
    {"kept": [], "float_layers": 0, "macs_ratio": 0, "weight_bytes": 0, "ms": null,
     "sqnr_db": 12.5, "judged_sqnr_db": 12.25, "judged_top1_ratio": 0.9, "is_chosen": false},
    {"kept": ["c2", "c7"], "float_layers": 2, "macs_ratio": 0.125, "weight_bytes": 4096, "ms": 0.5,
     "median_ms": 1.5, "median_low_ms": 1.25, "median_high_ms": 1.75, "judged_sqnr_db": 22,
     "is_chosen": true, "new": [1]}],
  "path": [{"kept": ["c1"]}], "layers": [{"node": "c1", "alone_db": 3}],
  "simulated": [{"tensor": "y", "sqnr_db": 22}], "engine": [{"tensor": "y", "sqnr_db": 21}],
  "notes": ["everything is measured again"]})";

// "record compared sqnr" of each output.
std::vector<std::string> outputs_of(const PlanModel& model) {
  std::vector<std::string> lines;
  const auto& table = model.accuracy_outputs;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const auto sqnr_db = table.sqnr_db.get(row);
    lines.push_back(std::string(model.text(table.record[row])) + " " +
                    std::string(model.text(table.compared[row])) + " " +
                    (sqnr_db ? std::to_string(*sqnr_db).substr(0, 5) : "null"));
  }
  return lines;
}

TEST(PlanexQuantize, FillsCalibration) {
  const PlanModel model = test::must(test::load_texts(kOneLayer, kQuantize));
  const auto& table = model.calibration;
  ASSERT_EQ(table.row_count(), 4u);
  EXPECT_EQ(model.text(table.tensor[0]), "x");
  EXPECT_TRUE(table.op_name.is_null(0));
  EXPECT_EQ(model.text(table.op_name[1]), "c1");
  EXPECT_EQ(model.text(table.method[1]), "mse");
  EXPECT_EQ(table.min.get(0), -1);
  EXPECT_EQ(table.threshold.get(0), 1.25);
  EXPECT_EQ(table.is_unsigned.get(0), 0);
  EXPECT_EQ(table.is_unsigned.get(1), 1);
  EXPECT_EQ(table.dtype[0], model::DType::kInt8);
  EXPECT_EQ(table.dtype[1], model::DType::kUint8);
  EXPECT_EQ(table.zero_point.get(0), 0) << "int8 has no other";
  EXPECT_EQ(table.zero_point.get(1), 3);
  EXPECT_EQ(table.dtype[2], model::DType::kFp8);
  EXPECT_TRUE(table.is_unsigned.is_null(2));
  EXPECT_EQ(table.zero_point.get(2), 0);
  EXPECT_EQ(table.dtype[3], model::DType::kNull) << "no type that is known";
  EXPECT_TRUE(table.zero_point.is_null(3));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("unknown-word"));
  EXPECT_EQ(table.clipped_ratio.get(0), 0.001);
  EXPECT_EQ(table.histogram_max.get(0), 1.5);
  EXPECT_THAT(table.histogram[0], ElementsAre(7, 0, 2));
  EXPECT_TRUE(table.histogram.is_null(1));
  EXPECT_TRUE(table.sqnr_db.is_null(1));
  // Of the methods, only the one that the model was written with.
  EXPECT_THAT(outputs_of(model), ElementsAre("quantize simulated 21.75", "quantize engine 20.50",
                                             "quantize engine-to-simulated null"));
  EXPECT_EQ(model.accuracy_outputs.class_row_count.get(0), 16);
  EXPECT_EQ(model.accuracy_outputs.top1_ratio.get(1), 0.9375);
  EXPECT_EQ(model.accuracy_outputs.is_equal.get(2), 1);
  EXPECT_EQ(test::value_of(model, "quantize", "method"), "mse");
  EXPECT_EQ(test::value_of(model, "quantize", "weight_bits"), "7");
  EXPECT_EQ(test::value_of(model, "quantize", "preparation.0"), "resize=48x192");
  EXPECT_EQ(test::value_of(model, "quantize", "notes.0"), "weights are on 7 bits");
  EXPECT_EQ(test::value_of(model, "quantize", "cache"), "(missing)");
}

TEST(PlanexAccuracy, FillsAccuracy) {
  const PlanModel model = test::must(test::load_texts(kOneLayer, kAccuracy));
  const auto& table = model.accuracy;
  ASSERT_EQ(table.row_count(), 2u);
  EXPECT_EQ(model.text(table.tensor[0]), "t");
  EXPECT_EQ(model.text(table.op_name[0]), "c1");
  EXPECT_EQ(model.text(table.op_type[1]), "Relu");
  EXPECT_EQ(table.simulated_db.get(0), 43.4);
  EXPECT_EQ(table.engine_db.get(0), 8.25);
  EXPECT_EQ(table.engine_db.get(1), -1.5);
  EXPECT_TRUE(table.simulated_db.is_null(1));
  EXPECT_EQ(table.simulated_is_equal.get(1), 1);
  EXPECT_EQ(table.engine_not_finite_count.get(0), 3);
  EXPECT_EQ(model.text(table.tap[1]), "disturbed");
  EXPECT_EQ(table.alone_simulated_db.get(0), 40);
  EXPECT_THAT(outputs_of(model), ElementsAre("accuracy simulated 21.80", "accuracy engine 20.40",
                                             "accuracy engine-to-simulated 26.00"));
  EXPECT_EQ(test::value_of(model, "accuracy", "sample_count"), "32");
  EXPECT_EQ(test::value_of(model, "accuracy", "isa"), "avx2");
  EXPECT_EQ(test::value_of(model, "accuracy", "has_vnni"), "false");
}

TEST(PlanexSearch, FillsTheFront) {
  const PlanModel model = test::must(test::load_texts(kOneLayer, kSearch));
  const auto& table = model.front;
  ASSERT_EQ(table.row_count(), 2u);
  EXPECT_EQ(table.point.get(1), 1);
  EXPECT_EQ(table.float_layers.get(1), 2);
  EXPECT_EQ(table.macs_ratio.get(1), 0.125);
  EXPECT_EQ(table.weight_bytes.get(1), 4096);
  EXPECT_EQ(table.ms.get(1), 0.5);
  EXPECT_EQ(table.median_ms.get(1), 1.5);
  EXPECT_EQ(table.median_low_ms.get(1), 1.25);
  EXPECT_EQ(table.median_high_ms.get(1), 1.75);
  EXPECT_EQ(table.judged_sqnr_db.get(0), 12.25);
  EXPECT_EQ(table.is_chosen.get(0), 0);
  EXPECT_EQ(table.is_chosen.get(1), 1);
  EXPECT_TRUE(table.ms.is_null(0));
  EXPECT_TRUE(table.median_ms.is_null(0));
  const auto& layers = model.front_layers;
  ASSERT_EQ(layers.row_count(), 2u);
  EXPECT_EQ(layers.point.get(0), 1);
  EXPECT_EQ(model.text(layers.op_name[1]), "c7");
  EXPECT_THAT(outputs_of(model), ElementsAre("search simulated 22.00", "search engine 21.00"));
  EXPECT_EQ(test::value_of(model, "search", "goal"), "20 dB");
  EXPECT_EQ(test::value_of(model, "search", "cost"), "macs");
  EXPECT_EQ(test::value_of(model, "search", "kept.1"), "c2");
  EXPECT_EQ(test::value_of(model, "search", "most_layers"), "(missing)");
}

TEST(PlanexAccuracy, FillsDifferenceMaps) {
  const PlanModel model = test::must(
      test::load_texts(kOneLayer, R"({"schema": "planex.layer-accuracy/1", "layers": [], "maps": [
        {"tensor": "t", "shown": "engine", "channels": 8, "tensor_height": 4, "tensor_width": 6,
         "height": 2, "width": 3, "step": 0.25, "cells": [0, 1, 2, 3, 4, 255]}]})"));
  const auto& table = model.difference_maps;
  ASSERT_EQ(table.row_count(), 1u);
  EXPECT_EQ(model.text(table.tensor[0]), "t");
  EXPECT_EQ(model.text(table.shown[0]), "engine");
  EXPECT_EQ(table.channels.get(0), 8);
  EXPECT_EQ(table.tensor_width.get(0), 6);
  EXPECT_EQ(table.step.get(0), 0.25);
  EXPECT_THAT(table.cells[0], ElementsAre(0, 1, 2, 3, 4, 255));
}

TEST(PlanexAccuracy, Errors) {
  const std::tuple<std::string, std::string_view, std::string_view> cases[] = {
      {R"({"schema": "planex.quantize/1"})", "", "no list \"tensors\""},
      {R"({"schema": "planex.layer-accuracy/1"})", "", "no list \"layers\""},
      {R"({"schema": "planex.quantize/1", "tensors": [{"min": "x"}]})", "/tensors/0/min",
       "a number"},
      {R"({"schema": "planex.quantize/1", "tensors": [{"histogram": [1, -2]}]})",
       "/tensors/0/histogram/1", "a count"},
      {R"({"schema": "planex.layer-accuracy/1", "layers": [3]})", "/layers/0", "an object"},
      {R"({"schema": "planex.layer-accuracy/1", "layers": {}})", "/layers", "a list"},
      {R"({"schema": "planex.search/1"})", "", "no list \"front\""},
      {R"({"schema": "planex.search/1", "front": [{"kept": "c1"}]})", "/front/0/kept", "a list"},
      {R"({"schema": "planex.search/1", "front": [{"kept": [1]}]})", "/front/0/kept/0", ""},
      {R"({"schema": "planex.layer-accuracy/1", "layers": [],
           "maps": [{"height": 2, "width": 2, "cells": [1]}]})",
       "/maps/0", "height x width"},
      // Cut off.
      {std::string(kSearch.substr(0, kSearch.size() / 2)), "", ""},
      {std::string(kAccuracy.substr(0, kAccuracy.size() / 2)), "", ""},
      {std::string(kQuantize.substr(0, kQuantize.size() / 2)), "", ""},
  };
  for (const auto& [text, pointer, message] : cases) {
    const auto model = test::load_texts(kOneLayer, text);
    ASSERT_FALSE(model) << text;
    EXPECT_EQ(model.error().code, ErrorCode::kBadInput) << text;
    EXPECT_EQ(model.error().file, "engine/x.other.json") << text;
    if (!pointer.empty()) {
      EXPECT_EQ(model.error().json_pointer, pointer);
    }
    EXPECT_THAT(test::to_text(model.error()), HasSubstr(message));
  }
}

TEST(PlanexAccuracy, NewerVersionsAreRefused) {
  for (const std::string_view text : {R"({"schema": "planex.quantize/2", "tensors": []})",
                                      R"({"schema": "planex.search/2", "front": []})",
                                      R"({"schema": "planex.layer-accuracy/2", "layers": []})"}) {
    const auto model = test::load_texts(kOneLayer, text);
    ASSERT_FALSE(model) << text;
    EXPECT_EQ(model.error().code, ErrorCode::kUnsupported) << text;
  }
}

TEST(PlanexAccuracy, IsFoundBesideItsEngine) {
  const auto used = [](const Result<Discovery>& discovery) {
    std::vector<std::string> names;
    if (!discovery) return names;
    for (const FoundFile& file : discovery->files) {
      if (file.used) names.push_back(file.path);
    }
    return names;
  };
  const auto files = test::memory_files({{"run/q.graph.json", kOneLayer},
                                         {"run/accuracy.json", kAccuracy},
                                         {"run/q.quantize.json", kQuantize},
                                         {"run/q.search.json", kSearch},
                                         {"run/other.onnx.search.json", kSearch},
                                         {"run/other.onnx.quantize.json", kQuantize}});
  EXPECT_THAT(used(discover({.path = "run"}, files)),
              ElementsAre("run/q.graph.json", "run/accuracy.json", "run/q.quantize.json",
                          "run/q.search.json"));
  // A named one replaces nothing else, and takes precedence.
  const auto named =
      discover({.path = "run/q.graph.json", .accuracy = "run/other.onnx.quantize.json"}, files);
  EXPECT_THAT(used(named),
              ElementsAre("run/q.graph.json", "run/other.onnx.quantize.json", "run/accuracy.json",
                          "run/q.quantize.json", "run/q.search.json"));
}

TEST(PlanexAccuracy, HasOutputsInOneOrderWhateverThatOfTheMembers) {
  constexpr std::string_view kTurned = R"({"schema": "planex.layer-accuracy/1",
    "engine_to_simulated": [{"tensor": "y", "sqnr_db": 3}],
    "metrics": [{"name": "iou", "original": 1, "simulated": 0.75, "engine": null}],
    "engine": [{"tensor": "y", "sqnr_db": 2}, {"tensor": "z", "sqnr_db": 2.5}],
    "layers": [], "simulated": [{"tensor": "y", "sqnr_db": 1}]})";
  const PlanModel model = test::must(test::load_texts(kOneLayer, kTurned));
  EXPECT_THAT(outputs_of(model),
              ElementsAre("accuracy simulated 1.000", "accuracy engine 2.000",
                          "accuracy engine 2.500", "accuracy engine-to-simulated 3.000"));
  EXPECT_EQ(test::value_of(model, "accuracy", "metrics.iou.original"), "1");
  EXPECT_EQ(test::value_of(model, "accuracy", "metrics.iou.simulated"), "0.75");
  EXPECT_EQ(test::value_of(model, "accuracy", "metrics.iou.engine"), "(missing)");
}

}  // namespace
}  // namespace planex::ingest::planex_files
