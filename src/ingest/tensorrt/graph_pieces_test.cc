#include "ingest/tensorrt/graph_pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/text.h"
#include "ingest/tensorrt/graph_reader.h"
#include "support/model_dump.h"
#include "support/test_data.h"

namespace planex::ingest::tensorrt {
namespace {

constexpr PieceSizes kWhole{.min_file_bytes = static_cast<std::size_t>(-1)};
constexpr PieceSizes kTiny{.min_file_bytes = 0, .piece_bytes = 1};
constexpr PieceSizes kSmall{.min_file_bytes = 0, .piece_bytes = 3000};

// Everything that is read, or the error.
std::string read_in_pieces(std::string_view text, const PieceSizes& sizes) {
  model::ModelBuilder builder;
  builder.model().engine.profile_index.set(0, 0);
  builder.add_diagnostic({.code = "before", .message = "was there before"});
  Artefact artefact{.path = "x.json", .bytes = base::make_bytes(text)};
  artefact.file_row = builder.add_file("x.json", "graph", "test", text.size());
  const auto result = read_graph_in_pieces(artefact, builder, sizes);
  if (!result) return test::to_text(result.error());
  return test::dump(builder.finish());
}

void expect_the_same(std::string_view text, const std::string& what) {
  const std::string whole = read_in_pieces(text, kWhole);
  EXPECT_EQ(read_in_pieces(text, kTiny), whole) << what;
  EXPECT_EQ(read_in_pieces(text, kSmall), whole) << what;
}

std::string layer(int index, std::string_view more = "") {
  return base::format(
      R"({{"Name": "layer{0}", "LayerType": "kgen", "Inputs": [{{"Name": "t{0}", "Dimensions": [1,8],)"
      R"("Format/Datatype": "Row major linear FP16 format"}},{{"Name": "shared", "Dimensions": [2]}}],)"
      R"("Outputs": [{{"Name": "t{1}", "Dimensions": [1,8], "Format/Datatype": "Half"}}], )"
      R"("Note": "}},{{\"Name\": \"no\", \"LayerType\": 1}}", "Kernel": [3,3]{2}}})",
      index, index + 1, more);
}

// Layers, the 25th of which also contains this.
std::string engine(std::string_view more = "", std::string_view rest = "") {
  std::string text = "{\"Layers\": [";
  for (int i = 0; i < 50; ++i) text += (i > 0 ? ",\n" : "") + layer(i, i == 25 ? more : "");
  return base::format(R"({}], "Bindings": ["t0", "t50"]{}}})", text, rest);
}

TEST(GraphPieces, AreCutBetweenLayers) {
  const std::string text = engine();
  const std::vector<ByteRange> pieces = pieces_of(text, kTiny);
  ASSERT_EQ(pieces.size(), 50u);
  EXPECT_EQ(pieces.front().first, 0u);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    EXPECT_EQ(pieces[i - 1].first + pieces[i - 1].size + 1, pieces[i].first);
    EXPECT_TRUE(base::trimmed(text.substr(pieces[i].first)).starts_with("{\"Name\": \"layer"));
  }
  EXPECT_EQ(pieces.back().first + pieces.back().size, text.size());
}

TEST(GraphPieces, AreNoneOfOtherDocuments) {
  for (const std::string_view text :
       {"", "{", "[]", R"({"Layers": []})", R"({"Layers": ["a", "b", "c", "d"]})",
        R"({"Bindings": [], "Layers": [{"Name": "a", "LayerType": "b"}]})",
        R"([{"Name": "a", "LayerType": "b"},{"Name": "a", "LayerType": "b"}])"}) {
    EXPECT_EQ(pieces_of(text, kTiny).size(), 1u) << text;
  }
}

TEST(GraphPieces, AreReadOneByOne) {
  const std::string text = engine();
  const Artefact artefact{.path = "x.json", .bytes = base::make_bytes(text)};
  model::ModelBuilder builder;
  GraphDocuments documents(artefact, builder);
  PieceReader reader(artefact, builder, documents, PieceReader::From::kBegin);
  for (const ByteRange piece : pieces_of(text, kSmall)) EXPECT_TRUE(reader.read(piece));
  EXPECT_EQ(documents.record_count(), 50u);
  const model::PlanModel& model = builder.model();
  const std::string_view bytes = artefact.bytes->view();
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    // An offset in the file, not in the copy of its piece.
    const std::string_view name = model.text(model.layers.name[row]);
    EXPECT_EQ(name, base::format("layer{}", row));
    EXPECT_TRUE(name.data() > bytes.data() && name.data() < bytes.data() + bytes.size());
  }
}

TEST(GraphPieces, TellWhatTheWholeTells) {
  expect_the_same(engine(), "plain");
  expect_the_same(engine(R"(, "Name": "again")"), "repeated key");
  expect_the_same(engine(R"(, "Scale": NaN)"), "no number");
  expect_the_same(engine(R"(, "JumpTarget": "layer3")"), "jump");
  expect_the_same(engine(R"(, "Metadata": "[ONNX Layer: a][ONNX Layer: b]", "StreamId": 1)"),
                  "metadata");
  expect_the_same(engine(R"(, "Weights": {"Type": "Odd", "Count": 3})"), "diagnostic with a place");
  expect_the_same(engine(R"(, "Inputs": [{"Odd": 1}])"), "diagnostics of a tensor");
  expect_the_same(engine("", R"(, "Layers": [{"Name": "z", "LayerType": "NoOp", "Odd": NaN}])"),
                  "two lists");
  expect_the_same(engine("", R"(, "Unknown": {"a": [1]})"), "unknown key");
  expect_the_same(engine() + "\n[I] and a log", "text behind");
  expect_the_same(engine() + "\n" + engine(), "two engines");
  expect_the_same(engine(",\"Raw\": \"a\x1e"
                         "b\""),
                  "control character");
  expect_the_same(engine(R"(, "Escaped": "a\u00e9\n")"), "escapes");
}

TEST(GraphPieces, FailAsTheWholeDoes) {
  expect_the_same(engine(R"(, "Kernel": [3)"), "bracket missing");
  expect_the_same(engine(R"(, "Name": 3)"), "wrong type");
  expect_the_same(engine(R"(}, {"Name": "b", "LayerType": "c")"), "another layer");
  expect_the_same(engine(R"(}], "Outer": [{"Name": "b", "LayerType": "c")"), "list closed");
  expect_the_same(engine(R"(, "Open": "never closed)"), "open text");
  expect_the_same(engine(",\"Bad\": \"\xff\""), "no UTF-8");
  expect_the_same(engine(R"(, "x" 1)"), "colon missing");
}

TEST(GraphPieces, CutAnywhereFailAsTheWholeDoes) {
  const std::string text = engine();
  for (std::size_t size = 0; size < text.size(); size += 41) {
    const std::string_view cut = std::string_view(text).substr(0, size);
    EXPECT_EQ(read_in_pieces(cut, kTiny), read_in_pieces(cut, kWhole)) << size;
  }
}

// So many that not all are listed, in both halves.
TEST(GraphPieces, CountDiagnosticsOnce) {
  std::string text = "{\"Layers\": [";
  for (int i = 0; i < 400; ++i) {
    text += (i > 0 ? "," : "") + layer(i, R"(, "Weights": {"Type": "Odd", "Count": 3})");
  }
  text += "]}";
  expect_the_same(text, "many diagnostics");
  EXPECT_THAT(read_in_pieces(text, kTiny), testing::HasSubstr("300 more of this kind"));
  EXPECT_THAT(read_in_pieces(text, kTiny), testing::HasSubstr("/Layers/99/"));
}

TEST(GraphPieces, OfRealFilesTellWhatTheWholeTells) {
  PLANEX_NEED_TEST_DATA(folder);
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".json") continue;
    const auto bytes = base::disk().read(entry.path().string());
    ASSERT_TRUE(bytes.has_value());
    const std::string_view text = (*bytes)->view();
    if (sniff_graph(text.substr(0, 65536)) == Confidence::kNo) continue;
    count += pieces_of(text, kSmall).size() > 2 ? 1u : 0u;
    expect_the_same(text, entry.path().string());
  }
  EXPECT_GE(count, 10u);
}

}  // namespace
}  // namespace planex::ingest::tensorrt
