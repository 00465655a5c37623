// What must hold for every engine, tried on the real ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "analyze/summary/summary.h"
#include "support/model_dump.h"
#include "support/test_data.h"

namespace planex::test {
namespace {

namespace fs = std::filesystem;
using model::PlanModel;
using model::Role;

constexpr const char* kEngines[] = {
    "alexnet-torch-tensorrt-10",
    "controlnet-a10-trt8.6",
    "depth-anything-v2-rtx30-trt10",
    "mobilenet-titanrtx-qat",
    "mobilenet-titanrtx-qat-trt8.2",
    "mobilenetv2-trt10.1-fp16",
    "resnet18-a100-fp16",
    "resnet18-a100-fp32",
    "resnet18-a100-qat",
    "resnet18-a100-qat-residual",
    "resnet18-a100-qat-residual-qgap",
    "resnet18-trt10-fp16",
    "resnet50-rtx3090-fp16",
    "resnet50-rtx3090-fp32",
    "resnet50-rtx3090-qat",
    "mobilenet-titanrtx-qat-residual",
    "yolo-orin-trt8.5.2-names-only",
};

std::string test_name(const ::testing::TestParamInfo<const char*>& engine) {
  std::string name = engine.param;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

class Property : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    PLANEX_NEED_TEST_DATA(data);
    const std::string folder = data + "/engines/" + GetParam();
    for (const std::string& path : files_below(folder, {".json"})) {
      files_.add("engine/" + fs::path(path).filename().string(), read_text(path));
    }
  }

  PlanModel as_written() { return must(load_completed({.path = "engine"}, files_)); }

  base::MemoryFiles files_;
};

TEST_P(Property, LoadingTwiceGivesTheSame) {
  EXPECT_TRUE(dump(as_written()) == dump(as_written()));
}

TEST_P(Property, Sums) {
  const PlanModel model = as_written();
  const model::LayersTable& layers = model.layers;
  const analyze::Summary summary = analyze::summarize(model);
  double share = 0, corrected_share = 0, work_share = 0;
  bool timed = false, corrected = false;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    timed = timed || layers.share.get(row);
    corrected = corrected || layers.corrected_share.get(row);
    share += layers.share.get(row).value_or(0);
    corrected_share += layers.corrected_share.get(row).value_or(0);
    if (layers.role[row] == Role::kWork) work_share += layers.share.get(row).value_or(0);
    const auto in = layers.input_bytes.get(row), out = layers.output_bytes.get(row),
               io = layers.io_bytes.get(row), weights = layers.weight_bytes.get(row),
               footprint = layers.footprint_bytes.get(row);
    EXPECT_EQ(io.has_value(), in && out);
    if (io) {
      EXPECT_EQ(*io, *in + *out);
    }
    EXPECT_EQ(footprint.has_value(), io && weights);
    if (footprint) {
      EXPECT_EQ(*footprint, *io + *weights);
    }
    const auto macs = layers.macs.get(row), flops = layers.flops.get(row);
    EXPECT_TRUE(!macs || (*macs >= 0 && flops == 2 * *macs));
    EXPECT_EQ(!layers.work_evidence.is_null(row), macs || flops);
    const auto intensity = layers.arithmetic_intensity.get(row);
    EXPECT_EQ(intensity.has_value(), flops && footprint && *footprint > 0);
    if (intensity) {
      EXPECT_EQ(*intensity, static_cast<double>(*flops) / static_cast<double>(*footprint));
    }
    const auto mean = layers.mean_ms.get(row);
    EXPECT_GE(mean.value_or(0), 0);
  }
  if (timed) {
    EXPECT_NEAR(share, 1, 1e-12);
  }
  if (corrected) {
    EXPECT_NEAR(corrected_share, 1, 1e-12);
  }
  for (const auto* groups :
       {&summary.by_type, &summary.by_precision, &summary.by_output_precision}) {
    std::int64_t count = 0;
    double group_share = 0;
    for (const analyze::Group& group : *groups) {
      count += group.count;
      group_share += group.share.value_or(0);
    }
    EXPECT_EQ(count, summary.layer_count);
    EXPECT_NEAR(group_share, work_share, 1e-12);
  }
}

TEST_P(Property, IdsAreDenseAndTablesAgree) {
  const PlanModel model = as_written();
  std::vector<std::int64_t> producers(model.tensors.row_count(), 0), consumers = producers;
  std::size_t port_count = 0;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    EXPECT_EQ(model.layers.layer_id[row].index(), row);
    const model::RowRange ports = model.ports_of(model::LayerId(row));
    std::int64_t next_input = 0, next_output = 0;
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      ++port_count;
      EXPECT_EQ(model.ports.layer_id[port].index(), row);
      const bool input = model.ports.direction[port] == model::Direction::kInput;
      EXPECT_TRUE(!input || next_output == 0) << "inputs come first";
      EXPECT_EQ(model.ports.index[port], input ? next_input++ : next_output++);
      ++(input ? consumers : producers)[model.ports.tensor_id[port].index()];
      const auto data = model.ports.data_bytes.get(port), bytes = model.ports.bytes.get(port);
      EXPECT_TRUE(!data || !bytes || *bytes >= *data) << "padding takes nothing away";
    }
  }
  EXPECT_EQ(port_count, model.ports.row_count());
  for (std::size_t port = 0; port < model.ports.row_count(); ++port) {
    const std::size_t tensor = model.ports.tensor_id[port].index();
    const auto bytes = model.ports.bytes.get(port), data = model.ports.data_bytes.get(port);
    EXPECT_GE(model.tensors.bytes.get(tensor).value_or(-1), bytes.value_or(data.value_or(-1)));
    if (!model.is_shown(model.ports.layer_id[port])) continue;
    EXPECT_LE(model.tensors.first_layer_id[tensor], model.ports.layer_id[port]);
    EXPECT_GE(model.tensors.last_layer_id[tensor], model.ports.layer_id[port]);
  }
  for (std::size_t tensor = 0; tensor < model.tensors.row_count(); ++tensor) {
    EXPECT_EQ(model.tensors.tensor_id[tensor].index(), tensor);
    EXPECT_EQ(model.tensors.producers[tensor], producers[tensor]);
    EXPECT_EQ(model.tensors.consumers[tensor], consumers[tensor]);
    EXPECT_FALSE(model.tensors.role.is_null(tensor));
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, Property, ::testing::ValuesIn(kEngines), test_name);

}  // namespace
}  // namespace planex::test
