// TREx's sums and tables that are made of its layers: cards, tactics, efficiencies, regions, and
// its comparisons of two engines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyze/summary/summary.h"
#include "base/text.h"
#include "expected/trex_set.h"

namespace planex::test {
namespace {

using base::format;
using model::Direction;
using model::Family;
using model::LayerId;
using model::PlanModel;

class TrexSums : public TrexSet {
 protected:
  // The layer's ports of one direction, in bytes without padding.
  std::vector<std::int64_t> sizes(LayerId layer, Direction direction) const {
    std::vector<std::int64_t> bytes;
    const model::RowRange rows = model_->ports_of(layer);
    for (std::size_t row = rows.first; row < rows.end(); ++row) {
      if (model_->ports.direction[row] == direction) bytes.push_back(model_->ports.data_bytes[row]);
    }
    return bytes;
  }
};

TEST_P(TrexSums, Weights) {
  const dom::element totals = at("totals"), second = at("not_trex");
  std::int64_t weights = 0, footprint = 0, biases = 0;
  for_each_layer([&](dom::element expected, LayerId) {
    weights += integer(expected["weights_bytes"]);
    biases += integer(expected["bias_bytes"]);
    footprint += integer(expected["footprint_bytes"]);
    EXPECT_EQ(integer(expected["footprint_bytes"]),
              integer(expected["io_bytes"]) + integer(expected["weights_bytes"]));
  });
  EXPECT_EQ(weights, integer(totals["weights_bytes"]));
  EXPECT_EQ(footprint, integer(totals["footprint_bytes"]));
  // DIFFERS: TREx has no biases, no constants, and no weights of fused convolution and pooling.
  EXPECT_EQ(biases, integer(totals["bias_bytes_not_counted_by_trex"]));
  EXPECT_LE(weights, integer(second["weights_bytes"]));
  EXPECT_EQ(integer(second["weights_bytes"]) + integer(second["bias_bytes"]) +
                integer(second["constant_bytes"]),
            integer(second["weights_bytes_incl_bias_constants_fused_pool"]));
  EXPECT_GE(summary_.weight_bytes.value_or(0),
            integer(second["weights_bytes_incl_bias_constants_fused_pool"]));
}

// "MB" are MiB there.
TEST_P(TrexSums, Card) {
  const dom::element card = at("summary_card");
  const auto mebibytes = [](std::int64_t bytes) {
    return format("{:.1f} MB", static_cast<double>(bytes) / (1024 * 1024));
  };
  EXPECT_EQ(text(card["Layers"]), format("{}", summary_.layer_count));
  EXPECT_EQ(text(card["Activations"]),
            mebibytes(summary_.activation_bytes.value_or(0) + listed_weights()));
  EXPECT_EQ(text(card["Weights"]), mebibytes(integer(at("totals")["weights_bytes"])));
  double mean = 0;
  for (const LayerId layer : work_) mean += layers().mean_ms.get(layer.index()).value_or(0);
  if (has_profile()) {
    EXPECT_EQ(text(card["Average time"]), format("{:.3f} ms", mean));
  }
}

TEST_P(TrexSums, Histograms) {
  for (const auto& [key, column] : {std::pair("precision", &layers().precision),
                                    {"output_precision", &layers().output_precision}}) {
    std::map<std::string, std::int64_t> ours, theirs;
    for (const LayerId layer : work_) ++ours[std::string(to_string((*column)[layer.index()]))];
    for (const auto [word, count] : dom::object(at("histograms")[key])) {
      theirs.emplace(word, integer(count));
    }
    EXPECT_EQ(ours, theirs) << key;
  }
}

// By kernel: the mean of its layers' percentages, and for named kernels their sum and number.
TEST_P(TrexSums, Tactics) {
  struct Sums {
    std::int64_t count = 0;
    double percent = 0;
  };
  std::map<std::string, Sums> ours;
  const double total = summary_.time.layers_mean_ms.value_or(1);
  for (const LayerId layer : work_) {
    const std::string_view tactic = model_->text(layers().tactic[layer.index()]);
    Sums& sums = ours[tactic.empty() ? "TensorRT" : std::string(tactic)];
    ++sums.count;
    if (has_profile()) sums.percent += layers().mean_ms[layer.index()] / total * 100;
  }
  std::size_t kernels = 0;
  for (const dom::element row : dom::array(at("summary_cli")["ungrouped_mean_pct"])) {
    const auto found = ours.find(text(row["tactic"]));
    ASSERT_NE(found, ours.end()) << text(row["tactic"]);
    const double mean = number(row["mean_pct"]);
    EXPECT_NEAR(found->second.percent / static_cast<double>(found->second.count), mean,
                mean * 3 * kWrittenDigits);
    ++kernels;
  }
  EXPECT_EQ(kernels, ours.size());
  std::int64_t count = 0;
  for (const dom::element row : dom::array(at("summary_cli")["grouped"])) {
    count += integer(row["count"]);
    const auto found = ours.find(text(row["tactic"]));
    if (found == ours.end()) continue;  // DIFFERS: TREx cuts the hashes off Myelin's names
    EXPECT_EQ(found->second.count, integer(row["count"]));
    const double percent = number(row["sum_pct"]);
    EXPECT_NEAR(found->second.percent, percent, percent * 3 * kWrittenDigits);
  }
  EXPECT_EQ(count, summary_.layer_count);
}

// TREx's intensity is MACs per byte, of the first input, the output and the weights alone.
TEST_P(TrexSums, Efficiencies) {
  std::map<std::string, std::pair<dom::element, LayerId>, std::less<>> by_name;
  for_each_layer([&](dom::element expected, LayerId layer) {
    by_name.emplace(text(expected["name"]), std::pair(expected, layer));
  });
  double mean_ms = 0;
  for (const dom::element conv : dom::array(at("convs"))) {
    SCOPED_TRACE(text(conv["name"]));
    const auto& [expected, layer] = by_name.at(text(conv["name"]));
    const auto macs = static_cast<double>(integer(conv["macs"]));
    const std::vector<std::int64_t> inputs = sizes(layer, Direction::kInput);
    const std::int64_t bytes = inputs.front() + *layers().output_bytes.get(layer.index()) +
                               integer(expected["weights_bytes"]);
    EXPECT_DOUBLE_EQ(number(conv["arithmetic_intensity"]), macs / static_cast<double>(bytes));
    // DIFFERS: ours is of all that is moved, the bias and the residual among them; two FLOP a MAC.
    const double ours = layers().arithmetic_intensity[layer.index()] / 2;
    const std::int64_t more = *layers().footprint_bytes.get(layer.index()) - bytes;
    std::int64_t beside = integer(expected["bias_bytes"]);
    for (std::size_t i = 1; i < inputs.size(); ++i) beside += inputs[i];
    EXPECT_EQ(more, beside);
    EXPECT_EQ(ours < number(conv["arithmetic_intensity"]), more > 0);
    const double time = number(expected["avg_ms"]);
    mean_ms += time;
    if (time <= 0) continue;
    EXPECT_NEAR(number(conv["compute_efficiency"]) * time, macs, macs * kWrittenDigits);
    EXPECT_NEAR(number(conv["memory_efficiency"]) * time, static_cast<double>(bytes),
                static_cast<double>(bytes) * kWrittenDigits);
  }
  EXPECT_NEAR(mean_ms, number(at("conv_totals")["avg_ms"]), 1e-9);
}

TEST_P(TrexSums, ConvolutionsThatTrexLeavesOut) {
  std::size_t all = 0;
  for (const LayerId layer : work_) {
    all += layers().family[layer.index()] == Family::kConvolution ? 1U : 0U;
  }
  const auto theirs = static_cast<std::size_t>(integer(at("conv_totals")["count"]));
  EXPECT_EQ(all, theirs + static_cast<std::size_t>(
                              integer(at("not_trex")["conv_like_layers_trex_skips"])));
}

// A region is a tensor's memory, a generation one writing of it.
TEST_P(TrexSums, Regions) {
  const dom::element graph = at("graph");
  EXPECT_EQ(integer(graph["user_generations"]),
            static_cast<std::int64_t>(model_->bindings.row_count()));
  EXPECT_EQ(dom::array(graph["regions_multi_generation"]).size(), 0U);
  EXPECT_EQ(integer(graph["generation_histogram"]["1"]), integer(graph["regions"]));
  for (const std::int64_t producers : model_->tensors.producers.values()) {
    EXPECT_LE(producers, 1 + integer(at("totals")["noops_folded"]));
  }
  EXPECT_EQ(dom::array(graph["readers_only_regions"]).size(),
            static_cast<std::size_t>(integer(graph["readers_only_regions_count"])));
  // DIFFERS: where TREx folds no-ops both sides of one are a region.
  if (has_folded_ports()) return;
  EXPECT_EQ(summary_.memory.distinct_count, integer(graph["regions"]));
  std::int64_t forked = 0;
  for (const std::int64_t consumers : model_->tensors.consumers.values()) {
    forked += consumers > 1 ? 1 : 0;
  }
  EXPECT_EQ(forked, integer(graph["forked_generations"]));
}

INSTANTIATE_TEST_SUITE_P(Sets, TrexSums, ::testing::ValuesIn(kReadableEngines), test_name);

// Nine pairs of engines: times by type and precision side by side, and throughput. How TREx pairs
// their layers is no truth to test against.
TEST(TrexComparisons, SumsOfBothSides) {
  PLANEX_NEED_TEST_DATA(data);
  std::size_t pairs = 0;
  for (const std::string& path : files_below(data + "/expected/compare", {".json"})) {
    SCOPED_TRACE(path);
    ++pairs;
    dom::parser parser;
    dom::element expected;
    ASSERT_EQ(parser.load(path).get(expected), simdjson::SUCCESS);
    std::array<std::map<std::string, double>, 2> types, precisions;
    for (const std::size_t side : {0U, 1U}) {
      const char* keys[] = {"a", "b"};
      const char* counts[] = {"layers_a", "layers_b"};
      const PlanModel model = must(load_engine(data, text(expected[keys[side]])));
      const analyze::Summary summary = analyze::summarize(model);
      EXPECT_EQ(summary.layer_count, integer(expected[counts[side]]));
      for (const analyze::Group& group : summary.by_type) {
        types[side][std::string(trex_type(group.key))] += group.mean_ms.value_or(0);
      }
      for (const analyze::Group& group : summary.by_precision) {
        precisions[side][group.key] += group.mean_ms.value_or(0);
      }
      const dom::array throughputs(expected["throughput"]);
      if (throughputs.at(side).is_null()) continue;
      ASSERT_TRUE(summary.time.throughput_per_s);
      EXPECT_DOUBLE_EQ(*summary.time.throughput_per_s, number(throughputs.at(side)));
    }
    const auto check = [&](const char* key, std::array<std::map<std::string, double>, 2>& ours) {
      std::size_t count = 0;
      for (const auto [word, times] : dom::object(expected[key])) {
        SCOPED_TRACE(word);
        ++count;
        for (const std::size_t side : {0U, 1U}) {
          EXPECT_NEAR(ours[side][std::string(word)], number(times.at(side)), 1e-9);
        }
      }
      std::set<std::string> words;
      for (const auto& side : ours) {
        for (const auto& [word, time] : side) words.insert(word);
      }
      EXPECT_EQ(words.size(), count);
    };
    check("latency_by_type_ms", types);
    check("latency_by_precision_ms", precisions);
  }
  EXPECT_EQ(pairs, 9U);
}

// The table of contents repeats what the files say.
TEST(TrexIndex, NamesEverySet) {
  PLANEX_NEED_TEST_DATA(data);
  dom::parser parser, set_parser;
  dom::element index;
  ASSERT_EQ(parser.load(data + "/expected/index.json").get(index), simdjson::SUCCESS);
  std::size_t readable = 0, all = 0;
  for (const dom::element row : dom::array(index["sets"])) {
    ++all;
    const std::string name = text(row["set"]);
    dom::element set;
    ASSERT_EQ(set_parser.load(data + "/expected/" + name + ".json").get(set), simdjson::SUCCESS);
    EXPECT_EQ(bool(row["readable"]), bool(set["readable"]));
    if (!bool(row["readable"])) {
      EXPECT_THAT(text(set["error"]), ::testing::HasSubstr("plain strings")) << "names only";
      EXPECT_TRUE(load_engine(data, name)) << "we open it";
      continue;
    }
    ++readable;
    EXPECT_THAT(kReadableEngines, ::testing::Contains(::testing::StrEq(name)));
    for (const char* key : {"layers", "weights_bytes", "activation_io_bytes"}) {
      EXPECT_EQ(integer(row[key]), integer(set["totals"][key])) << name;
    }
    EXPECT_EQ(number(row["sum_avg_ms"]), number(set["totals"]["sum_avg_ms"]));
  }
  EXPECT_EQ(readable, kReadableEngines.size());
  EXPECT_EQ(all, kReadableEngines.size() + 3);
}

}  // namespace
}  // namespace planex::test
