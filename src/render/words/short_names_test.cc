#include "render/words/short_names.h"

#include <gtest/gtest.h>

#include "model/builder.h"

namespace planex::render {
namespace {

std::vector<std::string> short_names_of(const std::vector<std::string>& names) {
  model::ModelBuilder builder;
  for (const std::string& name : names) builder.add_layer(builder.strings().add(name));
  return short_names(builder.finish());
}

TEST(ShortNames, FollowTheRules) {
  EXPECT_EQ(short_name("conv1.weight + QuantizeLinear_7 + Conv_9"), "conv1");
  EXPECT_EQ(short_name("MaxPool_12"), "MaxPool");
  EXPECT_EQ(short_name("QuantizeLinear_15"), "QuantizeLinear_15");
  EXPECT_EQ(short_name("Reformatting CopyNode for Output Tensor 0 to MaxPool_12"),
            "copy · output of MaxPool");
  EXPECT_EQ(short_name("l.conv2.weight + QuantizeLinear_32 + Conv_34 + Add_36 + Relu_37"),
            "l.conv2 + Add + Relu");
  EXPECT_EQ(short_name("Conv_3/WithoutBiases"), "Conv");
  EXPECT_EQ(short_name(""), "");
  EXPECT_EQ(short_name("_7"), "");
  EXPECT_EQ(short_name("7"), "7");
  EXPECT_EQ(short_name("größe_1"), "größe");
}

TEST(ShortNames, SayWhatACopyCopies) {
  EXPECT_EQ(short_name("Reformatting CopyNode for Input Tensor 12 to Reformatting CopyNode for "
                       "Output Tensor 0 to conv1.weight + Conv_9"),
            "copy · input of copy · output of conv1");
  EXPECT_EQ(short_name("Reformatting CopyNode for Input Tensor 0 to QuantizeLinear_15"),
            "copy · input of QuantizeLinear_15");
  for (const char* other :
       {"Reformatting CopyNode for Input Tensor  to a", "Reformatting CopyNode for Some Tensor 0",
        "Reformatting CopyNode for Input Tensor 0", "Reformatting CopyNode for "}) {
    EXPECT_EQ(short_name(other), other);
  }
}

TEST(ShortNames, SayWhatAReorderIsFor) {
  EXPECT_EQ(short_name("input_abcd_acdb_Conv_3"), "reorder · input of Conv");
  EXPECT_EQ(short_name("a_b_abcd_aBcd16b_node_4/WithoutBiases"), "reorder · input of node");
  EXPECT_EQ(short_name("x_ABCD_ab_ab_y"), "reorder · input of y") << "the last two layouts count";
  EXPECT_EQ(short_name("x_ab_ab__y"), "reorder · input of _y");
  EXPECT_EQ(short_name("x_ab_ab_Reformatting CopyNode for Input Tensor 0 to z_1"),
            "reorder · input of copy · input of z");
  for (const char* other :
       {"x_abcd_abc_y", "x_acd_acd_y", "_ab_ab_y", "x_ab_ab_", "x_ab_ab", "x_a_a_y",
        "x_abcdefab_abcdefab_y", "x_ab1b1_ab_y", "x_abg_ab_y", "x_ab_y"}) {
    EXPECT_EQ(short_name(other), other);
  }
}

TEST(ShortNames, AreUniqueOrNotShort) {
  EXPECT_EQ(short_names_of({"Conv_1", "Conv_2", "MaxPool_3"}),
            (std::vector<std::string>{"Conv_1", "Conv_2", "MaxPool"}));
  EXPECT_EQ(short_names_of({}), std::vector<std::string>{});
}

TEST(ShortNames, DropWhatAllBeginWith) {
  EXPECT_EQ(
      short_names_of({"jax2tf_get_logits_/sub/MatMul_1 + jax2tf_get_logits_/sub/Add_2",
                      "Reformatting CopyNode for Input Tensor 0 to jax2tf_get_logits_/sub/Tanh",
                      "jax2tf_get_logits_/sub/Tanh", "jax2tf_get_logits_/pooler/Gemm"}),
      (std::vector<std::string>{"sub/MatMul + sub/Add", "copy · input of sub/Tanh", "sub/Tanh",
                                "pooler/Gemm"}));
  // One of ten may be called otherwise, and stays.
  std::vector<std::string> names(9, "long_prefix/");
  for (std::size_t i = 0; i < names.size(); ++i) names[i] += static_cast<char>('a' + i);
  names.emplace_back("other");
  EXPECT_EQ(short_names_of(names).front(), "a");
  EXPECT_EQ(short_names_of(names).back(), "other");
  // Not where the rest would be another's name.
  names.back() = "a";
  EXPECT_EQ(short_names_of(names).front(), "long_prefix/a");
}

TEST(ShortNames, KeepBeginningsThatTell) {
  for (const std::vector<std::string>& names : {
           std::vector<std::string>{"/m/a", "/m/b", "/m/c", "/m/d"},
           std::vector<std::string>{"long_prefix/a", "long_prefix/b", "long_prefix/c"},
           std::vector<std::string>{"long_prefix/a", "long_prefix/b", "different/c", "different/d"},
           std::vector<std::string>{"long_prefix/", "long_prefix/", "long_prefix/", "long_prefix/"},
       }) {
    EXPECT_EQ(short_names_of(names), names);
  }
}

TEST(ShortNames, LeaveEndlessNames) {
  std::string copies;
  for (int i = 0; i < 60; ++i) copies += "Reformatting CopyNode for Input Tensor 0 to ";
  EXPECT_EQ(short_name(copies), copies);
  const std::string underscores(2000, '_');
  EXPECT_EQ(short_name(underscores), underscores);
}

}  // namespace
}  // namespace planex::render
