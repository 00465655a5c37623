#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyze/complete/complete.h"
#include "analyze/summary/summary.h"
#include "base/text.h"
#include "ingest/discover/load.h"
#include "ingest/discover/registry.h"
#include "ingest/onnxruntime/placement_lines.h"
#include "ingest/onnxruntime/placement_log_reader.h"
#include "support/test_data.h"

namespace planex::ingest::onnxruntime {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string kPlacementData = PLANEX_SOURCE_DIR "/tests/data/onnxruntime/placement/";

// As written by 1.8 to 1.30 on Linux.
constexpr std::string_view kPerNode =
    "2024-06-03 10:11:12.502377627 [I:onnxruntime:, cuda_execution_provider.cc:2879 GetCapability] "
    "CUDA kernel not found in registries for Op type: Shape node name: sizes\n"
    "2024-06-03 10:11:12.502477627 [I:onnxruntime:, fallback_cpu_capability.cc:156 "
    "GetCpuPreferredNodes] ORT optimization- Force fallback to CPU execution for node: pick "
    "because "
    "the CPU execution path is deemed faster than overhead involved with execution on other EPs  "
    "capable of executing this node\n"
    "\x1b[0;93m2024-06-03 10:11:12.502486780 [W:onnxruntime:, transformer_memcpy.cc:74 ApplyImpl] "
    "2 "
    "Memcpy nodes are added to the graph main_graph for CUDAExecutionProvider. It might have "
    "negative impact on performance (including unable to run CUDA graph).\x1b[m\n"
    "2024-06-03 10:11:12.502486780 [V:onnxruntime:, session_state.cc:1149 "
    "VerifyEachNodeIsAssignedToAnEp] Node placements\n"
    "2024-06-03 10:11:12.502495220 [V:onnxruntime:, session_state.cc:1155 "
    "VerifyEachNodeIsAssignedToAnEp]  Node(s) placed on [CPUExecutionProvider]. Number of nodes: "
    "2\n"
    "2024-06-03 10:11:12.502500560 [V:onnxruntime:, session_state.cc:1157 "
    "VerifyEachNodeIsAssignedToAnEp]   Shape (sizes)\n"
    "2024-06-03 10:11:12.502500560 [V:onnxruntime:, session_state.cc:1157 "
    "VerifyEachNodeIsAssignedToAnEp]   Gather (pick)\n"
    "2024-06-03 10:11:12.502495220 [V:onnxruntime:, session_state.cc:1155 "
    "VerifyEachNodeIsAssignedToAnEp]  Node(s) placed on [CUDAExecutionProvider]. Number of nodes: "
    "4\n"
    "2024-06-03 10:11:12.502500560 [V:onnxruntime:, session_state.cc:1157 "
    "VerifyEachNodeIsAssignedToAnEp]   Conv (a (copy), b)\n"
    "2024-06-03 10:11:12.502500560 [V:onnxruntime:, session_state.cc:1157 "
    "VerifyEachNodeIsAssignedToAnEp]   MemcpyToHost (Memcpy)\n"
    "2024-06-03 10:11:12.502500560 [V:onnxruntime:, session_state.cc:1157 "
    "VerifyEachNodeIsAssignedToAnEp]   MemcpyFromHost (Memcpy_token_1)\n"
    "2024-06-03 10:11:12.502500560 [V:onnxruntime:, session_state.cc:1157 "
    "VerifyEachNodeIsAssignedToAnEp]   Relu ()\n"
    "2024-06-03 10:11:12.503 [V:onnxruntime:, session_state.cc:128 CreateGraphInfo] "
    "SaveMLValueNameIndexMapping\n";

// "PROVIDER: TYPE (NAME), …" of each provider of a session.
std::vector<std::string> placed(const PlacedSession& session) {
  std::vector<std::string> result;
  for (const PlacedProvider& provider : session.providers) {
    std::string text = std::string(provider.name) + ":";
    for (const PlacedNode& node : provider.nodes) {
      text += base::format(" {}({})", node.type, node.name);
    }
    result.push_back(text);
  }
  return result;
}

TEST(PlacementLines, ALineForEachNode) {
  const PlacementLog log = read_placement_lines(kPerNode);
  ASSERT_EQ(log.sessions.size(), 1u);
  EXPECT_THAT(placed(log.sessions[0]),
              ElementsAre("CPUExecutionProvider: Shape(sizes) Gather(pick)",
                          "CUDAExecutionProvider: Conv(a (copy), b) MemcpyToHost(Memcpy) "
                          "MemcpyFromHost(Memcpy_token_1) Relu()"));
  ASSERT_EQ(log.fallbacks.size(), 2u);
  EXPECT_EQ(log.fallbacks[0].type, "Shape");
  EXPECT_EQ(log.fallbacks[0].node, "sizes");
  EXPECT_EQ(log.fallbacks[0].reason, "CUDA has no kernel for it");
  EXPECT_EQ(log.fallbacks[1].node, "pick");
  ASSERT_EQ(log.copies.size(), 1u);
  EXPECT_EQ(log.copies[0].count, 2);
  EXPECT_EQ(log.copies[0].graph, "main_graph");
  EXPECT_EQ(log.copies[0].provider, "CUDAExecutionProvider");
}

// Pasted without the logger's prefix on each line, and with Markdown's bold.
TEST(PlacementLines, WithoutPrefixes) {
  const PlacementLog log = read_placement_lines(
      "Node placements\r\n"
      " **Node(s) placed on [QNNExecutionProvider]. Number of nodes: 1**\r\n"
      "   QNNExecutionProvider_5600499331747928002_1\r\n"
      " Node(s) placed on [CPUExecutionProvider]. Number of nodes: 3\r\n"
      "   QuantizeLinear (images_q), DequantizeLinear (output0_dq)\r\n"
      "   Scan ()\r\n"
      "and that is why it is slow\r\n");
  ASSERT_EQ(log.sessions.size(), 1u);
  EXPECT_THAT(placed(log.sessions[0]),
              ElementsAre("QNNExecutionProvider: (QNNExecutionProvider_5600499331747928002_1)",
                          "CPUExecutionProvider: QuantizeLinear(images_q) "
                          "DequantizeLinear(output0_dq) Scan()"));
}

TEST(PlacementLines, OlderVersions) {
  const PlacementLog log = read_placement_lines(
      "2020-08-09 09:37:41.559607 [V:onnxruntime:, inference_session.cc:671 TransformGraph] Node "
      "placements\n"
      "2020-08-09 09:37:41.559615 [V:onnxruntime:, inference_session.cc:679 TransformGraph]  "
      "Provider: [CPUExecutionProvider]: [Cast (c, d), Relu (r), ]\n"
      "2020-08-09 09:37:41.559615 [V:onnxruntime:, inference_session.cc:679 TransformGraph]  "
      "Provider: [CUDAExecutionProvider]: [Conv (x), ]\n"
      "2020-08-09 09:37:42 [V:onnxruntime:, inference_session.cc:671 TransformGraph] Node "
      "placements\n"
      "2020-08-09 09:37:42 [V:onnxruntime:, inference_session.cc:673 TransformGraph] All nodes "
      "have "
      "been placed on [CPUExecutionProvider].\n");
  ASSERT_EQ(log.sessions.size(), 2u);
  EXPECT_THAT(placed(log.sessions[0]), ElementsAre("CPUExecutionProvider: Cast(c, d) Relu(r)",
                                                   "CUDAExecutionProvider: Conv(x)"));
  EXPECT_THAT(placed(log.sessions[1]), ElementsAre("CPUExecutionProvider:"));
  EXPECT_EQ(log.sessions[1].providers[0].stated_count, std::nullopt);
}

model::PlanModel read_text(std::string_view text) {
  model::ModelBuilder builder;
  Artefact artefact{.path = "run.log", .bytes = base::make_bytes(text), .is_engine = true};
  artefact.file_row = builder.add_file("run.log", "onnxruntime-log", "test", text.size());
  const auto read = read_placement_log(artefact, builder);
  EXPECT_TRUE(read.has_value()) << test::to_text(read.error());
  return builder.finish();
}

TEST(PlacementLog, ALogAloneIsAnEngine) {
  EXPECT_EQ(sniff(kPerNode)->id, "onnxruntime-log");
  const auto model = read_text(kPerNode);
  EXPECT_EQ(model.text(model.engine.producer[0]), "onnxruntime");
  EXPECT_EQ(model.text(model.engine.detail[0]), "names-only");
  ASSERT_EQ(model.layers.row_count(), 6u);
  EXPECT_EQ(model.text(model.layers.provider[0]), "CPUExecutionProvider");
  EXPECT_EQ(model.text(model.layers.provider[2]), "CUDAExecutionProvider");
  EXPECT_EQ(model.layers.family[2], model::Family::kConvolution);
  const auto summary = analyze::summarize(model);
  ASSERT_TRUE(summary.providers.has_value());
  ASSERT_EQ(summary.providers->providers.size(), 2u);
  EXPECT_EQ(summary.providers->copy_count, 2);
  for (const auto& load : summary.providers->providers) {
    EXPECT_EQ(load.layer_count, 2) << "copies are no layers of a provider: " << load.provider;
    EXPECT_EQ(load.time_ms, std::nullopt);
  }
  ASSERT_EQ(summary.providers->fallbacks.size(), 2u);
  EXPECT_THAT(summary.providers->fallbacks[0].type, ::testing::AnyOf("Shape", "Gather"));
}

TEST(PlacementLog, WhereOneProviderHasAllTheNodesAreOnlyCounted) {
  const auto model = read_text(
      "[V:onnxruntime:, session_state.cc:1263 VerifyEachNodeIsAssignedToAnEp]  All nodes placed on "
      "[CPUExecutionProvider]. Number of nodes: 12\n");
  EXPECT_EQ(model.text(model.engine.detail[0]), "no-layers");
  EXPECT_EQ(model.layers.row_count(), 0u);
  const auto summary = analyze::summarize(model);
  ASSERT_TRUE(summary.providers.has_value());
  EXPECT_EQ(summary.providers->providers.at(0).layer_count, 12);
  EXPECT_EQ(summary.providers->copy_count, std::nullopt) << "nobody counted them";
}

TEST(PlacementLog, AListThatIsCutSaysSo) {
  const auto model = read_text(
      "Node(s) placed on [CUDAExecutionProvider]. Number of nodes: 11\n  Conv (a)\n  Conv "
      "(b)\n...\n");
  EXPECT_THAT(test::diagnostic_codes(model), Contains("placement-incomplete"));
}

TEST(PlacementLog, ALogWithoutPlacementsIsRefused) {
  constexpr std::string_view kOther =
      "2024-06-03 10:11:12.5 [I:onnxruntime:, inference_session.cc:1 Initialize] Initializing\n"
      "2024-06-03 10:11:12.6 [I:onnxruntime:, inference_session.cc:2 Initialize] Done\n";
  EXPECT_EQ(sniff(kOther)->id, "onnxruntime-log");
  model::ModelBuilder builder;
  const Artefact artefact{.path = "run.log", .bytes = base::make_bytes(kOther)};
  const auto read = read_placement_log(artefact, builder);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().byte_offset, 0u);
}

// The profile has the times, the log the reasons for the placement.
TEST(PlacementLog, JoinsTheProfileOfTheSession) {
  const model::PlanModel model =
      test::must(test::load_completed({.path = kPlacementData + "segmenter"}, base::disk()));
  ASSERT_EQ(model.layers.row_count(), 6u);
  const auto summary = analyze::summarize(model);
  ASSERT_TRUE(summary.providers.has_value());
  EXPECT_EQ(summary.providers->copy_count, 2);
  std::vector<std::string> loads;
  for (const auto& load : summary.providers->providers) {
    EXPECT_TRUE(load.time_ms.has_value());
    loads.push_back(base::format("{} {}", load.provider, *load.layer_count));
  }
  EXPECT_THAT(loads, ElementsAre("TensorrtExecutionProvider 2", "CPUExecutionProvider 2"));
  ASSERT_EQ(summary.providers->fallbacks.size(), 1u);
  EXPECT_EQ(summary.providers->fallbacks[0].type, "NonZero");
  EXPECT_THAT(test::diagnostic_codes(model), Contains("several-providers"));
  EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("placement-of-another-model")));
}

TEST(PlacementLog, OfAnotherModelNothingJoins) {
  LoadRequest request{.path = kPlacementData + "segmenter"};
  request.log = kPlacementData + "other.log";
  const model::PlanModel model = test::must(test::load_completed(request, base::disk()));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("placement-of-another-model"));
}

}  // namespace
}  // namespace planex::ingest::onnxruntime
