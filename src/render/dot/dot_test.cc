#include "render/dot/dot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/utf8.h"
#include "model/builder.h"
#include "render/dot/dot_text.h"

namespace planex::render {
namespace {

using graph::EdgeKind;
using graph::GroupId;
using graph::NodeId;
using graph::NodeKind;
using model::DType;
using model::LayerId;

constexpr std::string_view kHostile = "a\"];b\\\n</svg>&lt;<script>\u202E\x01 \xff || {c}\\";

// input -> conv -> hostile, with an order between the last two.
struct Small {
  model::PlanModel model;
  graph::PlanGraph graph;
};

Small small() {
  model::ModelBuilder builder;
  const std::vector<std::int64_t> dims = {1, 64, 56, 56};
  const LayerId conv = builder.add_layer(builder.strings().add("conv1.weight + Conv_9"));
  builder.add_port(conv, model::Direction::kInput,
                   {.tensor = "x", .dims = dims, .dtype = DType::kFp32});
  builder.add_port(conv, model::Direction::kOutput,
                   {.tensor = kHostile, .dims = dims, .dtype = DType::kInt8});
  const LayerId hostile = builder.add_layer(builder.strings().add(kHostile));
  builder.add_port(hostile, model::Direction::kInput,
                   {.tensor = kHostile, .dims = dims, .dtype = DType::kFp16});
  builder.add_attribute(hostile, builder.strings().intern(kHostile),
                        builder.strings().add(std::string(100'000, '"')),
                        model::ValueType::kString);
  model::LayersTable& layers = builder.model().layers;
  layers.type.set(0, builder.strings().intern("Convolution"));
  layers.family.set(0, model::Family::kConvolution);
  layers.median_ms.set(0, 0.0369);
  builder.add_binding("x", model::Direction::kInput);
  Small result{.model = builder.finish(), .graph = {}};
  result.graph.nodes = {
      {.kind = NodeKind::kBinding, .binding = 0}, {.layer = conv}, {.layer = hostile}};
  result.graph.edges = {
      {.from = NodeId(0), .to = NodeId(1), .tensor = model::TensorId(0), .to_port = 0},
      {.from = NodeId(1),
       .to = NodeId(2),
       .tensor = model::TensorId(1),
       .from_port = 1,
       .to_port = 2},
      {.from = NodeId(1), .to = NodeId(2), .kind = EdgeKind::kOrder}};
  return result;
}

std::string written(const Small& plan, const graph::GroupTree* groups = nullptr,
                    const DotOptions& options = {}) {
  std::string text;
  const auto result =
      write_dot(plan.model, plan.graph, groups, options, [&](std::string_view piece) {
        text += piece;
        return Result<void>();
      });
  EXPECT_TRUE(result);
  return text;
}

// Quotes outside of escapes come in pairs, none with a line break between them or longer than
// graphviz can read.
void expect_well_quoted(const std::string& text) {
  bool is_inside = false;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_inside && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      is_inside = !is_inside;
      if (is_inside) start = i;
      if (!is_inside) {
        EXPECT_LT(i - start, 16'384U);
      }
    } else if (is_inside) {
      EXPECT_NE(text[i], '\n');
    }
  }
  EXPECT_FALSE(is_inside);
  EXPECT_TRUE(base::is_valid_utf8(text));
}

// True too where graphviz is not installed: it is no dependency.
bool graphviz_reads(const std::string& text) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / "planex_dot_test.dot";
  std::ofstream(file) << text;
  const std::string command =
      "if command -v dot >/dev/null; then dot -Tcanon '" + file.string() + "' >/dev/null; fi";
  const bool is_read = std::system(command.c_str()) == 0;
  std::filesystem::remove(file);
  return is_read;
}

TEST(Dot, HasNodesEdgesAndWhatIsKnownOfThem) {
  const std::string text = written(small());
  expect_well_quoted(text);
  EXPECT_TRUE(graphviz_reads(text));
  EXPECT_NE(text.find("n0 [label=\"x\\n1×64×56×56 FP32"), std::string::npos);
  EXPECT_NE(text.find("n1 [label=\"conv1\\nConvolution\\n36.9 µs\""), std::string::npos);
  EXPECT_NE(text.find("fillcolor=\"#3F619A\""), std::string::npos);
  EXPECT_NE(text.find("n0 -> n1 [color=\"#BE4D1C\", label=\"1×64×56×56 FP32\", tooltip=\"x\"];"),
            std::string::npos);
  EXPECT_NE(text.find("label=\"1×64×56×56 INT8 → 1×64×56×56 FP16\""), std::string::npos);
  EXPECT_NE(text.find("n1 -> n2 [color=\"#646C76\", style=dashed];"), std::string::npos);
  EXPECT_NE(text.find("conv1.weight + Conv_9\\ntype: Convolution\\ntime: 36.9 µs\\ninput: x "),
            std::string::npos);
}

TEST(Dot, NamesAreWholeWhereThatIsAskedFor) {
  const std::string text = written(small(), nullptr, {.names = NameStyle::kOriginal});
  EXPECT_NE(text.find("n1 [label=\"conv1.weight + Conv_9\\n"), std::string::npos);
}

TEST(Dot, GroupsAreClusters) {
  const Small plan = small();
  graph::GroupTree tree;
  tree.groups = {{.name = "outer", .path = "outer", .groups = {GroupId(1)}, .layer_count = 2},
                 {.parent = GroupId(0), .name = std::string(kHostile), .path = "outer/inner"}};
  tree.roots = {GroupId(0)};
  tree.group_of_node = {GroupId(), GroupId(0), GroupId(1)};
  const std::string text = written(plan, &tree);
  expect_well_quoted(text);
  EXPECT_TRUE(graphviz_reads(text));
  const std::size_t places[] = {text.find("\nn0 ["),      text.find("subgraph cluster_0 {"),
                                text.find("\nn1 ["),      text.find("subgraph cluster_1 {"),
                                text.find("\nn2 ["),      text.find("\n}\n}\n"),
                                text.find("\nn0 -> n1 [")};
  EXPECT_TRUE(std::ranges::is_sorted(places));
  EXPECT_NE(places[6], std::string::npos);
}

// A recursive writer would overflow the stack.
TEST(Dot, GroupsMayNestDeeply) {
  const Small plan = small();
  graph::GroupTree tree;
  constexpr std::size_t kDepth = 30'000;
  for (std::size_t i = 0; i < kDepth; ++i) {
    graph::Group group;
    if (i > 0) group.parent = GroupId(i - 1);
    if (i + 1 < kDepth) group.groups = {GroupId(i + 1)};
    tree.groups.push_back(std::move(group));
  }
  tree.roots = {GroupId(0)};
  tree.group_of_node = {GroupId(0), GroupId(kDepth - 1), GroupId(kDepth - 1)};
  const std::string text = written(plan, &tree);
  EXPECT_EQ(std::ranges::count(text, '{'), std::ranges::count(text, '}'));
}

TEST(Dot, StopsWhereTheSinkDoes) {
  const Small plan = small();
  const auto result = write_dot(plan.model, plan.graph, nullptr, {}, [](std::string_view) {
    return Result<void>(fail(ErrorCode::kIo, "full"));
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "full");
}

TEST(DotText, QuotesWhatGraphvizWouldInterpret) {
  EXPECT_EQ(DotText().line("a\"b").line("\\N").quoted(), R"("a\"b\n\\N")");
  EXPECT_EQ(DotText().line("\\").quoted(), R"("\\")");
  EXPECT_EQ(DotText().line("a & b &lt; &#60; &;").quoted(), "\"a & b &amp;lt; &amp;#60; &;\"");
  EXPECT_EQ(DotText().line("a\nb\x01").quoted(), "\"a⟨U+000A⟩b⟨U+0001⟩\"");
  EXPECT_EQ(DotText().fact("key", "").fact("k", "v").quoted(), "\"k: v\"");
}

TEST(DotText, CutsWhatGraphvizCannotRead) {
  for (const std::string_view unit : {"\\", "卷", "&lt;", "x"}) {
    std::string name;
    for (int i = 0; i < 30'000; ++i) name += unit;
    const std::string text = DotText().line(name).line("more").quoted();
    EXPECT_LT(text.size(), 16'384U);
    EXPECT_GT(text.size(), 15'900U);
    expect_well_quoted(text);
    EXPECT_TRUE(text.ends_with("…\"")) << unit;
  }
}

}  // namespace
}  // namespace planex::render
