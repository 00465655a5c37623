#include "ingest/tensorrt/log/parser_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "ingest/tensorrt/log/log_test_support.h"

namespace planex::ingest::tensorrt {
namespace {

using model::PlanModel;
using ::testing::Contains;
using ::testing::ElementsAre;

std::vector<std::string> operations(const PlanModel& model) {
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < model.operations.row_count(); ++row) {
    const std::string_view subgraph = model.text(model.operations.subgraph[row]);
    std::string text = base::format("{} {}{}", model.text(model.operations.name[row]),
                                    model.text(model.operations.type[row]),
                                    subgraph.empty() ? "" : base::format(" in {}", subgraph));
    for (std::size_t port = 0; port < model.operation_ports.row_count(); ++port) {
      if (model.operation_ports.operation_id[port].index() != row) continue;
      text += base::format("; {} {} {}({})", to_string(model.operation_ports.direction[port]),
                           model.text(model.operation_ports.tensor[port]),
                           to_string(model.operation_ports.dtype[port]),
                           fmt::join(model.operation_ports.dims[port], ","));
    }
    texts.push_back(text);
  }
  return texts;
}

TEST(ParserLines, NodesAndTheirTensors) {
  const PlanModel model = read_log_text(
      "[V] Importing initializer: w\n"
      "[V] Static check for parsing node: c [Conv]\n"
      "[V] Parsing node: c [Conv]\n"
      "[V] Searching for input: x\n"
      "[V] c [Conv] inputs: [x -> (-1, 3, 8, 8)[HALF]], [w -> (4, 1, 3, 3)[HALF]], [optional "
      "input, not set], \n"
      "[V] Using kernel: (3, 3), strides: (2, 2), prepadding: (1, 0), postpadding: (1, 0), "
      "dilations: (1, 1), numOutputs: 4\n"
      "[V] c [Conv] outputs: [y -> (-1, 4, 4, 4)[HALF]], \n"
      "[V] Parsing node: k [Constant]\n"
      "[V] k [Constant] inputs: \n"
      "[V] k [Constant] outputs: [k_o -> ()[INT4]],\n");
  EXPECT_THAT(operations(model),
              ElementsAre("c Conv; input x FP16(-1,3,8,8); input w FP16(4,1,3,3); input  ();"
                          " output y FP16(-1,4,4,4)",
                          "k Constant; output k_o INT4()"));
  EXPECT_EQ(model.text(model.operations.parameters[0]),
            R"({"kernel_shape":[3,3],"strides":[2,2],"pads":[1,0,1,0],"dilations":[1,1],)"
            R"("num_outputs":4})");
  EXPECT_TRUE(model.operations.parameters.is_null(1));
  EXPECT_TRUE(model.operation_ports.stored_bytes.is_null(0));
  EXPECT_EQ(model.operation_ports.stored_bytes[1], 4 * 9 * 2);
}

TEST(ParserLines, OddNames) {
  const PlanModel model = read_log_text(
      "[V] Parsing node: a [x]\nb] [Relu]\n"
      "[V] a [x]\nb] [Relu] inputs: [in, [1] -> \n (2)[FLOAT]], \n"
      "[V] a [x]\nb] [Relu] outputs: [o]o -> (2)[FLOAT]], \n"
      "[V] Parsing node: a [Relu] inputs: x [Tanh]\n"
      "[V] a [Relu] inputs: x [Tanh] inputs: [o]o -> (2)[FLOAT]], \n");
  EXPECT_THAT(model.operations.row_count(), 2u);
  EXPECT_EQ(model.text(model.operations.name[0]), "a [x]\nb]");
  EXPECT_EQ(model.text(model.operations.name[1]), "a [Relu] inputs: x");
  EXPECT_EQ(model.text(model.operations.type[1]), "Tanh");
}

TEST(ParserLines, NodesOfSubgraphs) {
  const PlanModel model = read_log_text(
      "[V] Parsing node: l [Loop]\n"
      "[V] l [Loop] inputs: [m -> (1)[INT64]], \n"
      "[V] Parsing node: i [If]\n"
      "[V] i [If] inputs: [c -> ()[BOOL]], \n"
      "[V] Parsing node: t [Tanh]\n"
      "[V] t [Tanh] inputs: [x -> (2)[FLOAT]], \n"
      "[V] t [Tanh] outputs: [t_o -> (2)[FLOAT]], \n"
      "[V] i [If] outputs: [i_o -> (2)[FLOAT]], \n"
      "[V] Parsing node: s [Sin]\n"
      "[V] l [Loop] outputs: [l_o -> (2)[FLOAT]], \n"
      "[V] Parsing node: z [Cos]\n");
  std::vector<std::string> places;
  for (std::size_t row = 0; row < model.operations.row_count(); ++row) {
    places.push_back(base::format("{}:{}", model.text(model.operations.name[row]),
                                  model.text(model.operations.subgraph[row])));
  }
  EXPECT_THAT(places, ElementsAre("l:", "i:l", "t:l/i", "s:l", "z:"));
}

TEST(ParserLines, BrokenLinesAreReported) {
  const PlanModel model = read_log_text(
      "[V] Parsing node: a\n"
      "[V] Parsing node: b [Relu]\n"
      "[V] b [Relu] inputs: [x -> (2)[FLOAT\n"
      "[V] b [Relu] outputs: [y -> (2, _)[FLOAT]], junk\n");
  EXPECT_THAT(operations(model), ElementsAre("b Relu; output y FP32()"));
  EXPECT_TRUE(model.operation_ports.dims.is_null(0));
  EXPECT_THAT(test::diagnostic_codes(model),
              ElementsAre("log-line-broken", "log-line-broken", "log-line-broken", "no-layers"));
}

TEST(ParserLines, LastOfSeveralModels) {
  const std::string model_text =
      "[I] ONNX IR version:  0.0.9\n[V] Parsing node: {} [Relu]\n[V] Original: {} layers\n"
      "[V] After dead-layer removal: {} layers\n";
  // One run may parse a second time, for example to give an engine new weights.
  const PlanModel model = read_log_text("&&&& RUNNING TensorRT.trtexec # t\n" +
                                        base::format(fmt::runtime(model_text), "a", 5, 4) +
                                        base::format(fmt::runtime(model_text), "b", 3, 2));
  EXPECT_THAT(operations(model), ElementsAre("b Relu"));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("several-models"));
  ASSERT_EQ(model.metadata.row_count(), 2u);
  EXPECT_EQ(model.text(model.metadata.key[0]), "Original");
  EXPECT_EQ(model.text(model.metadata.value[0]), "3 layers");
  EXPECT_EQ(model.text(model.metadata.key[1]), "After dead-layer removal");
}

}  // namespace
}  // namespace planex::ingest::tensorrt
