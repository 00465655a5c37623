// What holds of the layers of every engine at hand, whoever made it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/explain/speed.h"
#include "analyze/memory/memory.h"
#include "analyze/timing/reconcile.h"
#include "analyze/work/stored_weights.h"
#include "base/text.h"
#include "ingest/device_table.h"
#include "support/golden.h"
#include "support/test_data.h"

namespace planex::test {
namespace {

using analyze::SpeedLimit;
using analyze::SpeedRow;
using model::Direction;
using model::Family;
using model::LayerId;
using model::PlanModel;

// Calls `judge(name, model)` for each folder of real engines that is an engine.
template <typename Judge>
void each_engine(const std::string& data, Judge judge) {
  std::size_t count = 0;
  for (const char* collection : {"/engines", "/engines-2"}) {
    if (!std::filesystem::is_directory(data + collection)) continue;
    for (const std::string& folder : folders_in(data + collection)) {
      SCOPED_TRACE(folder);
      const std::string path = data + collection + "/" + folder;
      const auto model = load_completed({.path = path}, base::disk());
      if (!model) continue;  // several engines in a folder, or none
      judge(folder, *model);
      ++count;
    }
  }
  EXPECT_GE(count, 40U);
}

// Types of no family: what they do is neither of the kinds, and no rule could know it.
constexpr std::array<std::string_view, 3> kTrulyOther = {"memset", "NMS", "TrainStation"};

TEST(LayersOfEveryEngine, HaveAFamily) {
  PLANEX_NEED_TEST_DATA(data);
  std::set<std::string> others;
  each_engine(data, [&](const std::string& folder, const PlanModel& model) {
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      if (!model.does_work(LayerId(row)) || model.layers.family[row] != Family::kOther) continue;
      const std::string_view type = model.text(model.layers.type[row]);
      if (type.empty() || std::ranges::find(kTrulyOther, type) != kTrulyOther.end()) continue;
      others.insert(base::format("{} of {}", type, folder));
    }
  });
  EXPECT_TRUE(others.empty()) << base::join_words(
      std::vector<std::string_view>(others.begin(), others.end()));
}

// Bytes moved are activations in and out, and weights; nothing is in two of the three.
TEST(LayersOfEveryEngine, MoveActivationsAndWeights) {
  PLANEX_NEED_TEST_DATA(data);
  each_engine(data, [&](const std::string&, const PlanModel& model) {
    const auto& layers = model.layers;
    for (std::size_t row = 0; row < layers.row_count(); ++row) {
      const auto in = layers.input_bytes.get(row), out = layers.output_bytes.get(row);
      const auto weights = layers.weight_bytes.get(row);
      const auto io = layers.io_bytes.get(row), moved = layers.footprint_bytes.get(row);
      EXPECT_EQ(io.has_value(), in && out);
      EXPECT_EQ(moved.has_value(), io && weights);
      if (io) EXPECT_EQ(*io, *in + *out);
      if (moved) EXPECT_EQ(*moved, *io + *weights);
      // As the ports say it, each once.
      const model::RowRange ports = model.ports_of(LayerId(row));
      std::int64_t activations = 0;
      bool is_known = in.has_value();
      for (std::size_t port = ports.first; port < ports.end() && is_known; ++port) {
        const auto role = model.tensors.role[model.ports.tensor_id[port].index()];
        if (model.ports.direction[port] != Direction::kInput) continue;
        if (role == model::TensorRole::kConstant) continue;
        const auto bytes = model.ports.data_bytes.get(port);
        is_known = bytes.has_value();
        activations += bytes.value_or(0);
      }
      if (is_known && ports.count > 0) EXPECT_EQ(*in, activations) << row;
    }
  });
}

TEST(LayersOfEveryEngine, ReachMoreThanALimitForAReason) {
  PLANEX_NEED_TEST_DATA(data);
  const auto table =
      ingest::read_device_table("data/devices.json", base::make_bytes(ingest::built_in_devices()));
  ASSERT_TRUE(table);
  each_engine(data, [&](const std::string&, const PlanModel& model) {
    const auto choice = analyze::choose_device(model, *table, std::nullopt);
    ASSERT_TRUE(choice);
    const auto time = analyze::reconcile(model);
    const analyze::SpeedOfLight speed = analyze::speed_of_light(model, time, *choice);
    std::int64_t beyond = 0;
    for (const SpeedRow& row : speed.rows) {
      const std::string_view name = model.text(model.layers.name[row.layer.index()]);
      const bool is_beyond = row.reached.value_or(0) > 1;
      EXPECT_EQ(is_beyond, row.faster_than_bound != analyze::FasterThanBoundReason::kNone) << name;
      if (is_beyond) ++beyond;
      // A cache is a few times as fast as memory, and products of small kernels take less than half
      // of their multiplications.
      EXPECT_LT(row.reached.value_or(0), 4) << name;
      // No claim without what it rests on.
      if (!row.bound_ms) {
        EXPECT_EQ(row.limit, SpeedLimit::kUnknown) << name;
        EXPECT_FALSE(row.headroom_ms || row.reached) << name;
        continue;
      }
      EXPECT_TRUE(row.memory_ms && row.bytes) << name;
      const auto macs = model.layers.macs.get(row.layer.index());
      const auto family = model.layers.family[row.layer.index()];
      if (family == Family::kConvolution || family == Family::kGemm) {
        EXPECT_TRUE(macs && row.compute_ms) << name;
      }
    }
    EXPECT_EQ(beyond, speed.beyond_count);
    EXPECT_EQ(beyond, speed.faster_by_parts + speed.faster_by_cache + speed.faster_by_rate);
  });
}

}  // namespace
}  // namespace planex::test
