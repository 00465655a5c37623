// How much a file may hold: each limit is met, beyond it there is an error that names it, and the
// reference lists it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "ingest/discover/archive.h"
#include "ingest/discover/decode.h"
#include "ingest/discover/discover.h"
#include "ingest/discover/load.h"
#include "ingest/discover/registry.h"
#include "ingest/json_input.h"
#include "ingest/json_text.h"
#include "ingest/json_value.h"
#include "ingest/onnx/parameters.h"
#include "ingest/openvino/exec_graph.h"
#include "ingest/tensorrt/graph_documents.h"
#include "ingest/tensorrt/log/log_message.h"
#include "model/builder.h"
#include "onnx/read.h"
#include "support/test_data.h"

namespace planex::ingest {
namespace {

using base::format;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

// 10000 as "10 000".
std::string in_groups(std::uint64_t number) {
  std::string text = format("{}", number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, " ");
  return text;
}

TEST(Limits, AreThoseOfTheReference) {
  const std::string page = test::read_text(PLANEX_SOURCE_DIR "/docs/reference/formats.md");
  const std::pair<std::string_view, std::string> rows[] = {
      {"size of a file, also unpacked", format("{} GiB", kMaxFileBytes >> 30)},
      {"size of a JSON file", format("{} GiB", (std::uint64_t{kMaxJsonBytes} + 1) >> 30)},
      {"size of an execution graph (XML)", format("{} MiB", openvino::kMaxGraphBytes >> 20)},
      {"unpacked to packed bytes",
       format("{}:1 from {} MiB on", kMaxUnpackedRatio, kRatioCountsFromBytes >> 20)},
      {"members of an archive", in_groups(kMaxMembers)},
      {"name of a member of an archive", in_groups(kLongestMemberName) + " bytes"},
      {"files of a folder", in_groups(kMaxFolderFiles)},
      {"layers", in_groups(model::kMaxLayers)},
      {"inputs and outputs of layers", in_groups(model::kMaxPorts)},
      {"iterations", in_groups(model::kMaxIterations)},
      {"depth of a JSON value that is kept", in_groups(kMaxDepth)},
      {"JSON in texts in JSON", in_groups(tensorrt::kMaxTextDepth)},
      {"raw control characters in texts", in_groups(kMaxEscapes)},
      {"message of a log", format("{} MiB", tensorrt::kLongestMessage >> 20)},
      {"nodes of an ONNX model", in_groups(planex::onnx::kMaxNodes)},
      {"subgraphs of an ONNX model", format("{}, {} deep", in_groups(planex::onnx::kMaxSubgraphs),
                                            planex::onnx::kMaxSubgraphDepth)},
      {"ONNX model without its weights", format("{} MiB", planex::onnx::kMaxTableBytes >> 20)},
      {"parameter of an operation",
       format("{} values, {} bytes", in_groups(onnx::kMaxParameterValues),
              in_groups(onnx::kMaxParameterBytes))},
      {"diagnostics of one code", in_groups(model::kMaxDiagnosticsOfACode)},
  };
  for (const auto& [what, value] : rows) {
    EXPECT_THAT(page, HasSubstr(format("\n| {} | {} |", what, value)));
  }
}

// Bytes that can't be looked at: whoever does ends the test.
class Untouchable final : public base::Bytes {
 public:
  explicit Untouchable(std::size_t size)
      : size_(size),
        memory_(
            ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  Untouchable(const Untouchable&) = delete;
  Untouchable& operator=(const Untouchable&) = delete;
  ~Untouchable() override { ::munmap(memory_, size_); }
  bool is_there() const { return memory_ != MAP_FAILED; }
  std::string_view view() const override { return {static_cast<const char*>(memory_), size_}; }

 private:
  std::size_t size_;
  void* memory_;
};

TEST(Limits, SizeOfAFile) {
  const auto bytes = std::make_shared<Untouchable>(kMaxFileBytes + 1);
  if (!bytes->is_there()) GTEST_SKIP() << "no address space";
  const auto decoded = decode(bytes, "huge.log");
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(decoded.error().message, HasSubstr("the limit is 8 GiB"));
  EXPECT_EQ(decoded.error().file, "huge.log");
}

TEST(Limits, SizeOfAJsonFile) {
  const auto bytes = std::make_shared<Untouchable>(kMaxJsonBytes + 1);
  if (!bytes->is_there()) GTEST_SKIP() << "no address space";
  const Artefact artefact{.path = "huge.json", .bytes = bytes};
  const auto opened = JsonInput(artefact, "a file").open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(opened.error().message, HasSubstr("limit for JSON is 4294967295"));
  EXPECT_EQ(opened.error().file, "huge.json");
}

TEST(Limits, SizeOfAnExecutionGraph) {
  const auto bytes = std::make_shared<Untouchable>(openvino::kMaxGraphBytes + 1);
  if (!bytes->is_there()) GTEST_SKIP() << "no address space";
  model::ModelBuilder builder;
  const Artefact artefact{.path = "huge.xml", .bytes = bytes};
  const auto graph = openvino::parse_exec_graph(artefact, builder);
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(graph.error().message, HasSubstr("limit for graphs is 512 MiB"));
}

TEST(Limits, FilesOfAFolder) {
  base::MemoryFiles files;
  for (std::size_t i = 0; i <= kMaxFolderFiles; ++i) {
    files.add(format("run/{:05}.txt", i), i == 0 ? R"({"Layers": ["a"]})" : "x");
  }
  const model::PlanModel model = test::must(test::load_completed({.path = "run"}, files));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("folder-too-large"));
  // Files that are not asked for don't count.
  const model::PlanModel other = test::must(test::load_completed({.path = "run/0000"}, files));
  EXPECT_THAT(test::diagnostic_codes(other), Not(Contains("folder-too-large")));
}

TEST(Limits, Layers) {
  // Names are the shortest layers there are.
  const auto names = [](std::size_t count) {
    std::string text = R"({"Layers": ["a")";
    for (std::size_t i = 1; i < count; ++i) text += ",\"\"";
    return text + "]}";
  };
  const auto load = [](std::string_view text) {
    return ingest::load({.path = "x.json"}, test::memory_files({{"x.json", text}}));
  };
  const auto refused = load(names(model::kMaxLayers + 1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(refused.error().file, "x.json");
  EXPECT_THAT(refused.error().message, HasSubstr("more than 1000000 layers"));
}

TEST(Limits, LayersOfALargeFile) {
  // Read in pieces, of which each has fewer.
  std::string text = R"({"Layers": [)";
  for (std::size_t i = 0; i <= model::kMaxLayers; ++i) {
    text += R"({"Name": "a", "LayerType": "b"},)";
  }
  text.back() = ']';
  const auto refused =
      ingest::load({.path = "x.json"}, test::memory_files({{"x.json", text + "}"}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(refused.error().message, HasSubstr("more than 1000000 layers"));
}

TEST(Limits, PortsOfABuilder) {
  model::ModelBuilder builder({.layers = 1, .ports = 2});
  const model::LayerId layer = builder.add_layer(builder.strings().add("a"));
  for (int i = 0; i < 2; ++i) builder.add_port(layer, model::Direction::kInput, {.tensor = "t"});
  EXPECT_FALSE(builder.exceeded_limit("x"));
  builder.add_port(layer, model::Direction::kOutput, {.tensor = "t"});
  EXPECT_THAT(builder.exceeded_limit("x")->message,
              HasSubstr("more than 2 inputs and outputs of layers"));
  EXPECT_EQ(builder.model().ports.row_count(), 2u);
  EXPECT_EQ(builder.add_layer(builder.strings().add("b")), layer);
  EXPECT_THAT(builder.exceeded_limit("x")->message, HasSubstr("more than 1 layers"));
}

TEST(Limits, LayersOfTwoBuilders) {
  const auto with_layers = [](std::size_t count, model::ModelBuilder& builder) {
    for (std::size_t i = 0; i < count; ++i) builder.add_layer(builder.strings().add("a"));
  };
  for (const std::size_t limit : {4u, 5u}) {
    model::ModelBuilder builder({.layers = limit}), other({.layers = limit});
    with_layers(2, builder);
    with_layers(3, other);
    builder.append(std::move(other), {});
    EXPECT_EQ(builder.has_exceeded_limit(), limit == 4);
  }
}

TEST(Limits, Iterations) {
  const std::pair<const char*, std::string_view> files[] = {
      {"tensorrt-times", R"([{"computeMs": 1}, {"computeMs": 2}, {"computeMs": 2}])"},
      {"planex-times", R"({"schema": "planex.times/1", "columns": {"latency_ms": [1, 2, 3]}})"},
      {"planex-plan",
       R"({"schema": "planex.plan/1", "layers": [], "iterations": {"latency_ms": [1, 2, 3]}})"},
  };
  for (const auto& [id, text] : files) {
    const Artefact artefact{.path = "x.json", .bytes = base::make_bytes(text)};
    const auto reader = std::ranges::find(readers(), id, &ReaderInfo::id);
    for (const std::size_t limit : {2u, 3u}) {
      model::ModelBuilder builder({.iterations = limit});
      builder.add_file("x.json", id, "test", text.size());
      const auto read = reader->read(artefact, builder);
      EXPECT_EQ(read.has_value(), limit == 3) << id;
      if (read) continue;
      EXPECT_EQ(read.error().code, ErrorCode::kUnsupported);
      EXPECT_EQ(read.error().file, "x.json");
      EXPECT_THAT(read.error().message, HasSubstr("more than 2 iterations")) << id;
    }
  }
}

TEST(Limits, JsonInTextsInJson) {
  std::string text = R"({"Layers": ["a"]})";
  const auto load = [&] {
    return ingest::load({.path = "x.json"}, test::memory_files({{"x.json", text}}));
  };
  const auto wrap = [&] {
    std::string quoted = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    text = quoted + "\"";
  };
  for (int depth = 0; depth < tensorrt::kMaxTextDepth; ++depth) {
    wrap();
    EXPECT_TRUE(load()) << depth;
  }
  wrap();
  EXPECT_FALSE(load());
}

TEST(Limits, RawControlCharacters) {
  EXPECT_TRUE(escape_control_characters('"' + std::string(kMaxEscapes, '\x01') + '"'));
  EXPECT_FALSE(escape_control_characters('"' + std::string(kMaxEscapes + 1, '\x01') + '"'));
}

TEST(Limits, DiagnosticsOfOneCode) {
  model::ModelBuilder builder;
  for (std::size_t i = 0; i < model::kMaxDiagnosticsOfACode + 5; ++i) {
    builder.add_diagnostic({.code = "odd", .message = format("{}", i)});
  }
  const model::PlanModel model = builder.finish();
  EXPECT_THAT(test::diagnostic_codes(model), SizeIs(model::kMaxDiagnosticsOfACode + 1));
  const std::size_t last = model.diagnostics.row_count() - 1;
  EXPECT_EQ(model.text(model.diagnostics.message[last]), "5 more of this kind are not listed");
}

}  // namespace
}  // namespace planex::ingest
