// Which keys of data/expected/*.json are checked, and where; so that none is forgotten.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "expected/trex_set.h"

namespace planex::test {
namespace {

// Keys of the sets' files: "key", "key/key" of an object in it, "key[]/key" of a list of objects.
// Values begin with the test that checks it; "-" is not checked, and why.
const std::map<std::string, std::string_view> kKeys = {
    {"set", "- name of the file"},
    {"tool", "- TREx 0.2.1"},
    {"readable", "TrexIndex"},
    {"warnings", "- of TREx's reader; sets without a profile are checked by TrexValues.Times"},
    {"inputs/graph", "- what was given to TREx"},
    {"inputs/profile", "TrexValues.Times"},
    {"inputs/profile_metadata", "- what was given to TREx"},
    {"inputs/build_metadata", "- what was given to TREx"},
    {"inputs/timing", "- what was given to TREx"},
    {"totals/records_in_file", "TrexValues.Counts"},
    {"totals/layers", "TrexValues.Counts"},
    {"totals/constants", "TrexValues.Counts"},
    {"totals/noops_folded", "TrexValues.Counts"},
    {"totals/shape_calls_dropped", "TrexValues.Counts"},
    {"totals/sum_avg_ms", "TrexValues.Times"},
    {"totals/sum_median_ms", "TrexValues.Times"},
    {"totals/sum_pct", "TrexValues.Times"},
    {"totals/weights_bytes", "TrexSums.Weights"},
    {"totals/activation_io_bytes", "TrexValues.Bytes"},
    {"totals/footprint_bytes", "TrexSums.Weights"},
    {"totals/bias_bytes_not_counted_by_trex", "TrexValues.Bytes"},
    {"totals/zero_time_layers", "TrexValues.Times"},
    {"summary_card/Average time", "TrexSums.Card"},
    {"summary_card/Layers", "TrexSums.Card"},
    {"summary_card/Weights", "TrexSums.Card"},
    {"summary_card/Activations", "TrexSums.Card"},
    {"bindings/names", "TrexValues.Bindings"},
    {"bindings/inputs", "TrexValues.Bindings"},
    {"bindings/outputs", "TrexValues.Bindings"},
    {"histograms/type", "TrexValues.Groups"},
    {"histograms/subtype", "TrexValues.Groups"},
    {"histograms/precision", "TrexSums.Histograms"},
    {"histograms/output_precision", "TrexSums.Histograms"},
    {"histograms/formats_in_out", "TrexValues.Groups"},
    {"by_type[]/key", "TrexValues.Groups"},
    {"by_type[]/count", "TrexValues.Groups"},
    {"by_type[]/avg_ms", "TrexValues.Groups"},
    {"by_type[]/pct", "TrexValues.Groups"},
    {"by_precision[]/key", "TrexValues.Groups"},
    {"by_precision[]/count", "TrexValues.Groups"},
    {"by_precision[]/avg_ms", "TrexValues.Groups"},
    {"by_precision[]/pct", "TrexValues.Groups"},
    {"by_output_precision[]/key", "TrexValues.Groups"},
    {"by_output_precision[]/count", "TrexValues.Groups"},
    {"by_output_precision[]/avg_ms", "TrexValues.Groups"},
    {"by_output_precision[]/pct", "TrexValues.Groups"},
    {"layers[]/i", "TrexValues.LayersInOrder: the order"},
    {"layers[]/name", "TrexValues.LayersInOrder"},
    {"layers[]/type", "TrexValues.LayersInOrder"},
    {"layers[]/subtype", "TrexValues.LayersInOrder"},
    {"layers[]/tactic", "TrexValues.LayersInOrder"},
    {"layers[]/precision", "TrexValues.Precisions"},
    {"layers[]/output_precision", "TrexValues.Precisions"},
    {"layers[]/avg_ms", "TrexValues.Times"},
    {"layers[]/median_ms", "TrexValues.Times"},
    {"layers[]/pct", "TrexValues.Times"},
    {"layers[]/weights_bytes", "TrexValues.Bytes"},
    {"layers[]/bias_bytes", "TrexValues.Bytes"},
    {"layers[]/in_bytes", "TrexValues.Bytes"},
    {"layers[]/out_bytes", "TrexValues.Bytes"},
    {"layers[]/io_bytes", "TrexValues.Bytes"},
    {"layers[]/footprint_bytes", "TrexSums.Weights"},
    {"layers[]/in", "TrexValues.Ports"},
    {"layers[]/out", "TrexValues.Ports"},
    {"layers[]/graph_in", "- after TREx's folding of no-ops; ports are the layer's own here"},
    {"layers[]/graph_out", "- after TREx's folding of no-ops; ports are the layer's own here"},
    {"not_trex/weights_bytes_incl_bias_constants_fused_pool", "TrexValues.WeightsInAll"},
    {"not_trex/weights_bytes", "TrexSums.Weights"},
    {"not_trex/bias_bytes", "TrexSums.Weights"},
    {"not_trex/constant_bytes", "TrexValues.WeightsInAll"},
    {"not_trex/conv_macs_from_weight_count", "TrexValues.Convolutions"},
    {"not_trex/conv_like_layers_trex_skips", "TrexSums.ConvolutionsThatTrexLeavesOut"},
    {"not_trex/distinct_tensor_bytes", "TrexValues.DistinctTensorBytes"},
    {"not_trex/distinct_tensors", "TrexValues.DistinctTensorBytes"},
    {"convs[]/name", "TrexValues.Convolutions"},
    {"convs[]/kernel", "TrexValues.Convolutions"},
    {"convs[]/activation", "TrexValues.Convolutions"},
    {"convs[]/dilation", "TrexValues.Convolutions"},
    {"convs[]/out_maps", "TrexValues.Convolutions"},
    {"convs[]/stride", "TrexValues.Convolutions"},
    {"convs[]/groups", "TrexValues.Convolutions"},
    {"convs[]/macs", "TrexValues.Convolutions"},
    {"convs[]/M", "TrexValues.Convolutions"},
    {"convs[]/N", "TrexValues.Convolutions"},
    {"convs[]/K", "TrexValues.Convolutions"},
    {"convs[]/arithmetic_intensity", "TrexSums.Efficiencies"},
    {"convs[]/compute_efficiency", "TrexSums.Efficiencies"},
    {"convs[]/memory_efficiency", "TrexSums.Efficiencies"},
    {"conv_totals/count", "TrexValues.Convolutions"},
    {"conv_totals/macs", "TrexValues.Convolutions"},
    {"conv_totals/avg_ms", "TrexSums.Efficiencies"},
    {"reformat_by_origin[]/origin", "TrexValues.ReformatsByOrigin"},
    {"reformat_by_origin[]/count", "TrexValues.ReformatsByOrigin"},
    {"reformat_by_origin[]/avg_ms", "TrexValues.ReformatsByOrigin"},
    {"reformat_by_origin[]/pct", "TrexValues.ReformatsByOrigin"},
    {"lints/rows_per_linter_frame", "- rows that TREx shows; a layer keeps one hazard there"},
    {"lints/fired", "src/lint/expected_test.cc"},
    {"graph/variants", "- drawings of the graph, by TREx's options"},
    {"graph/regions", "TrexSums.Regions"},
    {"graph/regions_multi_generation", "TrexSums.Regions"},
    {"graph/generation_histogram", "TrexSums.Regions"},
    {"graph/forked_generations", "TrexSums.Regions"},
    {"graph/user_generations", "TrexSums.Regions"},
    {"graph/readers_only_regions", "TrexSums.Regions"},
    {"graph/readers_only_regions_count", "TrexSums.Regions"},
    {"graph/onnx_export", "- a drawing of the graph as an ONNX file"},
    {"summary_cli/ungrouped_mean_pct", "TrexSums.Tactics"},
    {"summary_cli/grouped", "TrexSums.Tactics"},
    {"clean_for_display_columns", "- names of TREx's data frames"},
    {"df_columns", "- names of TREx's data frames"},
    {"performance_summary", "TrexValues.Metadata"},
    {"device_properties", "TrexValues.Metadata"},
    {"builder_cfg", "TrexValues.Metadata"},
    {"timing_samples/n", "TrexValues.TimingSamples"},
    {"timing_samples/first_ms", "TrexValues.TimingSamples"},
    {"timing_samples/last_ms", "TrexValues.TimingSamples"},
    {"timing_samples/min_ms", "TrexValues.TimingSamples"},
    {"timing_samples/max_ms", "TrexValues.TimingSamples"},
    {"timing_samples/mean_ms", "TrexValues.TimingSamples"},
    {"timing_samples/numpy_linear_p50_p90_p95_p99_ms", "TrexValues.TimingSamples"},
};

// Every key of the file that has a row above, and of which none has.
void collect(dom::element file, std::set<std::string>& found) {
  for (const auto [key, value] : dom::object(file)) {
    const std::string name(key);
    if (kKeys.contains(name)) {
      found.insert(name);
    } else if (value.is_object()) {
      for (const auto [inner, ignored] : dom::object(value)) {
        found.insert(name + "/" + std::string(inner));
      }
    } else if (value.is_array()) {
      for (const dom::element item : dom::array(value)) {
        if (!item.is_object()) {
          found.insert(name + "[]");
          continue;
        }
        for (const auto [inner, ignored] : dom::object(item)) {
          found.insert(name + "[]/" + std::string(inner));
        }
      }
    } else if (!value.is_null()) {
      found.insert(name);
    }
  }
}

TEST(ExpectedKeys, AreAllAccountedFor) {
  PLANEX_NEED_TEST_DATA(data);
  std::set<std::string> found;
  for (const char* set : kReadableEngines) {
    dom::parser parser;
    dom::element file;
    ASSERT_EQ(parser.load(data + "/expected/" + set + ".json").get(file), simdjson::SUCCESS);
    collect(file, found);
  }
  for (const std::string& key : found) EXPECT_TRUE(kKeys.contains(key)) << key;
  for (const auto& [key, where] : kKeys) EXPECT_TRUE(found.contains(key)) << key << " is nowhere";
}

// Of the comparisons the sums are checked (TrexComparisons); how layers are paired is TREx's
// judgement, which match-accuracy.json shows to be often wrong. logs/ is checked by
// src/ingest/tensorrt/log/real_logs_test.cc.
TEST(ExpectedKeys, FilesAreAllAccountedFor) {
  PLANEX_NEED_TEST_DATA(data);
  std::set<std::string> top;
  for (const std::string& path : files_below(data + "/expected", {".json"})) {
    const std::string name = path.substr(data.size() + std::string_view("/expected/").size());
    top.insert(name.substr(0, name.find('/')));
  }
  std::set<std::string> known = {"compare", "index.json", "logs", "match-accuracy.json"};
  for (const char* set : kReadableEngines) known.insert(std::string(set) + ".json");
  for (const char* set : {"mnist-trt8.2.3-names-only", "mnist-trt8.6.0-names-only",
                          "yolo-orin-trt8.5.2-names-only"}) {
    known.insert(std::string(set) + ".json");
  }
  EXPECT_EQ(top, known);
}

}  // namespace
}  // namespace planex::test
