// What fires on the real engines, compared with what the predecessor found there
// (data/expected/*.json, "lints"), value by value, with the differences that its README states.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "lint/layer_facts.h"
#include "lint/lint_test_model.h"
#include "lint/quantization.h"
#include "support/test_data.h"

namespace planex::lint {
namespace {

struct Hit {
  std::string layer;
  std::string origin;
  std::string role;
};
using Hits = std::map<std::string, std::vector<Hit>>;  // by the predecessor's rule

Hits read_expected(const std::string& path) {
  Hits hits;
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  simdjson::dom::array fired;
  if (parser.load(path).get(document) || document["lints"]["fired"].get(fired)) {
    ADD_FAILURE() << "can't read " << path;
    return hits;
  }
  for (const simdjson::dom::element entry : fired) {
    const auto text = [&](const char* key) {
      std::string_view value;
      return entry[key].get(value) ? std::string() : std::string(value);
    };
    hits[text("rule")].push_back({text("layer"), text("origin"), text("role")});
  }
  return hits;
}

std::string name_of(const model::PlanModel& model, LayerId layer) {
  return std::string(model.text(model.layers.name[layer.index()]));
}

std::multiset<std::string> layers_of(const model::PlanModel& model, const LintReport& report,
                                     std::string_view rule) {
  std::multiset<std::string> names;
  for (const Finding& finding : report.findings) {
    if (finding.rule == rule) names.insert(name_of(model, finding.layer));
  }
  return names;
}

std::multiset<std::string> layers_of(const std::vector<Hit>& hits) {
  std::multiset<std::string> names;
  for (const Hit& hit : hits) names.insert(hit.layer);
  return names;
}

// An engine with what is found and what is expected; read once for all tests.
struct Loaded {
  model::PlanModel model;
  LintReport report;
  Hits expected;
};

const Loaded& load_once(const std::string& data, const std::string& engine) {
  static std::map<std::string, Loaded> cache;
  const auto [entry, is_new] = cache.try_emplace(engine);
  if (is_new) {
    Loaded& loaded = entry->second;
    loaded.model = test::must(test::load_engine(data, engine));
    loaded.report = run_judged(loaded.model);
    loaded.expected = read_expected(data + "/expected/" + engine + ".json");
  }
  return entry->second;
}

class ExpectedFindings : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    PLANEX_NEED_TEST_DATA(data);
    loaded_ = &load_once(data, GetParam());
  }

  const model::PlanModel& model() const { return loaded_->model; }
  const LintReport& report() const { return loaded_->report; }
  std::vector<Hit> expected(const std::string& rule) const {
    const auto found = loaded_->expected.find(rule);
    return found == loaded_->expected.end() ? std::vector<Hit>() : found->second;
  }

  LayerId layer_named(const std::string& name) const {
    for (std::size_t row = 0; row < model().layers.row_count(); ++row) {
      if (name_of(model(), LayerId(row)) == name) return LayerId(row);
    }
    ADD_FAILURE() << "no layer " << name;
    return LayerId(0);
  }

  std::string_view text(const model::Text& column, LayerId layer) const {
    return model().text(column[layer.index()]);
  }

  const Loaded* loaded_ = nullptr;
};

TEST_P(ExpectedFindings, ConvolutionsThatWriteFloat) {
  const std::multiset<std::string> found = layers_of(model(), report(), "int8-conv-writes-float");
  const std::multiset<std::string> all = layers_of(expected("conv-int8-in-float-out"));
  EXPECT_TRUE(std::ranges::includes(all, found));
  // The predecessor also names heads, which write what their caller reads.
  const Context context(model());
  for (const std::string& name : all) {
    if (found.contains(name)) continue;
    for (const FloatOutput& output : float_outputs(context, layer_named(name))) {
      // Or what should be fused into them, which pointwise-not-fused names.
      EXPECT_TRUE(output.is_head || is_last_product(context, layer_named(name)) ||
                  !output.float_readers.empty())
          << name;
    }
  }
}

TEST_P(ExpectedFindings, ChannelsThatAreNotAligned) {
  // Convolutions as the predecessor defines them: not those fused with pooling, not transposed
  // ones.
  std::multiset<std::string> found;
  for (const Finding& finding : report().findings) {
    if (finding.rule == "channels-not-aligned" &&
        text(model().layers.type, finding.layer) == "Convolution") {
      found.insert(name_of(model(), finding.layer));
    }
  }
  // The predecessor also names first layers and heads, whose channels are fixed.
  const std::multiset<std::string> all = layers_of(expected("conv-channel-alignment"));
  EXPECT_TRUE(std::ranges::includes(all, found));
  const Context context(model());
  for (const std::string& name : all) {
    const LayerId layer = layer_named(name);
    // One finding stands for all layers of one number of channels.
    if (!found.empty() || found.contains(name)) continue;
    EXPECT_TRUE(is_first_product(context, layer) || is_last_product(context, layer)) << name;
  }
}

TEST_P(ExpectedFindings, ReformatsThatChangeType) {
  std::multiset<std::string> found;
  std::multiset<std::string> found_origins;
  for (const Finding& finding : report().findings) {
    if (finding.rule == "reformat-changes-type" &&
        text(model().layers.type, finding.layer) == "Reformat") {
      found.insert(name_of(model(), finding.layer));
      found_origins.emplace(text(model().layers.origin, finding.layer));
    }
  }
  std::multiset<std::string> origins;
  for (const Hit& hit : expected("reformat-dtype")) {
    origins.insert(hit.origin == "N/A" ? "" : hit.origin);
  }
  EXPECT_EQ(found, layers_of(expected("reformat-dtype")));
  EXPECT_EQ(found_origins, origins);
}

TEST_P(ExpectedFindings, SlicesThatChangeType) {
  EXPECT_EQ(layers_of(model(), report(), "slice-changes-type"), layers_of(expected("slice-dtype")));
}

TEST_P(ExpectedFindings, QuantizersOfTheirOwn) {
  // The predecessor looks at Scale layers only; from TensorRT 8.4 on they are Reformats of origin
  // QDQ, which it lists among the reformats.
  std::multiset<std::string> wanted = layers_of(expected("qdq-unfused"));
  for (const Hit& hit : expected("reformat-dtype")) {
    if (hit.origin == "QDQ") wanted.insert(hit.layer);
  }
  EXPECT_EQ(layers_of(model(), report(), "qdq-unfused"), wanted);
  std::map<std::string, std::string> role_of;
  for (const Hit& hit : expected("qdq-unfused")) role_of[hit.layer] = hit.role;
  for (const Finding& finding : report().findings) {
    if (finding.rule != "qdq-unfused") continue;
    const std::string name = name_of(model(), finding.layer);
    const bool quantizes = finding.message.starts_with("quantizer");
    if (role_of.contains(name)) {
      EXPECT_EQ(quantizes, base::contains_ignoring_case(role_of[name], "quantize") &&
                               !base::contains_ignoring_case(role_of[name], "dequantize"))
          << role_of[name];
    } else {
      EXPECT_EQ(quantizes, name.starts_with("Quant")) << name;
    }
  }
}

// 106 hits of the predecessor: 41 are false, because it does not recognize h1688 and h16816; 51 are
// depthwise, where nothing can be changed, as for first layers and products of one vector.
TEST_P(ExpectedFindings, ConvolutionsWithoutTensorCores) {
  const std::multiset<std::string> all = layers_of(expected("conv-no-tensor-core"));
  for (const Finding& finding : report().findings) {
    if (finding.rule != "conv-no-tensor-core") continue;
    const std::string_view tactic = text(model().layers.tactic, finding.layer);
    // It misses kernels of a Tensor Core family that run on ordinary cores.
    if (tactic.find("simt") == std::string_view::npos && !tactic.starts_with("sm50")) {
      EXPECT_TRUE(all.contains(name_of(model(), finding.layer))) << tactic;
    }
    const std::string_view groups = model().attribute(finding.layer, "Groups");
    EXPECT_TRUE(groups.empty() || groups == "1");
  }
}

TEST_P(ExpectedFindings, EveryFindingIsComplete) {
  std::map<std::string_view, double> sum_of_rule;
  for (const Finding& finding : report().findings) {
    SCOPED_TRACE(std::string(finding.rule) + " " +
                 (finding.layer.is_null() ? std::string() : name_of(model(), finding.layer)));
    EXPECT_FALSE(finding.message.empty());
    EXPECT_FALSE(finding.evidence.empty());
    EXPECT_FALSE(finding.estimate_method.empty());
    EXPECT_FALSE(finding.fix.empty());
    if (finding.estimated_ms) {
      EXPECT_GT(*finding.estimated_ms, 0);
      sum_of_rule[finding.rule] += *finding.estimated_ms;
    }
  }
  double total = 0;
  for (std::size_t row = 0; row < model().layers.row_count(); ++row) {
    const auto time = model().layers.median_ms.get(row);
    total += time ? *time : model().layers.mean_ms.get(row).value_or(0);
  }
  for (const auto& [rule, sum] : sum_of_rule) EXPECT_LE(sum, total) << rule;
  EXPECT_LE(report().estimated_ms.value_or(0), total);
  if (report().end_to_end_ms) {
    EXPECT_LE(report().estimated_ms.value_or(0), *report().end_to_end_ms);
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, ExpectedFindings, testing::ValuesIn(test::kReadableEngines),
                         [](const testing::TestParamInfo<const char*>& engine) {
                           std::string name = engine.param;
                           for (char& c : name) {
                             if (c == '-' || c == '.') c = '_';
                           }
                           return name;
                         });

TEST(ExpectedFindingsTotals, NamesOnlyEnginesAreSkippedNotPassed) {
  const std::string path = "engine/x.graph.json";
  base::MemoryFiles files =
      test::memory_files({{path, R"({"Layers": ["conv1", "pool"], "Bindings": ["x"]})"}});
  const model::PlanModel model = test::must(test::load_completed({.path = path}, files));
  for (const RuleStatus& status : run_judged(model).rules) {
    EXPECT_EQ(status.outcome, RuleOutcome::kSkipped) << status.info->id;
    EXPECT_FALSE(status.reason.empty());
  }
}

}  // namespace
}  // namespace planex::lint
