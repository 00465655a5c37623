#include "analyze/reproduce/redact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "model/builder.h"

namespace planex::analyze {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

std::string hashed(std::string_view name) { return redacted_name(name, ""); }

TEST(Redact, WordsBecomeHashesAndOperationsStay) {
  EXPECT_THAT(hashed("encoder"), MatchesRegex("x[a-z]{9}"));
  EXPECT_THAT(hashed("/encoder/layers.7/MatMul"), MatchesRegex("/x[a-z]{9}/x[a-z]{9}\\.7/MatMul"));
  EXPECT_THAT(hashed("Conv_12"), MatchesRegex("Conv_[0-9]{12}"));
  EXPECT_THAT(hashed("input.1"), MatchesRegex("input\\.[0-9]{12}"));
  EXPECT_THAT(hashed("gr\xc3\xb6\xc3\x9f"
                     "e"),
              MatchesRegex("x[a-z]{9}"));
  EXPECT_EQ(hashed("Reformatting CopyNode for Input Tensor 0 to Relu"),
            "Reformatting CopyNode for Input Tensor 0 to Relu");
  EXPECT_EQ(hashed("__myl_MulSum_myl0_3"), "__myl_MulSum_myl0_3");
  EXPECT_EQ(hashed(""), "");
}

// What analyses search for: a name that is a part of another one.
TEST(Redact, NamesInNames) {
  EXPECT_EQ(hashed("a/Conv_1 + b/Relu_2"), hashed("a/Conv_1") + " + " + hashed("b/Relu_2"));
  EXPECT_THAT(hashed("Conv_1_out"), testing::StartsWith(hashed("Conv_1")));
  EXPECT_EQ(hashed("fc1_myl0_41"), hashed("fc1") + "_myl0_41");
  EXPECT_EQ(hashed("Reformatting CopyNode for Output Tensor 0 to stem"),
            "Reformatting CopyNode for Output Tensor 0 to " + hashed("stem"));
}

// Myelin's names consist of codes and numbers; anything else in them is private.
TEST(Redact, NamesInNamesOfMyelin) {
  for (const std::string_view own :
       {"__myl_MulAddMean_myl0_3", "__myl_MulSum_0xba3f09_myl0_3", "__mye1302_dconst",
        "__mye13_myl1_2", "__myln_k_arg__bb1_2_myl0", "__myl_AddMaxrSubExpSum_myl0_1"}) {
    EXPECT_EQ(hashed(own), own);
  }
  EXPECT_THAT(hashed("__mye1302_secret_attn"), MatchesRegex("__mye1302_x[a-z]{9}_x[a-z]{9}"));
  EXPECT_THAT(hashed("__myl_MulSecret_myl0_3"), MatchesRegex("__myl_x[a-z]{9}_myl0_3"));
  EXPECT_THAT(hashed("__myl_Mul_secret_myl0_3"), Not(HasSubstr("secret")));
}

TEST(Redact, KernelsOfVendorsKeepTheirWordsAlone) {
  model::ModelBuilder builder;
  base::StringPool& strings = builder.strings();
  const model::LayerId layer = builder.add_layer(strings.add("acme/stage1/conv"));
  const model::LayerId other = builder.add_layer(strings.add("acme/relu"));
  model::PlanModel& model = builder.model();
  const std::string_view kernel = "sm80_xmma_fprop_tilesize128x64_stage3_warpsize2x2_relu";
  model.layers.tactic.set(layer.index(), strings.add(kernel));
  model.layers.tactic.set(other.index(), strings.add("cutlass_acme_gemm"));
  redact(model, "salt");
  EXPECT_EQ(model.text(model.layers.tactic[layer.index()]), kernel);
  EXPECT_THAT(std::string(model.text(model.layers.tactic[other.index()])),
              MatchesRegex("cutlass_x[a-z]{9}_gemm"));
}

TEST(Redact, SaltsGiveOtherHashes) {
  EXPECT_NE(redacted_name("encoder", "a"), redacted_name("encoder", "b"));
  EXPECT_NE(redacted_name("Conv_1", "a"), redacted_name("Conv_1", "b"));
  EXPECT_NE(hashed("encoder"), hashed("encodes"));
}

TEST(Redact, Model) {
  model::ModelBuilder builder;
  base::StringPool& strings = builder.strings();
  const model::LayerId layer = builder.add_layer(strings.add("secret"));
  builder.add_port(layer, model::Direction::kInput, {.tensor = "hidden"});
  const auto attribute = [&](std::string_view key, std::string_view value, model::ValueType type) {
    builder.add_attribute(layer, strings.intern(key), strings.add(value), type);
  };
  attribute("Kernel", "[3,3]", model::ValueType::kArray);
  attribute("Metadata", "[ONNX Layer: secret]", model::ValueType::kString);
  attribute("owner", R"({"who":"jdoe\n\u4e2d","n":1})", model::ValueType::kObject);
  builder.add_metadata("command", "trtexec",
                       "trtexec --onnx=/home/jdoe/secret.onnx --fp16 "
                       "--shapes=hidden:1x3",
                       "/home/jdoe/x.log");
  builder.add_diagnostic({.code = "odd", .message = "jdoe wrote secret"});
  model::PlanModel done = builder.finish();
  redact(done, "");
  std::string all;
  for (std::size_t i = 0; i < done.attributes.row_count(); ++i) {
    all += std::string(done.text(done.attributes.key[i])) + "=" +
           std::string(done.text(done.attributes.value[i])) + "\n";
  }
  const std::string command(done.text(done.metadata.value[0]));
  all += command + std::string(done.text(done.metadata.file[0])) +
         std::string(done.text(done.layers.name[0])) +
         std::string(done.text(done.tensors.name[0])) +
         std::string(done.text(done.diagnostics.message[0]));
  for (const std::string_view name : {"secret", "hidden", "jdoe", "who", "owner", "4e2d", "home"}) {
    EXPECT_THAT(all, Not(HasSubstr(std::string(name))));
  }
  EXPECT_THAT(all, HasSubstr("Kernel=[3,3]"));
  EXPECT_THAT(all, HasSubstr("[ONNX Layer: " + hashed("secret") + "]"));
  EXPECT_THAT(command, HasSubstr("--fp16 --shapes=" + hashed("hidden") + ":1x3"));
  EXPECT_THAT(command, MatchesRegex("trtexec --onnx=x[a-z]{9}\\.onnx .*"));
}

}  // namespace
}  // namespace planex::analyze
