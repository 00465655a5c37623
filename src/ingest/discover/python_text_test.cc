#include "ingest/discover/python_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ingest/discover/decode.h"
#include "support/test_data.h"

namespace planex::ingest {
namespace {

using testing::HasSubstr;

constexpr std::string_view kLayers = R"({"Layers": [
  {"Name": "conv1", "LayerType": "CaskConvolution", "ParameterType": "Convolution",
   "Inputs": [{"Name": "x", "Dimensions": [1,3,8,8], "Format/Datatype": "Row major linear FP32"}],
   "Outputs": [{"Name": "y", "Dimensions": [1,8,8,8], "Format/Datatype": "Row major linear FP32"}],
   "Kernel": [1,1], "OutMaps": 8},
  {"Name": "it's", "LayerType": "PointWise", "Inputs": [{"Name": "y", "Dimensions": [1,8,8,8],
   "Format/Datatype": "Row major linear FP32"}], "Outputs": []}],
 "Bindings": ["x"]})";

// Python's repr() of a text, without double quotes around it.
std::string repr(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '\\' || c == '\'') out += '\\';
      out += c;
    }
  }
  return out + "'";
}

void expect_layers(const std::string& text) {
  SCOPED_TRACE(text.substr(0, 120));
  base::MemoryFiles files = test::memory_files({{"run/layers.txt", text}});
  const auto model = test::load_completed({.path = "run/layers.txt"}, files);
  ASSERT_TRUE(model) << model.error().message;
  ASSERT_EQ(model->layers.row_count(), 2U);
  EXPECT_EQ(model->text(model->layers.name[0]), "conv1");
  EXPECT_EQ(model->text(model->layers.name[1]), "it's");
}

// print(module.get_layer_info()), and the output of a prompt without print.
TEST(PythonText, LayersThatTorchTensorRtPrintsAreRead) {
  const std::string plain(kLayers);
  const std::string log =
      "WARNING: [Torch-TensorRT] - Unable to import quantization op.\n"
      "INFO:torch_tensorrt.dynamo.conversion._TRTInterpreter:Build TRT engine elapsed time: "
      "0:00:03.14\n";
  expect_layers(log + plain + "\nDone\n");
  expect_layers(">>> print(trt_mod._run_on_acc_0.get_layer_info())\n" + plain + "\n>>> \n");
  expect_layers(repr(plain) + "\n");
  expect_layers("b" + repr(plain) + "\n");
  expect_layers(">>> trt_mod._run_on_acc_0.get_layer_info()\n" + repr(plain) + "\n>>> \n");
  expect_layers(log + repr(plain) + "\n");
  expect_layers("DEBUG: [Torch-TensorRT] - " + plain + "\nINFO: [Torch-TensorRT] - end\n");
  expect_layers("DEBUG: [Torch-TensorRT TorchScript Conversion Context] - " + plain + "\n");
  expect_layers("INFO:torch_tensorrt.dynamo.runtime._TorchTensorRTModule:" + plain + "\n");
  expect_layers(
      "{'Layers': [{'Name': 'conv1', 'LayerType': 'CaskConvolution', 'Inputs': [], 'Outputs': [], "
      "'HasBias': True, 'Odd': None},\n {'Name': \"it's\", 'LayerType': 'PointWise', 'Inputs': [],"
      " 'Outputs': []}], 'Bindings': ['x']}\n");
}

// An engine that was built without detail has only names.
TEST(PythonText, NamesAloneAreReadToo) {
  expect_layers(
      "WARNING: [Torch-TensorRT] - x\n{\"Layers\": [\"conv1\", \"it's\"],\n\"Bindings\": "
      "[\"x\"]}\n");
}

TEST(PythonText, EscapesStandForTheirCharacters) {
  EXPECT_EQ(from_python(R"('{"Layers": "a\x41\u00e9\U0001f600\\u001e\t"}')").value_or(""),
            "{\"Layers\": \"aA\xc3\xa9\xf0\x9f\x98\x80\\u001e\t\"}");
  // Neither text that is not code nor truncated text.
  EXPECT_EQ(from_python(R"('{"Layers": "\xzz\ud800\UFFFFFFFF\x4)").value_or(""),
            "{\"Layers\": \"\\xzz\xef\xbf\xbd\\UFFFFFFFF\\x4");
  EXPECT_EQ(from_python("'{\"Layers\": \"\\").value_or(""), "{\"Layers\": \"\\");
}

TEST(PythonText, OtherTextStaysWhatItIs) {
  for (const std::string_view text :
       {"", "{\"Layers\": []}", "options {'workspace': 1}\n", "{'workspace': 1}\n", "'{x}'\n",
        "[Torch-TensorRT] - nothing\n", "DEBUG: [Torch-TensorRT] - {}\n"}) {
    EXPECT_FALSE(from_python(text)) << text;
  }
}

TEST(PythonText, IsToldOfWhereItWasChanged) {
  const auto decoded = decode(base::make_bytes(repr(kLayers)), "layers.txt");
  ASSERT_TRUE(decoded);
  ASSERT_EQ(decoded->diagnostics.size(), 1U);
  EXPECT_EQ(decoded->diagnostics[0].code, "pasted-text");
  EXPECT_THAT(decoded->diagnostics[0].message, HasSubstr("Python"));
}

}  // namespace
}  // namespace planex::ingest
