#include "ingest/onnxruntime/trace_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyze/complete/complete.h"
#include "base/text.h"
#include "ingest/discover/load.h"
#include "ingest/onnxruntime/trace_events.h"
#include "support/test_data.h"

namespace planex::ingest::onnxruntime {
namespace {

using model::Direction;
using model::LayerId;
using model::Role;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kData = PLANEX_SOURCE_DIR "/tests/data/onnxruntime/";

std::string_view name_of(const model::PlanModel& model, std::size_t row) {
  return model.text(model.layers.name[row]);
}

std::size_t layer_called(const model::PlanModel& model, std::string_view name) {
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (name_of(model, row) == name) return row;
  }
  ADD_FAILURE() << "no layer " << name;
  return 0;
}

// "TENSOR dims dtype" of one side of a layer.
std::vector<std::string> ports(const model::PlanModel& model, std::string_view layer,
                               Direction direction) {
  std::vector<std::string> result;
  const auto rows = model.ports_of(LayerId(layer_called(model, layer)));
  for (std::size_t row = rows.first; row < rows.end(); ++row) {
    if (model.ports.direction[row] != direction) continue;
    std::string dims;
    for (const std::int64_t dim : model.ports.dims[row]) dims += base::format(" {}", dim);
    const auto tensor = model.ports.tensor_id[row].index();
    result.push_back(base::format("{}{} {}", model.text(model.tensors.name[tensor]), dims,
                                  to_string(model.ports.dtype[row])));
  }
  return result;
}

class RealTrace : public ::testing::TestWithParam<const char*> {
 protected:
  static model::PlanModel load_folder(const std::string& more = {}) {
    LoadRequest request{.path = kData + GetParam()};
    if (!more.empty()) request.source_model = more;
    return test::must(test::load_completed(request, base::disk()));
  }
};

TEST_P(RealTrace, LayersInTheOrderOfExecution) {
  const model::PlanModel model = load_folder();
  EXPECT_EQ(model.text(model.engine.name[0]), "control-flow");
  EXPECT_EQ(model.text(model.engine.producer[0]), "onnxruntime");
  EXPECT_EQ(model.text(model.engine.importer[0]), "onnxruntime");
  ASSERT_EQ(model.layers.row_count(), 14u);
  EXPECT_EQ(name_of(model, 0), "r1_nchwc");
  EXPECT_EQ(name_of(model, 5), "GlobalAveragePool_6");
  EXPECT_EQ(name_of(model, 8), "myloop");
  EXPECT_EQ(name_of(model, 9), "Identity_1");
  EXPECT_EQ(name_of(model, 11), "myif");
  // The other branch ran in the second run.
  EXPECT_EQ(name_of(model, 12), "Tanh_0");
  EXPECT_EQ(name_of(model, 13), "then_Sigmoid");
  EXPECT_EQ(model.layers.role[8], Role::kControl);
  EXPECT_EQ(model.text(model.blocks.kind[0]), "loop");
  EXPECT_EQ(model.text(model.blocks.kind[1]), "conditional");
  EXPECT_EQ(model.layers.block_id[10], model::BlockId(0));
  EXPECT_EQ(model.layers.block_id[13], model::BlockId(1));
  EXPECT_TRUE(model.layers.block_id[0].is_null());
}

// A layer's time is counted once: in the layer, not also in the loop around it.
TEST_P(RealTrace, TimesAddUpToNoMoreThanTheRuns) {
  const model::PlanModel model = load_folder();
  ASSERT_EQ(model.iterations.row_count(), 4u);
  double layers_ms = 0, runs_ms = 0;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const bool branch = name_of(model, row) == "Tanh_0" || name_of(model, row) == "then_Sigmoid";
    EXPECT_EQ(model.layers.count[row], branch ? 2 : 4) << name_of(model, row);
    EXPECT_LE(model.layers.min_ms[row], model.layers.median_ms[row]);
    EXPECT_LE(model.layers.median_ms[row], model.layers.max_ms[row]);
    layers_ms += model.layers.total_ms[row];
  }
  for (const double latency : model.iterations.latency_ms.values()) runs_ms += latency;
  EXPECT_GT(layers_ms, 0);
  EXPECT_LT(layers_ms, runs_ms);
  const auto loop = LayerId(layer_called(model, "myloop"));
  EXPECT_GT(std::stod(std::string(model.attribute(loop, "median_ms_with_subgraphs"))),
            model.layers.median_ms[loop.index()]);
  EXPECT_THAT(test::diagnostic_codes(model), Contains("layer-not-in-every-run"));
}

TEST_P(RealTrace, TheOptimisedModelNamesTheTensors) {
  const model::PlanModel model = load_folder();
  EXPECT_THAT(ports(model, "r1_nchwc", Direction::kInput), ElementsAre("x 1 3 16 16 FP32"));
  EXPECT_THAT(ports(model, "r1_nchwc", Direction::kConstant),
              ElementsAre(HasSubstr("reorder 16 3 3 3 FP32"), HasSubstr(" 16 FP32")));
  // The weights are not in the trace, the bias is.
  EXPECT_THAT(ports(model, "fc", Direction::kInput), ElementsAre("f 1 8 FP32"));
  EXPECT_THAT(ports(model, "fc", Direction::kConstant),
              ElementsAre("w3 8 8 FP32", HasSubstr(" 8 FP32")));
  EXPECT_EQ(model.layers.weight_bytes[layer_called(model, "fc")], 8 * 8 * 4 + 8 * 4);
  EXPECT_THAT(ports(model, "myloop", Direction::kInput), ElementsAre("fc 1 8 FP32"));
  EXPECT_THAT(ports(model, "Tanh_0", Direction::kInput), ElementsAre("l 1 8 FP32"));
  EXPECT_THAT(ports(model, "Tanh_0", Direction::kOutput), ElementsAre("e 1 8 FP32"));
  ASSERT_EQ(model.bindings.row_count(), 3u);
  EXPECT_EQ(model.text(model.bindings.name[0]), "x");
  EXPECT_EQ(model.text(model.bindings.name[2]), "y");
  // Blocked layouts are not row-major, and their blocks are not known.
  const auto rows = model.ports_of(LayerId(layer_called(model, "c2_nchwc")));
  EXPECT_FALSE(model.ports.layout.is_null(rows.first));
  EXPECT_TRUE(model.ports.layout.is_null(rows.end() - 1));
  for (std::size_t row = 0; row < model.sources.row_count(); ++row) {
    EXPECT_FALSE(model.sources.op_type.is_null(row)) << row;
  }
  EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("model-not-optimized")));
}

// "LAYER: operations", of the layers that stem from several.
std::vector<std::string> fused(const model::PlanModel& model) {
  std::vector<std::string> result;
  for (std::size_t layer = 0; layer < model.layers.row_count(); ++layer) {
    std::string text;
    const auto rows = model.sources_of(LayerId(layer));
    for (std::size_t row = rows.first; row < rows.end(); ++row) {
      text += base::format(" {} {}", model.text(model.sources.op_type[row]),
                           model.text(model.sources.op_name[row]));
    }
    if (rows.count > 1) result.push_back(base::format("{}:{}", name_of(model, layer), text));
  }
  return result;
}

// The source model shows what became of its nodes; the optimized one is used for everything else.
TEST_P(RealTrace, TheSourceModelTellsWhatWasFused) {
  const model::PlanModel model = load_folder(kData + "1.31/control-flow.onnx");
  const model::PlanModel without = load_folder();
  EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("model-not-optimized")));
  EXPECT_EQ(model.operations.row_count(), without.operations.row_count());
  EXPECT_THAT(ports(model, "r1_nchwc", Direction::kInput), ElementsAre("x 1 3 16 16 FP32"));
  EXPECT_THAT(fused(model),
              ElementsAre("r1_nchwc: Conv r1_nchwc Conv conv1 Relu relu1",
                          "c2_nchwc: Conv c2_nchwc Conv c2 Add add1 Relu r2",
                          "GlobalAveragePool_6: GlobalAveragePool GlobalAveragePool_6 "
                          "GlobalAveragePool g",
                          "Flatten_7: Flatten Flatten_7 Flatten f"));
  EXPECT_TRUE(fused(without).empty());
}

TEST_P(RealTrace, WithTheSourceModelInsteadTensorsHaveNoNames) {
  const std::string model_path = kData + "1.31/control-flow.onnx";
  const std::vector<std::string> traces = test::files_below(kData + GetParam(), {".json"});
  ASSERT_EQ(traces.size(), 1u);
  const auto files = test::memory_files({{"t/control-flow.json", test::read_text(traces.front())},
                                         {"m/m.onnx", test::read_text(model_path)}});
  LoadRequest request{.path = "t"};
  request.source_model = "m/m.onnx";
  const model::PlanModel model = test::must(test::load_completed(request, files));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("model-not-optimized"));
  EXPECT_THAT(ports(model, "r1_nchwc", Direction::kInput),
              ElementsAre("r1_nchwc:in0 1 3 16 16 FP32"));
  // Recognized by their sizes.
  EXPECT_THAT(ports(model, "r1_nchwc", Direction::kConstant),
              ElementsAre("r1_nchwc:in1 16 3 3 3 FP32", "r1_nchwc:in2 16 FP32"));
  EXPECT_EQ(model.layers.weight_bytes[layer_called(model, "r1_nchwc")], 16 * 27 * 4 + 16 * 4);
  // 32 bytes of bias are not the weights of a matrix product.
  EXPECT_TRUE(model.layers.weight_bytes.is_null(layer_called(model, "fc")));
  EXPECT_EQ(model.layers.input_bytes[layer_called(model, "fc")], 32);
  EXPECT_EQ(model.operations.row_count(), 15u);
}

INSTANTIATE_TEST_SUITE_P(Versions, RealTrace, ::testing::Values("1.31", "1.15"),
                         [](const auto& version) {
                           return std::string(version.param) == "1.15" ? "Old" : "New";
                         });

// A handwritten trace: one event per line, microseconds.
std::string event(std::string_view category, std::string_view name, int start, int duration,
                  std::string_view args = "", int thread = 1) {
  return base::format(
      R"({{"cat":"{}","pid":1,"tid":{},"dur":{},"ts":{},"ph":"X","name":"{}","args":{{{}}}}},)",
      category, thread, duration, start, name, args);
}

std::string node(std::string_view name, int start, int duration,
                 std::string_view provider = "CPUExecutionProvider", std::string_view more = "") {
  return event(
      "Node", base::format("{}_kernel_time", name), start, duration,
      base::format(R"("op_name":"Relu","provider":"{}","node_index":"0"{})", provider, more));
}

std::string execution(int start, int duration) {
  return event("Session", "SequentialExecutor::Execute", start, duration);
}
std::string run(int start, int duration) { return event("Session", "model_run", start, duration); }

Result<model::PlanModel> load_events(std::string events) {
  if (events.ends_with(',')) events.pop_back();
  const std::string text = "[" + events + "]";
  const auto files = test::memory_files({{"t/t.json", text}});
  LoadRequest request{.path = "t"};
  request.graph = "t/t.json";
  // Some of these have too little to be recognized.
  model::ModelBuilder builder;
  Artefact artefact{.path = "t.json", .bytes = base::make_bytes(text)};
  artefact.file_row = builder.add_file("t.json", "onnxruntime-trace", "test", text.size());
  const auto read = read_trace(artefact, builder);
  if (!read) return fail(read.error());
  return builder.finish();
}

TEST(Trace, SamplesPerRun) {
  const auto model = test::must(
      load_events(node("a", 10, 4) + node("b", 15, 2) + execution(9, 10) + run(8, 12) +  //
                  node("a", 110, 2) + node("b", 115, 1) + execution(109, 10) + run(108, 12) +
                  node("a", 210, 3) + node("b", 215, 3) + execution(209, 10) + run(208, 12)));
  ASSERT_EQ(model.layers.row_count(), 2u);
  EXPECT_EQ(model.layers.count[0], 3);
  EXPECT_DOUBLE_EQ(model.layers.median_ms[0], 0.003);
  EXPECT_DOUBLE_EQ(model.layers.min_ms[0], 0.002);
  EXPECT_DOUBLE_EQ(model.layers.max_ms[0], 0.004);
  EXPECT_DOUBLE_EQ(model.layers.mean_ms[0], 0.003);
  EXPECT_DOUBLE_EQ(model.layers.total_ms[1], 0.006);
  EXPECT_EQ(model.iterations.row_count(), 3u);
  EXPECT_DOUBLE_EQ(model.iterations.latency_ms[0], 0.012);
}

// The runs of a trace were profiled; a times file beside it has inferences that were not.
TEST(Trace, GivesWayToTimes) {
  std::string trace = "[" + event("Session", "model_loading_uri", 1, 2) + node("a", 10, 4) +
                      execution(9, 10) + run(8, 12);
  trace.back() = ']';
  const auto files = test::memory_files(
      {{"t/t.trace.json", trace},
       {"t/t.times.json",
        R"({"schema": "planex.times/1", "columns": {"latency_ms": [0.5, 0.25, 0.75]}})"}});
  const auto model = test::must(load({.path = "t"}, files));
  ASSERT_EQ(model.iterations.row_count(), 3u);
  EXPECT_EQ(model.iterations.latency_ms[1], 0.25);
  EXPECT_EQ(model.iterations.index[1], 1);
}

TEST(Trace, ALoopsTimeIsItsOwn) {
  // Two iterations of 10 us in a node of 30.
  const auto model =
      test::must(load_events(node("before", 5, 4) + node("inner", 21, 8) + execution(20, 10) +
                             node("inner", 33, 8) + execution(32, 10) + node("loop", 15, 30) +
                             node("after", 46, 2) + execution(4, 50) + run(3, 52)));
  ASSERT_EQ(model.layers.row_count(), 4u);
  EXPECT_EQ(name_of(model, 1), "loop");
  EXPECT_EQ(name_of(model, 2), "inner");
  EXPECT_DOUBLE_EQ(model.layers.median_ms[1], 0.010);
  EXPECT_DOUBLE_EQ(model.layers.median_ms[2], 0.016);
  EXPECT_EQ(model.layers.count[2], 1);
  EXPECT_EQ(model.attribute(LayerId(1), "median_ms_with_subgraphs"), "0.03");
  EXPECT_EQ(model.layers.role[1], Role::kControl);
  EXPECT_EQ(model.layers.role[0], Role::kWork);
}

TEST(Trace, WithoutRunEventsExecutionsAreRuns) {
  const auto model = test::must(
      load_events(node("a", 10, 4) + execution(9, 10) + node("a", 110, 2) + execution(109, 10)));
  EXPECT_EQ(model.layers.count[0], 2);
  EXPECT_EQ(model.iterations.row_count(), 2u);
}

TEST(Trace, NodesOfOtherThreadsBelongToTheRunOfTheirTime) {
  const auto other = [](std::string_view name, int start) {
    return event("Node", base::format("{}_kernel_time", name), start, 2,
                 R"("op_name":"Relu","node_index":"3")", 7);
  };
  const auto model = test::must(load_events(
      node("a", 10, 4) + other("b", 11) + event("Session", "ParallelExecutor::Execute", 9, 10) +
      run(8, 12) + other("b", 500) + node("a", 110, 4) + other("b", 111) +
      event("Session", "ParallelExecutor::Execute", 109, 10) + run(108, 12)));
  ASSERT_EQ(model.layers.row_count(), 2u);
  EXPECT_EQ(model.layers.count[1], 2);
  EXPECT_THAT(test::diagnostic_codes(model), Contains("events-outside-runs"));
}

TEST(Trace, SeveralProvidersAreCountedEach) {
  const auto model = test::must(load_events(
      node("a", 10, 4, "CUDAExecutionProvider") + node("b", 20, 4, "TensorrtExecutionProvider") +
      node("c", 30, 4, "CUDAExecutionProvider") + node("d", 40, 4, "CPUExecutionProvider") +
      execution(9, 50) + run(8, 60)));
  std::vector<std::string> messages;
  for (std::size_t row = 0; row < model.diagnostics.row_count(); ++row) {
    messages.emplace_back(model.text(model.diagnostics.message[row]));
  }
  EXPECT_THAT(messages,
              Contains(testing::HasSubstr("times of 2 layers on CUDAExecutionProvider, 1 layer on "
                                          "TensorrtExecutionProvider are how long the host")));
  EXPECT_THAT(messages, Contains(testing::HasSubstr(
                            "several providers: 1 layer on CPUExecutionProvider, 2 layers on "
                            "CUDAExecutionProvider, 1 layer on TensorrtExecutionProvider")));
}

TEST(Trace, TimesOfDevices) {
  const std::string cuda = "CUDAExecutionProvider";
  const auto host = test::must(load_events(node("a", 10, 4, cuda) + execution(9, 10) + run(8, 12)));
  EXPECT_THAT(test::diagnostic_codes(host), Contains("host-times"));
  const auto device = test::must(
      load_events(node("a", 10, 4, cuda) + event("Kernel", "gemm", 40, 100, "", -1) +
                  event("Kernel", "bias", 140, 20, "", -1) + execution(9, 10) + run(8, 200)));
  EXPECT_THAT(test::diagnostic_codes(device), Contains("device-times"));
  EXPECT_DOUBLE_EQ(device.layers.median_ms[0], 0.120);
}

TEST(Trace, ShapesThatDifferAreDynamic) {
  const auto shaped = [](int start, int batch) {
    return node("a", start, 2, "CPUExecutionProvider",
                base::format(R"(,"input_type_shape":[{{"float":[{0},8]}}],)"
                             R"("output_type_shape":[{{"float":[{0},8]}}])",
                             batch)) +
           execution(start - 1, 10) + run(start - 2, 12);
  };
  const auto model = test::must(load_events(shaped(10, 1) + shaped(110, 4) + shaped(210, 4)));
  EXPECT_THAT(ports(model, "a", Direction::kInput), ElementsAre("a:in0 -1 8 FP32"));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("shapes-differ"));
}

// It reads only constants, and the first of them is its main input.
TEST(Trace, ADequantizerOfWeightsReadsTheirType) {
  auto model = test::must(
      load_events(event("Node", "dq_w_kernel_time", 10, 2,
                        R"("op_name":"DequantizeLinear","node_index":"0","parameter_size":"47",)"
                        R"("activation_size":"0","output_size":"108",)"
                        R"("input_type_shape":[{"int8":[27]},{"float":[5]}],)"
                        R"("output_type_shape":[{"float":[27]}])") +
                  execution(9, 10) + run(8, 12)));
  analyze::complete(model);
  EXPECT_EQ(model.layers.precision[0], model::DType::kInt8);
  EXPECT_EQ(model.layers.output_precision[0], model::DType::kFp32);
}

TEST(Trace, LayersOfOneNameShareNoTensors) {
  const auto indexed = [](int start, int index) {
    return event("Node", "a_kernel_time", start, 2,
                 base::format(R"("op_name":"Relu","node_index":"{}",)"
                              R"("input_type_shape":[{{"int8":[8]}}])",
                              index));
  };
  const auto model =
      test::must(load_events(indexed(10, 0) + indexed(15, 1) + execution(9, 10) + run(8, 12)));
  EXPECT_EQ(model.layers.row_count(), 2u);
  EXPECT_EQ(model.tensors.row_count(), 2u);
}

TEST(Trace, TypesAndShapes) {
  const auto bytes =
      base::make_bytes(R"([{"float":[1,3]},{"Int4x2":[512,256]},{"int64":[]},{"string":[2]}])");
  const auto shapes = parse_shapes(bytes->view());
  ASSERT_TRUE(shapes.has_value());
  ASSERT_EQ(shapes->size(), 4u);
  EXPECT_THAT((*shapes)[0].dims, ElementsAre(1, 3));
  EXPECT_EQ((*shapes)[1].dtype, model::DType::kInt4);
  EXPECT_TRUE((*shapes)[2].dims.empty());
  EXPECT_EQ((*shapes)[3].dtype, model::DType::kNull);
  for (const std::string_view broken : {"{}", "[1]", "[{\"float\":3}]", "[{\"float\":[1.5]}]"}) {
    EXPECT_FALSE(parse_shapes(base::make_bytes(broken)->view()).has_value()) << broken;
  }
}

TEST(Trace, Errors) {
  const auto message = [](const std::string& events) {
    const auto model = load_events(events);
    return model ? std::string("a model") : test::to_text(model.error());
  };
  EXPECT_THAT(message(""), HasSubstr("no node runs"));
  EXPECT_THAT(message(event("Session", "session_initialization", 1, 5)),
              HasSubstr("loaded but not run"));
  EXPECT_THAT(message(node("a", 1, 1)), HasSubstr("no run that contains them"));
  EXPECT_THAT(message(R"({"cat":"Node","name":"a_kernel_time","dur":-5},)"), HasSubstr("/0/dur"));
  EXPECT_THAT(message(R"({"cat":"Node","name":"a_kernel_time","ts":1e300},)"), HasSubstr("/0/ts"));
  EXPECT_THAT(message("17,"), HasSubstr("/0"));
  EXPECT_THAT(message(node("a", 10, 4, "X", R"(,"input_type_shape":[3])") + execution(9, 10)),
              HasSubstr("/0/args/input_type_shape"));
}

TEST(Trace, Sniffing) {
  EXPECT_EQ(sniff_trace("[\n" + event("Session", "model_loading_uri", 1, 2)), Confidence::kSure);
  EXPECT_EQ(sniff_trace("[\n" + node("a", 1, 2)), Confidence::kSure);
  EXPECT_EQ(sniff_trace("[" + event("gpu", "frame", 1, 2)), Confidence::kNo);
  EXPECT_EQ(sniff_trace("[]"), Confidence::kNo);
  EXPECT_EQ(sniff_trace("{\"traceEvents\":[]}"), Confidence::kNo);
}

// Layers are operations of the optimized model, and have that model's work.
TEST(RealProducts, HaveTheWorkOfTheirOperations) {
  const model::PlanModel model =
      test::must(test::load_completed({.path = kData + "1.31-products"}, base::disk()));
  const std::vector<std::pair<std::string_view, std::int64_t>> expected = {
      {"conv", 2 * 16 * 100 * 4 * 9},      {"up", 2 * 16 * 100 * 4 * 4},
      {"qconv", 2 * 16 * 100 * 8 * 9},     {"matmul/MatmulTransposeFusion/", 3 * 8 * 12 * 16},
      {"einsum", 3 * 8 * 12 * 5},          {"gemm", 7 * 5 * 12},
      {"lstm", 6 * 2 * 2 * 64 * (8 + 16)}, {"gru", 6 * 2 * 48 * (8 + 16)},
      {"mha", 2 * 9 * 11 * (32 + 32)},     {"attention", 2 * 9 * (32 * 96 + 9 * (32 + 32))},
  };
  std::int64_t sum = 0;
  for (const auto& [name, macs] : expected) {
    const std::size_t row = layer_called(model, name);
    EXPECT_EQ(model.layers.macs.get(row), macs) << name;
    EXPECT_EQ(model.layers.flops.get(row), 2 * macs) << name;
    EXPECT_EQ(model.text(model.layers.work_evidence[row]), "operations") << name;
    sum += macs;
  }
  std::int64_t of_layers = 0, of_operations = 0;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    of_layers += model.layers.macs.get(row).value_or(0);
  }
  for (std::size_t row = 0; row < model.operations.row_count(); ++row) {
    of_operations += model.operations.macs.get(row).value_or(0);
  }
  EXPECT_EQ(of_layers, sum);
  EXPECT_EQ(of_operations, sum);
  // Its cache grows by one row in the trace but not in the model.
  EXPECT_FALSE(model.layers.macs.get(layer_called(model, "gqa")));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("work-unknown"));
}

TEST_P(RealTrace, CountsTheModelsChannelsAndNoTurnsOfALoop) {
  const model::PlanModel model = load_folder();
  const auto macs = [&](std::string_view layer) {
    return model.layers.macs.get(layer_called(model, layer));
  };
  // Blocks of 16 hold eight channels.
  EXPECT_EQ(macs("r1_nchwc"), 8 * 256 * 3 * 9);
  EXPECT_EQ(macs("c2_nchwc"), 8 * 256 * 8 * 9);
  EXPECT_EQ(macs("fc"), 8 * 8);
  EXPECT_FALSE(model.layers.flops.get(layer_called(model, "body_add")));
  EXPECT_EQ(model.layers.flops.get(layer_called(model, "then_Sigmoid")), 8);
  EXPECT_THAT(test::diagnostic_codes(model), Contains("work-in-loops"));
}

}  // namespace
}  // namespace planex::ingest::onnxruntime
