#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "ingest/discover/load.h"
#include "ingest/discover/registry.h"
#include "ingest/polygraphy/engine_text_reader.h"
#include "support/test_data.h"

namespace planex::ingest::polygraphy {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

// As printed by Polygraphy 0.49 for a detailed engine.
constexpr std::string_view kDetailed =
    "[I] Loading bytes from net.engine\n"
    "[I] ==== TensorRT Engine ====\n"
    "    Name: Unnamed Network 0 | Explicit Batch Engine\n"
    "    \n"
    "    ---- 1 Engine Input(s) ----\n"
    "    {images [dtype=float32, shape=(-1, 3, 8, 8)]}\n"
    "    \n"
    "    ---- 2 Engine Output(s) ----\n"
    "    {boxes [dtype=float32, shape=(-1, 4)],\n"
    "     scores [dtype=float16, shape=()]}\n"
    "    \n"
    "    ---- Memory ----\n"
    "    Device Memory: 8228864 bytes\n"
    "    \n"
    "    ---- 1 Profile(s) (3 Tensor(s) Each) ----\n"
    "    - Profile: 0\n"
    "        Tensor: images          (Input), Index: 0 | Shapes: min=(1, 3, 8, 8), opt=(4, 3, 8, "
    "8), "
    "max=(8, 3, 8, 8)\n"
    "        Tensor: boxes          (Output), Index: 1 | Shape: (-1, 4)\n"
    "    \n"
    "    ---- 2 Layer(s) ----\n"
    "    Layer 0    | conv [a] + act [Op: CaskConvolution]\n"
    "        {images [shape=(-1, 3, 8, 8), Format: Row major linear FP32]}\n"
    "         -> {c [dtype=float16, shape=(-1, 8, 8, 8)]}\n"
    "        ---- Attributes ----\n"
    "        Origin = Unknown\n"
    "        Tactic = sm80_xmma_fprop_implicit_gemm_f16\n"
    "    \n"
    "    Layer 1    | join [Op: Concat]\n"
    "        {c [dtype=float16, shape=(-1, 8, 8, 8)],\n"
    "         d [profile 1] [shape=(1, 2)]}\n"
    "         -> {boxes [dtype=float32, shape=(-1, 4)],\n"
    "             scores}\n";

model::PlanModel read_engine(std::string_view text) {
  model::ModelBuilder builder;
  Artefact artefact{.path = "e.txt", .bytes = base::make_bytes(text)};
  artefact.file_row = builder.add_file("e.txt", "polygraphy-engine-text", "test", text.size());
  const auto read = read_engine_text(artefact, builder);
  EXPECT_TRUE(read.has_value()) << test::to_text(read.error());
  return builder.finish();
}

std::vector<std::string> ports_of(const model::PlanModel& model, std::size_t layer) {
  std::vector<std::string> result;
  const auto rows = model.ports_of(model::LayerId(layer));
  for (std::size_t row = rows.first; row < rows.end(); ++row) {
    std::string text =
        base::format("{} {} {}", to_string(model.ports.direction[row]),
                     model.text(model.tensors.name[model.ports.tensor_id[row].index()]),
                     to_string(model.ports.dtype[row]));
    if (model.ports.dims.is_null(row)) text += " ?";
    for (const std::int64_t dim : model.ports.dims[row]) text += base::format(" {}", dim);
    result.push_back(text);
  }
  return result;
}

TEST(PolygraphyText, ADetailedEngine) {
  EXPECT_EQ(sniff(kDetailed)->id, "polygraphy-engine-text");
  const auto model = read_engine(kDetailed);
  EXPECT_EQ(model.text(model.engine.producer[0]), "tensorrt");
  EXPECT_EQ(model.text(model.engine.detail[0]), "full");
  ASSERT_EQ(model.layers.row_count(), 2u);
  EXPECT_EQ(model.text(model.layers.name[0]), "conv [a] + act");
  EXPECT_EQ(model.text(model.layers.type[0]), "CaskConvolution");
  EXPECT_EQ(model.layers.family[0], model::Family::kConvolution);
  EXPECT_EQ(model.text(model.layers.tactic[0]), "sm80_xmma_fprop_implicit_gemm_f16");
  EXPECT_TRUE(model.layers.origin.is_null(0)) << "Unknown is no origin";
  EXPECT_THAT(ports_of(model, 0),
              ElementsAre("input images FP32 -1 3 8 8", "output c FP16 -1 8 8 8"));
  EXPECT_THAT(ports_of(model, 1), ElementsAre("input c FP16 -1 8 8 8", "input d [profile 1]  1 2",
                                              "output boxes FP32 -1 4", "output scores  ?"));
  ASSERT_EQ(model.bindings.row_count(), 3u);
  EXPECT_EQ(model.bindings.direction[2], model::Direction::kOutput);
  EXPECT_EQ(model.bindings.dtype[2], model::DType::kFp16);
  ASSERT_EQ(model.profiles.row_count(), 1u);
  EXPECT_EQ(model.profiles.opt_dims[0][0], 4);
}

// Before 0.48: bindings by index, layers once per profile.
TEST(PolygraphyText, ProfilesAndOlderForms) {
  const auto model = read_engine(
      "[I] ==== TensorRT Engine ====\n"
      "    Name: net | Explicit Batch Engine (2 layers)\n\n"
      "    ---- 1 Engine Inputs ----\n"
      "    {x [dtype=float32, shape=(1, 2)]}\n\n"
      "    ---- 2 Profiles (2 Bindings Each) ----\n"
      "    - Profile: 0\n"
      "        Binding Index: 0 (Input)  [Name: x]             | Shapes: min=(1, 2), opt=(1, 2), "
      "max=(1, 2)\n"
      "    - Profile: 1\n"
      "        Binding Index: 2 (Input)  [Name: x [profile 1]] | Shapes: min=(3, 2), opt=(3, 2), "
      "max=(3, 2)\n\n"
      "    ---- 1 Layer(s) Per Profile ----\n"
      "    - Profile: 0\n"
      "        Layer 0    | node_of_y [Op: Reformat]\n"
      "            {x [shape=(1, 2)]}\n"
      "             -> {y [shape=(1, 2)]}\n\n"
      "    - Profile: 1\n"
      "        Layer 0    | node_of_y [profile 1] [Op: MyelinReformat]\n"
      "            {x [profile 1] [shape=(1, 2)]}\n"
      "             -> {y [profile 1] [shape=(1, 2)]}\n");
  ASSERT_EQ(model.layers.row_count(), 2u);
  EXPECT_EQ(model.layers.profile_index[0], 0);
  EXPECT_EQ(model.layers.profile_index[1], 1);
  EXPECT_EQ(model.text(model.layers.name[1]), "node_of_y [profile 1]");
  ASSERT_EQ(model.profiles.row_count(), 2u);
  EXPECT_EQ(model.text(model.profiles.binding[1]), "x [profile 1]");
  EXPECT_EQ(model.profiles.min_dims[1][0], 3);
  EXPECT_EQ(test::diagnostic_codes(model).size(), 0u);
}

TEST(PolygraphyText, WithoutItsLayersItSaysHowToGetThem) {
  const auto model = read_engine(kDetailed.substr(0, kDetailed.find("    Layer 0")));
  EXPECT_EQ(model.text(model.engine.detail[0]), "no-layers");
  EXPECT_THAT(test::diagnostic_codes(model), Contains("no-layers"));
  const auto cut = read_engine(kDetailed.substr(0, kDetailed.find("    Layer 1")));
  EXPECT_THAT(test::diagnostic_codes(cut), Contains("layers-missing"));
}

TEST(PolygraphyText, NamesAlone) {
  const auto model = read_engine(
      "==== TensorRT Engine ====\nName: n | Explicit Batch Engine\n---- 2 Layer(s) ----\n"
      "Layer 0    | conv1 [Op: Unknown]\n{}\n -> {}\n\nLayer 1    | fc [Op: Unknown]\n{}\n -> "
      "{}\n");
  EXPECT_EQ(model.text(model.engine.detail[0]), "names-only");
  EXPECT_EQ(model.text(model.layers.name[1]), "fc");
  EXPECT_TRUE(model.layers.type.is_null(0));
}

TEST(PolygraphyText, OfAModelOrOfNothing) {
  constexpr std::string_view kModel =
      "[I] ==== ONNX Model ====\n    Name: g | ONNX Opset: 13\n    ---- 1 Graph Input(s) ----\n";
  EXPECT_EQ(sniff(kModel)->id, "polygraphy-engine-text");
  for (const std::string_view text :
       {kModel, std::string_view("Layer 0 | x"), std::string_view()}) {
    model::ModelBuilder builder;
    const Artefact artefact{.path = "e.txt", .bytes = base::make_bytes(text)};
    const auto read = read_engine_text(artefact, builder);
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_TRUE(read.error().byte_offset.has_value()) << text;
  }
}

}  // namespace
}  // namespace planex::ingest::polygraphy
