// Every real TensorRT-RTX log, opened as users open it: what is counted in it, the memory that the
// builder reports, and the work of its layers beside that of the model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "analyze/memory/memory.h"
#include "base/text.h"
#include "rtx/rtx_engines.h"
#include "support/test_data.h"

namespace planex::test {
namespace {

using model::Direction;
using model::LayerId;
using model::PlanModel;
using model::Role;

class RtxFacts : public ::testing::TestWithParam<RtxEngine> {
 protected:
  void SetUp() override {
    PLANEX_NEED_TEST_DATA(data);
    model_ = must(load_engine(data, rtx_folder(GetParam())));
  }

  std::size_t layers_of(Role role) const {
    const auto roles = model_.layers.role.values();
    return static_cast<std::size_t>(std::ranges::count(roles, role));
  }

  PlanModel model_;
};

TEST_P(RtxFacts, Records) {
  const RtxEngine& expected = GetParam();
  EXPECT_EQ(model_.text(model_.engine.producer[0]), "tensorrt-rtx");
  EXPECT_EQ(model_.layers.row_count(), expected.records);
  EXPECT_EQ(layers_of(Role::kWork), expected.work);
  EXPECT_EQ(layers_of(Role::kSignal), expected.signals);
  EXPECT_EQ(layers_of(Role::kWait), expected.waits);
  std::set<std::int64_t> streams;
  std::size_t with_sources = 0;
  for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
    if (const auto stream = model_.layers.stream.get(row)) streams.insert(*stream);
    with_sources += model_.sources_of(LayerId(row)).count > 0 ? 1U : 0U;
  }
  EXPECT_EQ(streams.size(), expected.streams);
  EXPECT_EQ(with_sources, expected.with_sources);
  EXPECT_EQ(model_.blocks.row_count(), expected.blocks);
  EXPECT_EQ(model_.operations.row_count(), expected.operations);
}

TEST_P(RtxFacts, Events) {
  const RtxEngine& expected = GetParam();
  std::map<std::string, std::size_t, std::less<>> kinds;
  std::map<std::int64_t, std::size_t> signals, waits;
  for (std::size_t row = 0; row < model_.events.row_count(); ++row) {
    const std::string_view kind = model_.text(model_.events.kind[row]);
    const std::size_t layer = model_.events.layer_id[row].index();
    EXPECT_EQ(model_.events.stream.get(row), model_.layers.stream.get(layer));
    if (kind.starts_with("jump")) {
      ++kinds["jump"];
      EXPECT_FALSE(model_.events.target_layer_id.is_null(row)) << "a jump that leads nowhere";
      EXPECT_EQ(model_.layers.role[layer], Role::kControl);
      continue;
    }
    ++kinds[std::string(kind)];
    EXPECT_EQ(model_.layers.role[layer], kind == "signal" ? Role::kSignal : Role::kWait);
    ASSERT_FALSE(model_.events.event_id.is_null(row));
    const std::int64_t event = model_.events.event_id[row];
    if (kind == "signal") {
      EXPECT_EQ(waits[event], 0U) << "nobody waits for what is yet to come";
    }
    ++(kind == "signal" ? signals : waits)[event];
  }
  EXPECT_EQ(kinds["signal"], expected.signals);
  EXPECT_EQ(kinds["wait"], expected.waits);
  EXPECT_EQ(kinds["jump"], expected.jumps);
  for (const auto& [event, count] : waits) {
    if (count > 0) {
      EXPECT_EQ(signals[event], 1U) << "event " << event;
    }
  }
  for (const auto& [event, count] : signals) {
    EXPECT_GE(waits[event], 1U) << "event " << event << " is for nobody";
  }
}

TEST_P(RtxFacts, Ports) {
  const RtxEngine& expected = GetParam();
  std::map<Direction, std::size_t> ports;
  std::set<model::TensorId> constants;
  for (std::size_t port = 0; port < model_.ports.row_count(); ++port) {
    const Direction direction = model_.ports.direction[port];
    ++ports[direction];
    const model::TensorId tensor = model_.ports.tensor_id[port];
    if (direction != Direction::kConstant) continue;
    constants.insert(tensor);
    EXPECT_EQ(model_.tensors.role[tensor.index()], model::TensorRole::kConstant);
  }
  EXPECT_EQ(ports[Direction::kInput], expected.inputs);
  EXPECT_EQ(ports[Direction::kConstant], expected.constants);
  EXPECT_EQ(constants.size(), expected.distinct_constants);
  EXPECT_EQ(ports[Direction::kOutput], expected.outputs);
}

TEST_P(RtxFacts, ReportedMemory) {
  const RtxEngine& expected = GetParam();
  const model::EngineTable& engine = model_.engine;
  EXPECT_EQ(engine.reported_weight_bytes.get(0), expected.weights);
  EXPECT_EQ(engine.reported_activation_bytes.get(0), expected.activations);
  // The whole network is one block to the builder, and all it holds is that block's scratch memory.
  EXPECT_EQ(engine.reported_scratch_bytes.get(0), expected.activations);
}

std::optional<std::int64_t> sum_of(const model::Int& column, auto counts) {
  std::optional<std::int64_t> sum;
  for (std::size_t row = 0; row < column.values().size(); ++row) {
    if (const auto value = column.get(row); value && counts(row)) sum = sum.value_or(0) + *value;
  }
  return sum;
}

TEST_P(RtxFacts, WorkOfLayersIsThatOfTheModel) {
  const RtxEngine& expected = GetParam();
  const auto shown = [&](std::size_t row) { return model_.does_work(LayerId(row)); };
  EXPECT_EQ(sum_of(model_.layers.macs, shown), expected.macs);
  EXPECT_EQ(sum_of(model_.operations.macs, [](std::size_t) { return true; }),
            expected.operation_macs);
  for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
    const auto macs = model_.layers.macs.get(row);
    if (macs) {
      EXPECT_EQ(model_.layers.flops.get(row), 2 * *macs);
    }
    EXPECT_EQ(model_.layers.work_evidence.is_null(row), model_.layers.flops.is_null(row));
  }
}

INSTANTIATE_TEST_SUITE_P(All, RtxFacts, ::testing::ValuesIn(kRtxEngines), [](const auto& test) {
  std::string name = test.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(RtxEngines, AreAllThatThereAre) {
  PLANEX_NEED_TEST_DATA(data);
  std::set<std::string> logs, known;
  for (const std::string& path : files_below(data + "/engines", {".build.log"})) logs.insert(path);
  for (const RtxEngine& engine : kRtxEngines) {
    known.insert(data + "/engines/" + rtx_folder(engine) + "/" + engine.name + ".build.log");
  }
  EXPECT_EQ(logs, known);
  EXPECT_EQ(known.size(), 26U);
}

}  // namespace
}  // namespace planex::test
