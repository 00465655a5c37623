#include "ingest/tensorrt/log/engine_layer_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/text.h"

namespace planex::ingest::tensorrt {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> ports(const EngineLayerLine& line) {
  std::vector<std::string> texts;
  for (const EngineLayerPort& port : line.ports) {
    texts.push_back(base::format("{} {} {} [{}]:{}", to_string(port.direction), port.tensor,
                                 port.type, fmt::join(port.dims, ","), port.vector_width));
  }
  return texts;
}

TEST(EngineLayerLine, OfTensorRt86AndLater) {
  EngineLayerLine line;
  ASSERT_TRUE(parse_engine_layer_line(
      "Layer(PointWiseV2): PWN((Unnamed Layer* 11) [ElementWise] + r), Tactic: 0x0002, "
      "(Unnamed Layer* 8) [Matrix Multiply]_output (1) (Half[-1,1024:8]), a, b (Float[]) -> r "
      "(Half[-1,1024])\r\n",
      line));
  EXPECT_EQ(line.type, "PointWiseV2");
  EXPECT_EQ(line.name, "PWN((Unnamed Layer* 11) [ElementWise] + r)");
  EXPECT_EQ(line.tactic, "0x0002");
  EXPECT_THAT(ports(line),
              ElementsAre("input (Unnamed Layer* 8) [Matrix Multiply]_output (1) Half [-1,1024]:8",
                          "input a, b Float []:1", "output r Half [-1,1024]:1"));
  EXPECT_EQ(line.ports[0].format, "Half[-1,1024:8]");
}

TEST(EngineLayerLine, OfTensorRt82) {
  EngineLayerLine line;
  ASSERT_TRUE(parse_engine_layer_line(
      "Layer(LogSoftmaxTopK): y + z, Tactic: -91, a:0[Float(-2,10)] -> (Unnamed Layer* 48) "
      "[TopK]_output_1[Float(-2,1)], b[Int32(-2,1)]",
      line));
  EXPECT_EQ(line.tactic, "-91");
  EXPECT_THAT(ports(line), ElementsAre("input a:0 Float [-1,10]:1",
                                       "output (Unnamed Layer* 48) [TopK]_output_1 Float [-1,1]:1",
                                       "output b Int32 [-1,1]:1"));
}

TEST(EngineLayerLine, WithoutInputsOrOutputs) {
  EngineLayerLine line;
  ASSERT_TRUE(parse_engine_layer_line("Layer(Constant): c, Tactic: 0x0,  -> o (Int32[])", line));
  EXPECT_THAT(ports(line), ElementsAre("output o Int32 []:1"));
  for (const char* ends : {",  -> ", ",  ->"}) {
    const std::string text =
        "Layer(TrainStation): [trainStation1], Tactic: 0x0" + std::string(ends);
    ASSERT_TRUE(parse_engine_layer_line(text, line));
    EXPECT_THAT(line.ports, IsEmpty());
    EXPECT_EQ(line.name, "[trainStation1]");
  }
  ASSERT_TRUE(parse_engine_layer_line("Layer(X): x, Tactic: 0x0, a (Int32[]) ->", line));
  EXPECT_THAT(ports(line), ElementsAre("input a Int32 []:1"));
}

TEST(EngineLayerLine, BrokenLinesKeepWhatTheyHave) {
  EngineLayerLine line;
  EXPECT_FALSE(parse_engine_layer_line("Layer(X): name only", line));
  EXPECT_EQ(line.name, "name only");
  EXPECT_FALSE(parse_engine_layer_line("Layer(X): n, Tactic: 0x1, a (Half[1]) -> b (Half[1", line));
  EXPECT_THAT(ports(line), ElementsAre("input a Half [1]:1"));
  for (const char* text : {"", "Layer(", "Layer(X)",
                           "Layer(X): ", "Layer(X): n, Tactic: ", "Layer(X): n, Tactic: 0x0, )",
                           "Layer(X): n, Tactic: 0x0, ])", "Layer(X): n, Tactic: 0x0, (Half[])",
                           "Layer(X): n, Tactic: 0, a (b[-])", "Layer(X): n, Tactic: 0, a (b[:])",
                           "Layer(X): n, Tactic: 0, a (b[1,])"}) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(parse_engine_layer_line(text, line));
  }
}

TEST(EngineLayerLine, OnlyVectorsOf32TellALayout) {
  EngineLayerPort port;
  port.vector_width = 32;
  EXPECT_EQ(to_string(layout_of(port)), "NC/32HW32");
  port.vector_width = 8;
  EXPECT_EQ(layout_of(port).order, model::Order::kNull);
}

}  // namespace
}  // namespace planex::ingest::tensorrt
