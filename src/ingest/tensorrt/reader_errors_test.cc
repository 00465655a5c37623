// What each reader reports about a wrong value: the file, a JSON pointer to the value, its offset,
// the layer that contains it, what was found and what was expected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "ingest/discover/load.h"
#include "support/test_data.h"

namespace planex::ingest::tensorrt {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Case {
  std::string text;
  std::string pointer;
  std::string message;       // part of it
  std::string context = {};  // part of it
  std::string at = {};       // the text at the offset, if known
};

void check(const Error& error, const Case& wrong, std::string_view file) {
  SCOPED_TRACE(wrong.text);
  SCOPED_TRACE(test::to_text(error));
  EXPECT_EQ(error.code, ErrorCode::kBadInput);
  EXPECT_EQ(error.file, file);
  EXPECT_EQ(error.json_pointer, wrong.pointer);
  EXPECT_THAT(error.message, HasSubstr(wrong.message));
  EXPECT_THAT(error.context, HasSubstr(wrong.context));
  if (wrong.at.empty()) return;
  ASSERT_TRUE(error.byte_offset);
  ASSERT_LE(*error.byte_offset, wrong.text.size());
  EXPECT_THAT(wrong.text.substr(*error.byte_offset), ::testing::StartsWith(wrong.at));
}

// One layer with these fields after its name, and a valid one before it.
std::string graph_of_layer(std::string_view fields) {
  return R"({"Layers": [{"Name": "first", "LayerType": "NoOp", "Inputs": [], "Outputs": []},
    {"Name": "conv1", )" +
         std::string(fields) + "}]}";
}

TEST(GraphErrors, OfTheDocument) {
  const Case cases[] = {
      {"", "", "the file is empty"},
      {" \n ", "", "the file contains only blanks"},
      {std::string("\0\1\2", 3), "", "the file is binary"},
      {"ztrt", "", "it begins with \"ztrt\""},
      {"[]", "", "it has no list \"Layers\""},
      {"5", "", "it begins with \"5\""},
      {"{}", "", "it has no list \"Layers\""},
      {R"({"Bindings": ["a"]})", "", "it has no list \"Layers\""},
      {R"({"Layers": {}})", "/Layers", "of another type, expected a list of layers"},
      {R"({"Layers": "x"})", "/Layers", "expected a list of layers"},
      {R"({"Layers": null})", "/Layers", "expected a list of layers"},
      {R"({"Layers": ["a", 7]})", "/Layers/1", "is 7, expected a layer: an object, or a name", "",
       "7"},
      {R"({"Layers": [["a"]]})", "/Layers/0", "is an array, expected a layer"},
      {R"({"Layers": [null]})", "/Layers/0", "is null, expected a layer"},
      {R"({"Layers": [], "Bindings": {}})", "/Bindings", "expected a list of names"},
      {R"({"Layers": [], "Bindings": ["a", 1]})", "/Bindings/1", "expected a name"},
      {R"({"Layers": [], "Odd/Key": nul})", "/Odd~1Key", "\"nul\", expected a JSON value"},
  };
  for (const Case& wrong : cases) {
    const auto model =
        test::load_completed({.path = "x.json"}, test::memory_files({{"x.json", wrong.text}}));
    ASSERT_FALSE(model) << wrong.text;
    check(model.error(), wrong, "x.json");
  }
}

TEST(GraphErrors, OfALayer) {
  const std::string in = "in layer \"conv1\"";
  const Case cases[] = {
      {graph_of_layer(R"("LayerType": 5)"), "/Layers/1/LayerType", "is 5, expected a text", in,
       "5"},
      {graph_of_layer(R"("LayerType": ["a"])"), "/Layers/1/LayerType",
       "is an array, expected a text", in},
      {graph_of_layer(R"("LayerType": {})"), "/Layers/1/LayerType", "is an object, expected a text",
       in},
      {graph_of_layer(R"("ParameterType": true)"), "/Layers/1/ParameterType",
       "is true, expected a text", in},
      {graph_of_layer(R"("TacticName": 1.5)"), "/Layers/1/TacticName", "is 1.5, expected a text",
       in},
      {graph_of_layer(R"("Metadata": null)"), "/Layers/1/Metadata", "is null, expected a text", in},
      {graph_of_layer(R"("Origin": [])"), "/Layers/1/Origin", "expected a text", in},
      {graph_of_layer(R"("StreamId": "0")"), "/Layers/1/StreamId",
       "of another type, expected an integer", in},
      {graph_of_layer(R"("StreamId": 1.5)"), "/Layers/1/StreamId", "expected an integer", in},
      {graph_of_layer(R"("StreamId": 99999999999999999999)"), "/Layers/1/StreamId",
       "expected an integer", in},
      {graph_of_layer(R"("Inputs": {})"), "/Layers/1/Inputs", "expected a list of tensors", in},
      {graph_of_layer(R"("Outputs": 3)"), "/Layers/1/Outputs", "expected a list of tensors", in},
      {graph_of_layer(R"("Inputs": ["x"])"), "/Layers/1/Inputs/0", "expected a tensor", in},
      {graph_of_layer(R"("Outputs": [{}, []])"), "/Layers/1/Outputs/1", "expected a tensor", in},
      {graph_of_layer(R"("Inputs": [{"Name": 7}])"), "/Layers/1/Inputs/0/Name", "expected a text",
       in},
      {graph_of_layer(R"("Inputs": [{"Location": 7}])"), "/Layers/1/Inputs/0/Location",
       "is 7, expected a text", in},
      {graph_of_layer(R"("Inputs": [{"Format/Datatype": ["Half"]}])"),
       "/Layers/1/Inputs/0/Format~1Datatype", "is an array, expected a text", in},
      {graph_of_layer(R"("Inputs": [{"Dimensions": 5}])"), "/Layers/1/Inputs/0/Dimensions",
       "expected a list of integers", in},
      {graph_of_layer(R"("Inputs": [{"Dimensions": [1, "x"]}])"), "/Layers/1/Inputs/0/Dimensions/1",
       "is \"x\", expected an integer", in, "\"x\""},
      {graph_of_layer(R"("Outputs": [{"Dimensions": [1]}, {"Dimensions": [1, 2, 3.5]}])"),
       "/Layers/1/Outputs/1/Dimensions/2", "expected an integer", in},
      {graph_of_layer(R"("Inputs": [{"Dimensions": [99999999999999999999]}])"),
       "/Layers/1/Inputs/0/Dimensions/0", "expected an integer", in},
      {graph_of_layer(R"("Inputs": [{"Dimensions": [[1]]}])"), "/Layers/1/Inputs/0/Dimensions/0",
       "expected an integer", in},
      {graph_of_layer(R"("Kernel": [3, x])"), "/Layers/1/Kernel", "expected a JSON value", in},
      {graph_of_layer(R"("Kernel": 01)"), "/Layers/1/Kernel", "\"01\", expected a JSON value", in,
       "01"},
      {graph_of_layer(R"("Weights": {"Type": Half})"), "/Layers/1/Weights", "expected a JSON value",
       in},
      {graph_of_layer(R"("Activation": "\q")"), "/Layers/1/Activation", "broken JSON", in},
      {graph_of_layer("\"Deep\": " + std::string(65, '[') + std::string(65, ']')), "/Layers/1/Deep",
       "nested at most 64 deep", in},
  };
  for (const Case& wrong : cases) {
    const auto model =
        test::load_completed({.path = "x.json"}, test::memory_files({{"x.json", wrong.text}}));
    ASSERT_FALSE(model) << wrong.text;
    check(model.error(), wrong, "x.json");
  }
}

TEST(GraphErrors, OfBrokenJson) {
  const std::string good = graph_of_layer(R"("LayerType": "NoOp", "Inputs": [], "Outputs": [])");
  const Case cases[] = {
      {good.substr(0, good.size() - 1), "", "it ends too early"},
      {good.substr(0, 20), "", "it ends too early"},
      {good.substr(0, 18), "", "unterminated string"},
      {R"({"Layers": [{"Name": "a" "LayerType": "b"}]})", "/Layers/0", "broken JSON in /Layers/0",
       ""},
      {R"({"Layers": [{"Name" "a"}]})", "/Layers/0", "broken JSON in /Layers/0"},
      {R"({"Layers": [{"Name": "a"]})", "/Layers/0", "broken JSON in /Layers/0"},
      {R"({"Layers": [{"Name": "a"}}])", "", "broken JSON at the top"},
      // A string before a colon where no key is allowed: the parser must not lose its position.
      {R"({"Bindings":["":],"":})", "/Bindings/1", "broken JSON"},
      {R"({"Bindings":["":],"":},)", "", "broken JSON at the top"},
      {R"({"Layers": [{"Name": "a": "b"}]})", "/Layers/0", "broken JSON"},
      {"{\"Layers\": [{\"Name\": \"a\nb}]}", "", "unterminated string"},
      {"{\"Layers\": [{\"Name\": \"a, \n\"LayerType: \"b\"}]}", "",
       "a string contains a line break", "", "\n"},
      {"{\"Layers\": [{\"Name\": \"\xff\"}]}", "", "invalid UTF-8", "", "\xff"},
  };
  for (const Case& wrong : cases) {
    const auto model =
        test::load_completed({.path = "x.json"}, test::memory_files({{"x.json", wrong.text}}));
    ASSERT_FALSE(model) << wrong.text;
    check(model.error(), wrong, "x.json");
    EXPECT_TRUE(model.error().byte_offset) << wrong.text;
  }
}

constexpr std::string_view kGraph =
    R"({"Layers": [{"Name": "a", "LayerType": "CaskConvolution", "Inputs": [], "Outputs": []}]})";

void check_sibling(std::string_view kind, std::initializer_list<Case> cases) {
  for (const Case& wrong : cases) {
    const auto files = test::memory_files({{"g.json", kGraph}, {"o.json", wrong.text}});
    LoadRequest request{.path = "g.json"};
    (kind == "profile" ? request.profile
     : kind == "times" ? request.times
                       : request.metadata) = "o.json";
    const auto model = test::load_completed(request, files);
    if (model) {
      ADD_FAILURE() << wrong.text;
      continue;
    }
    check(model.error(), wrong, "o.json");
  }
}

TEST(ProfileErrors, SayWhere) {
  check_sibling("profile",
                {{"", "", "not a profile: the file is empty"},
                 {R"({"a": 1})", "", "expected a list of rows"},
                 {R"([5])", "/0", "expected a row of times"},
                 {R"([{"count": "x"}])", "/0/count", "expected a number"},
                 {R"([{"count": 1}, {"name": 7}])", "/1/name", "expected a layer name"},
                 {R"([{"name": "a", "timeMs": "1"}])", "/0/timeMs", "expected a number"},
                 {R"([{"name": "a", "averageMs": nope}])", "/0/averageMs", "expected a number"},
                 {R"([{"name": "a", "medianMs": 1e999}])", "/0/medianMs", "expected a number"},
                 {R"([{"name": "a"} {"name": "b"}])", "/1", "broken JSON"},
                 {R"([{"name": "a", "timeMs": 1)", "", "it ends too early"}});
}

TEST(SamplesErrors, SayWhere) {
  check_sibling("profile", {{R"({"a": [1, "x"]})", "/a/1", "expected ms"},
                            {R"({"a": [1], "b/c": 5})", "/b~1c", "expected a list of ms"},
                            {R"({"a": [1e999]})", "/a/0", "expected ms"},
                            {R"({"a": [1)", "", "it ends too early"}});
}

TEST(TimesErrors, SayWhere) {
  check_sibling("times",
                {{R"({"computeMs": 1})", "", "expected a list of inferences"},
                 {R"([1])", "/0", "expected an inference"},
                 {R"([{"computeMs": 1}, {"computeMs": "x"}])", "/1/computeMs", "expected a number"},
                 {R"([{"latencyMs": 1e999}])", "/0/latencyMs", "expected a number"},
                 {R"([{"latencyMs": })", "", ""}});
}

TEST(MetadataErrors, SayWhere) {
  check_sibling("metadata",
                {{R"(5)", "", "it begins with"},
                 {R"({"build_options": 5})", "/build_options", "expected an object of options"},
                 {R"({"build_options": {"a/b": x}})", "/build_options/a~1b", "broken JSON"},
                 {R"([5])", "/0", "expected a device"},
                 {R"({"build_options": {"a" 1}})", "/build_options", "broken JSON"}});
}

// --- What is odd, but no error ---

TEST(GraphDiagnostics, TextBehindTheDocument) {
  for (const std::string tail : {"x", "\n&&&& PASSED", "{}", "\n]", "\n}"}) {
    SCOPED_TRACE(tail);
    const std::string text = std::string(kGraph) + tail;
    const model::PlanModel model = test::must(test::load_texts(text));
    EXPECT_THAT(test::diagnostic_codes(model), Contains("trailing-text"));
    EXPECT_EQ(model.layers.row_count(), 1u);
    for (std::size_t row = 0; row < model.diagnostics.row_count(); ++row) {
      if (model.text(model.diagnostics.code[row]) != "trailing-text") continue;
      EXPECT_GE(model.diagnostics.byte_offset[row], static_cast<std::int64_t>(kGraph.size()));
    }
  }
  EXPECT_THAT(test::diagnostic_codes(test::must(test::load_texts(std::string(kGraph) + " \n\n"))),
              IsEmpty());
}

TEST(SiblingDiagnostics, TextBehindTheDocument) {
  for (const std::string text :
       {R"([{"name": "a", "timeMs": 1, "averageMs": 1}])", R"([{"computeMs": 1, "latencyMs": 1}])",
        R"({"a": [1, 2]})", R"({"build_options": {"a": "b"}})"}) {
    const model::PlanModel model = test::must(test::load_texts(kGraph, text + "\nbye"));
    EXPECT_THAT(test::diagnostic_codes(model), Contains("trailing-text")) << text;
  }
}

TEST(GraphDiagnostics, WeightsOfAnySpelling) {
  const auto bytes = [](std::string_view weights) {
    const model::PlanModel model = test::must(test::load_texts(
        R"({"Layers": [{"Name": "a", "LayerType": "CaskConvolution", "ParameterType": "Convolution",
            "Inputs": [], "Outputs": [], "Weights": )" +
        std::string(weights) + "}]}"));
    const bool reported = !test::diagnostic_codes(model).empty();
    EXPECT_EQ(reported, !model.layers.weight_bytes.get(0)) << weights;
    return model.layers.weight_bytes.get(0).value_or(-1);
  };
  EXPECT_EQ(bytes(R"({"Type": "Half", "Count": 10})"), 20);
  EXPECT_EQ(bytes(R"({"Count":10,"Type":"Float"})"), 40);
  EXPECT_EQ(bytes(R"({"Type": "Half", "Count": 10.0})"), 20);
  EXPECT_EQ(bytes("{\"Type\"\t:\r\n \"Int8\", \"Count\" :\n\t10 }"), 10);
  EXPECT_EQ(bytes(R"({"Type": "Mystery", "Count": 0})"), 0);
  EXPECT_EQ(bytes(R"({"Type": "Int4", "Count": 3})"), 2);
  EXPECT_EQ(bytes(R"({"Type": "Mystery", "Count": 10})"), -1);
  EXPECT_EQ(bytes(R"({"Type": "Half"})"), -1);
  EXPECT_EQ(bytes(R"({"Count": 10})"), -1);
  EXPECT_EQ(bytes(R"({"Type": "Half", "Count": -1})"), -1);
  EXPECT_EQ(bytes(R"({"Type": "Half", "Count": 1e9})"), 2'000'000'000);
  EXPECT_EQ(bytes(R"({"Type": "Half", "Count": 10.5})"), -1);
  EXPECT_EQ(bytes(R"({"Type": "Half", "Count": "10"})"), -1);
  EXPECT_EQ(bytes(R"({"Type": "Float", "Count": 9223372036854775807})"), -1);
  EXPECT_EQ(bytes(R"({"Type": "Half", "Count": 99999999999999999999})"), -1);
}

TEST(GraphDiagnostics, TheSlashOfAKeyMayBeEscaped) {
  // As PHP and some C++ libraries write it.
  const model::PlanModel model = test::must(test::load_texts(
      R"({"Layers": [{"Name": "a", "LayerType": "X", "Inputs": [], "Outputs":
          [{"Name": "t", "Dimensions": [1], "Format\/Datatype": "Half"}]}]})"));
  EXPECT_EQ(model.ports.dtype[0], model::DType::kFp16);
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(GraphDiagnostics, NamesWithEscapesOutliveTheFile) {
  const model::PlanModel model =
      test::must(test::load_texts(R"({"Layers": ["\u0061 + b\u002fc", "d"]})"));
  EXPECT_EQ(model.text(model.layers.name[0]), "a + b/c");
  ASSERT_EQ(model.sources.row_count(), 3u);
  EXPECT_EQ(model.text(model.sources.op_name[0]), "a");
  EXPECT_EQ(model.text(model.sources.op_name[1]), "b/c");
}

TEST(GraphDiagnostics, EscapesInTextsAreDecoded) {
  const model::PlanModel model = test::must(test::load_texts(
      R"({"Layers": [{"Name": "a\u002f\"b\"\\", "LayerType": "NoOp", "Metadata": "[ONNX Layer: x]\u001e[ONNX Layer: y]",
          "Outputs": [{"Name": "t\u00e9", "Dimensions": []}]},
         {"Name": "b", "LayerType": "NoOp", "Inputs": [{"Name": "té", "Dimensions": []}]}]})"));
  EXPECT_EQ(model.text(model.layers.name[0]), "a/\"b\"\\");
  EXPECT_EQ(model.sources.row_count(), 2u);
  ASSERT_EQ(model.tensors.row_count(), 1u);  // both spellings are one name
  EXPECT_EQ(model.text(model.tensors.name[0]), "té");
}

TEST(GraphDiagnostics, TensorsWithoutANameAreReported) {
  const model::PlanModel model = test::must(test::load_texts(
      R"({"Layers": [{"Name": "a", "LayerType": "X", "Inputs": [], "Outputs": [{"Dimensions": [1]}]},
                     {"Name": "b", "LayerType": "X", "Inputs": [{"Dimensions": [2]}], "Outputs": []}]})"));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("tensor-without-name"));
}

}  // namespace
}  // namespace planex::ingest::tensorrt
