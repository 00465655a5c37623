// Logs that are odd, broken, truncated, or made from parts of others.
#include "ingest/tensorrt/log/layer_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "ingest/tensorrt/log/log_test_support.h"
#include "support/model_texts.h"

namespace planex::ingest::tensorrt {
namespace {

using model::LayerId;
using model::PlanModel;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kRecordEnd =
    ", LayerType: gemm, Inputs: [ { Name: x, Dimensions: [4,8], Strides: [8,1], StrideOrder: "
    "[1,0], Datatype: Half, Format: (Linear) Row major linear format }], Constants: [ { Name: w, "
    "Dimensions: [8,8], Strides: [8,1], StrideOrder: [1,0], Datatype: Half, Format: (Linear) Row "
    "major linear format }], Outputs: [ { Name: y, Dimensions: [4,8], Strides: [8,1], StrideOrder: "
    "[1,0], Datatype: Half, Format: (Linear) Row major linear format }], TacticName: k, StreamId: "
    "0, Metadata: ";

std::string record(std::string_view name, std::string_view metadata = "") {
  return base::format("Name: {}{}{}\n", name, kRecordEnd, metadata);
}

std::string detailed(const std::string& records) {
  return "[VERBOSE] Layers:\n" + records +
         "\nI/O Tensors:\n Name: x, IOMode: Input, DataType: Half, Dimensions: [4,8], Location: "
         "Device, IsShapeInferenceIO: false, ProfileInfo: [ { MinShape: [4,8], OptShape: [4,8], "
         "MaxShape: [4,8], Format: Row major linear FP16 format (kLINEAR) }]\n Name: y, IOMode: "
         "Output, DataType: Half, Dimensions: [4,8], Location: Device, IsShapeInferenceIO: false, "
         "ProfileInfo: [ { Format: Row major linear FP16 format (kLINEAR) }]\n\nEngine "
         "Metadata:\n Multi-Device: Disabled\n[INFO] done\n";
}

std::string opaque(const std::string& lines) {
  return "[VERBOSE] Engine Layer Information:\n" + lines + "[INFO] done\n";
}

std::vector<std::string> names(const PlanModel& model) {
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    texts.emplace_back(model.text(model.layers.name[row]));
  }
  return texts;
}

TEST(LayerLines, ALayer) {
  const PlanModel model = read_log_text(detailed(record("a", "[ONNX Layer: m]")));
  EXPECT_THAT(names(model), ElementsAre("a"));
  EXPECT_EQ(model.layers.weight_bytes[0], 128);
  EXPECT_EQ(model.layers.family[0], model::Family::kGemm);
  EXPECT_EQ(model.ports.row_count(), 3u);
  EXPECT_EQ(model.attribute(LayerId(0), "Metadata"), "[ONNX Layer: m]");
  EXPECT_EQ(test::value_of(model, "engine metadata", "Multi-Device"), "Disabled");
  EXPECT_EQ(test::value_of(model, "I/O Tensors", "x/Location"), "Device");
  EXPECT_EQ(test::value_of(model, "I/O Tensors", "y/IsShapeInferenceIO"), "false");
  EXPECT_EQ(model.engine.profile_count[0], 1);
  EXPECT_TRUE(model.engine.producer.is_null(0));
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(LayerLines, LineBreaksInNames) {
  const PlanModel model = read_log_text(detailed(
      record("a\nb", "[ONNX Layer: c\n\nd]\x1f[ONNX Layer: e]") + record("f\n\n[g") + record("h")));
  EXPECT_THAT(names(model), ElementsAre("a\nb", "f\n\n[g", "h"));
  EXPECT_EQ(model.sources.row_count(), 4u);
  EXPECT_EQ(model.text(model.sources.op_name[0]), "c\n\nd");
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(LayerLines, LinesOfWindows) {
  std::string log = detailed(record("a") + record("b", "[ONNX Layer: m]"));
  std::string crlf;
  for (const char c : log) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const PlanModel model = read_log_text(crlf);
  EXPECT_THAT(names(model), ElementsAre("a", "b"));
  EXPECT_EQ(model.bindings.row_count(), 2u);
  EXPECT_EQ(model.text(model.sources.op_name[model.sources.row_count() - 1]), "m");
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(LayerLines, BrokenRecordsKeepWhatTheySay) {
  const std::string log =
      detailed("Name: a, LayerType: kgen, Inputs: [ { Name: x, Dimensions: [4,8] }, { Name: z\n" +
               record("b") + "Name: c\n" + record("d"));
  const PlanModel model = read_log_text(log);
  EXPECT_THAT(names(model), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(test::diagnostic_codes(model),
              ElementsAre("log-record-broken", "log-record-broken", "layer-without-type"));
  EXPECT_EQ(model.text(model.layers.type[0]), "kgen");
  EXPECT_EQ(model.ports_of(LayerId(0)).count, 1u);
  EXPECT_EQ(model.ports_of(LayerId(1)).count, 3u);
  EXPECT_FALSE(model.diagnostics.byte_offset.is_null(0));
  EXPECT_EQ(log.substr(static_cast<std::size_t>(model.diagnostics.byte_offset[1]) - 7, 7),
            "Name: c");
}

TEST(LayerLines, ValuesThatCannotBeRead) {
  std::string text = record("a");
  const auto replace = [&](std::string_view from, std::string_view to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("StreamId: 0", "StreamId: first");
  replace("Dimensions: [8,8]", "Dimensions: [8,n]");
  replace("Datatype: Half", "Datatype: FP12");
  replace("(Linear) Row major linear format }], Constants",
          "(Zigzag) Zigzag format, Hue: blue }], Constants");
  const PlanModel model = read_log_text(detailed(text));
  EXPECT_TRUE(model.layers.stream.is_null(0));
  EXPECT_TRUE(model.layers.weight_bytes.is_null(0));
  EXPECT_TRUE(model.ports.dims.is_null(1));
  EXPECT_EQ(model.ports.dtype[0], model::DType::kNull);
  EXPECT_TRUE(model.ports.layout.is_null(0));
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("log-value-unreadable", "unknown-key",
                                                         "unknown-format", "log-value-unreadable"));
}

TEST(LayerLines, ALayoutWithoutAType) {
  std::string log = detailed(record("a"));
  for (const std::string_view type : {"Datatype: Half, ", ", Datatype: Half"}) {
    for (std::size_t at = log.find(type); at != log.npos; at = log.find(type)) {
      log.erase(at, type.size());
    }
  }
  const PlanModel model = read_log_text(log);
  EXPECT_THAT(names(model), ElementsAre("a"));
  EXPECT_TRUE(model.ports.dtype.is_null(0));
  EXPECT_EQ(model.text(model.ports.raw_format[0]), "(Linear) Row major linear format");
}

TEST(LayerLines, CutLogsAreReadUpToTheCut) {
  const std::string whole = detailed(record("a", "[ONNX Layer: m]") + record("b\nc"));
  const std::size_t all_layers = whole.find("\nI/O Tensors");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    const PlanModel model = read_log_text(whole.substr(0, size));
    if (size >= all_layers) {
      EXPECT_THAT(names(model), ElementsAre("a", "b\nc"));
    }
    const auto codes = test::diagnostic_codes(model);
    if (size < whole.find("gemm")) {
      EXPECT_THAT(codes, ::testing::AnyOf(Contains("no-layers"), Contains("log-ends-early")));
    } else if (size < all_layers) {
      EXPECT_THAT(codes, Contains("log-ends-early"));
    }
  }
}

TEST(LayerLines, DetailWinsOverTypesAndTypesOverNames) {
  const std::string types = opaque(
      "Layer(Myelin): {ForeignNode[a...b]}, Tactic: 0x0, x (Half[4]) "
      "-> y (Half[4])\n");
  const std::string only_names = "[I] Layers:\na\nb\nc\n\nBindings:\nx\ny\n[I] done\n";
  EXPECT_EQ(read_log_text(types + detailed(record("a")))
                .text(read_log_text(types + detailed(record("a"))).engine.detail[0]),
            "full");
  EXPECT_THAT(names(read_log_text(detailed(record("a")) + types)), ElementsAre("a"));
  EXPECT_THAT(names(read_log_text(types + only_names)), ElementsAre("{ForeignNode[a...b]}"));
  EXPECT_THAT(names(read_log_text(only_names)), ElementsAre("a", "b", "c"));
}

TEST(LayerLines, LastWholeEngineWins) {
  const std::string build =
      "[VERBOSE] Original: 3 layers\n[INFO] Engine generation completed in 1 seconds.\n";
  const std::string first = build + detailed(record("first"));
  const std::string second =
      build + opaque("Layer(X): second, Tactic: 0x0, x (Half[4]) -> y (Half[4])\n");
  EXPECT_THAT(names(read_log_text(first + second)), ElementsAre("second"));
  const std::string cut = build + "[VERBOSE] Layers:\n" + record("cut");
  EXPECT_THAT(names(read_log_text(first + cut)), ElementsAre("first"));
  EXPECT_THAT(names(read_log_text(cut)), ElementsAre("cut"));
}

TEST(LayerLines, AHeadingOfAnotherProgramIsNone) {
  const PlanModel model = read_log_text("Layers:\n  conv1\n  conv2\n\nParameters: 3\n");
  EXPECT_EQ(model.layers.row_count(), 0u);
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("no-layers"));
}

TEST(LayerLines, LayerFileWithDetailStays) {
  const std::string_view graph =
      R"({"Layers": [{"Name": "g", "LayerType": "NoOp", "Inputs": [], "Outputs": []}],
          "Bindings": ["x"]})";
  const PlanModel model = read_log_text(detailed(record("a") + record("b")), {.graph = graph});
  EXPECT_THAT(names(model), ElementsAre("g"));
  EXPECT_EQ(model.bindings.row_count(), 1u);
  // Values that the file lacks come from the log.
  EXPECT_EQ(model.profiles.row_count(), 2u);
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("log-of-another-engine"));
}

TEST(LayerLines, LayerFileOfNamesIsFilledInAnyOrder) {
  const std::string_view graph = R"({"Layers": ["c", "a", "lost", "b"], "Bindings": ["x", "y"]})";
  const PlanModel model = read_log_text(
      detailed(record("a", "[ONNX Layer: m]") + record("b") + record("c") + record("d")),
      {.graph = graph});
  EXPECT_THAT(names(model), ElementsAre("c", "a", "lost", "b"));
  EXPECT_EQ(model.ports_of(LayerId(0)).count, 3u);
  EXPECT_EQ(model.ports_of(LayerId(2)).count, 0u);
  EXPECT_EQ(model.ports_of(LayerId(3)).count, 3u);
  EXPECT_EQ(model.text(model.layers.type[1]), "gemm");
  ASSERT_EQ(model.sources_of(LayerId(1)).count, 1u);
  EXPECT_EQ(model.text(model.sources.op_name[model.sources_of(LayerId(1)).first]), "m");
  EXPECT_EQ(model.text(model.engine.detail[0]), "log");
  EXPECT_EQ(model.files.joined_count[1], 3);
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("names-only", "layers-from-log"));
  EXPECT_EQ(model.diagnostics.severity[1], model::Severity::kWarning);

  const PlanModel other = read_log_text(detailed(record("z")), {.graph = graph});
  EXPECT_EQ(other.text(other.engine.detail[0]), "names-only");
  EXPECT_THAT(test::diagnostic_codes(other), ElementsAre("names-only", "log-of-another-engine"));
}

TEST(LayerLines, WhoWroteTheLog) {
  const auto producer = [](const std::string& log) {
    const PlanModel model = read_log_text(log);
    return std::string(model.text(model.engine.producer[0]));
  };
  std::string rtx = record("a");
  rtx.replace(rtx.find("gemm"), 4, "runtime_fusion");
  const std::string convergence = "[VERBOSE] Compiler backend convergence mode enabled\n";
  const std::string trtexec = "&&&& RUNNING TensorRT.trtexec [TensorRT v110000] # trtexec\n";
  EXPECT_EQ(producer(detailed(record("a"))), "");
  EXPECT_EQ(producer(detailed(rtx)), "tensorrt-rtx");
  EXPECT_EQ(producer(convergence + detailed(record("a"))), "tensorrt-rtx");
  EXPECT_EQ(producer(trtexec + convergence + detailed(record("a"))), "");
  EXPECT_EQ(producer("&&&& RUNNING TensorRT.tensorrt_rtx [TensorRT_RTX v1100] # tensorrt_rtx\n" +
                     detailed(record("a"))),
            "tensorrt-rtx");
}

TEST(LayerLines, ProfilesWithoutAnyMark) {
  std::string log = detailed(record("a_myl4_0") + record("b_myl7_0") + record("c_myl7_1"));
  const std::string_view shapes =
      "{ MinShape: [4,8], OptShape: [4,8], MaxShape: [4,8], Format: Row "
      "major linear FP16 format (kLINEAR) }";
  log.insert(log.find(shapes) + shapes.size(), base::format(", {}", shapes));
  const PlanModel model = read_log_text(log);
  EXPECT_EQ(model.engine.profile_count[0], 2);
  EXPECT_THAT(model.layers.profile_index.values(), ElementsAre(0, 1, 1));
}

TEST(LayerLines, WhatAProgramPrintsAfterTheBindingsIsNone) {
  const PlanModel model = read_log_text("Layers:\n" + record("a") +
                                        "\nBindings:\nunused input\nx\ny\nInference done.\n");
  ASSERT_EQ(model.bindings.row_count(), 3u);
  EXPECT_EQ(model.text(model.bindings.name[0]), "unused input");
  EXPECT_EQ(model.bindings.direction[1], model::Direction::kInput);
  EXPECT_EQ(model.bindings.direction[2], model::Direction::kOutput);
}

// The processor time of the fastest of three readings: it does not depend on other load of the
// machine.
double processor_seconds(const std::string& log) {
  double fastest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const std::clock_t begin = std::clock();
    read_log_text(log);
    const auto taken = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    fastest = std::min(fastest, taken);
  }
  return fastest;
}

// No line is scanned again for each line before it: with eight times the lines, that would take 64
// times as long. Times below a hundredth of a second can't be compared.
void expect_linear(const std::function<std::string(std::size_t)>& log_of) {
  constexpr std::size_t kLines = 1'000;
  const double few = processor_seconds(log_of(kLines));
  const double many = processor_seconds(log_of(8 * kLines));
  EXPECT_LT(many, 24 * std::max(few, 0.01)) << few << " s, then " << many << " s";
}

TEST(LayerLines, LongLogsTakeLinearTime) {
  for (const std::string_view line :
       {"Layers:\n", "Layers:\nx\n", "Layers:\n\n", "Layers:\nName: a\n", "Name: a\n",
        "Engine Layer Information:\nLayer(", "Marking x\n", "ForeignNode {x\n",
        "[V] Marking x\ny\n", "[V] ForeignNode {\ny\n", "[V] Parsing node: a [If]\n",
        "[V] Parsing node: a [If]\n[V] a\n", "Layers:\nName: a, LayerType: b, Inputs: [ {\n\n",
        "Original: \n"}) {
    SCOPED_TRACE(line);
    for (const std::string_view head :
         {"[V] Layers:\nName: a, LayerType: b, Metadata: [x], A: ], ", ""}) {
      expect_linear([&](std::size_t lines) {
        std::string log(head);
        for (std::size_t i = 0; i < lines; ++i) log += line;
        return log;
      });
    }
  }
  expect_linear([](std::size_t keys) {
    std::string log = "[V] Layers:\nName: a, LayerType: b";
    for (std::size_t i = 0; i < keys; ++i) log += base::format(", K{}: 1", i);
    log += ", Metadata: [x]";
    for (std::size_t i = 0; i < keys; ++i) log += base::format("], K{}: [", i);
    return log;
  });
}

// Bytes of a log may be replaced by others.
TEST(LayerLines, ChangedLogsAreRead) {
  const std::string whole =
      "[VERBOSE] Parsing node: n [Conv]\n[VERBOSE] n [Conv] inputs: [x -> (1, 3)[FLOAT]], \n"
      "[VERBOSE] Using kernel: (3, 3), strides: (1, 1), prepadding: (1, 1), postpadding: (1, 1)\n"
      "[VERBOSE] n [Conv] outputs: [y -> (1, 3)[FLOAT]], \n" +
      opaque("Layer(X): second, Tactic: 0x0, x (Half[4]) -> y (Half[4])\n") +
      detailed(record("a", "[ONNX Layer: n]") + record("b\nc"));
  for (const char c : {'\n', '[', ']', '{', '}', ',', ' ', ':', '\0', '"'}) {
    for (std::size_t at = 0; at < whole.size(); at += 7) {
      std::string changed = whole;
      changed[at] = c;
      read_log_text(changed);
    }
  }
}

}  // namespace
}  // namespace planex::ingest::tensorrt
