// Alignments of real engines.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "analyze/align/alignment.h"
#include "analyze/align/test_engine.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using model::LayerId;
using model::PlanModel;

PlanModel load(const std::string& data, const std::string& name) {
  return test::must(test::load_engine(data, name));
}

std::map<std::string, std::vector<std::size_t>> layers_of_operations(const PlanModel& model) {
  std::map<std::string, std::vector<std::size_t>> layers;
  for (std::size_t row = 0; row < model.sources.row_count(); ++row) {
    const LayerId layer = model.sources.layer_id[row];
    if (!model.does_work(layer)) continue;
    layers[std::string(model.text(model.sources.op_name[row]))].push_back(layer.index());
  }
  return layers;
}

struct Names {
  const char *a, *b;
};

class RealPairs : public ::testing::TestWithParam<Names> {};

// Layers of both engines that share an operation of the model are in one match. In engines of two
// models that count their operations (Conv_84), equal numbers are not equal operations; those pairs
// have models of their own below.
TEST_P(RealPairs, WhatSharesAnOperationIsMatched) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel a = load(data, GetParam().a), b = load(data, GetParam().b);
  const std::set<RowPair> pairs = pairs_of(align(a, b));
  const auto in_a = layers_of_operations(a), in_b = layers_of_operations(b);
  std::size_t shared = 0;
  for (const auto& [operation, layers_a] : in_a) {
    const auto found = in_b.find(operation);
    if (found == in_b.end()) continue;
    // One layer of several may only move the operation's data: at least one pair must be there.
    bool is_significant = false;
    for (const std::size_t x : layers_a) {
      for (const std::size_t y : found->second)
        is_significant = is_significant || pairs.contains({x, y});
    }
    EXPECT_TRUE(is_significant) << operation;
    ++shared;
  }
  EXPECT_GT(shared, 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Alignment, RealPairs,
    ::testing::Values(
        Names{"resnet18-a100-fp32", "resnet18-a100-fp16"},
        Names{"resnet18-a100-qat-residual", "resnet18-a100-qat-residual-qgap"},
        Names{"resnet50-rtx3090-fp32", "resnet50-rtx3090-fp16"},
        Names{"resnet50-rtx3090-fp16", "resnet50-rtx3090-qat"},
        Names{"mobilenet-titanrtx-qat", "mobilenet-titanrtx-qat-trt8.2"},
        Names{"openvino2026.4-resnet18-fp32-b8", "openvino2026.4-resnet18-bf16-b8"},
        Names{"openvino2026.4-resnet18-fp32-b8", "openvino2026.4-resnet18-qdq-naive-b8"},
        Names{"openvino2026.4-resnet18-qdq-naive-b8", "openvino2026.4-resnet18-qdq-shared-b8"},
        Names{"rtx1.7-resnet18-fp16", "rtx1.7-resnet18-fp32"},
        Names{"rtx1.7-resnet18-fp16", "rtx1.7-resnet18-fp16-sm75"},
        Names{"rtx1.7-resnet18-fp16", "rtx1.7-resnet18-qdq-naive"},
        Names{"rtx1.7-resnet18-qdq-naive", "rtx1.7-resnet18-qdq-residual"},
        Names{"rtx1.7-resnet18-qdq-residual", "rtx1.7-resnet18-qdq-residual-gap"},
        Names{"rtx1.7-transformer-fp16", "rtx1.7-transformer-fp32"},
        Names{"rtx1.7-transformer-fp16", "rtx1.7-transformer-dynamic"},
        Names{"rtx1.7-branches-streams", "rtx1.7-branches-one-stream"},
        Names{"rtx1.7-resnet18-fp16", "openvino2026.4-resnet18-fp32-b8"},
        Names{"rtx1.7-resnet18-qdq-residual", "openvino2026.4-resnet18-qdq-shared-b8"}),
    [](const auto& test) {
      std::string name = std::string(test.param.a) + "__" + test.param.b;
      std::ranges::replace_if(
          name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
      return name;
    });

// Operations that are weights name the layers of these pairs; every layer of B that has weights of
// A's is matched with the layer of A that has them.
class SameWeights : public ::testing::TestWithParam<Names> {};

TEST_P(SameWeights, AreMatchedAndNoOthers) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel a = load(data, GetParam().a), b = load(data, GetParam().b);
  const auto weights = [](const PlanModel& model) {
    std::map<std::string, std::size_t> layers;
    for (const auto& [operation, rows] : layers_of_operations(model)) {
      if (operation.ends_with(".weight")) layers[operation] = rows.at(0);
    }
    return layers;
  };
  const auto in_a = weights(a), in_b = weights(b);
  std::map<std::size_t, std::string> name_in_b;
  for (const auto& [name, layer] : in_b) name_in_b[layer] = name;
  std::map<std::size_t, std::string> name_in_a;
  for (const auto& [name, layer] : in_a) name_in_a[layer] = name;
  std::size_t found = 0;
  for (const auto& [x, y] : pairs_of(align(a, b))) {
    if (!name_in_a.contains(x) || !name_in_b.contains(y)) continue;
    EXPECT_EQ(name_in_a[x], name_in_b[y]);
    ++found;
  }
  EXPECT_EQ(found, in_a.size());
  EXPECT_GT(found, 20U);
}

INSTANTIATE_TEST_SUITE_P(
    Alignment, SameWeights,
    ::testing::Values(Names{"resnet18-a100-qat", "resnet18-a100-qat-residual"},
                      Names{"resnet18-a100-qat", "resnet18-a100-qat-residual-qgap"},
                      Names{"mobilenet-titanrtx-qat", "mobilenet-titanrtx-qat-residual"},
                      Names{"mobilenet-titanrtx-qat-trt8.2", "mobilenet-titanrtx-qat-residual"}),
    [](const auto& test) { return "Pair" + std::to_string(test.index); });

// Engines of two exports share no name; layer1.0 is layer1.0 nevertheless.
TEST(Alignment, ResNet18OfTwoExportsAlignsByShapeAndOrder) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel a = load(data, "resnet18-a100-fp16"), b = load(data, "resnet18-trt10-fp16");
  // Convolutions of both are in the same order, except the last: a Gemm in one, a kernel of
  // Myelin's in the other.
  const auto of_family = [](const PlanModel& model, model::Family family) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      if (model.does_work(LayerId(row)) && model.layers.family[row] == family) rows.push_back(row);
    }
    return rows;
  };
  const auto convs_a = of_family(a, model::Family::kConvolution);
  const auto convs_b = of_family(b, model::Family::kConvolution);
  ASSERT_EQ(convs_a.size(), 21U);
  ASSERT_EQ(convs_b.size(), 20U);
  const std::set<RowPair> pairs = pairs_of(align(a, b));
  for (std::size_t at = 0; at < convs_b.size(); ++at) {
    EXPECT_TRUE(pairs.contains({convs_a[at], convs_b[at]})) << at;
  }
}

// Seven builds of one network by four compilers: names and fusions differ, and the 1×1 of a branch
// runs before or after the 3×3 beside it. Its twenty convolutions are the same: those of equal size
// follow one another in the data flow, so their order is that of the model.
TEST(Alignment, TheConvolutionsOfResNet18AreTheSameInAllBuilds) {
  PLANEX_NEED_TEST_DATA(data);
  const char* const engines[] = {"resnet18-a100-fp32",  "resnet18-a100-fp16",
                                 "resnet18-a100-qat",   "resnet18-a100-qat-residual",
                                 "resnet18-trt10-fp16", "openvino2026.4-resnet18-fp32-b8",
                                 "rtx1.7-resnet18-fp32"};
  using Size = std::pair<std::int64_t, std::int64_t>;
  const auto convolutions = [](const PlanModel& model) {
    std::map<Size, std::vector<std::size_t>> rows;
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      const auto outputs = model.layers.gemm_n.get(row), inner = model.layers.gemm_k.get(row);
      constexpr std::int64_t kClasses = 1000;
      if (outputs && inner && *outputs != kClasses) rows[{*outputs, *inner}].push_back(row);
    }
    return rows;
  };
  std::vector<PlanModel> models;
  for (const char* engine : engines) models.push_back(load(data, engine));
  for (std::size_t i = 0; i < models.size(); ++i) {
    for (std::size_t j = i + 1; j < models.size(); ++j) {
      const auto in_a = convolutions(models[i]), in_b = convolutions(models[j]);
      const std::set<RowPair> pairs = pairs_of(align(models[i], models[j]));
      std::size_t same = 0;
      for (const auto& [size, rows] : in_a) {
        ASSERT_TRUE(in_b.contains(size));
        const std::vector<std::size_t>& others = in_b.at(size);
        ASSERT_EQ(rows.size(), others.size());
        for (std::size_t x = 0; x < rows.size(); ++x) {
          same += pairs.contains({rows[x], others[x]});
          for (std::size_t y = 0; y < rows.size(); ++y) {
            EXPECT_TRUE(x == y || !pairs.contains({rows[x], others[y]}));
          }
        }
      }
      EXPECT_EQ(same, 20U) << engines[i] << " and " << engines[j];
    }
  }
}

TEST(Alignment, EveryEngineIsAlignedWithItself) {
  PLANEX_NEED_TEST_DATA(data);
  for (const std::string& folder : test::engine_folders(data)) {
    const auto engine = test::load_completed({.path = folder}, base::disk());
    if (!engine) continue;  // failed builds
    for (const Match& match : align(*engine, *engine).matches) {
      EXPECT_EQ(match.a, match.b) << folder;
      EXPECT_EQ(match.a.size(), 1U) << folder;
    }
  }
}

}  // namespace
}  // namespace planex::analyze
