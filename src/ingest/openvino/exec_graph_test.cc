// The execution graph as XML: reduced ones, odd ones and broken ones. Real ones are in
// benchmark_app_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "ingest/discover/registry.h"
#include "ingest/openvino/exec_graph_reader.h"
#include "ingest/openvino/format.h"
#include "ingest/openvino/numbers.h"
#include "ingest/openvino/openvino_test_support.h"
#include "ingest/openvino/shapes.h"
#include "support/test_data.h"

namespace planex::ingest::openvino {
namespace {

using base::format;
using model::Direction;
using model::DType;
using model::Evidence;
using model::LayerId;
using model::Layout;
using model::Order;
using model::PlanModel;
using model::Role;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// <port id="0" precision="FP32"><dim>1</dim>…</port>
std::string port(int id, std::string_view precision, const std::vector<std::int64_t>& dims) {
  std::string text = format(R"(<port id="{}" precision="{}">)", id, precision);
  for (const std::int64_t dim : dims) text += format("<dim>{}</dim>", dim);
  return text + "</port>";
}

std::string layer(int id, std::string_view name, std::string_view type, std::string_view data,
                  std::string_view inputs, std::string_view outputs) {
  return format(
      R"(<layer id="{}" name="{}" type="{}"><data {} /><input>{}</input><output>{}</output></layer>)"
      "\n",
      id, name, type, data, inputs, outputs);
}

std::string net(std::string_view layers, std::string_view edges, std::string_view info = {}) {
  return format(R"(<?xml version="1.0"?>
<net name="net" version="11"><layers>
{}</layers><edges>{}</edges><rt_info>{}</rt_info></net>)",
                layers, edges, info);
}

std::string edge(int from, int from_port, int to, int to_port) {
  return format(R"(<edge from-layer="{}" from-port="{}" to-layer="{}" to-port="{}"/>)", from,
                from_port, to, to_port);
}

// Input, weights with a Reorder at compile time, convolution, reorder that moves nothing, output.
// The convolution runs earlier than its number suggests: execOrder decides.
struct Parts {
  std::string convolution_data =
      R"(execOrder="4" execTimeMcs="150" originalLayersNames="conv,relu,,conv," outputLayouts="acdb" )"
      R"(outputPrecisions="f32" primitiveType="brgconv_avx512_amx_bf16" runtimePrecision="bf16")";
  std::string extra_layers, extra_edges, info;
};

std::string graph_of(const Parts& parts = {}) {
  const auto data = [](int order, std::string_view layouts,
                       std::string_view time = "not_executed") {
    return format(R"(execOrder="{}" execTimeMcs="{}" originalLayersNames="" outputLayouts="{}" )"
                  R"(primitiveType="unknown_f32" runtimePrecision="f32")",
                  order, time, layouts);
  };
  const std::string layers =
      layer(0, "x", "Input", data(0, "abcd"), "", port(0, "FP32", {1, 2, 4, 4})) +
      layer(1, "c", "Convolution", parts.convolution_data,
            port(0, "FP32", {1, 2, 4, 4}) + port(1, "BF16", {16, 2, 3, 3}) + port(2, "FP32", {16}),
            port(3, "FP32", {1, 16, 1, 1})) +
      layer(2, "w", "Const", data(1, "abcd"), "", port(0, "FP32", {16, 2, 3, 3})) +
      layer(3, "w_reorder", "Reorder", data(2, "acdb", "900"), port(0, "FP32", {16, 2, 3, 3}),
            port(1, "BF16", {16, 2, 3, 3})) +
      layer(4, "b", "Const", data(3, "a"), "", port(0, "FP32", {16})) +
      layer(5, "c_acdb_abcd_y", "Reorder", data(5, "abcd"), port(0, "FP32", {1, 16, 1, 1}),
            port(1, "FP32", {1, 16, 1, 1})) +
      layer(6, "flat", "Reshape", data(6, "ab"), port(0, "FP32", {1, 16, 1, 1}),
            port(1, "FP32", {1, 16})) +
      layer(7, "y/sink_port_0", "Output", data(7, "undef"), port(0, "FP32", {1, 16}), "");
  const std::string edges = edge(0, 0, 1, 0) + edge(2, 0, 3, 0) + edge(3, 1, 1, 1) +
                            edge(4, 0, 1, 2) + edge(1, 3, 5, 0) + edge(5, 1, 6, 0) +
                            edge(6, 1, 7, 0);
  return net(layers + parts.extra_layers, edges + parts.extra_edges, parts.info);
}

Result<PlanModel> load(std::string_view xml) {
  return test::load_completed({.path = "engine/exec_graph.xml"},
                              test::memory_files({{"engine/exec_graph.xml", xml}}));
}

// --- What a graph says ---

TEST(ExecGraph, LayersComeInTheOrderOfExecution) {
  const PlanModel model = test::must(load(graph_of()));
  std::vector<std::string> names;
  for (const auto name : model.layers.name.values()) names.emplace_back(model.text(name));
  EXPECT_THAT(names, ElementsAre("x", "w", "w_reorder", "b", "c", "c_acdb_abcd_y", "flat",
                                 "y/sink_port_0"));
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
  EXPECT_EQ(model.text(model.engine.name[0]), "engine");
  EXPECT_EQ(model.text(model.engine.importer[0]), "openvino");
  EXPECT_EQ(model.text(model.engine.producer[0]), "openvino");
  EXPECT_EQ(model.text(model.engine.detail[0]), "full");
}

TEST(ExecGraph, RolesAreThoseOfAnInference) {
  const PlanModel model = test::must(load(graph_of()));
  const auto role = [&](std::string_view name) { return model.layers.role[row_of(model, name)]; };
  EXPECT_EQ(role("x"), Role::kInput);
  EXPECT_EQ(role("w"), Role::kConstant);
  EXPECT_EQ(role("w_reorder"), Role::kConstant) << "made of constants, at compile time";
  EXPECT_EQ(role("c"), Role::kWork);
  EXPECT_EQ(role("c_acdb_abcd_y"), Role::kNoOp) << "axes of one element have no order";
  EXPECT_EQ(role("flat"), Role::kNoOp);
  EXPECT_EQ(role("y/sink_port_0"), Role::kOutput);
  EXPECT_TRUE(model.layers.mean_ms.is_null(row_of(model, "w_reorder")))
      << "what it took is no part of an inference";
  EXPECT_EQ(model.attribute(LayerId(row_of(model, "w_reorder")), "execTimeMcs"), "900");
}

TEST(ExecGraph, LayerHasKernelTimeWeightsAndWork) {
  const PlanModel model = test::must(load(graph_of()));
  const std::size_t row = row_of(model, "c");
  EXPECT_EQ(model.text(model.layers.type[row]), "Convolution");
  EXPECT_EQ(model.text(model.layers.tactic[row]), "brgconv_avx512_amx_bf16");
  EXPECT_EQ(model.text(model.layers.subtype[row]), "brgconv");
  EXPECT_EQ(model.layers.tensor_cores.get(row), 1);
  EXPECT_EQ(model.layers.precision[row], DType::kFp32);
  EXPECT_EQ(model.layers.compute_precision[row], DType::kBf16);
  EXPECT_EQ(model.layers.mean_ms.get(row), 0.15);
  EXPECT_TRUE(model.layers.median_ms.is_null(row));
  EXPECT_TRUE(model.layers.count.is_null(row));
  EXPECT_EQ(model.layers.weight_bytes.get(row), 16 * 18 * 4 + 16 * 4) << "as they are stored";
  EXPECT_TRUE(model.layers.weight_bytes.is_null(row_of(model, "w"))) << "its reader counts it";
  EXPECT_EQ(model.layers.input_bytes.get(row), 32 * 4) << "weights are no activations";
  EXPECT_EQ(model.layers.macs.get(row), 16 * 18);
  EXPECT_EQ(model.text(model.layers.work_evidence[row]), "shapes");
  EXPECT_EQ(model.attribute(LayerId(row), "runtimePrecision"), "bf16");
  const model::RowRange sources = model.sources_of(LayerId(row));
  ASSERT_EQ(sources.count, 2u) << "empty and repeated names are none";
  EXPECT_EQ(model.text(model.sources.op_name[sources.first]), "conv");
  EXPECT_EQ(model.text(model.sources.op_name[sources.first + 1]), "relu");
  EXPECT_EQ(model.sources.evidence[sources.first], Evidence::kMetadata);
}

TEST(ExecGraph, TensorsAreCalledAsTheirProducers) {
  const PlanModel model = test::must(load(graph_of()));
  const model::RowRange ports = model.ports_of(LayerId(row_of(model, "c")));
  ASSERT_EQ(ports.count, 4u);
  const auto tensor = [&](std::size_t i) {
    return model.text(model.tensors.name[model.ports.tensor_id[ports.first + i].index()]);
  };
  EXPECT_EQ(tensor(0), "x");
  EXPECT_EQ(tensor(1), "w_reorder");
  EXPECT_EQ(tensor(3), "c");
  EXPECT_EQ(model.ports.layout[ports.first], (Layout{Order::kLinear, 1, false}));
  EXPECT_EQ(model.ports.layout[ports.first + 3], (Layout{Order::kChannelsLast, 1, false}));
  EXPECT_EQ(model.text(model.ports.raw_format[ports.first + 3]), "FP32 acdb");
  EXPECT_EQ(model.ports.bytes.get(ports.first + 3), 64);
}

TEST(ExecGraph, BindingsHaveTheNamesOfTheModel) {
  const PlanModel model = test::must(load(graph_of()));
  ASSERT_EQ(model.bindings.row_count(), 2u);
  EXPECT_EQ(model.text(model.bindings.name[0]), "x");
  EXPECT_EQ(model.bindings.direction[0], Direction::kInput);
  EXPECT_THAT(model.bindings.dims[0], ElementsAre(1, 2, 4, 4));
  EXPECT_EQ(model.text(model.bindings.name[1]), "y");
  EXPECT_EQ(model.bindings.direction[1], Direction::kOutput);
  EXPECT_THAT(model.bindings.dims[1], ElementsAre(1, 16));
  EXPECT_EQ(model.bindings.dtype[1], DType::kFp32);
}

TEST(ExecGraph, SeveralOutputsAreTensorsOfTheirOwn) {
  const std::string data =
      R"(execOrder="9" execTimeMcs="5" outputLayouts="ab,a" outputPrecisions="f32,i8")";
  const PlanModel model = test::must(
      load(graph_of({.extra_layers = layer(8, "s", "Split", data, port(0, "FP32", {1, 16}),
                                           port(1, "FP32", {1, 8}) + port(2, "I8", {8})) +
                                     layer(9, "t", "Eltwise", R"(execOrder="10")",
                                           port(0, "I8", {8}), port(1, "I8", {8})),
                     .extra_edges = edge(6, 1, 8, 0) + edge(8, 2, 9, 0)})));
  const model::RowRange ports = model.ports_of(LayerId(row_of(model, "s")));
  ASSERT_EQ(ports.count, 3u);
  const auto name = [&](std::size_t row) {
    return model.text(model.tensors.name[model.ports.tensor_id[row].index()]);
  };
  EXPECT_EQ(name(ports.first + 1), "s:0");
  EXPECT_EQ(name(ports.first + 2), "s:1");
  EXPECT_EQ(model.text(model.ports.raw_format[ports.first + 2]), "I8 a");
  EXPECT_EQ(name(model.ports_of(LayerId(row_of(model, "t"))).first), "s:1");
  EXPECT_THAT(test::diagnostic_codes(model),
              ElementsAre("uncertain-port-types", "time-below-resolution"));
}

TEST(ExecGraph, LayersOfLessThanAMicrosecondHaveNoTime) {
  for (const std::string_view time : {"not_executed", "0"}) {
    const PlanModel model = test::must(
        load(graph_of({.extra_layers = layer(8, "q", "Subgraph",
                                             format(R"(execOrder="9" execTimeMcs="{}")", time),
                                             port(0, "FP32", {1, 16}), port(1, "I8", {1, 16})),
                       .extra_edges = edge(6, 1, 8, 0)})));
    const std::size_t row = row_of(model, "q");
    EXPECT_EQ(model.layers.role[row], Role::kWork) << "a time is not what makes a layer";
    EXPECT_TRUE(model.layers.mean_ms.is_null(row));
    EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("time-below-resolution"));
  }
}

TEST(ExecGraph, GraphOfARunWithoutCountersHasNoTimes) {
  const PlanModel model = test::must(
      load(replaced(graph_of(), R"(execTimeMcs="150")", R"(execTimeMcs="not_executed")")));
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("no-layer-times"));
}

TEST(ExecGraph, ReshapeThatTakesTimeDoesWork) {
  const PlanModel model =
      test::must(load(replaced(graph_of(), R"(<data execOrder="6" execTimeMcs="not_executed")",
                               R"(<data execOrder="6" execTimeMcs="12")")));
  EXPECT_EQ(model.layers.role[row_of(model, "flat")], Role::kWork);
}

TEST(ExecGraph, GraphOfTheGpuLeavesOutConstantsAndRepeatsOutputs) {
  const std::string data =
      R"(execOrder="{}" execTimeMcs="7" outputLayouts="b_fs_yx_fsv16" outputPrecisions="f16")"
      R"( primitiveType="convolution_gpu_bfyx_f16__f16" runtimePrecision="f16")";
  const auto at = [&](int order) { return replaced(data, "{}", format("{}", order)); };
  std::string xml = net(layer(0, "x", "Input", at(0), "", port(0, "FP16", {1, 16, 4, 4})) +
                            layer(1, "c", "Convolution", at(1), port(0, "FP16", {1, 16, 4, 4}),
                                  port(1, "FP16", {1, 16, 4, 4}) + port(2, "FP16", {1, 16, 4, 4})) +
                            layer(2, "d", "Eltwise", at(2),
                                  port(0, "FP16", {1, 16, 4, 4}) + port(1, "FP16", {1, 16, 4, 4}),
                                  port(2, "FP16", {1, 16, 4, 4})),
                        edge(0, 0, 1, 0) + edge(1, 1, 2, 0) + edge(1, 1, 2, 1));
  xml = replaced(xml, R"(name="net")", R"(name="runtime_gpu_graph")");
  const PlanModel model = test::must(load(xml));
  const std::size_t row = row_of(model, "c");
  EXPECT_EQ(model.ports_of(LayerId(row)).count, 2u);
  EXPECT_EQ(model.layers.output_bytes.get(row), 512);
  EXPECT_TRUE(model.layers.weight_bytes.is_null(row));
  EXPECT_TRUE(model.layers.macs.is_null(row));
  const std::size_t output = model.ports_of(LayerId(row)).end() - 1;
  EXPECT_EQ(model.ports.layout[output], (Layout{Order::kChannelVectors, 16, false}));
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("weights-not-listed"));
}

// The GPU lists no weights, so a convolution's second input is what is added to its result.
TEST(ExecGraph, AResidualInputIsNoWeights) {
  const std::string data = R"(execOrder="{}" execTimeMcs="7")";
  const auto at = [&](int order) { return replaced(data, "{}", format("{}", order)); };
  const std::string image = port(0, "FP16", {1, 16, 4, 4});
  std::string xml =
      net(layer(0, "x", "Input", at(0), "", image) +
              layer(1, "c", "Convolution", at(1), image + port(1, "FP16", {1, 16, 4, 4}),
                    port(2, "FP16", {1, 16, 4, 4})) +
              layer(2, "d", "Deconvolution", at(2), image + port(1, "FP16", {1, 16, 4, 4}),
                    port(2, "FP16", {1, 16, 4, 4})),
          edge(0, 0, 1, 0) + edge(0, 0, 1, 1) + edge(1, 2, 2, 0) + edge(0, 0, 2, 1));
  xml = replaced(xml, R"(name="net")", R"(name="runtime_gpu_graph")");
  const PlanModel model = test::must(load(xml));
  for (const char* name : {"c", "d"}) {
    EXPECT_TRUE(model.layers.macs.is_null(row_of(model, name))) << name;
    EXPECT_TRUE(model.layers.flops.is_null(row_of(model, name))) << name;
    EXPECT_TRUE(model.layers.weight_bytes.is_null(row_of(model, name))) << name;
  }
}

// Float kernels with weights stored as INT8 have INT8 as the runtime precision.
TEST(ExecGraph, ComputesInWhatTheKernelSays) {
  const auto computes = [](std::string_view primitive, std::string_view runtime) {
    std::string text = graph_of();
    text = replaced(text, R"(primitiveType="brgconv_avx512_amx_bf16" runtimePrecision="bf16")",
                    format(R"(primitiveType="{}" runtimePrecision="{}")", primitive, runtime));
    const PlanModel model = test::must(load(text));
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      if (model.text(model.layers.type[row]) == "Convolution") {
        return model.layers.compute_precision[row];
      }
    }
    return DType::kNull;
  };
  EXPECT_EQ(computes("brgconv_avx2_f32", "i8"), DType::kFp32);
  EXPECT_EQ(computes("brgemm_avx2_f32", "i8"), DType::kFp32);
  EXPECT_EQ(computes("brgconv_avx512_amx_i8", "i8"), DType::kInt8);
  EXPECT_EQ(computes("brgconv_avx512_amx_I8", "u8"), DType::kUint8);
  EXPECT_EQ(computes("unknown_f32", "i8"), DType::kInt8);
  EXPECT_EQ(computes("ref_any", "i8"), DType::kInt8);
}

TEST(ExecGraph, FactsOfTheWholeGraphAreMetadata) {
  const PlanModel model = test::must(load(graph_of(
      {.info = R"(<Runtime_version value="2025.1.0-18503-6fec06580ab-releases/2025/1"/>)"
               R"(<conversion><is_python value="False"/><input_model value="m.onnx"/></conversion>)"
               R"(<last value="1"/>)"})));
  EXPECT_EQ(model.text(model.engine.producer_version[0]), "2025.1.0");
  std::vector<std::string> rows;
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    if (model.text(model.metadata.section[row]) != "rt_info") continue;
    rows.push_back(format("{}={}", model.text(model.metadata.key[row]),
                          model.text(model.metadata.value[row])));
  }
  EXPECT_THAT(rows,
              ElementsAre("Runtime_version=2025.1.0-18503-6fec06580ab-releases/2025/1",
                          "conversion.is_python=False", "conversion.input_model=m.onnx", "last=1"));
}

// --- Odd graphs ---

TEST(ExecGraph, CyclesAreReportedAndHarmless) {
  const auto looped = [](int id, std::string_view name) {
    return layer(id, name, "Eltwise", format(R"(execOrder="{}" execTimeMcs="2")", id),
                 port(0, "FP32", {4}), port(1, "FP32", {4}));
  };
  const PlanModel model = test::must(
      load(graph_of({.extra_layers = looped(8, "p") + looped(9, "q") + looped(10, "self"),
                     .extra_edges = edge(8, 1, 9, 0) + edge(9, 1, 8, 0) + edge(10, 1, 10, 0)})));
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("cyclic-edges"));
  EXPECT_EQ(model.layers.role[row_of(model, "p")], Role::kWork);
  EXPECT_EQ(model.layers.row_count(), 11u);
}

TEST(ExecGraph, OddValuesAreReportedAndNotKnown) {
  struct Case {
    std::string_view from, to, code;
  };
  const Case cases[] = {
      {R"(execTimeMcs="150")", R"(execTimeMcs="fast")", "bad-time"},
      {R"(execTimeMcs="150")", R"(execTimeMcs="nan")", "bad-time"},
      {R"(execTimeMcs="150")", R"(execTimeMcs="-3")", "bad-time"},
      {R"(execOrder="4")", R"(execOrder="late")", "layer-without-order"},
      {R"(name="c")", R"(name="")", "layer-without-name"},
      {R"(type="Convolution")", R"(type="")", "layer-without-type"},
      {"<dim>16</dim><dim>2</dim>", "<dim>many</dim><dim>2</dim>", "unknown-dimension"},
      {"<dim>16</dim><dim>2</dim>", "<dim>-7</dim><dim>2</dim>", "unknown-dimension"},
      {"<dim>16</dim><dim>2</dim>", "<dim>99999999999999999999</dim>", "unknown-dimension"},
      {R"(precision="FP32"><dim>16</dim><dim>2)", R"(precision="NF9"><dim>16</dim><dim>2)",
       "unknown-weights"},
      {R"(<port id="0")", R"(<port id="none")", "port-without-id"},
      {R"(to-layer="1" to-port="0")", R"(to-layer="77" to-port="0")", "edge-without-end"},
      {R"(to-layer="1" to-port="0")", R"(to-layer="1" to-port="3")", "edge-without-end"},
      {R"(to-layer="1" to-port="0")", R"(to-layer="1")", "input-without-source"},
      {R"(to-layer="1" to-port="2")", R"(to-layer="1" to-port="0")", "second-edge"},
      {R"(outputLayouts="acdb" )", R"(outputLayouts="AcdB8a4b" )", "unknown-layout"},
  };
  for (const Case& odd : cases) {
    const PlanModel model = test::must(load(replaced(graph_of(), odd.from, odd.to)));
    EXPECT_THAT(test::diagnostic_codes(model), Contains(odd.code)) << odd.to;
    EXPECT_EQ(model.layers.row_count(), 8u) << odd.to;
  }
}

TEST(ExecGraph, EqualNamesStayTensorsOfTheirOwn) {
  const PlanModel model = test::must(
      load(replaced(graph_of(), R"(name="b" type="Const")", R"(name="w" type="Const")")));
  const std::size_t row = row_of(model, "c");
  EXPECT_EQ(model.layers.weight_bytes.get(row), 16 * 18 * 4 + 16 * 4);
  for (std::size_t i = 0; i < model.layers.row_count(); ++i) {
    if (model.layers.role[i] == Role::kConstant) {
      EXPECT_TRUE(model.layers.weight_bytes.is_null(i));
    }
  }
}

TEST(ExecGraph, EntitiesAreTextAndNothingMore) {
  const PlanModel model = test::must(load(replaced(
      replaced(graph_of(), "<net name",
               R"(<!DOCTYPE net [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "f">]>
<net name)"),
      R"(name="c")", R"(name="&amp;b;&b;&f;&lt;")")));
  EXPECT_NO_THROW(row_of(model, "&b;&b;&f;<"));
}

TEST(ExecGraph, BytesThatAreNoTextAreReplaced) {
  const PlanModel model = test::must(load(replaced(graph_of(), R"(name="c")", "name=\"c\xFF\"")));
  EXPECT_NO_THROW(row_of(model, "c\xEF\xBF\xBD"));
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("not-utf8"));
}

TEST(ExecGraph, DepthDoesNotMatter) {
  std::string deep;
  constexpr int kDepth = 100'000;
  for (int i = 0; i < kDepth; ++i) deep += "<a v='1'>";
  for (int i = 0; i < kDepth; ++i) deep += "</a>";
  const PlanModel model = test::must(load(graph_of({.info = deep})));
  EXPECT_EQ(model.layers.row_count(), 8u);
  EXPECT_EQ(test::must(load(replaced(graph_of(), "</net>", deep + "</net>"))).layers.row_count(),
            8u);
}

// A chain, and one layer that reads part of it through ports with odd numbers.
TEST(ExecGraph, ManyLayers) {
  constexpr int kLayers = 100'000, kRead = 10'000, kOdd = 1'000'000;
  std::string layers = layer(0, "l0", "Input", R"(execOrder="0")", "", port(0, "FP32", {8}));
  std::string edges, all_inputs;
  for (int i = 1; i < kLayers; ++i) {
    layers += layer(i, format("l{}", i), "Eltwise", format(R"(execOrder="{}" execTimeMcs="1")", i),
                    port(0, "FP32", {8}), port(1, "FP32", {8}));
    edges += edge(i - 1, i == 1 ? 0 : 1, i, 0);
    if (i > kRead) continue;
    all_inputs += port(i + kOdd, "FP32", {8});
    edges += edge(i, 1, kLayers, i + kOdd);
  }
  layers += layer(kLayers, "all", "Concat", format(R"(execOrder="{}" execTimeMcs="9")", kLayers),
                  all_inputs, port(5, "FP32", {8, kRead}));
  const PlanModel model = test::must(load(net(layers, edges)));
  EXPECT_EQ(model.layers.row_count(), kLayers + 1u);
  EXPECT_EQ(model.ports.row_count(), 1 + 2 * (kLayers - 1) + kRead + 1u);
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

// --- Errors ---

TEST(ExecGraph, ErrorsNameFileAndOffset) {
  struct Case {
    std::string_view from, to, message;
  };
  const Case cases[] = {
      {R"(<layer id="1")", R"(<layer id="one")", "is \"one\", expected an integer"},
      {R"(<layer id="1")", R"(<layer id="0")", "two layers have the id 0"},
      {"<edges>", "<edges", "broken XML"},
  };
  for (const Case& bad : cases) {
    const auto model = load(replaced(graph_of(), bad.from, bad.to));
    ASSERT_FALSE(model) << bad.to;
    EXPECT_EQ(model.error().code, ErrorCode::kBadInput);
    EXPECT_EQ(model.error().file, "engine/exec_graph.xml");
    EXPECT_TRUE(model.error().byte_offset) << bad.to;
    EXPECT_THAT(model.error().message, HasSubstr(bad.message));
  }
}

TEST(ExecGraph, ModelIsToldFromItsExecution) {
  const auto model = load(R"(<?xml version="1.0"?><net name="Model0" version="11"><layers>
    <layer id="0" name="x" type="Parameter" version="opset1">
      <data shape="1,3,8,8" element_type="f32"/>
      <output><port id="0" precision="FP32" names="x"><dim>1</dim></port></output></layer>
    </layers><edges/></net>)");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kBadInput);
  EXPECT_THAT(model.error().message, HasSubstr("a model (OpenVINO IR), not an execution graph"));
  EXPECT_THAT(model.error().hint, HasSubstr("-exec_graph_path"));
}

TEST(ExecGraph, OtherXmlIsAnError) {
  for (const std::string_view xml :
       {"<svg/>", "<net/>", "<net><layers/>", "", " ", "<", "<?xml", "<net><layers></net>"}) {
    const auto model = load(xml);
    ASSERT_FALSE(model) << xml;
    EXPECT_EQ(model.error().code, ErrorCode::kBadInput) << xml;
  }
  EXPECT_THAT(test::diagnostic_codes(test::must(load("<net><layers/></net>"))),
              ElementsAre("no-layers"));
}

TEST(ExecGraph, CutFilesAreErrorsWhereverTheyAreCut) {
  const std::string whole = graph_of();
  for (std::size_t size = 0; size + 1 < whole.size(); size += 13) {
    const auto model = load(std::string_view(whole).substr(0, size));
    ASSERT_FALSE(model) << size;
    EXPECT_EQ(model.error().code, ErrorCode::kBadInput) << size;
    EXPECT_EQ(model.error().file, "engine/exec_graph.xml") << size;
  }
}

TEST(ExecGraph, SniffedByContent) {
  EXPECT_EQ(sniff_exec_graph(graph_of()), Confidence::kSure);
  EXPECT_EQ(sniff_exec_graph("\xEF\xBB\xBF" + graph_of()), Confidence::kSure);
  EXPECT_EQ(sniff_exec_graph("<net><layers><layer id='0'/>"), Confidence::kNo);
  EXPECT_EQ(sniff_exec_graph("{\"net\": \"<net <layer execOrder=\\\"\"}"), Confidence::kNo);
  EXPECT_EQ(sniff_exec_graph(""), Confidence::kNo);
  ASSERT_NE(sniff(graph_of()), nullptr);
  EXPECT_EQ(sniff(graph_of())->id, "openvino-exec-graph");
}

// --- Parts ---

TEST(ExecGraphShapes, Macs) {
  const std::vector<std::int64_t> image = {8, 3, 224, 224}, kernels = {64, 3, 7, 7},
                                  maps = {8, 64, 112, 112};
  EXPECT_EQ(macs_from_shapes("Convolution", image, kernels, maps),
            8LL * 64 * 112 * 112 * 3 * 7 * 7);
  // 32 groups of one channel in, two out.
  EXPECT_EQ(macs_from_shapes("Convolution", std::vector<std::int64_t>{1, 32, 8, 8},
                             std::vector<std::int64_t>{32, 2, 1, 3, 3},
                             std::vector<std::int64_t>{1, 64, 8, 8}),
            64 * 64 * 9);
  EXPECT_EQ(macs_from_shapes("Deconvolution", std::vector<std::int64_t>{1, 4, 8, 8},
                             std::vector<std::int64_t>{4, 2, 3, 3},
                             std::vector<std::int64_t>{1, 2, 16, 16}),
            256 * 2 * 9);
  EXPECT_EQ(
      macs_from_shapes("FullyConnected", std::vector<std::int64_t>{8, 512},
                       std::vector<std::int64_t>{1000, 512}, std::vector<std::int64_t>{8, 1000}),
      8 * 512 * 1000);
  EXPECT_EQ(
      macs_from_shapes("MatMul", std::vector<std::int64_t>{2, 5, 7},
                       std::vector<std::int64_t>{2, 5, 11}, std::vector<std::int64_t>{2, 7, 11}),
      2 * 7 * 11 * 5)
      << "transposed";
  const std::vector<std::int64_t> dynamic = {-1, 512};
  EXPECT_EQ(macs_from_shapes("FullyConnected", dynamic, {}, dynamic), std::nullopt);
  EXPECT_EQ(macs_from_shapes("Convolution", image, std::vector<std::int64_t>{64}, maps),
            std::nullopt);
  EXPECT_EQ(macs_from_shapes("Eltwise", image, image, image), std::nullopt);
  EXPECT_EQ(macs_from_shapes("MatMul", {}, {}, {}), std::nullopt);
  const std::vector<std::int64_t> huge = {1LL << 40, 1LL << 40};
  EXPECT_EQ(macs_from_shapes("FullyConnected", huge, huge, huge), std::nullopt);
}

TEST(ExecGraphShapes, Orders) {
  EXPECT_TRUE(is_same_order("acdb", "abcd", std::vector<std::int64_t>{8, 512, 1, 1}));
  EXPECT_FALSE(is_same_order("acdb", "abcd", std::vector<std::int64_t>{8, 512, 2, 1}));
  EXPECT_FALSE(is_same_order("aBcd16b", "aBcd16b", std::vector<std::int64_t>{8, 16, 1, 1}));
  EXPECT_FALSE(is_same_order("abcd", "abcd", std::vector<std::int64_t>{8}));
  EXPECT_TRUE(is_same_order("", "", {})) << "one element";
}

TEST(ExecGraphWords, TypesAndTags) {
  EXPECT_EQ(parse_type("FP32"), DType::kFp32);
  EXPECT_EQ(parse_type("I8"), DType::kInt8);
  EXPECT_EQ(parse_type("UNSPECIFIED"), DType::kNull);
  EXPECT_EQ(type_of_primitive("jit_avx2_FP32"), DType::kFp32);
  const auto layout = [](std::string_view tag) {
    return std::string(to_string(parse_tag(tag).layout));
  };
  EXPECT_EQ(layout("bfyx"), "NCHW");
  EXPECT_EQ(layout("byxf"), "NHWC");
  EXPECT_EQ(layout("b_fs_yx_fsv16"), "NC/16HW16");
  EXPECT_EQ(layout("b_fs_yx_fsv"), "");
  EXPECT_EQ(layout("fs_b_yx_fsv32"), "");
  EXPECT_TRUE(parse_tag("bfyx").fits(2));
  EXPECT_FALSE(parse_tag("acdb").fits(2));
}

TEST(ExecGraphWords, MatrixUnits) {
  EXPECT_EQ(uses_matrix_units("brgconv_avx512_amx_1x1_i8"), true);
  EXPECT_EQ(uses_matrix_units("brgconv_avx512_f32"), false);
  EXPECT_EQ(uses_matrix_units("jit_uni_f32"), std::nullopt);
  EXPECT_EQ(uses_matrix_units("gemm_mlas_f32"), std::nullopt);
  EXPECT_EQ(uses_matrix_units(""), std::nullopt);
}

// Attention that became a kernel, and recurrent networks, which are not plain products. A real
// graph.
TEST(ExecGraph, CountsAttentionAndRecurrentNetworks) {
  const PlanModel model = test::must(test::load_completed(
      {.path = PLANEX_SOURCE_DIR "/tests/data/openvino/products"}, base::disk()));
  std::map<std::string, std::optional<std::int64_t>, std::less<>> macs;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    macs.emplace(model.text(model.layers.name[row]), model.layers.macs.get(row));
  }
  EXPECT_EQ(macs["ScaledDotProductAttention_1"], 2 * 4 * 16 * 20 * (32 + 24));
  EXPECT_EQ(macs["lstm"], 2 * 10 * 4 * 64 * (32 + 64));
  EXPECT_EQ(macs["gru"], 2 * 10 * 3 * 64 * (32 + 64));
  EXPECT_EQ(macs["cell"], 2 * 64 * (32 + 64));
  EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("work-unknown")));
}

TEST(ExecGraphWords, Numbers) {
  EXPECT_EQ(parse_integer(" 12\n"), 12);
  EXPECT_EQ(parse_integer("12x"), std::nullopt);
  EXPECT_EQ(parse_integer(""), std::nullopt);
  EXPECT_EQ(parse_integer("99999999999999999999"), std::nullopt);
  EXPECT_EQ(parse_number("0.250"), 0.25);
  for (const std::string_view text : {"nan", "inf", "-inf", "1e999", "1,5", "", "x"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace planex::ingest::openvino
