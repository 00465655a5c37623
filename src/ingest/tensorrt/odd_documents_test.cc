// Layer files that differ from what TensorRT writes: pieces of them, JSON in JSON, damaged texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/text.h"
#include "ingest/discover/load.h"
#include "ingest/discover/registry.h"
#include "ingest/tensorrt/tensor_records.h"
#include "support/json_tree.h"
#include "support/model_dump.h"
#include "support/test_data.h"

namespace planex::ingest::tensorrt {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string kGolden = PLANEX_SOURCE_DIR "/tests/golden/ingest/";

std::string golden(const std::string& name) {
  return test::read_text(kGolden + name + "/engine.graph.json");
}

Result<model::PlanModel> load(std::string_view text) {
  return test::load_completed({.path = "x.json"}, test::memory_files({{"x.json", text}}));
}

// The layers, without anything that identifies the file.
std::string layers_of(const model::PlanModel& model) {
  std::string text = test::dump(model, {.attributes = test::AttributeOrder::kSorted,
                                        .canonical_json = true,
                                        .without_byte_places = true});
  std::string kept;
  bool keep = false;
  std::size_t first = 0;
  while (first < text.size()) {
    const std::size_t end = text.find('\n', first);
    const std::string line = text.substr(first, end - first);
    if (!line.starts_with(' ')) {
      keep = line.starts_with("layers:") || line.starts_with("ports:") ||
             line.starts_with("sources:") || line.starts_with("attributes:");
    }
    if (keep) kept += line + "\n";
    first = end + 1;
  }
  return kept;
}

// As a JSON text.
std::string as_json_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

TEST(OddDocuments, AllFormsOfOneEngineHaveTheSameLayers) {
  const std::string expected = layers_of(test::must(load(golden("list-of-layers"))));
  EXPECT_THAT(expected, HasSubstr("layers: 2 rows"));
  for (const char* name :
       {"documents-with-separators", "documents-as-lines", "documents-one-behind-another",
        "documents-of-texts", "list-of-texts", "json-in-text", "leading-text"}) {
    EXPECT_EQ(layers_of(test::must(load(golden(name)))), expected) << name;
  }
}

TEST(OddDocuments, WholeAndInPieces) {
  // Each layer of a larger file as a document of its own.
  const std::string whole = golden("key-order");
  test::JsonNode root = test::parse_json(whole);
  const test::JsonNode* layers = root.find("Layers");
  ASSERT_NE(layers, nullptr);
  std::string lines, list = "[", separated;
  std::size_t count = 0;
  for (const test::JsonNode& layer : layers->children) {
    const std::string text = test::write_json(layer, test::kMinified);
    lines += text + "\n";
    list += (count > 0 ? "," : "") + text;
    separated += "--- Layer " + std::to_string(count) + " ---\n" +
                 test::write_json(layer, test::kPretty) + "\n";
    ++count;
  }
  ASSERT_GT(count, 1u);
  // Without the bindings, which pieces lack: they distinguish unwritten tensors from weights.
  const std::string expected = layers_of(test::must(load("{\"Layers\":" + list + "]}")));
  EXPECT_EQ(layers_of(test::must(load(lines))), expected);
  EXPECT_EQ(layers_of(test::must(load(list + "]"))), expected);
  EXPECT_EQ(layers_of(test::must(load(separated))), expected);
}

TEST(OddDocuments, OrderOfKeysDoesNotMatter) {
  const test::DumpOptions options{.attributes = test::AttributeOrder::kSorted,
                                  .canonical_json = true,
                                  .without_byte_places = true};
  for (const char* name : {"tensorrt-11", "profiles", "profiles-tensorrt-11", "list-of-layers"}) {
    const std::string text = golden(name);
    const std::string expected = test::dump(test::must(load(text)), options);
    for (const unsigned seed : {1u, 2u, 3u}) {
      std::mt19937 random(seed);
      test::JsonNode root = test::parse_json(text);
      test::shuffle_keys(root, random);
      // Metadata rows keep the order of the file.
      const auto sorted = [](std::string dump) {
        std::vector<std::string> lines;
        for (std::size_t first = 0; first < dump.size();) {
          const std::size_t end = dump.find('\n', first);
          lines.push_back(dump.substr(first, end - first));
          first = end + 1;
        }
        std::ranges::sort(lines);
        return lines;
      };
      EXPECT_EQ(
          sorted(test::dump(test::must(load(test::write_json(root, test::kMinified))), options)),
          sorted(expected))
          << name << ", seed " << seed;
    }
  }
}

TEST(OddDocuments, SpellingOfNumbersDoesNotMatter) {
  const auto model_of = [](const std::string& dim, const std::string& ms) {
    return test::dump(test::must(test::load_texts(
                          R"({"Layers": [{"Name": "a", "LayerType": "NoOp", "StreamId": )" + dim +
                              R"(, "Inputs": [{"Name": "x", "Dimensions": [)" + dim +
                              R"(, 3], "Format/Datatype": "Half"}], "Outputs": []}]})",
                          R"([{"count": )" + dim + R"(}, {"name": "a", "timeMs": )" + ms +
                              R"(, "averageMs": )" + ms + "}]")),
                      {.without_byte_places = true});
  };
  const std::string expected = model_of("10", "2.5");
  for (const char* dim : {"10.0", "1e1", "1.0E+1", "100e-1"}) {
    EXPECT_EQ(model_of(dim, "25e-1"), expected) << dim;
  }
  EXPECT_EQ(model_of("10", "2.500"), expected);
  EXPECT_FALSE(load(R"({"Layers": [{"Name": "a", "StreamId": 1e300}]})"));
}

TEST(OddDocuments, AreRecognised) {
  for (const char* name :
       {"documents-with-separators", "documents-as-lines", "documents-one-behind-another",
        "documents-of-texts", "list-of-texts", "json-in-text", "leading-text", "list-of-layers",
        "list-of-names", "one-layer", "tensorrt-11", "control-characters"}) {
    const std::string text = golden(name);
    const ReaderInfo* reader = sniff(text);
    ASSERT_NE(reader, nullptr) << name;
    EXPECT_EQ(reader->id, "tensorrt-graph") << name;
  }
  // Lists and texts that have nothing to do with an engine.
  for (const char* text :
       {R"(["tench, Tinca tinca", "goldfish"])", R"([1, 2])", R"("a text")", R"({"Name": "x"})",
        R"([{"Name": "x"}])", "import json\nlayer[\"LayerType\"]\n",
        "[04/25/2026-00:42:53] [I] === Model Options ===", R"({"name": {"Layers2": 1}})"}) {
    const ReaderInfo* reader = sniff(text);
    EXPECT_TRUE(reader == nullptr || reader->id != "tensorrt-graph") << text;
  }
}

TEST(OddDocuments, ErrorsSayWhichDocument) {
  const std::string first = R"({"Name": "a", "LayerType": "x"})";
  const std::string text = first + "\n" + R"({"Name": "b", "LayerType": 5})" + "\n";
  const auto model = load(text);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().json_pointer, "/LayerType");
  EXPECT_THAT(model.error().context, HasSubstr("in layer \"b\", in document 2 of the file"));
  EXPECT_EQ(model.error().byte_offset, text.find('5'));
  // A truncated list of lines is not a list of fewer lines.
  const auto cut = load(first + "\n" + R"({"Name": "b", "Lay)");
  ASSERT_FALSE(cut);
  EXPECT_THAT(cut.error().message, HasSubstr("document 2 does not end"));
  EXPECT_EQ(cut.error().byte_offset, first.size() + 1);
  EXPECT_FALSE(load("--- Layer 0 ---\n" + first + "\n--- Layer 1 ---\n{\"Name\": \"b\""));
}

TEST(OddDocuments, BehindAnEngineOnlyWholeDocumentsCount) {
  const std::string engine = R"({"Layers": [{"Name": "a", "LayerType": "x"}]})";
  for (const std::string tail :
       {" {\"Name\": ", "[\"x\", ", "{\"a\": nope}", "{\"a\": 1}", "\"bye\"", "\"by\\qe\""}) {
    const model::PlanModel model = test::must(load(engine + "\n" + tail));
    EXPECT_EQ(model.layers.row_count(), 1u) << tail;
    EXPECT_THAT(test::diagnostic_codes(model), Contains("trailing-text")) << tail;
  }
  const model::PlanModel two =
      test::must(load(engine + "\nsome text\n" + R"({"Name": "b", "LayerType": "x"})"));
  EXPECT_EQ(two.layers.row_count(), 2u);
  EXPECT_THAT(test::diagnostic_codes(two), Contains("several-documents"));
}

TEST(OddDocuments, AnEngineWrittenTwiceIsOneEngine) {
  const std::string engine = R"({"Layers": [{"Name": "a", "LayerType": "x"}]})";
  for (const std::string& text : {engine + engine, "[I] once\n" + engine + "\n" + engine + "\n"}) {
    const model::PlanModel model = test::must(load(text));
    EXPECT_EQ(model.layers.row_count(), 1u) << text;
    EXPECT_THAT(test::diagnostic_codes(model), Contains("repeated-document")) << text;
  }
  // Documents that differ are parts of one engine.
  const model::PlanModel two =
      test::must(load(engine + R"({"Layers": [{"Name": "b", "LayerType": "x"}]})"));
  EXPECT_EQ(two.layers.row_count(), 2u);
}

TEST(OddDocuments, TextBeforeAndBehind) {
  const std::string engine = R"({"Layers": [{"Name": "a", "LayerType": "x"}]})";
  const model::PlanModel model =
      test::must(load("some text\n\"quoted\"\n" + engine + "\n{\"cut\": "));
  EXPECT_EQ(model.layers.row_count(), 1u);
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("leading-text", "trailing-text"));
}

TEST(OddDocuments, LinesOfNames) {
  const model::PlanModel model = test::must(load("\"/conv1/Conv + \u00e9\"\n\"fc\"\n"));
  ASSERT_EQ(model.layers.row_count(), 2u);
  EXPECT_EQ(model.text(model.layers.name[1]), "fc");
  EXPECT_THAT(test::diagnostic_codes(model), Contains("names-only"));
}

TEST(OddDocuments, TextsInTextsEnd) {
  std::string text = R"({"Layers": []})";
  for (int depth = 0; depth < 3; ++depth) {
    text = as_json_text(text);
  }
  EXPECT_TRUE(load(text));
  text = as_json_text(text);
  const auto model = load(text);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kBadInput);
}

TEST(OddDocuments, ErrorsInsideTextsHaveThePlaceOfTheText) {
  const std::string text = R"([ "{\"Name\": \"a\", \"LayerType\": 5}" ])";
  const auto model = load(text);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().byte_offset, 2u);
  EXPECT_EQ(model.error().json_pointer, "/LayerType");
}

TEST(OddDocuments, BlanksBeforeTheDocument) {
  const std::string engine = R"({"Layers": [{"Name": "a", "LayerType": "x"}]})";
  EXPECT_THAT(test::diagnostic_codes(test::must(load(std::string(5'000, '\n') + engine))),
              IsEmpty());
  EXPECT_FALSE(load(std::string(5'000, ' ') + "x"));
}

// --- Damaged texts ---

TEST(ControlCharacters, AllAreRead) {
  for (int byte = 0; byte < 0x20; ++byte) {
    const std::string name = std::string("a") + static_cast<char>(byte) + "b";
    const model::PlanModel model =
        test::must(load(R"({"Layers": [{"Name": ")" + name + R"(", "LayerType": "NoOp"}]})"));
    ASSERT_EQ(model.layers.row_count(), 1u);
    EXPECT_EQ(model.text(model.layers.name[0]), name) << byte;
    EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("control-characters")) << byte;
    EXPECT_EQ(model.diagnostics.byte_offset[0], 23) << byte;
  }
}

TEST(ControlCharacters, SeparatorsKeepTheirMeaning) {
  const model::PlanModel model =
      test::must(load("{\"Layers\": [{\"Name\": \"a\", \"LayerType\": \"x\", \"Metadata\": "
                      "\"[ONNX Layer: p]\x1e[ONNX Layer: q]\x1f[ONNX Layer: r]\"}]}"));
  ASSERT_EQ(model.sources.row_count(), 3u);
  EXPECT_EQ(model.text(model.sources.op_name[2]), "r");
}

TEST(ControlCharacters, PlacesRemainThoseOfTheFile) {
  const std::string text =
      "{\"Layers\": [{\"Name\": \"a\x1e\x1f\", \"LayerType\": \"x\"}, {\"Name\": 77}]}";
  const auto model = load(text);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().byte_offset, text.find("77"));
  const std::string odd = "{\"Layers\": [{\"Name\": \"a\x1e\", \"LayerType\": \"x\"}]}";
  const model::PlanModel trailing = test::must(load(odd + "\nbye"));
  for (std::size_t row = 0; row < trailing.diagnostics.row_count(); ++row) {
    if (trailing.text(trailing.diagnostics.code[row]) != "trailing-text") continue;
    EXPECT_EQ(trailing.diagnostics.byte_offset[row], static_cast<std::int64_t>(odd.size()));
  }
  EXPECT_THAT(test::diagnostic_codes(trailing), Contains("trailing-text"));
}

TEST(ControlCharacters, InOneOfSeveralDocuments) {
  const std::string text =
      "--- Layer 0 ---\n{\"Name\": \"a\", \"LayerType\": \"x\"}\n"
      "--- Layer 1 ---\n{\"Name\": \"b\x1e\", \"LayerType\": \"x\"}\n";
  const model::PlanModel model = test::must(load(text));
  EXPECT_EQ(model.text(model.layers.name[1]), "b\x1e");
  bool found = false;
  for (std::size_t row = 0; row < model.diagnostics.row_count(); ++row) {
    if (model.text(model.diagnostics.code[row]) != "control-characters") continue;
    found = true;
    EXPECT_EQ(model.diagnostics.byte_offset[row], static_cast<std::int64_t>(text.find('\x1e')));
  }
  EXPECT_TRUE(found);
}

TEST(ControlCharacters, InProfilesAndSamples) {
  const std::string graph = "{\"Layers\": [{\"Name\": \"a\\u001eb\", \"LayerType\": \"x\"}]}";
  for (const std::string profile : {"[{\"count\": 1}, {\"name\": \"a\x1e"
                                    "b\", \"timeMs\": 2, \"averageMs\": 2}]",
                                    "{\"a\x1e"
                                    "b\": [2, 2]}",
                                    "{\"a\\u001eb\": [2, 2]}"}) {
    const model::PlanModel model = test::must(test::load_texts(graph, profile));
    EXPECT_EQ(model.layers.mean_ms.get(0), 2) << profile;
  }
}

TEST(NotANumber, AllSpellings) {
  for (const char* word :
       {"NaN", "nan", "-nan", "-NaN", "Infinity", "-Infinity", "inf", "-inf", "-nan(ind)"}) {
    const model::PlanModel model = test::must(test::load_texts(
        std::string(R"({"Layers": [{"Name": "a", "LayerType": "x", "Beta": )") + word +
            R"(, "Scales": [[)" + word + R"(], "NaN"], "StreamId": )" + word + "}]}",
        std::string(R"([{"count": 1}, {"name": "a", "averageMs": )") + word +
            R"(, "medianMs": 3}])"));
    EXPECT_EQ(model.attribute(model::LayerId(0), "Beta"), "null");
    EXPECT_EQ(model.attribute(model::LayerId(0), "Scales"), R"([[null], "NaN"])");
    EXPECT_TRUE(model.layers.stream.is_null(0));
    EXPECT_TRUE(model.layers.mean_ms.is_null(0));
    EXPECT_EQ(model.layers.median_ms.get(0), 3);
    EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("not-a-number", "not-a-number")) << word;
  }
  EXPECT_FALSE(load(R"({"Layers": [{"Name": "a", "Beta": NaNs}]})"));
  EXPECT_FALSE(load(R"({"Layers": [{"Name": "a", "Beta": [NaN, nope]}]})"));
}

TEST(DuplicateKeys, TheLastOneCounts) {
  const model::PlanModel model = test::must(load(golden("duplicate-keys")));
  EXPECT_EQ(model.text(model.layers.name[0]), "/conv1/Conv");
  EXPECT_EQ(model.attribute(model::LayerId(0), "Groups"), "3");
  EXPECT_EQ(model.layers.weight_bytes[0], 864);
  EXPECT_EQ(model.bindings.row_count(), 2u);
  ASSERT_EQ(model.ports.row_count(), 2u);
  EXPECT_THAT(model.ports.dims[0], ElementsAre(1, 3, 4, 4));
}

TEST(DuplicateKeys, OfJumpsAndEvents) {
  const model::PlanModel model = test::must(load(
      R"({"Layers": [{"Name": "a", "LayerType": "jmp", "JumpTarget": "a", "JumpTarget": "b"},
                     {"Name": "b", "LayerType": "signal", "EventId": 1, "EventId": 2}]})"));
  ASSERT_EQ(model.events.row_count(), 2u);
  EXPECT_EQ(model.events.event_id.get(0), 2);
  EXPECT_EQ(model.events.target_layer_id[1], model::LayerId(1));
}

TEST(DuplicateKeys, NewKeysInEveryRecordAreNoRepetition) {
  std::string text = R"({"Layers": [)";
  for (int layer = 0; layer < 300; ++layer) {
    if (layer > 0) text += ',';
    text += R"({"Name": "n", "LayerType": "x", "Odd)" + std::to_string(layer % 200) + R"(": 1})";
  }
  const model::PlanModel model = test::must(load(text + "]}"));
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(Jumps, LeadToTheNextLayerOfTheName) {
  const model::PlanModel model = test::must(load(
      R"({"Layers": [{"Name": "t", "LayerType": "x"}, {"Name": "j", "LayerType": "jmp", "JumpTarget": "t"},
                     {"Name": "t", "LayerType": "x"}, {"Name": "k", "LayerType": "jmp", "JumpTarget": "t"}]})"));
  ASSERT_EQ(model.events.row_count(), 2u);
  EXPECT_EQ(model.events.target_layer_id[0], model::LayerId(2));
  EXPECT_EQ(model.events.target_layer_id[1], model::LayerId(0));
  EXPECT_EQ(model.layers.role[1], model::Role::kControl);
}

TEST(Jumps, MakeBlocksAsInALog) {
  const model::PlanModel model = test::must(load(R"({"Layers": [
    {"Name": "choose", "LayerType": "cjmp", "Inputs": [], "Outputs": [],
     "JumpTargetElse": "no", "JumpTargetThen": "yes"},
    {"Name": "yes", "LayerType": "kgen", "Inputs": [], "Outputs": []},
    {"Name": "skip", "LayerType": "jmp", "Inputs": [], "Outputs": [], "JumpTarget": "end"},
    {"Name": "no", "LayerType": "kgen", "Inputs": [], "Outputs": []},
    {"Name": "end", "LayerType": "kgen", "Inputs": [], "Outputs": []}], "Bindings": []})"));
  std::vector<std::string> blocks;
  for (std::size_t row = 0; row < model.blocks.row_count(); ++row) {
    blocks.push_back(base::format("{} {} {}", model.text(model.blocks.kind[row]),
                                  model.text(model.blocks.name[row]),
                                  model.blocks.layer_count[row]));
  }
  EXPECT_THAT(blocks, ElementsAre("conditional choose 1", "branch then 2", "branch else 1"));
  EXPECT_EQ(model.layers.block_id[1].index(), 1u);
  EXPECT_EQ(model.layers.block_id[3].index(), 2u);
  EXPECT_TRUE(model.layers.block_id.is_null(4));
  std::vector<std::string> events;
  for (std::size_t row = 0; row < model.events.row_count(); ++row) {
    events.push_back(base::format("{} {} -> {}", model.text(model.events.kind[row]),
                                  model.events.layer_id[row].index(),
                                  model.events.target_layer_id[row].index()));
  }
  EXPECT_THAT(events, ElementsAre("jump-then 0 -> 1", "jump-else 0 -> 3", "jump 2 -> 4"));
}

TEST(StrideOrder, IsKeptWhereStridesDoNotTell) {
  const auto follows = [](std::vector<std::int64_t> order, std::vector<std::int64_t> strides) {
    return follows_from_strides(order, strides);
  };
  EXPECT_TRUE(follows({2, 1, 0}, {12, 4, 1}));
  EXPECT_TRUE(follows({3, 0, 2, 1}, {192, 1, 24, 3}));
  EXPECT_TRUE(follows({3, 2, 1, 0}, {16, 1, 1, 1}));
  EXPECT_TRUE(follows({}, {}));
  EXPECT_FALSE(follows({3, 0, 2, 1}, {16, 1, 1, 1}));
  EXPECT_FALSE(follows({4, 1, 0, 3, 2}, {12, 4, 1}));
  EXPECT_FALSE(follows({0}, {}));
  EXPECT_FALSE(follows({8, 7, 6, 5, 4, 3, 2, 1, 0}, {9, 8, 7, 6, 5, 4, 3, 2, 1}));
}

TEST(Weights, OfLayersThatDoNotTell) {
  const auto bytes = [](const std::string& fields) {
    const model::PlanModel model = test::must(
        load(R"({"Layers": [{"Name": "a", "Inputs": [], "Outputs": [], )" + fields + "}]}"));
    return model.layers.weight_bytes.get(0);
  };
  EXPECT_EQ(bytes(R"("LayerType": "kgen")"), std::nullopt);
  EXPECT_EQ(bytes(R"("LayerType": "Myelin", "TacticValue": "0x0")"), std::nullopt);
  EXPECT_EQ(bytes(R"("LayerType": "PluginV2")"), std::nullopt);
  EXPECT_EQ(bytes(R"("LayerType": "Constant", "ParameterType": "Constant")"), std::nullopt);
  EXPECT_EQ(bytes(R"("LayerType": "NoOp")"), 0);
  EXPECT_EQ(bytes(R"("LayerType": "Shuffle", "ParameterType": "Shuffle")"), 0);
  EXPECT_EQ(bytes(R"("LayerType": "kgen", "Constants": [])"), 0);
  const std::string constant =
      R"({"Name": "w", "Dimensions": [3, 4], "Strides": [4, 1], "Datatype": "Half", "Format": "(Linear) Row major linear format"})";
  EXPECT_EQ(bytes(R"("LayerType": "kgen", "Constants": [)" + constant + "]"), 24);
  EXPECT_EQ(bytes(R"("LayerType": "kgen", "Constants": [)" + constant + "," + constant + "]"), 24);
  EXPECT_EQ(bytes(R"("LayerType": "kgen", "Constants": [)" + constant +
                  R"(, {"Name": "v", "Dimensions": [2], "Datatype": "Float"}])"),
            32);
  EXPECT_EQ(bytes(R"("LayerType": "kgen", "Constants": [)" + constant +
                  R"(, {"Name": "v", "Dimensions": [2], "Datatype": "Mystery"}])"),
            std::nullopt);
  EXPECT_EQ(bytes(R"("LayerType": "kgen", "Constants": [{"Name": "v", "Datatype": "Float"}])"),
            std::nullopt);
  // A record that counts its weights itself is trusted.
  EXPECT_EQ(
      bytes(R"("LayerType": "gemm", "Weights": {"Type": "Half", "Count": 5}, "Constants": [)" +
            constant + "]"),
      10);
}

TEST(TimesAlone, AreAnEngineOfNames) {
  const auto files = test::memory_files(
      {{"run/p.json", R"([{"count": 2}, {"name": "a", "timeMs": 2, "averageMs": 1},
                          {"name": "a", "timeMs": 4, "averageMs": 2}])"}});
  for (const char* path : {"run", "run/p.json"}) {
    const model::PlanModel model = test::must(test::load_completed({.path = path}, files));
    ASSERT_EQ(model.layers.row_count(), 2u);
    EXPECT_EQ(model.layers.mean_ms[1], 2);
    EXPECT_EQ(model.text(model.engine.detail[0]), "names-only");
    EXPECT_THAT(test::diagnostic_codes(model), Contains("only-times"));
  }
}

TEST(TimesAlone, SamplesMayBeginWithALayerThatHasNone) {
  const auto load = [](std::string_view text) {
    return test::load_completed({.path = "s.json"}, test::memory_files({{"s.json", text}}));
  };
  const model::PlanModel model = test::must(load(R"({"a": [], "b\"": [ ], "c": [0.25, 0.75]})"));
  EXPECT_EQ(model.layers.row_count(), 3u);
  EXPECT_EQ(model.layers.mean_ms.get(2), 0.5);
  for (const char* other : {R"({"a": [], "b": {}})", R"({"a": []})", R"({"a": [], )",
                            R"({"a": [], "b": ["x"]})", R"({"a": [] "b": [1]})"}) {
    EXPECT_FALSE(load(other)) << other;
  }
}

TEST(TimesAlone, BelongToALayerFileBesideThem) {
  const std::string graph = R"({"Layers": [{"Name": "a", "LayerType": "x"}]})";
  const std::string profile = R"([{"count": 2}, {"name": "a", "timeMs": 2, "averageMs": 1}])";
  // Whatever the names of the two.
  const auto files = test::memory_files({{"run/layers.json", graph}, {"run/p.json", profile}});
  const model::PlanModel model = test::must(test::load_completed({.path = "run/p.json"}, files));
  EXPECT_EQ(model.text(model.engine.detail[0]), "full");
  EXPECT_EQ(model.layers.mean_ms.get(0), 1);
  EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("only-times")));
  // An empty list of layers remains one.
  const model::PlanModel empty = test::must(test::load_texts(R"({"Layers": []})", profile));
  EXPECT_EQ(empty.layers.row_count(), 0u);
}

}  // namespace
}  // namespace planex::ingest::tensorrt
