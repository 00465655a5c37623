#include "onnx/upgrade.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "onnx/attributes.h"
#include "onnx/ranks.h"
#include "onnx/read.h"
#include "onnx/test_message.h"

namespace planex::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string int_field(std::string_view name, std::int64_t value) {
  return bytes_field(5, bytes_field(1, name) + varint_field(3, static_cast<std::uint64_t>(value)) +
                            varint_field(20, 2));
}
std::string ints_field(std::string_view name, std::initializer_list<std::int64_t> values) {
  std::string text = bytes_field(1, name);
  for (const std::int64_t value : values) {
    text += varint_field(8, static_cast<std::uint64_t>(value));
  }
  return bytes_field(5, text + varint_field(20, 7));
}
std::string float_field(std::string_view name, float value) {
  const std::string bits(reinterpret_cast<const char*>(&value), sizeof(value));
  return bytes_field(5, bytes_field(1, name) + varint(2 << 3 | 5) + bits + varint_field(20, 1));
}
std::string text_field(std::string_view name, std::string_view value) {
  return bytes_field(5, bytes_field(1, name) + bytes_field(4, value) + varint_field(20, 3));
}

// An input of that many dimensions, of the type.
std::string input(std::string_view name, int rank, std::uint64_t type = 1) {
  std::string shape;
  for (int i = 0; i < rank; ++i) shape += bytes_field(1, varint_field(1, 3));
  return bytes_field(
      11, bytes_field(1, name) +
              bytes_field(2, bytes_field(1, varint_field(1, type) + bytes_field(2, shape))));
}
std::string scales(std::string_view name, const std::vector<float>& values) {
  const std::string raw(reinterpret_cast<const char*>(values.data()), values.size() * 4);
  return bytes_field(5, varint_field(1, values.size()) + varint_field(2, 1) + bytes_field(8, name) +
                            bytes_field(9, raw));
}

Result<std::string> upgraded(std::string_view file, std::int64_t to) {
  const Model model = *read_model(file);
  const Links links(model);
  const base::MemoryFiles files;
  Values values(file, model, files, "");
  Edit edit;
  if (auto done = upgrade(model, links, values, to, edit); !done) {
    return fail(std::move(done).error());
  }
  return edited(file, model, edit);
}

std::string attribute_text(const Attribute& attribute) {
  if (const auto value = int_of(attribute)) return base::format("{}={}", attribute.name, *value);
  if (const auto value = string_of(attribute)) {
    return base::format("{}={}", attribute.name, *value);
  }
  return base::format("{}=[{}]", attribute.name, fmt::join(ints_of(attribute, 9), ","));
}

// "Op(in,in){attributes}->out" of each node; added constants are shown as their values.
std::vector<std::string> lines(std::string_view graph, std::int64_t from, std::int64_t to) {
  const auto file = upgraded(model_message(graph, static_cast<std::uint64_t>(from)), to);
  if (!file) return {file.error().message};
  const Model model = *read_model(*file);
  EXPECT_EQ(model.graphs[0].opset, to);
  const base::MemoryFiles files;
  Values values(*file, model, files, "");
  const Links links(model);
  std::vector<std::string> all;
  for (const Node& node : model.nodes) {
    std::vector<std::string> inputs, attributes;
    for (const std::string_view name : model.inputs_of(node)) {
      const Link* link = links.find(name);
      const bool is_added = link != nullptr && link->initializer != kNoIndex && name.contains('_');
      if (!is_added) {
        inputs.emplace_back(name);
        continue;
      }
      const Tensor& tensor = model.tensors[link->initializer];
      const auto text = base::format("{}", fmt::join(*values.floats(tensor), " "));
      const bool is_scalar = tensor.dims.count == 0;
      inputs.push_back(base::format("{}{}", to_string(tensor.type),
                                    is_scalar ? text : base::format("[{}]", text)));
    }
    for (const Attribute& attribute : model.attributes_of(node)) {
      attributes.push_back(attribute_text(attribute));
    }
    all.push_back(base::format("{}({}){{{}}}->{}", node.op_type, fmt::join(inputs, ","),
                               fmt::join(attributes, ","), fmt::join(model.outputs_of(node), ",")));
  }
  return all;
}

std::string one(std::string_view type, std::string_view more) {
  return node_field(type, {"x"}, "y", "node", more);
}

TEST(Upgrade, AxesAndPartsBecomeInputs) {
  EXPECT_THAT(lines(one("Squeeze", ints_field("axes", {0, -1})), 11, 13),
              ElementsAre("Squeeze(x,INT64[0 -1]){}->y"));
  EXPECT_THAT(lines(one("Squeeze", ""), 11, 13), ElementsAre("Squeeze(x){}->y"));
  EXPECT_THAT(lines(one("Unsqueeze", ints_field("axes", {2})), 12, 21),
              ElementsAre("Unsqueeze(x,INT64[2]){}->y"));
  EXPECT_THAT(lines(one("ReduceSum", ints_field("axes", {1}) + int_field("keepdims", 0)), 11, 13),
              ElementsAre("ReduceSum(x,INT64[1]){keepdims=0}->y"));
  const std::string mean = one("ReduceMean", ints_field("axes", {1}));
  EXPECT_THAT(lines(mean, 11, 17), ElementsAre("ReduceMean(x){axes=[1]}->y"));
  EXPECT_THAT(lines(mean, 11, 18), ElementsAre("ReduceMean(x,INT64[1]){}->y"));
  EXPECT_THAT(lines(one("Split", ints_field("split", {2, 4})), 11, 18),
              ElementsAre("Split(x,INT64[2 4]){}->y"));
  EXPECT_THAT(lines(one("Split", bytes_field(2, "z")), 11, 17), ElementsAre("Split(x){}->y,z"));
  EXPECT_THAT(lines(one("Split", bytes_field(2, "z")), 11, 18),
              ElementsAre("Split(x){num_outputs=2}->y,z"));
}

TEST(Upgrade, LimitsAndBordersBecomeInputs) {
  EXPECT_THAT(lines(one("Clip", float_field("max", 6) + float_field("min", 0)), 10, 13),
              ElementsAre("Clip(x,FLOAT0,FLOAT6){}->y"));
  EXPECT_THAT(lines(one("Clip", float_field("max", 6)), 10, 13),
              ElementsAre("Clip(x,,FLOAT6){}->y"));
  EXPECT_THAT(lines(one("Clip", float_field("min", 0.5F)) + input("x", 1, 10), 10, 13),
              ElementsAre("Clip(x,FLOAT160.5){}->y"))
      << "of the type of what is clipped";
  EXPECT_THAT(lines(one("Pad", ints_field("pads", {1, 2}) + float_field("value", 3)), 10, 13),
              ElementsAre("Pad(x,INT64[1 2],FLOAT3){}->y"));
}

TEST(Upgrade, SoftmaxAlongTheLastAxisStays) {
  const auto softmax = [](std::int64_t axis) { return one("Softmax", int_field("axis", axis)); };
  EXPECT_THAT(lines(softmax(-1), 11, 13), ElementsAre("Softmax(x){axis=-1}->y"));
  EXPECT_THAT(lines(softmax(2) + input("x", 3), 11, 13), ElementsAre("Softmax(x){axis=2}->y"));
  EXPECT_THAT(lines(one("Softmax", "") + input("x", 2), 11, 13),
              ElementsAre("Softmax(x){axis=1}->y"))
      << "the axis that was the default is written";
}

TEST(Upgrade, SoftmaxOverSeveralAxesIsDoneFlat) {
  const std::vector<std::string> flat = {"Shape(x){}->y_shape", "Flatten(x){axis=1}->y_flat",
                                         "Softmax(y_flat){axis=-1}->y_flat_result",
                                         "Reshape(y_flat_result,y_shape){}->y"};
  EXPECT_EQ(lines(one("Softmax", "") + input("x", 3), 11, 13), flat);
  EXPECT_EQ(lines(one("Softmax", ""), 11, 13), flat) << "their number is unknown";
  EXPECT_EQ(lines(one("Softmax", int_field("axis", 1)) + input("x", 3), 13, 21),
            std::vector<std::string>{"Softmax(x){axis=1}->y"})
      << "from 13 on it means what it says";
}

TEST(Upgrade, ResizeKeepsItsPositions) {
  const std::string resize =
      node_field("Resize", {"x", "s"}, "y", "node", text_field("mode", "nearest"));
  EXPECT_THAT(lines(resize + scales("s", {1, 2}), 10, 13),
              ElementsAre("Resize(x,,s){mode=nearest,coordinate_transformation_mode=asymmetric,"
                          "nearest_mode=floor}->y"));
  EXPECT_THAT(lines(resize + scales("s", {1, 0.5F}), 10, 13)[0], HasSubstr("node \"node\""));
  EXPECT_THAT(lines(resize, 10, 13)[0], HasSubstr("its scales are not constant"));
  const std::string sizes = node_field("Resize", {"x", "r", "s", "z"}, "y", "node");
  EXPECT_THAT(lines(sizes + scales("s", {}), 11, 13), ElementsAre("Resize(x,r,,z){}->y"));
}

TEST(Upgrade, OthersThatChanged) {
  EXPECT_THAT(lines(one("Dropout", float_field("ratio", 0.5F)), 10, 13),
              ElementsAre("Dropout(x){}->y"));
  EXPECT_THAT(lines(node_field("Scatter", {"x", "i", "u"}, "y", "n", int_field("axis", 1)), 10, 13),
              ElementsAre("ScatterElements(x,i,u){axis=1}->y"));
  EXPECT_THAT(lines(one("RoiAlign", ""), 10, 16),
              ElementsAre("RoiAlign(x){coordinate_transformation_mode=output_half_pixel}->y"));
  EXPECT_THAT(lines(one("GridSample", text_field("mode", "bicubic")), 16, 20),
              ElementsAre("GridSample(x){mode=cubic}->y"));
  EXPECT_THAT(lines(one("DFT", ""), 17, 20), ElementsAre("DFT(x,,INT641){}->y"));
}

TEST(Upgrade, NodesOfSubgraphs) {
  const std::string inner = one("Squeeze", ints_field("axes", {0}));
  const std::string body =
      bytes_field(5, bytes_field(1, "then_branch") + bytes_field(6, inner) + varint_field(20, 5));
  const auto file = upgraded(model_message(node_field("If", {"c"}, "z", "if", body), 11), 13);
  ASSERT_TRUE(file);
  const Model model = *read_model(*file);
  EXPECT_EQ(model.nodes[1].inputs.count, 2U);
  EXPECT_EQ(model.nodes[1].attributes.count, 0U);
  EXPECT_EQ(model.initializers_of(model.graphs[0]).size(), 1U) << "a subgraph sees those outside";
}

TEST(Upgrade, WhatCannotBeWrittenTheNewWayIsRefused) {
  const std::vector<std::string> refused = {
      lines(one("Upsample", ""), 10, 13)[0], lines(one("GroupNormalization", ""), 18, 21)[0],
      lines(one("Dropout", bytes_field(2, "mask")), 10, 13)[0],
      lines(one("BatchNormalization", bytes_field(2, "mean")), 13, 14)[0],
      lines(node_field("Resize", {"x", "r", "s"}, "y", "node",
                       text_field("coordinate_transformation_mode", "tf_half_pixel_for_nn")),
            11, 13)[0]};
  for (const std::string& message : refused) {
    EXPECT_THAT(message, HasSubstr("node \"node\" (")) << "it is named";
  }
}

TEST(Upgrade, OpsetsThatAreTooOldOrTooNew) {
  for (const auto& [from, to] : {std::pair(9U, 13), std::pair(13U, 23)}) {
    const auto result = upgraded(model_message(one("Relu", ""), from), to);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(result.error().hint, HasSubstr("onnx.version_converter"));
  }
  const std::string file = model_message(one("Relu", ""), 19);
  EXPECT_EQ(*upgraded(file, 13), file) << "there is nothing to raise";
}

TEST(Upgrade, FunctionsKeepTheirOpset) {
  const std::string function =
      bytes_field(1, "F") + bytes_field(10, "mine") + bytes_field(7, bytes_field(4, "Relu"));
  const auto result = upgraded(model_message(one("Relu", ""), 11) + bytes_field(25, function), 13);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().hint, HasSubstr("inline"));
}

TEST(Ranks, FollowWhatOperatorsDo) {
  const std::string file = model_message(
      input("x", 4) + node_field("Transpose", {"u"}, "t", "", ints_field("perm", {0, 2, 1})) +
      node_field("MatMul", {"t", "x"}, "m", "") + node_field("Relu", {"m"}, "r", "") +
      node_field("Squeeze", {"r"}, "s", "", ints_field("axes", {0, 1})) +
      node_field("Shape", {"x"}, "shape", "") +
      node_field("Concat", {"shape", "shape"}, "list", "", int_field("axis", 0)) +
      node_field("Reshape", {"v", "list"}, "reshaped", "") +
      node_field("ReduceMax", {"x"}, "all", "", int_field("keepdims", 0)) +
      node_field("Add", {"s", "unknown"}, "sum", ""));
  const Model model = *read_model(file);
  const Links links(model);
  const base::MemoryFiles files;
  Values values(file, model, files, "");
  const Ranks ranks(model, links, values);
  EXPECT_EQ(ranks.of("t"), 3);
  EXPECT_EQ(ranks.of("m"), 4);
  EXPECT_EQ(ranks.of("r"), 4);
  EXPECT_EQ(ranks.of("s"), 2);
  EXPECT_EQ(ranks.of("reshaped"), 8);
  EXPECT_FALSE(ranks.of("all"));
  EXPECT_FALSE(ranks.of("sum"));
}

}  // namespace
}  // namespace planex::onnx
