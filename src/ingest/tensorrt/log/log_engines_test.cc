// Engines that are known from their logs alone: the real logs of TensorRT-RTX and TensorRT.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ingest/tensorrt/log/log_test_support.h"

namespace planex::ingest::tensorrt {
namespace {

using model::Direction;
using model::PlanModel;
using model::Role;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

// What the logs say, counted by hand and with text tools.
struct Expected {
  const char* folder;
  std::size_t layers;
  std::size_t streams;
  std::size_t signals, waits;
  std::size_t with_origin;  // layers with operations of the source model
  std::size_t operations;   // nodes that the parser read
  std::size_t origins;      // different operations that layers name
  std::int64_t total_weight_bytes;
};
constexpr Expected kExpected[] = {
    {"bf16", 2, 1, 0, 0, 2, 4, 4, 33024},
    {"branches-one-stream", 15, 1, 0, 0, 13, 26, 25, 1786112},
    {"branches-streams", 25, 4, 4, 6, 13, 26, 25, 1786112},
    {"chain1000", 500, 1, 0, 0, 500, 1000, 1000, 8192256},
    {"cnn-two-profiles", 18, 1, 0, 0, 13, 11, 10, 80128},
    {"conditional", 9, 1, 0, 0, 7, 6, 6, 20480},
    {"fp8", 7, 1, 0, 0, 7, 18, 18, 197508},
    {"int4", 6, 1, 0, 0, 6, 9, 9, 167428},
    {"loop", 10, 1, 0, 0, 3, 5, 3, 20480},
    {"lstm", 12, 1, 0, 0, 1, 1, 1, 164352},
    {"misc-ops", 13, 1, 0, 0, 10, 19, 17, 73088},
    {"mlp-qdq", 9, 1, 0, 0, 9, 28, 28, 263556},
    {"odd-names", 2, 1, 0, 0, 2, 4, 4, 2304},
    {"resnet18-fp16", 24, 1, 0, 0, 24, 49, 48, 23468672},
    {"resnet18-fp16-sm75", 25, 1, 0, 0, 25, 49, 48, 23895168},
    {"resnet18-fp32", 24, 1, 0, 0, 23, 49, 48, 46723840},
    {"resnet18-qdq-naive", 76, 5, 5, 8, 63, 133, 126, 11697092},
    {"resnet18-qdq-residual", 81, 5, 7, 9, 65, 149, 132, 11697092},
    {"resnet18-qdq-residual-gap", 81, 5, 7, 9, 65, 151, 134, 11697092},
    {"transformer-dynamic", 22, 1, 0, 0, 21, 66, 62, 3149056},
    {"transformer-fp16", 20, 1, 0, 0, 20, 66, 62, 3149056},
    {"transformer-fp32", 26, 1, 0, 0, 26, 66, 64, 6297984},
    {"transformer12-fp16", 120, 1, 0, 0, 120, 396, 372, 169878784},
};

std::string log_of(const std::string& data, const std::string& name) {
  return test::read_text(data + "/engines/rtx1.7-" + name + "/" + name + ".build.log");
}

std::set<std::string> origins_of(const PlanModel& model) {
  std::set<std::string> names;
  for (std::size_t row = 0; row < model.sources.row_count(); ++row) {
    if (model.sources.evidence[row] == model::Evidence::kMetadata) {
      names.emplace(model.text(model.sources.op_name[row]));
    }
  }
  return names;
}

std::set<std::string> operations_of(const PlanModel& model) {
  std::set<std::string> names;
  for (std::size_t row = 0; row < model.operations.row_count(); ++row) {
    names.emplace(model.text(model.operations.name[row]));
  }
  return names;
}

// Every layer that does work can be reached from the engine's inputs, from constants or from
// records that read nothing, along tensors as the program writes them; every output is written.
void expect_connected(const PlanModel& model) {
  std::vector<bool> written(model.tensors.row_count(), false);
  for (std::size_t row = 0; row < model.tensors.row_count(); ++row) {
    written[row] = model.tensors.role[row] == model::TensorRole::kInput;
  }
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const model::RowRange ports = model.ports_of(model::LayerId(row));
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      const std::size_t tensor = model.ports.tensor_id[port].index();
      if (model.ports.direction[port] == Direction::kInput) {
        EXPECT_TRUE(written[tensor])
            << model.text(model.layers.name[row]) << " reads "
            << model.text(model.tensors.name[tensor]) << ", which nobody has written";
      }
    }
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      if (model.ports.direction[port] == Direction::kOutput) {
        written[model.ports.tensor_id[port].index()] = true;
      }
    }
  }
  std::size_t outputs = 0;
  for (std::size_t row = 0; row < model.tensors.row_count(); ++row) {
    if (model.tensors.role[row] != model::TensorRole::kOutput) continue;
    ++outputs;
    EXPECT_TRUE(written[row]) << model.text(model.tensors.name[row]);
  }
  EXPECT_GE(outputs, 1u);
  EXPECT_GE(model.bindings.row_count(), 2u);
  for (std::size_t row = 0; row < model.bindings.row_count(); ++row) {
    EXPECT_FALSE(model.bindings.direction.is_null(row));
    EXPECT_FALSE(model.bindings.dims.is_null(row));
    EXPECT_NE(model.bindings.dtype[row], model::DType::kNull);
    EXPECT_EQ(model.bindings.layout[row].order, model::Order::kLinear);
  }
}

// Bytes of all constants, each once.
std::int64_t distinct_constant_bytes(const PlanModel& model) {
  std::set<model::TensorId> seen;
  std::int64_t bytes = 0;
  for (std::size_t port = 0; port < model.ports.row_count(); ++port) {
    if (model.ports.direction[port] != Direction::kConstant) continue;
    if (!seen.insert(model.ports.tensor_id[port]).second) continue;
    bytes += model::data_bytes(model.ports.dims[port], model.ports.dtype[port]).value_or(0);
  }
  return bytes;
}

TEST(RtxEngines, AreAsTheLogsSay) {
  PLANEX_NEED_TEST_DATA(data);
  for (const Expected& expected : kExpected) {
    SCOPED_TRACE(expected.folder);
    const PlanModel model = read_log_text(log_of(data, expected.folder));
    EXPECT_EQ(model.layers.row_count(), expected.layers);
    std::set<std::int64_t> streams;
    std::map<Role, std::size_t> roles;
    std::size_t with_origin = 0;
    std::int64_t weight_bytes = 0;
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      streams.insert(model.layers.stream[row]);
      ++roles[model.layers.role[row]];
      const model::RowRange sources = model.sources_of(model::LayerId(row));
      with_origin += sources.count > 0 ? 1 : 0;
      EXPECT_FALSE(model.layers.type.is_null(row));
      EXPECT_FALSE(model.layers.weight_bytes.is_null(row));
      weight_bytes += model.layers.weight_bytes[row];
    }
    EXPECT_EQ(streams.size(), expected.streams);
    EXPECT_EQ(roles[Role::kSignal], expected.signals);
    EXPECT_EQ(roles[Role::kWait], expected.waits);
    EXPECT_EQ(with_origin, expected.with_origin);
    EXPECT_EQ(model.operations.row_count(), expected.operations);

    const std::set<std::string> origins = origins_of(model);
    const std::set<std::string> operations = operations_of(model);
    EXPECT_EQ(origins.size(), expected.origins);
    EXPECT_TRUE(std::ranges::includes(operations, origins));
    for (std::size_t row = 0; row < model.sources.row_count(); ++row) {
      EXPECT_FALSE(model.sources.op_type.is_null(row));
    }
    for (std::size_t row = 0; row < model.ports.row_count(); ++row) {
      EXPECT_NE(model.ports.dtype[row], model::DType::kNull);
      EXPECT_NE(model.ports.layout[row].order, model::Order::kNull);
      EXPECT_FALSE(model.ports.strides.is_null(row));
    }
    printf("%s sum %ld distinct %ld total %ld\n", expected.folder, weight_bytes,
           distinct_constant_bytes(model), expected.total_weight_bytes);
    expect_connected(model);
    EXPECT_EQ(model.text(model.engine.detail[0]), "full");
    EXPECT_EQ(model.text(model.engine.producer[0]), "tensorrt-rtx");
    EXPECT_TRUE(model.engine.producer_version.is_null(0));
    EXPECT_FALSE(model.engine.version_evidence.is_null(0));
    EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
  }
}

}  // namespace
}  // namespace planex::ingest::tensorrt
