// The OpenVINO importer on real artefacts (tests/data/openvino) and on reduced ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "ingest/discover/load.h"
#include "ingest/discover/registry.h"
#include "ingest/openvino/format.h"
#include "ingest/openvino/graph_reader.h"
#include "ingest/openvino/openvino_test_support.h"
#include "ingest/openvino/profile_reader.h"
#include "support/test_data.h"

namespace planex::ingest::openvino {
namespace {

using model::Direction;
using model::DType;
using model::Evidence;
using model::Family;
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

const std::string kData = PLANEX_SOURCE_DIR "/tests/data/openvino/";

PlanModel load_real(const std::string& name) {
  return test::must(test::load_completed({.path = kData + name}, base::disk()));
}

std::string name_of(const PlanModel& model, std::size_t row) {
  return std::string(model.text(model.layers.name[row]));
}

struct Totals {
  std::size_t work_layers = 0;
  std::int64_t weight_bytes = 0;   // of all records
  std::int64_t written_bytes = 0;  // by layers that do work
  std::int64_t matrix_flops = 0;
};

Totals totals_of(const PlanModel& model) {
  Totals totals;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    totals.weight_bytes += model.layers.weight_bytes.get(row).value_or(0);
    if (model.layers.role[row] != Role::kWork) continue;
    ++totals.work_layers;
    totals.written_bytes += model.layers.output_bytes.get(row).value_or(0);
    totals.matrix_flops += 2 * model.layers.macs.get(row).value_or(0);
  }
  return totals;
}

std::vector<std::string> sources_of(const PlanModel& model, std::size_t row) {
  std::vector<std::string> names;
  const model::RowRange range = model.sources_of(LayerId(row));
  for (std::size_t at = range.first; at < range.end(); ++at) {
    names.push_back(base::format("{}:{}", model.text(model.sources.op_name[at]),
                                 model.text(model.sources.op_type[at])));
  }
  return names;
}

// --- Real artefacts ---

TEST(OpenvinoReal, FolderOfOneRunHasAllItsFiles) {
  const PlanModel model = load_real("tiny-qdq");
  std::vector<std::string> kinds;
  for (const auto kind : model.files.kind.values()) kinds.emplace_back(model.text(kind));
  EXPECT_THAT(kinds,
              ElementsAre("openvino-graph", "openvino-profile", "planex-times", "planex-manifest"));
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
  EXPECT_EQ(model.text(model.engine.name[0]), "tiny-qdq");
  EXPECT_EQ(model.text(model.engine.importer[0]), "openvino");
  EXPECT_EQ(model.text(model.engine.producer[0]), "openvino");
  EXPECT_EQ(model.text(model.engine.producer_version[0]), "2026.4.1");
  EXPECT_THAT(std::string(model.text(model.engine.version_evidence[0])),
              HasSubstr("2026.4.1-22982-"));
  EXPECT_FALSE(model.engine.device.is_null(0));
  EXPECT_EQ(model.engine.batch_size.get(0), 1);
  EXPECT_EQ(model.iterations.row_count(), 40u);
}

TEST(OpenvinoReal, GraphFileAloneFindsItsSiblings) {
  const PlanModel model = load_real("tiny-fp32/tiny-fp32.graph.json");
  EXPECT_EQ(model.files.row_count(), 4u);
  EXPECT_EQ(model.text(model.engine.name[0]), "tiny-fp32");
}

TEST(OpenvinoReal, TinyFigures) {
  const PlanModel fp32 = load_real("tiny-fp32");
  EXPECT_EQ(fp32.layers.row_count(), 26u);
  const Totals totals = totals_of(fp32);
  EXPECT_EQ(totals.work_layers, 6u);
  EXPECT_EQ(totals.weight_bytes, 5956);
  EXPECT_EQ(totals.written_bytes, 6984);
  EXPECT_EQ(totals.matrix_flops, 175264);

  const Totals qdq = totals_of(load_real("tiny-qdq"));
  EXPECT_EQ(qdq.work_layers, 10u);
  EXPECT_EQ(qdq.weight_bytes, 1612);
  EXPECT_EQ(qdq.written_bytes, 7632);
  EXPECT_EQ(qdq.matrix_flops, 175264);
}

// Known from the network itself: weights, products and the tensors between the layers.
TEST(OpenvinoReal, Resnet18Figures) {
  const Totals naive = totals_of(load_real("resnet18-qdq-naive"));
  EXPECT_EQ(naive.work_layers, 35u);
  EXPECT_EQ(naive.weight_bytes, 11'702'208);
  EXPECT_EQ(naive.written_bytes, 11'321'248);
  EXPECT_EQ(naive.matrix_flops, 3'628'146'688);

  const Totals shared = totals_of(load_real("resnet18-qdq-shared"));
  EXPECT_EQ(shared.work_layers, 26u);
  EXPECT_EQ(shared.weight_bytes, 11'702'208);
  EXPECT_EQ(shared.written_bytes, 2'992'032);
  EXPECT_EQ(shared.matrix_flops, 3'628'146'688);
}

TEST(OpenvinoReal, EveryLayerButReordersHasSources) {
  for (const char* name : {"tiny-fp32", "tiny-qdq", "resnet18-qdq-naive", "resnet18-qdq-shared"}) {
    const PlanModel model = load_real(name);
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      if (model.layers.role[row] != Role::kWork) continue;
      if (model.text(model.layers.type[row]) == "Reorder") continue;
      EXPECT_THAT(sources_of(model, row), Not(IsEmpty())) << name << " " << name_of(model, row);
    }
  }
}

TEST(OpenvinoReal, ConvolutionHasParametersInCommonWords) {
  const PlanModel model = load_real("tiny-fp32");
  const std::size_t row = row_of(model, "conv1/WithoutBiases");
  const LayerId layer(row);
  EXPECT_EQ(model.layers.role[row], Role::kWork);
  EXPECT_EQ(model.text(model.layers.type[row]), "Convolution");
  EXPECT_EQ(model.layers.family[row], Family::kConvolution);
  EXPECT_EQ(model.layers.precision[row], DType::kFp32);
  EXPECT_EQ(model.layers.compute_precision[row], DType::kFp32);
  EXPECT_FALSE(model.layers.tactic.is_null(row));
  EXPECT_EQ(model.attribute(layer, "Kernel"), "[3, 3]");
  EXPECT_EQ(model.attribute(layer, "Stride"), "[1, 1]");
  EXPECT_EQ(model.attribute(layer, "PrePadding"), "[1, 1]");
  EXPECT_EQ(model.attribute(layer, "PostPadding"), "[1, 1]");
  EXPECT_EQ(model.attribute(layer, "Dilation"), "[1, 1]");
  EXPECT_EQ(model.attribute(layer, "Groups"), "1");
  EXPECT_EQ(model.attribute(layer, "OutMaps"), "8");
  EXPECT_EQ(model.attribute(layer, "auto_pad"), "explicit");
  EXPECT_THAT(std::string(model.attribute(layer, "weights")),
              HasSubstr(R"({"name":"conv1.weight","dims":[8,3,3,3])"));
  EXPECT_THAT(sources_of(model, row), ElementsAre("conv1:Conv", "relu:Relu"));
  // 8·3·3·3 weights, 8 of bias and the bias's shape; the input is 1·3·8·8.
  EXPECT_EQ(model.layers.weight_bytes.get(row), 216 * 4 + 8 * 4 + 4);
  EXPECT_EQ(model.layers.input_bytes.get(row), 192 * 4);
  EXPECT_EQ(model.layers.output_bytes.get(row), 512 * 4);
  EXPECT_EQ(model.layers.macs.get(row), 512 * 27);
}

TEST(OpenvinoReal, ConstantsAreRecordsWithoutWorkOrTime) {
  const PlanModel model = load_real("tiny-fp32");
  const std::size_t weight = row_of(model, "conv1.weight");
  EXPECT_EQ(model.layers.role[weight], Role::kConstant);
  EXPECT_TRUE(model.layers.weight_bytes.is_null(weight)) << "its reader counts it";
  EXPECT_TRUE(model.layers.median_ms.is_null(weight));
  EXPECT_EQ(model.layers.role[row_of(model, "flatten")], Role::kNoOp);
  EXPECT_EQ(model.layers.role[row_of(model, "input")], Role::kInput);
}

TEST(OpenvinoReal, PortsTellTypesAndLayouts) {
  const PlanModel model = load_real("tiny-qdq");
  const std::size_t row = row_of(model, "conv1/WithoutBiases");
  const std::size_t port = model.ports_of(LayerId(row)).first;
  EXPECT_TRUE(model::is_quantized(model.ports.dtype[port]));
  EXPECT_EQ(model.ports.layout[port], (Layout{Order::kChannelsLast, 1, false}));
  EXPECT_THAT(std::string(model.text(model.ports.raw_format[port])), HasSubstr(" acdb"));
  EXPECT_EQ(model.ports.bytes.get(port), 192);
  EXPECT_EQ(model.layers.precision[row], model.ports.dtype[port]);
}

TEST(OpenvinoReal, BindingsAreThoseOfTheModel) {
  const PlanModel model = load_real("tiny-qdq");
  ASSERT_EQ(model.bindings.row_count(), 2u);
  EXPECT_EQ(model.text(model.bindings.name[0]), "input");
  EXPECT_EQ(model.bindings.direction[0], Direction::kInput);
  EXPECT_THAT(model.bindings.dims[0], ElementsAre(1, 3, 8, 8));
  EXPECT_EQ(model.text(model.bindings.name[1]), "output");
  EXPECT_EQ(model.bindings.direction[1], Direction::kOutput);
  EXPECT_EQ(model.bindings.dtype[1], DType::kFp32);
  EXPECT_EQ(model.bindings.layout[1], (Layout{Order::kLinear, 1, false}));
  // The tensor has another name, but is the engine's output all the same.
  const std::size_t last = row_of(model, "fc/WithoutBiases/DequantizationMultiply");
  const std::size_t port = model.ports_of(LayerId(last)).end() - 1;
  EXPECT_EQ(model.tensors.role[model.ports.tensor_id[port].index()], model::TensorRole::kOutput);
}

TEST(OpenvinoReal, ProfileFillsTimesOfAllThatRuns) {
  const PlanModel model = load_real("resnet18-qdq-naive");
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const bool runs = model.layers.role[row] != Role::kConstant;
    EXPECT_EQ(!model.layers.median_ms.is_null(row), runs) << name_of(model, row);
    EXPECT_EQ(!model.layers.count.is_null(row), runs) << name_of(model, row);
  }
  const std::size_t row = row_of(model, "conv1/WithoutBiases");
  EXPECT_GT(model.layers.median_ms[row], 0);
  EXPECT_LE(model.layers.min_ms[row], model.layers.median_ms[row]);
  EXPECT_GE(model.layers.max_ms[row], model.layers.mean_ms[row]);
  EXPECT_DOUBLE_EQ(model.layers.total_ms[row],
                   model.layers.mean_ms[row] * static_cast<double>(model.layers.count[row]));
  EXPECT_FALSE(model.layers.share.is_null(row));
}

// --- Reduced artefacts ---

// A graph of one convolution between an input and an output, with parts to replace.
struct FileParts {
  std::string role = R"("work")";
  std::string output = R"({"tensor": "c", "dims": [1, 16, 4, 4], "element_type": "f32",
                           "layout": "aBcd16b"})";
  std::string macs = "1152";
  std::string more;
};

std::string file_of(const FileParts& parts = {}) {
  return base::format(R"({{"schema": "planex.openvino-graph/1",
    "engine": {{"producer": "openvino", "producer_version": "2026.4.1-1-x", "device": "CPU X"}},
    "inputs": [{{"name": "x", "names": ["x"], "dims": [1, 2, 4, 4], "element_type": "f32"}}],
    "outputs": [{{"name": "y", "names": ["y"], "dims": [1, 16, 4, 4], "element_type": "f32"}}],
    "layers": [
      {{"name": "x", "role": "input", "layer_type": "Input", "primitive_type": "unknown_f32",
        "inputs": [], "outputs": [{{"tensor": "x", "dims": [1, 2, 4, 4], "element_type": "f32",
        "layout": "abcd"}}], "sources": [], "weights": [], "macs": null}},
      {{"name": "w", "role": "constant", "layer_type": "Const", "inputs": [],
        "outputs": [{{"tensor": "w", "dims": [16, 2, 3, 3], "element_type": "f32",
        "layout": "ABcd16a2b"}}], "sources": [], "weights": [], "macs": null}},
      {{"name": "unread", "role": "constant", "layer_type": "Const", "inputs": [],
        "outputs": [{{"tensor": "unread", "dims": [5], "element_type": "f32", "layout": "a"}}],
        "sources": [], "weights": [], "macs": null}},
      {{"name": "c", "role": {}, "layer_type": "Convolution",
        "primitive_type": "brgconv_avx512_amx_1x1_I8", "runtime_precision": "u8",
        "inputs": [{{"tensor": "x", "dims": [1, 2, 4, 4], "element_type": "f32", "layout": "abcd",
                     "constant": false}},
                   {{"tensor": "w", "dims": [16, 2, 3, 3], "element_type": "f32",
                     "layout": "abcd", "constant": true}}],
        "outputs": [{}],
        "sources": [{{"op_name": "conv", "op_type": "Conv", "evidence": "provenance"}},
                    {{"op_name": "relu", "op_type": "Relu", "evidence": "name"}}],
        "weights": [{{"name": "w", "dims": [16, 2, 3, 3], "element_type": "f32", "bytes": 1152}},
                    {{"name": "none", "dims": [0], "element_type": "dynamic", "bytes": null}}],
        "parameters": {{"kernel": [3, 3], "group": 1}}, "rt_info": {{"fusedBy": "me"}},
        "macs": {} {}}},
      {{"name": "y/sink_port_0", "role": "output", "layer_type": "Output",
        "inputs": [{{"tensor": "c", "dims": [1, 16, 4, 4], "element_type": "f32",
                     "layout": "aBcd16b", "constant": false}}], "outputs": []}}
    ],
    "fused": []}})",
                      parts.role, parts.output, parts.macs, parts.more);
}

// "convolution" is the record of the graph above.
constexpr std::size_t kConvolution = 3;

TEST(OpenvinoGraph, ReadsOneOfEverything) {
  const PlanModel model = test::must(test::load_texts(file_of()));
  ASSERT_EQ(model.layers.row_count(), 5u);
  EXPECT_EQ(model.text(model.engine.producer_version[0]), "2026.4.1");
  EXPECT_EQ(model.text(model.engine.device[0]), "CPU X");
  const std::size_t row = kConvolution;
  EXPECT_EQ(model.text(model.layers.tactic[row]), "brgconv_avx512_amx_1x1_I8");
  EXPECT_EQ(model.text(model.layers.subtype[row]), "brgconv_1x1");
  EXPECT_TRUE(model.layers.tactic.is_null(0)) << "unknown_f32 is no kernel";
  EXPECT_EQ(model.layers.precision[row], DType::kFp32);
  EXPECT_EQ(model.layers.compute_precision[row], DType::kUint8);
  EXPECT_EQ(model.layers.input_bytes.get(row), 32 * 4) << "the weights are no activation";
  EXPECT_EQ(model.layers.weight_bytes.get(row), 1152) << "an empty constant weighs nothing";
  EXPECT_EQ(model.layers.flops.get(row), 2304);
  EXPECT_TRUE(model.layers.weight_bytes.is_null(1)) << "its reader counts it";
  EXPECT_EQ(model.layers.weight_bytes.get(2), 20) << "nobody else counts it";
  EXPECT_EQ(model.attribute(LayerId(row), "Kernel"), "[3, 3]");
  EXPECT_EQ(model.attribute(LayerId(row), "OutMaps"), "16");
  EXPECT_EQ(model.attribute(LayerId(row), "fusedBy"), "me");
  const model::RowRange sources = model.sources_of(LayerId(row));
  ASSERT_EQ(sources.count, 2u);
  EXPECT_EQ(model.sources.evidence[sources.first], Evidence::kProvenance);
  EXPECT_EQ(model.sources.evidence[sources.first + 1], Evidence::kName);
  const std::size_t output = model.ports_of(LayerId(row)).end() - 1;
  EXPECT_EQ(model.ports.layout[output], (Layout{Order::kChannelVectors, 16, false}));
  EXPECT_EQ(model.text(model.ports.raw_format[output]), "f32 aBcd16b");
  EXPECT_EQ(model.tensors.role[model.ports.tensor_id[output].index()], model::TensorRole::kOutput);
  // Only the constant's own layout is odd.
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("unknown-layout"));
}

TEST(OpenvinoGraph, KeyOrderIsFree) {
  // The schema comes last, and a layer's type after its parameters.
  std::string text = file_of();
  text = replaced(text, R"("schema": "planex.openvino-graph/1",)", "");
  text = replaced(text, R"("fused": [])", R"("fused": [], "schema": "planex.openvino-graph/1")");
  text = replaced(text, R"("layer_type": "Convolution",)", "");
  text = replaced(text, R"("rt_info": {"fusedBy": "me"})",
                  R"("rt_info": {"fusedBy": "me"}, "layer_type": "Convolution")");
  const PlanModel model = test::must(test::load_texts(text));
  EXPECT_EQ(model.layers.family[kConvolution], Family::kConvolution);
  EXPECT_EQ(model.attribute(LayerId(kConvolution), "Kernel"), "[3, 3]");
  EXPECT_EQ(model.attribute(LayerId(kConvolution), "OutMaps"), "16");
}

TEST(OpenvinoGraph, UnknownTypeHasNoSizeAndIsReported) {
  const PlanModel model = test::must(test::load_texts(file_of(
      {.output = R"({"tensor": "c", "dims": [1, 16], "element_type": "nf4", "layout": "ab"})"})));
  EXPECT_TRUE(model.layers.output_bytes.is_null(kConvolution));
  EXPECT_TRUE(model.layers.footprint_bytes.is_null(kConvolution));
  EXPECT_TRUE(model.layers.output_precision.is_null(kConvolution));
  const std::size_t port = model.ports_of(LayerId(kConvolution)).end() - 1;
  EXPECT_EQ(model.text(model.ports.raw_format[port]), "nf4 ab");
  EXPECT_THAT(test::diagnostic_codes(model), Contains("unknown-element-type"));
}

TEST(OpenvinoGraph, UnknownLayoutHasNoMemorySizeAndIsReported) {
  const PlanModel model = test::must(test::load_texts(
      file_of({.output = R"({"tensor": "c", "dims": [1, 16, 4, 4], "element_type": "f32",
                              "layout": "AcdB8a4b"})"})));
  const std::size_t port = model.ports_of(LayerId(kConvolution)).end() - 1;
  EXPECT_TRUE(model.ports.layout.is_null(port));
  EXPECT_TRUE(model.ports.bytes.is_null(port));
  EXPECT_EQ(model.ports.data_bytes.get(port), 1024) << "the elements are known";
  EXPECT_THAT(test::diagnostic_codes(model), Contains("unknown-layout"));
}

TEST(OpenvinoGraph, DynamicRankAndUndefinedLayoutAreNull) {
  const PlanModel model = test::must(
      test::load_texts(file_of({.output = R"({"tensor": "c", "dims": null, "element_type": "f32",
                              "layout": "undef"})"})));
  const std::size_t port = model.ports_of(LayerId(kConvolution)).end() - 1;
  EXPECT_TRUE(model.ports.dims.is_null(port));
  EXPECT_TRUE(model.ports.layout.is_null(port));
  EXPECT_TRUE(model.layers.output_bytes.is_null(kConvolution));
}

TEST(OpenvinoGraph, UnknownRoleIsTakenFromTheType) {
  const PlanModel model = test::must(test::load_texts(file_of({.role = R"("busy")"})));
  EXPECT_EQ(model.layers.role[kConvolution], Role::kWork);
  EXPECT_THAT(test::diagnostic_codes(model), Contains("unknown-role"));
}

TEST(OpenvinoGraph, UnknownKeysSurvive) {
  const PlanModel model =
      test::must(test::load_texts(file_of({.more = R"(, "new": {"a": [1, 2]}, "nothing": null)"})));
  EXPECT_EQ(model.attribute(LayerId(kConvolution), "new"), R"({"a": [1, 2]})");
  EXPECT_EQ(model.attribute(LayerId(kConvolution), "nothing"), "");
}

TEST(OpenvinoGraph, NegativeCountsAreNotKnown) {
  const PlanModel model = test::must(
      test::load_texts(replaced(file_of({.macs = "-5"}), R"("bytes": 1152)", R"("bytes": -1152)")));
  EXPECT_TRUE(model.layers.weight_bytes.is_null(kConvolution));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("negative-count"));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("unknown-weights"));
}

TEST(OpenvinoGraph, SharedWeightsAreReported) {
  std::string text = file_of();
  const std::string other =
      R"({"name": "d", "role": "work", "layer_type": "Convolution", "inputs": [], "outputs": [],
          "weights": [{"name": "w", "dims": [16, 2, 3, 3], "bytes": 1152}]},)";
  text = replaced(text, R"({"name": "y/sink)", other + R"({"name": "y/sink)");
  const PlanModel model = test::must(test::load_texts(text));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("shared-weights"));
}

struct BadInput {
  std::string_view from, to;
  std::string_view pointer;
  ErrorCode code = ErrorCode::kBadInput;
};

TEST(OpenvinoGraph, ErrorsNameFilePointerAndOffset) {
  const BadInput cases[] = {
      {R"("layers": [)", R"("layers": 5, "x": [)", "/layers"},
      {R"({"name": "c", "role")", R"({"name": 7, "role")", "/layers/3/name"},
      {R"("macs": 1152)", R"("macs": "many")", "/layers/3/macs"},
      {R"("macs": 1152)", R"("macs": 1e99)", "/layers/3/macs"},
      {R"([1, 2, 4, 4], "element_type": "f32", "layout": "abcd",)",
       R"([1, "two"], "element_type": "f32", "layout": "abcd",)", "/layers/3/inputs/0/dims/1"},
      {R"("constant": false})", R"("constant": 0})", "/layers/3/inputs/0/constant"},
      {R"({"op_name": "conv")", R"({"op_name": null)", "/layers/3/sources/0/op_name"},
      {R"("bytes": 1152)", R"("bytes": [])", "/layers/3/weights/0/bytes"},
      {R"("parameters": {)", R"("parameters": [], "p": {)", "/layers/3/parameters"},
      {R"("names": ["x"])", R"("names": "x")", "/inputs/0/names"},
      {R"("engine": {)", R"("engine": 1, "e": {)", "/engine"},
      {"planex.openvino-graph/1", "planex.openvino-graph/2", "/schema", ErrorCode::kUnsupported},
  };
  for (const BadInput& bad : cases) {
    const auto model = test::load_texts(replaced(file_of(), bad.from, bad.to));
    ASSERT_FALSE(model) << bad.to;
    EXPECT_EQ(model.error().code, bad.code) << bad.to;
    EXPECT_EQ(model.error().file, "engine/x.graph.json") << bad.to;
    EXPECT_EQ(model.error().json_pointer, bad.pointer) << test::to_text(model.error());
    EXPECT_TRUE(model.error().byte_offset) << bad.to;
  }
  const auto model = test::load_texts(replaced(file_of(), R"("macs": 1152)", R"("macs": "n")"));
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().context, "in layer \"c\"");
}

TEST(OpenvinoGraph, CutFilesAreErrorsWhereverTheyAreCut) {
  const std::string whole = file_of();
  // The head must be there for the file to be recognized.
  for (std::size_t size = 60; size < whole.size(); size += 7) {
    const auto model = test::load_texts(std::string_view(whole).substr(0, size));
    ASSERT_FALSE(model) << size;
    EXPECT_EQ(model.error().code, ErrorCode::kBadInput) << size;
  }
}

TEST(OpenvinoGraph, NamedFileOfAnotherKindIsAnError) {
  const auto memory = test::memory_files({{"a/x.graph.json", R"({"layers": []})"}});
  const auto model = test::load_completed({.path = "a/x.graph.json"}, memory);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kBadInput);
}

// --- Profiles ---

std::string profile_of(std::string_view layers) {
  return base::format(R"({{"schema": "planex.openvino-profile/1", "method": "import-rounds",
    "layers": [{}], "rounds": 3, "iterations_per_round": 20,
    "profiled_latency": {{"count": 60, "median_ms": 1.5}}}})",
                      layers);
}

TEST(OpenvinoProfile, JoinsByNameInAnyOrder) {
  const PlanModel model = test::must(test::load_texts(
      file_of(), profile_of(R"({"name": "y/sink_port_0", "median_ms": 0, "mean_ms": 0, "min_ms": 0,
                     "max_ms": 0, "samples_ms": [0, 0, 0]},
                    {"name": "c", "median_ms": 0.5, "mean_ms": 0.6, "min_ms": 0.4, "max_ms": 0.9},
                    {"name": "x", "median_ms": null, "mean_ms": 0.0})")));
  const std::size_t row = kConvolution;
  EXPECT_EQ(model.layers.median_ms.get(row), 0.5);
  EXPECT_EQ(model.layers.mean_ms.get(row), 0.6);
  EXPECT_EQ(model.layers.min_ms.get(row), 0.4);
  EXPECT_EQ(model.layers.max_ms.get(row), 0.9);
  EXPECT_EQ(model.layers.count.get(row), 60);
  EXPECT_DOUBLE_EQ(model.layers.total_ms[row], 36);
  EXPECT_EQ(model.layers.median_ms.get(4), 0);
  EXPECT_TRUE(model.layers.median_ms.is_null(0));
  EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("layer-without-time")))
      << "constants have no rows";
}

TEST(OpenvinoProfile, RowsAndLayersWithoutPartnerAreReported) {
  const PlanModel model = test::must(test::load_texts(
      file_of(), profile_of(R"({"name": "c", "median_ms": 1}, {"name": "ghost", "median_ms": 1,
                                 "in_graph": false}, {"median_ms": 1})")));
  const auto codes = test::diagnostic_codes(model);
  EXPECT_THAT(codes, Contains("profile-row-without-layer"));
  EXPECT_THAT(codes, Contains("profile-row-without-name"));
  EXPECT_THAT(codes, Contains("layer-without-time"));
}

TEST(OpenvinoProfile, ErrorsNamePointer) {
  const auto model =
      test::load_texts(file_of(), profile_of(R"({"name": "c", "median_ms": "fast"})"));
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kBadInput);
  EXPECT_EQ(model.error().file, "engine/x.other.json");
  EXPECT_EQ(model.error().json_pointer, "/layers/0/median_ms");
}

// --- Words ---

TEST(OpenvinoFormat, Types) {
  EXPECT_EQ(parse_type("f32"), DType::kFp32);
  EXPECT_EQ(parse_type("bf16"), DType::kBf16);
  EXPECT_EQ(parse_type("i8"), DType::kInt8);
  EXPECT_EQ(parse_type("u8"), DType::kUint8);
  EXPECT_EQ(parse_type("boolean"), DType::kBool);
  EXPECT_EQ(parse_type("string"), DType::kNull);
  EXPECT_EQ(parse_type(""), DType::kNull);
}

TEST(OpenvinoFormat, Tags) {
  const auto layout = [](std::string_view tag) {
    return std::string(to_string(parse_tag(tag).layout));
  };
  EXPECT_EQ(layout("abcd"), "NCHW");
  EXPECT_EQ(layout("acdb"), "NHWC");
  EXPECT_EQ(layout("acdeb"), "NHWC");  // the builder makes it NDHWC by the tensor's rank
  EXPECT_EQ(layout("a"), "NCHW");
  EXPECT_EQ(layout("aBcd8b"), "NC/8HW8");
  EXPECT_EQ(layout("aBcd16b"), "NC/16HW16");
  EXPECT_EQ(layout("aBcde32b"), "NC/32HW32");
  for (const std::string_view odd : {"", "undef", "any", "ba", "abdc", "ABcd16b16a", "aBcd7b",
                                     "aBcd999b", "aBcd16", "Abcd16a", "abb", "acd", "ab16b"}) {
    EXPECT_EQ(layout(odd), "") << odd;
  }
  EXPECT_TRUE(parse_tag("abdc").is_permutation) << "no layout we name, and nothing padded";
  EXPECT_FALSE(parse_tag("aBcd16b").is_permutation);
  EXPECT_FALSE(parse_tag("undef").is_permutation);
}

TEST(OpenvinoFormat, Primitives) {
  EXPECT_EQ(type_of_primitive("brgconv_avx512_amx_i8"), DType::kInt8);
  EXPECT_EQ(type_of_primitive("brgconv_avx512_amx_I8"), DType::kUint8);
  EXPECT_EQ(type_of_primitive("gemm_mlas"), DType::kNull);
  EXPECT_EQ(family_of_primitive("brgconv_avx512_amx_1x1_i8"), "brgconv_1x1");
  EXPECT_EQ(family_of_primitive("jit_uni_f32"), "jit");
  EXPECT_EQ(family_of_primitive("gemm_mlas_f32"), "gemm_mlas");
  EXPECT_EQ(family_of_primitive("reorder_brgemm_f32"), "reorder_brgemm");
  EXPECT_EQ(family_of_primitive("unknown_dynamic"), "");
  EXPECT_EQ(family_of_primitive(""), "");
}

TEST(OpenvinoSniff, BySchemaOnly) {
  EXPECT_EQ(sniff_graph(R"( {"schema" : "planex.openvino-graph/1"})"), Confidence::kSure);
  EXPECT_EQ(sniff_graph(R"({"a": {"schema": 1}, "schema": "planex.openvino-graph/12", )"),
            Confidence::kSure);
  EXPECT_EQ(sniff_graph(R"({"schema": "planex.openvino-graph/x"})"), Confidence::kNo);
  EXPECT_EQ(sniff_graph(R"({"schema": "planex.openvino-profile/1"})"), Confidence::kNo);
  EXPECT_EQ(sniff_graph(R"({"note": "planex.openvino-graph/1"})"), Confidence::kNo);
  EXPECT_EQ(sniff_graph(R"({"schema":)"), Confidence::kNo);
  EXPECT_EQ(sniff_graph(""), Confidence::kNo);
  EXPECT_EQ(sniff_profile(R"({"schema": "planex.openvino-profile/1"})"), Confidence::kSure);
  ASSERT_NE(sniff(file_of()), nullptr);
  EXPECT_EQ(sniff(file_of())->id, "openvino-graph");
}

}  // namespace
}  // namespace planex::ingest::openvino
