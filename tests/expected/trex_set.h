// What TREx, the predecessor, computed from one set of real files, beside our model of them:
// data/expected/*.json, made by running TREx 0.2.1.
#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/summary/summary.h"
#include "analyze/work/stored_weights.h"
#include "base/text.h"
#include "support/test_data.h"

namespace planex::test {

namespace dom = simdjson::dom;

// The files are written with six significant digits, so a value is off by at most 5e-6 of itself,
// and a ratio of two written values by twice that.
inline constexpr double kWrittenDigits = 5.1e-6;

std::string text(dom::element element);
double number(dom::element element);
// Some sums were made by a library that turns integers into floats.
std::int64_t integer(dom::element element);
std::vector<std::int64_t> integers(dom::element list);
std::vector<double> numbers(dom::element list);
bool has(dom::element object, std::string_view key);

// TREx's short form of a format: "FP16 NHWC8", or the bare word where there is no layout.
std::string short_format(model::DType dtype, model::Layout layout);

struct Port {
  std::string tensor;
  std::vector<std::int64_t> dims;
  std::string short_format;
  bool operator==(const Port&) const = default;
};
void PrintTo(const Port& port, std::ostream* out);

std::vector<Port> our_ports(const model::PlanModel& model, model::LayerId layer,
                            model::Direction direction);
std::vector<Port> their_ports(dom::element list);

// Names of tests are words.
std::string test_name(const ::testing::TestParamInfo<const char*>& set);

// DIFFERS: TREx calls all generated kernels kgen; we say what they do, "softmax (kgen)".
inline std::string_view trex_type(std::string_view type) {
  return type.ends_with("(kgen)") ? "kgen" : type;
}

class TrexSet : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    PLANEX_NEED_TEST_DATA(data);
    const std::string set = GetParam();
    ASSERT_EQ(parser_.load(data + "/expected/" + set + ".json").get(expected_), simdjson::SUCCESS);
    auto loaded = load_engine(data, set);
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    model_ = std::make_unique<model::PlanModel>(std::move(*loaded));
    summary_ = analyze::summarize(*model_);
    for (std::size_t row = 0; row < model_->layers.row_count(); ++row) {
      if (model_->layers.role[row] == model::Role::kWork) work_.emplace_back(row);
    }
  }

  const model::LayersTable& layers() const { return model_->layers; }
  std::string_view name(model::LayerId layer) const {
    return model_->text(layers().name[layer.index()]);
  }
  dom::element at(std::string_view key) { return expected_[key]; }
  // DIFFERS: TREx counts weights that a record lists among its inputs as activations.
  std::int64_t listed_weights(model::LayerId layer) const {
    return analyze::weight_input_bytes(*model_, layer).value_or(0);
  }
  std::int64_t listed_weights() const {
    std::int64_t bytes = 0;
    for (const model::LayerId layer : work_) bytes += listed_weights(layer);
    return bytes;
  }
  bool has_profile() { return !at("inputs").at_key("profile").is_null(); }

  // Whether TREx folded no-ops away so that some layer seems to read or write another tensor.
  bool has_folded_ports() {
    const dom::array layer_list(at("layers"));
    return std::any_of(layer_list.begin(), layer_list.end(),
                       [](dom::element layer) { return has(layer, "graph_in"); });
  }

  // Calls `check(expected layer, our layer)` for TREx's layers, which are our layers that work.
  template <typename Check>
  void for_each_layer(Check check) {
    std::size_t index = 0;
    for (const dom::element layer : dom::array(at("layers"))) {
      ASSERT_LT(index, work_.size());
      SCOPED_TRACE(base::format("layer {}: {}", index, text(layer["name"])));
      check(layer, work_[index]);
      ++index;
    }
    EXPECT_EQ(index, work_.size());
  }

  dom::parser parser_;
  dom::element expected_;
  std::unique_ptr<model::PlanModel> model_;
  analyze::Summary summary_;
  std::vector<model::LayerId> work_;
};

}  // namespace planex::test
