#include "quantize/layer_precisions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "onnx/read.h"
#include "quantize/test_models.h"

namespace planex::quantize {
namespace {

using onnx::DataType;
using onnx::node_field;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(LayerPrecisions, NamesAndTypes) {
  const auto parsed = parse_layer_precisions("conv:fp16,a:b:fp32,'c:d':bf16,x*y:int8,*:fp32+fp16");
  ASSERT_TRUE(parsed);
  std::vector<std::string> names;
  for (const LayerPrecision& precision : *parsed) names.push_back(precision.pattern);
  EXPECT_THAT(names, ElementsAre("conv", "a:b", "c:d", "x*y", "*"))
      << "the last colon separates, quotes or not";
  EXPECT_THAT((*parsed)[2].types, ElementsAre(DataType::kBfloat16));
  EXPECT_THAT((*parsed)[4].types, ElementsAre(DataType::kFloat, DataType::kFloat16));
  EXPECT_TRUE(parse_layer_precisions("")->empty());
}

TEST(LayerPrecisions, WhatIsNoItem) {
  for (const std::string_view wrong :
       {"conv", "conv:", "conv:half", ":fp16", "'conv:fp16", "'conv'fp16", "a'b':fp16", "a*b*:fp16",
        "a,b:fp16", "conv:fp16+", "a:fp32,,b:fp16"}) {
    const auto parsed = parse_layer_precisions(wrong);
    ASSERT_FALSE(parsed) << wrong;
    EXPECT_EQ(parsed.error().code, ErrorCode::kUsage);
    EXPECT_THAT(parsed.error().hint, HasSubstr("NAME:TYPE"));
  }
}

MatchedPrecisions matched(std::string_view precisions, std::string_view output_types = "") {
  const std::string file = onnx::model_message(
      node_field("Conv", {"x"}, "a", "conv1") + node_field("Conv", {"a"}, "b", "conv2") +
      node_field("Constant", {}, "c", "conv3") + node_field("Relu", {"b"}, "d", ""));
  const onnx::Model model = *onnx::read_model(file);
  return match_layer_precisions(model, *parse_layer_precisions(precisions),
                                *parse_layer_precisions(output_types));
}

TEST(LayerPrecisions, AnExactNameWins) {
  EXPECT_THAT(matched("conv*:fp32").kept, ElementsAre("#0", "#1"))
      << "patterns skip constants and nodes without a name";
  EXPECT_THAT(matched("conv*:fp32,conv2:fp16").kept, ElementsAre("#0"));
  EXPECT_THAT(matched("*1:fp16,conv*:fp32").kept, ElementsAre("#1")) << "the first pattern that "
                                                                        "matches counts";
  EXPECT_THAT(matched("conv3:fp32").kept, ElementsAre("#2"));
}

TEST(LayerPrecisions, OutputTypesWhereNothingElseIsSaid) {
  EXPECT_THAT(matched("", "conv1:fp32+fp16").kept, ElementsAre("#0"));
  EXPECT_THAT(matched("conv1:fp16", "conv1:fp32").kept, IsEmpty());
}

TEST(LayerPrecisions, WhatHasNoPlaceInAModel) {
  const MatchedPrecisions result = matched("conv1:int8,relu:fp32,z*:fp16");
  EXPECT_THAT(result.ignored, ElementsAre("conv1"));
  EXPECT_THAT(result.unmatched, ElementsAre("relu", "z*"));
  EXPECT_THAT(result.kept, IsEmpty());
}

// Writes the options for these nodes and reads them back: returns which nodes they match.
struct RoundTrip {
  WrittenPrecisions written;
  std::vector<std::string> kept;
};
RoundTrip round_trip_of(const std::vector<std::string>& names,
                        const std::vector<std::string>& wanted) {
  std::string nodes;
  for (const std::string& name : names) {
    nodes += node_field("Relu", {"x"}, "out of " + name + std::to_string(nodes.size()), name);
  }
  const std::string file = onnx::model_message(nodes);
  const onnx::Model model = *onnx::read_model(file);
  RoundTrip trip{write_layer_precisions(model, wanted, DataType::kFloat), {}};
  const auto value_of = [&](std::string_view option) {
    std::string_view rest = trip.written.text;
    rest.remove_prefix(rest.find(option) + option.size());
    return std::string(rest.substr(0, rest.find_first_of("\" ")));
  };
  if (trip.written.text.empty()) return trip;
  const auto layers = parse_layer_precisions(value_of("--layerPrecisions="));
  const auto outputs = parse_layer_precisions(value_of("--layerOutputTypes="));
  if (layers && outputs) trip.kept = match_layer_precisions(model, *layers, *outputs).kept;
  return trip;
}

TEST(LayerPrecisions, WhatIsWrittenIsReadAgain) {
  const RoundTrip plain = round_trip_of({"a", "b:c", "/d/Conv", "e"}, {"a", "b:c", "/d/Conv"});
  EXPECT_EQ(plain.written.text,
            "--precisionConstraints=obey \"--layerPrecisions=a:fp32,'b:c':fp32,/d/Conv:fp32\" "
            "\"--layerOutputTypes=a:fp32,'b:c':fp32,/d/Conv:fp32\"");
  EXPECT_THAT(plain.kept, ElementsAre("#0", "#1", "#2"));
  EXPECT_THAT(plain.written.notes, IsEmpty());
  EXPECT_THAT(round_trip_of({"a", "b"}, {"#1"}).kept, ElementsAre("#1"));
}

TEST(LayerPrecisions, ACommaBecomesAStar) {
  const RoundTrip one = round_trip_of({"conv,1,x", "other"}, {"conv,1,x"});
  EXPECT_THAT(one.written.text, HasSubstr("conv*x:fp32"));
  EXPECT_THAT(one.kept, ElementsAre("#0"));
  ASSERT_EQ(one.written.notes.size(), 1);
  const RoundTrip two = round_trip_of({"conv,1", "conv,2"}, {"conv,1"});
  EXPECT_THAT(two.kept, ElementsAre("#0"));
  const RoundTrip three = round_trip_of({"conv,1a", "conv2a", "b"}, {"conv,1a"});
  EXPECT_THAT(three.kept, ElementsAre("#0"));
  const RoundTrip wide = round_trip_of({"a,b", "ab"}, {"a,b"});
  EXPECT_THAT(wide.kept, ElementsAre("#0", "#1")) << "the pattern can't tell them apart";
  EXPECT_THAT(wide.written.notes.front(), HasSubstr("1 node"));
}

TEST(LayerPrecisions, NodesWithoutANameAreLeftOut) {
  const RoundTrip none = round_trip_of({""}, {"#0"});
  EXPECT_TRUE(none.written.text.empty());
  ASSERT_EQ(none.written.notes.size(), 1);
  EXPECT_THAT(none.written.notes.front(), HasSubstr("#0"));
}

}  // namespace
}  // namespace planex::quantize
