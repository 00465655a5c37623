// Engines known only from their logs: the real logs of TensorRT-RTX and TensorRT.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "ingest/tensorrt/log/log_test_support.h"
#include "support/model_texts.h"

namespace planex::ingest::tensorrt {
namespace {

using model::Direction;
using model::PlanModel;
using model::Role;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

// Contents of the logs, counted by hand and with text tools.
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

// Every working layer can be reached from the engine's inputs, from constants or from records that
// read nothing, along tensors as the program writes them; every output is written.
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
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      streams.insert(model.layers.stream[row]);
      ++roles[model.layers.role[row]];
      const model::RowRange sources = model.sources_of(model::LayerId(row));
      with_origin += sources.count > 0 ? 1 : 0;
      EXPECT_FALSE(model.layers.type.is_null(row));
      EXPECT_FALSE(model.layers.weight_bytes.is_null(row));
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
    // Padding and tables that no layer lists make up the difference. Two engines differ more: equal
    // weights of two layers are stored once, and each profile's program lists the weights again.
    const std::string_view folder = expected.folder;
    const double times = folder == "bf16" || folder == "cnn-two-profiles" ? 2 : 1;
    EXPECT_NEAR(static_cast<double>(distinct_constant_bytes(model)) /
                    static_cast<double>(expected.total_weight_bytes),
                times, 0.21 * (folder == "odd-names" ? 1 : 0.1) * times);
    expect_connected(model);
    EXPECT_EQ(model.text(model.engine.detail[0]), "full");
    EXPECT_EQ(model.text(model.engine.producer[0]), "tensorrt-rtx");
    EXPECT_TRUE(model.engine.producer_version.is_null(0));
    EXPECT_FALSE(model.engine.version_evidence.is_null(0));
    EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
  }
}

// The name of the record, for messages.
std::string name_of(const PlanModel& model, std::size_t row) {
  return std::string(model.text(model.layers.name[row]));
}

std::size_t row_named(const PlanModel& model, std::string_view name) {
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (model.text(model.layers.name[row]) == name) return row;
  }
  ADD_FAILURE() << "no layer " << name;
  return 0;
}

std::vector<std::string> ports_of(const PlanModel& model, std::size_t row) {
  std::vector<std::string> texts;
  const model::RowRange ports = model.ports_of(model::LayerId(row));
  for (std::size_t port = ports.first; port < ports.end(); ++port) {
    std::string dims;
    for (const std::int64_t dim : model.ports.dims[port]) dims += std::to_string(dim) + " ";
    texts.push_back(
        base::format("{} {} {}{} {}", to_string(model.ports.direction[port]),
                     model.text(model.tensors.name[model.ports.tensor_id[port].index()]), dims,
                     to_string(model.ports.dtype[port]), to_string(model.ports.layout[port])));
  }
  return texts;
}

TEST(RtxEngines, FieldsOfOneLayer) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model = read_log_text(log_of(data, "misc-ops"));
  const std::size_t row = row_named(model, "__myl_Tran_myl0_11");
  EXPECT_EQ(model.text(model.layers.tactic[row]), "__myl_Tran_0xd843d9b2d5fee58e8a12579358e82355");
  EXPECT_EQ(model.layers.family[row], model::Family::kOpaque);
  EXPECT_THAT(ports_of(model, row),
              ElementsAre("input __myln_k_arg__bb1_12_myl0 1 8 30 30 FP32 NHWC",
                          "output __myln_k_arg__bb1_13_myl0 1 8 30 30 FP32 strided"));
  const model::RowRange ports = model.ports_of(model::LayerId(row));
  EXPECT_THAT(model.ports.strides[ports.first + 1], ElementsAre(900, 900, 30, 1));
  EXPECT_EQ(model.text(model.ports.raw_format[ports.first]), "Float, (NHWC) Channel major format");
  EXPECT_EQ(model.layers.weight_bytes[row], 0);
  // 16 × 32 × 4 × 4 weights of four bytes.
  EXPECT_EQ(model.layers.weight_bytes[row_named(model, "__myl_DecoMulMax_myl0_2")], 32768);
}

TEST(RtxEngines, OddNamesAreWhole) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model = read_log_text(log_of(data, "odd-names"));
  EXPECT_EQ(name_of(model, 0), "a _quoted_ {brace} back_slash_myl0_0");
  EXPECT_EQ(model.layers.weight_bytes[0], 16 * 16 * 4 + 4 + 4);
  EXPECT_THAT(origins_of(model),
              ElementsAre("/model/layers.0/mlp/MatMul", "a \"quoted\" {brace} back\\slash",
                          "new\nline é[x]", "node_of__o"));
  EXPECT_EQ(operations_of(model), origins_of(model));
  std::vector<std::string> types;
  for (std::size_t row = 0; row < model.sources.row_count(); ++row) {
    types.emplace_back(model.text(model.sources.op_type[row]));
  }
  EXPECT_THAT(types, ElementsAre("MatMul", "Relu", "MatMul", "Sigmoid"));
}

TEST(RtxEngines, ConditionalIsABlockOfTwoBranches) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model = read_log_text(log_of(data, "conditional"));
  ASSERT_EQ(model.blocks.row_count(), 3u);
  std::vector<std::string> blocks;
  for (std::size_t row = 0; row < 3; ++row) {
    blocks.push_back(base::format("{} {} {}", model.text(model.blocks.kind[row]),
                                  model.text(model.blocks.name[row]),
                                  model.blocks.layer_count[row]));
  }
  EXPECT_THAT(blocks, ElementsAre("conditional myif 1", "branch then 2", "branch else 2"));
  EXPECT_TRUE(model.blocks.parent_id.is_null(0));
  EXPECT_EQ(model.blocks.parent_id[1].index(), 0u);
  EXPECT_EQ(model.blocks.parent_id[2].index(), 0u);
  for (const std::size_t outside : {0u, 1u, 2u, 8u}) {
    EXPECT_TRUE(model.layers.block_id.is_null(outside)) << name_of(model, outside);
  }
  std::vector<std::string> events;
  for (std::size_t row = 0; row < model.events.row_count(); ++row) {
    events.push_back(base::format("{} {} -> {}", model.text(model.events.kind[row]),
                                  model.events.layer_id[row].index(),
                                  model.events.target_layer_id[row].index()));
  }
  EXPECT_THAT(events,
              ElementsAre("jump-then 3 -> 4", "jump-else 3 -> 6", "jump 5 -> 8", "jump 7 -> 8"));
  EXPECT_EQ(model.layers.role[3], Role::kControl);
  EXPECT_EQ(model.layers.role[5], Role::kControl);
  // Nodes of the branches are nodes of subgraphs of myif.
  EXPECT_THAT(origins_of(model), Contains("then_Sigmoid"));
  for (std::size_t row = 0; row < model.operations.row_count(); ++row) {
    const std::string_view name = model.text(model.operations.name[row]);
    const bool inside = name == "then_Sigmoid" || name == "else_Tanh";
    EXPECT_EQ(model.text(model.operations.subgraph[row]), inside ? "myif" : "") << name;
  }
}

TEST(RtxEngines, LoopIsABlock) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model = read_log_text(log_of(data, "loop"));
  ASSERT_EQ(model.blocks.row_count(), 1u);
  EXPECT_EQ(model.text(model.blocks.kind[0]), "loop");
  EXPECT_EQ(model.blocks.layer_count[0], 4);
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    EXPECT_EQ(!model.layers.block_id.is_null(row), row >= 5 && row <= 8);
  }
  // The state is one tensor that two records write.
  const std::size_t state = [&] {
    for (std::size_t row = 0; row < model.tensors.row_count(); ++row) {
      if (model.text(model.tensors.name[row]).ends_with("st.2_myl0")) return row;
    }
    return model.tensors.row_count();
  }();
  ASSERT_LT(state, model.tensors.row_count());
  EXPECT_EQ(model.tensors.producers[state], 2);
  EXPECT_EQ(model.tensors.consumers[state], 1);
}

TEST(RtxEngines, StreamsAreTiedByEvents) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model = read_log_text(log_of(data, "branches-streams"));
  std::map<std::int64_t, std::pair<int, int>> events;
  for (std::size_t row = 0; row < model.events.row_count(); ++row) {
    auto& [signals, waits] = events[model.events.event_id[row]];
    ++(model.text(model.events.kind[row]) == "signal" ? signals : waits);
    EXPECT_FALSE(model.events.stream.is_null(row));
  }
  EXPECT_EQ(events, (std::map<std::int64_t, std::pair<int, int>>{
                        {1, {1, 3}}, {2, {1, 1}}, {3, {1, 1}}, {4, {1, 1}}}));
}

TEST(RtxEngines, ProfilesHaveTheirOwnLayers) {
  PLANEX_NEED_TEST_DATA(data);
  const std::string log = log_of(data, "cnn-two-profiles");
  const PlanModel first = read_log_text(log);
  EXPECT_EQ(first.engine.profile_count[0], 2);
  EXPECT_EQ(first.engine.profile_index[0], 0);
  std::map<std::int64_t, std::size_t> layers;
  for (const std::int64_t profile : first.layers.profile_index.values()) ++layers[profile];
  EXPECT_EQ(layers, (std::map<std::int64_t, std::size_t>{{0, 9}, {1, 9}}));
  ASSERT_EQ(first.profiles.row_count(), 4u);
  EXPECT_THAT(first.profiles.opt_dims[1], ElementsAre(8, 3, 64, 64));
  EXPECT_TRUE(first.profiles.min_dims.is_null(2));
  ASSERT_EQ(first.bindings.row_count(), 2u);
  EXPECT_THAT(first.bindings.dims[0], ElementsAre(-1, 3, 64, 64));
  EXPECT_THAT(first.bindings.profile_max[0], ElementsAre(1, 3, 64, 64));
  EXPECT_TRUE(first.is_shown(model::LayerId(0)));
  EXPECT_FALSE(first.is_shown(model::LayerId(9)));

  const PlanModel second = read_log_text(log, {.profile_index = 1});
  EXPECT_EQ(second.engine.profile_index[0], 1);
  EXPECT_THAT(second.bindings.profile_max[0], ElementsAre(16, 3, 64, 64));
  EXPECT_TRUE(second.does_work(model::LayerId(10)));
  expect_connected(second);

  // The tensors of a binding in both profiles, and the memory of the profile that is shown.
  for (const std::int64_t profile : {0, 1}) {
    const PlanModel model = test::must(test::load_completed(
        {.path = data + "/engines/rtx1.7-cnn-two-profiles", .profile_index = profile},
        base::disk()));
    EXPECT_EQ(model.engine.reported_activation_bytes.get(0), profile == 0 ? 9764864 : 33357824);
    EXPECT_EQ(model.engine.reported_scratch_bytes.get(0), profile == 0 ? 9764864 : 33357824);
    EXPECT_EQ(model.engine.reported_weight_bytes.get(0), 80128);
    std::size_t inputs = 0, outputs = 0;
    for (const model::TensorRole role : model.tensors.role.values()) {
      inputs += role == model::TensorRole::kInput ? 1 : 0;
      outputs += role == model::TensorRole::kOutput ? 1 : 0;
    }
    EXPECT_EQ(inputs, 2u);
    EXPECT_EQ(outputs, 2u);
  }

  const auto third = test::load_completed(
      {.path = data + "/engines/rtx1.7-cnn-two-profiles", .profile_index = 2}, base::disk());
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, ErrorCode::kUsage);
  EXPECT_THAT(third.error().message, ::testing::HasSubstr("the engine has 0 and 1"));
}

TEST(RtxEngines, ParametersOfConvolutions) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model = read_log_text(log_of(data, "misc-ops"));
  std::map<std::string, std::string> parameters;
  for (std::size_t row = 0; row < model.operations.row_count(); ++row) {
    const std::string_view text = model.text(model.operations.parameters[row]);
    if (!text.empty()) parameters.emplace(model.text(model.operations.name[row]), text);
  }
  EXPECT_EQ(parameters.size(), 5u);
  EXPECT_EQ(parameters["dwconv"],
            R"({"kernel_shape":[3,3],"strides":[1,1],"pads":[2,2,2,2],"dilations":[2,2],)"
            R"("group":32,"num_outputs":32})");
  // TensorRT has two spatial dimensions here, the model one.
  EXPECT_EQ(parameters["conv1d"],
            R"({"kernel_shape":[5],"strides":[1],"pads":[2,2],"dilations":[1],)"
            R"("group":1,"num_outputs":16})");
  // An omitted input keeps its position.
  std::vector<std::string> resize;
  for (std::size_t port = 0; port < model.operation_ports.row_count(); ++port) {
    const std::size_t operation = model.operation_ports.operation_id[port].index();
    if (model.text(model.operations.name[operation]) != "resize") continue;
    resize.push_back(base::format("{}:{}", model.operation_ports.index[port],
                                  model.text(model.operation_ports.tensor[port])));
  }
  EXPECT_THAT(resize, ElementsAre("0:avgp_o", "1:", "2:sc", "0:resize_o"));
}

TEST(RtxEngines, StoredSizesOfWeights) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model = read_log_text(log_of(data, "int4"));
  std::map<std::string, std::int64_t> bytes;
  for (std::size_t port = 0; port < model.operation_ports.row_count(); ++port) {
    if (const auto size = model.operation_ports.stored_bytes.get(port)) {
      bytes.emplace(model.text(model.operation_ports.tensor[port]), *size);
    }
  }
  EXPECT_FALSE(bytes.empty());
  for (const auto& [name, size] : bytes) EXPECT_GT(size, 0) << name;
  EXPECT_FALSE(bytes.contains("x"));
}

TEST(RtxEngines, StepsOfTheOptimizer) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model = read_log_text(log_of(data, "transformer-fp16"));
  std::size_t attention = 0;
  std::vector<std::string> steps;
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    if (model.text(model.metadata.section[row]) != "graph optimizer") continue;
    const std::string_view key = model.text(model.metadata.key[row]);
    attention += key == "self-attention pattern" ? 1u : 0u;
    steps.push_back(base::format("{}: {}", key, model.text(model.metadata.value[row])));
  }
  EXPECT_EQ(attention, 6u);
  EXPECT_THAT(steps.front(), ::testing::StartsWith("Original: "));
  EXPECT_THAT(steps, Contains("After Myelin optimization: 1 layers"));
}

TEST(RtxEngines, NamesOnlyIsOneOpaqueLayerWithItsOrigins) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model = read_log_text(log_of(data, "resnet18-names-only"));
  ASSERT_EQ(model.layers.row_count(), 1u);
  EXPECT_EQ(name_of(model, 0), "{ForeignNode[fc.bias...fc_1]}");
  EXPECT_EQ(model.layers.family[0], model::Family::kOpaque);
  EXPECT_EQ(model.text(model.engine.detail[0]), "log");
  EXPECT_EQ(model.text(model.engine.producer[0]), "tensorrt-rtx");
  EXPECT_THAT(ports_of(model, 0),
              ElementsAre("input x 1 3 224 224 FP16 ", "output fc_o 1 1000 FP16 "));
  EXPECT_EQ(model.attribute(model::LayerId(0), "TacticValue"), "0x0000000000000000");
  EXPECT_TRUE(model.layers.weight_bytes.is_null(0));
  EXPECT_EQ(origins_of(model), operations_of(model));
  EXPECT_EQ(model.operations.row_count(), 49u);
  ASSERT_EQ(model.bindings.row_count(), 2u);
  EXPECT_EQ(model.bindings.direction[1], Direction::kOutput);
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("layers-without-detail"));
}

TEST(RtxEngines, FailedBuildsHaveNoLayers) {
  PLANEX_NEED_TEST_DATA(data);
  for (const char* name : {"failed-build-sm", "failed-build-strip"}) {
    SCOPED_TRACE(name);
    const PlanModel model = read_log_text(log_of(data, name));
    EXPECT_EQ(model.layers.row_count(), 0u);
    EXPECT_GT(model.operations.row_count(), 0u);
    EXPECT_EQ(model.text(model.engine.producer[0]), "tensorrt-rtx");
    EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("no-layers"));
  }
}

TEST(TensorRtLogs, TextOfTheInspector) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model = read_log_text(
      test::read_text(data + "/engines/mnist-trt10.14.1-logs/EngineInspector-log-main.py.log"));
  ASSERT_EQ(model.layers.row_count(), 12u);
  const std::size_t row = row_named(model, "Convolution1 + Activation1");
  EXPECT_EQ(model.text(model.layers.type[row]), "Convolution");
  EXPECT_EQ(model.text(model.layers.subtype[row]), "CaskConvolution");
  EXPECT_EQ(model.layers.weight_bytes[row], 2 * (800 + 32));
  EXPECT_EQ(model.attribute(model::LayerId(row), "Kernel"), "[5,5]");
  EXPECT_EQ(model.attribute(model::LayerId(row), "TacticValue"), "0x98e92db98836b738");
  EXPECT_EQ(model.attribute(model::LayerId(row), "Activation"), "RELU");
  EXPECT_THAT(
      ports_of(model, row),
      ElementsAre("input Reformatted Input Tensor 0 to Convolution1 + Activation1 -1 1 28 28 FP16 ",
                  "output (Unnamed Layer* 1) [Activation]_output -1 32 28 28 FP16 "));
  EXPECT_EQ(model.text(model.layers.origin[0]), "REFORMAT");
  // Kernels made by the compiler do not say what they store.
  EXPECT_TRUE(model.layers.weight_bytes.is_null(row_named(model, "MatrixMultiplication1_myl6_2")));
  EXPECT_EQ(model.layers.role[row_named(model, "__mye222_0_myl6_0")], Role::kShape);
  EXPECT_EQ(model.bindings.row_count(), 3u);
  EXPECT_TRUE(model.engine.producer.is_null(0));
  EXPECT_EQ(model.text(model.engine.detail[0]), "full");
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(TensorRtLogs, DumpOfTrtexec) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model =
      read_log_text(test::read_text(data + "/engines/mnist-trt10.14.1-logs/result-04.log"));
  ASSERT_EQ(model.layers.row_count(), 9u);
  EXPECT_EQ(origins_of(model).size(), 11u);
  EXPECT_EQ(model.layers.weight_bytes[row_named(model, "node_conv2d_1 + node_relu_1")],
            4 * (51200 + 64));
  EXPECT_EQ(model.bindings.row_count(), 3u);
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(TensorRtLogs, LastOfSeveralEngines) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model = load_log(
      test::read_text(data + "/engines/mnist-trt10.14.1-logs/ProfilingVerbosity-log-main.py.log"));
  EXPECT_EQ(model.layers.row_count(), 12u);
  EXPECT_EQ(detail_of(model), "full");
  EXPECT_EQ(model.engine.reported_activation_bytes.get(0), 792576);
  EXPECT_EQ(test::value_of(model, "build", "engine_generation_s"), "1.97823");
  EXPECT_EQ(test::value_of(model, "graph optimizer", "Original"), "18 layers");
  EXPECT_THAT(test::messages_of(model, "several-runs"),
              ElementsAre(::testing::AllOf(::testing::HasSubstr("3 runs"),
                                           ::testing::HasSubstr("from line 1674 on"))));
}

TEST(TensorRtLogs, LayersWithoutDetail) {
  PLANEX_NEED_TEST_DATA(data);
  struct Log {
    const char* path;
    std::size_t layers, operations;
    std::vector<std::string> first_ports;
    const char* tactic;
    std::size_t bindings;
  };
  const Log logs[] = {
      {"mnist-trt8.2.3-names-only/result-FP32.txt",
       12,
       15,
       {"input x:0 -1 1 28 28 FP32 ", "output Relu:0 -1 32 28 28 FP32 "},
       "7144526460361122478",
       2},
      {"mnist-trt8.6.0-names-only/result-02.log",
       15,
       15,
       {"input tensor-0 -1 1 28 28 FP32 ",
        "output Reformatted Input Tensor 0 to Conv-1 + ReLU-2 -1 1 28 28 FP16 "},
       "0x0000000000000000",
       2},
      {"mnist-trt10.14.1-logs/result-02.log",
       16,
       12,
       {"input x -1 1 28 28 FP32 ",
        "output Reformatted Input Tensor 0 to node_conv2d + node_relu -1 1 28 28 FP16 "},
       "0x00000000000003e8",
       3},
  };
  for (const Log& log : logs) {
    SCOPED_TRACE(log.path);
    const PlanModel model = read_log_text(test::read_text(data + "/engines/" + log.path));
    ASSERT_EQ(model.layers.row_count(), log.layers);
    EXPECT_EQ(ports_of(model, 0), log.first_ports);
    EXPECT_EQ(model.attribute(model::LayerId(0), "TacticValue"), log.tactic);
    EXPECT_EQ(model.operations.row_count(), log.operations);
    EXPECT_EQ(model.bindings.row_count(), log.bindings);
    EXPECT_TRUE(model.engine.producer.is_null(0));
    EXPECT_EQ(model.text(model.engine.detail[0]), "log");
    EXPECT_THAT(test::diagnostic_codes(model), Contains("layers-without-detail"));
    EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("log-record-broken")));
  }
}

TEST(TensorRtLogs, NamesAlone) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model =
      read_log_text(test::read_text(data + "/engines/mnist-trt8.6.0-names-only/result-04.log"));
  ASSERT_EQ(model.layers.row_count(), 15u);
  EXPECT_EQ(name_of(model, 14), "(Unnamed Layer* 32) [Shuffle]");
  EXPECT_EQ(model.bindings.row_count(), 2u);
  EXPECT_EQ(model.ports.row_count(), 0u);
  EXPECT_EQ(model.text(model.engine.detail[0]), "names-only");
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("names-only"));
}

TEST(TensorRtLogs, LayerFileOfNamesTakesTheRestFromTheLog) {
  PLANEX_NEED_TEST_DATA(data);
  const std::string folder = data + "/engines/yolo-orin-trt8.5.2-names-only/";
  const std::string graph = test::read_text(folder + "layer_info.json");
  const PlanModel model = read_log_text(test::read_text(folder + "trt.out"), {.graph = graph});
  ASSERT_EQ(model.layers.row_count(), 86u);
  EXPECT_EQ(model.text(model.engine.detail[0]), "log");
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("names-only", "layers-from-log"));
  const std::size_t row = row_named(model, "/neck/Resize");
  EXPECT_EQ(model.text(model.layers.type[row]), "Resize");
  EXPECT_THAT(ports_of(model, row),
              ElementsAre("input /neck/Resize_output_0 1 128 69 121 INT8 NC/32HW32",
                          "output /neck/Concat_/neck/Resize_output_0_clone_0 1 128 138 242 INT8 "
                          "NC/32HW32"));
  std::map<std::string, std::string> type_of;
  for (std::size_t source = 0; source < model.sources.row_count(); ++source) {
    type_of.emplace(model.text(model.sources.op_name[source]),
                    model.text(model.sources.op_type[source]));
  }
  EXPECT_EQ(type_of["/backbone/conv1/Conv"], "Conv");
  EXPECT_EQ(type_of["/backbone/conv1/_weight_quantizer/QuantizeLinear"], "QuantizeLinear");
  ASSERT_EQ(model.bindings.row_count(), 2u);
  EXPECT_THAT(model.bindings.dims[0], ElementsAre(1, 3, 2208, 3872));
}

// Logs end early when a disk is full or a build is killed.
TEST(TensorRtLogs, CutAnywhere) {
  PLANEX_NEED_TEST_DATA(data);
  const char* const logs[] = {"rtx1.7-odd-names/odd-names.build.log",
                              "rtx1.7-conditional/conditional.build.log",
                              "rtx1.7-cnn-two-profiles/cnn-two-profiles.build.log",
                              "rtx1.7-resnet18-names-only/resnet18-names-only.build.log",
                              "mnist-trt10.14.1-logs/result-04.log",
                              "mnist-trt8.6.0-names-only/result-04.log"};
  for (const char* path : logs) {
    SCOPED_TRACE(path);
    const std::string whole = test::read_text(data + "/engines/" + path);
    const std::size_t layers = read_log_text(whole).layers.row_count();
    std::size_t before = 0;
    for (std::size_t size = 0; size <= whole.size(); size += 997) {
      const PlanModel model = read_log_text(std::string_view(whole).substr(0, size));
      EXPECT_LE(model.layers.row_count(), layers) << size;
      EXPECT_GE(model.layers.row_count(), before) << size;
      before = model.layers.row_count();
    }
  }
}

}  // namespace
}  // namespace planex::ingest::tensorrt
