#include "ingest/discover/other_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ingest/discover/load.h"
#include "support/test_data.h"

namespace planex::ingest {
namespace {

using testing::HasSubstr;

Error error_of(const std::string& path, std::string_view content) {
  const auto model = load({.path = path}, test::memory_files({{path, content}}));
  return model ? Error{.message = "(it was read)"} : model.error();
}

TEST(OtherModels, SayWhatTheyAreAndTheWayOn) {
  constexpr std::string_view kBinary("\x01\x00\x02\x00\x03", 5);
  const struct {
    std::string path;
    std::string_view content, label, way;
  } cases[] = {
      {"run/a.engine", "ftrt\x01\x02", "TensorRT engine", "trtexec --loadEngine=run/a.engine"},
      {"run/my net", "ftrt\x01\x02", "TensorRT engine", "--loadEngine='run/my net'"},
      {"a.plan", kBinary, "TensorRT engine", "--exportLayerInfo=a.graph.json"},
      {"a.TRT", kBinary, "TensorRT engine", "planex a.graph.json"},
      {"a.tflite", std::string_view("\x1c\0\0\0TFL3", 8), "TensorFlow Lite", "--tflite a.tflite"},
      {"a.pb", kBinary, "TensorFlow graph", "--graphdef a.pb"},
      {"a.pt", "PK\x03\x04", "PyTorch model", "torch.onnx.export"},
      {"a.pth", kBinary, "PyTorch model", "planex process a.onnx -o a/"},
      {"a.h5", "\x89HDF\r\n\x1a\n", "Keras model", "planex process a.onnx"},
      {"a.safetensors", kBinary, "weights", "torch.onnx.export"},
  };
  for (const auto& one : cases) {
    const Error error = error_of(one.path, one.content);
    EXPECT_EQ(error.code, ErrorCode::kUnsupported) << one.path;
    EXPECT_EQ(error.file, one.path);
    EXPECT_THAT(error.message, HasSubstr(one.label));
    EXPECT_THAT(error.hint, HasSubstr(one.way));
  }
}

TEST(OtherModels, ContentGoesBeforeTheName) {
  EXPECT_EQ(error_of("a.engine", R"({"Layers": ["a"]})").message, "(it was read)");
  EXPECT_EQ(other_model_label("a.plan", "text of somebody"), "");
  EXPECT_EQ(other_model_label("a.json", "ftrt"), "TensorRT engine");
  EXPECT_EQ(other_model_label("a.bin", "\x01\x02"), "");
}

TEST(OtherModels, AreNamedInAFolder) {
  const auto model = load({.path = "run"}, test::memory_files({{"run/a.engine", "ftrt\x01"}}));
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().context, HasSubstr("run/a.engine: TensorRT engine"));
}

}  // namespace
}  // namespace planex::ingest
