#include "onnx/read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "base/files.h"
#include "onnx/attributes.h"
#include "onnx/check.h"
#include "onnx/test_message.h"

namespace planex::onnx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Model must(Result<Model> model) {
  EXPECT_TRUE(model.has_value()) << model.error().message;
  return model ? std::move(*model) : Model{};
}

TEST(ReadModel, ReadsNodesOfTheMainGraph) {
  const std::string file = model_message(node_field("Conv", {"x", "w"}, "a", "conv, first") +
                                         node_field("Relu", {"a"}, "y", ""));
  const Model model = must(read_model(file));
  EXPECT_EQ(model.ir_version, 8);
  ASSERT_EQ(model.nodes.size(), 2u);
  EXPECT_EQ(model.nodes[0].name, "conv, first");
  EXPECT_EQ(model.nodes[0].op_type, "Conv");
  EXPECT_THAT(model.inputs_of(model.nodes[0]), ElementsAre("x", "w"));
  EXPECT_THAT(model.outputs_of(model.nodes[1]), ElementsAre("y"));
  EXPECT_EQ(model.nodes[1].name, "");
  EXPECT_EQ(model.graphs[0].opset, 17);
}

TEST(ReadModel, ViewsPointIntoTheFile) {
  const std::string file = model_message(node_field("Conv", {"x"}, "a", "conv"));
  const Model model = must(read_model(file));
  const char* name = model.nodes[0].name.data();
  EXPECT_TRUE(name >= file.data() && name < file.data() + file.size());
}

TEST(ReadModel, TensorsOfEveryKindOfStorage) {
  const auto entry = [](std::string_view key, std::string_view value) {
    return bytes_field(13, bytes_field(1, key) + bytes_field(2, value));
  };
  // Packed dims, one by one, typed data, external data, packed four-bit numbers, strings.
  const std::string raw = bytes_field(1, varint(2) + varint(3)) + varint_field(2, 1) +
                          bytes_field(8, "raw") + bytes_field(9, std::string(24, 'x'));
  const std::string typed = varint_field(1, 5) + varint_field(2, 10) + bytes_field(8, "typed") +
                            bytes_field(5, std::string(5, '\1'));
  const std::string external = varint_field(1, 1'000'000) + varint_field(1, 4096) +
                               varint_field(2, 16) + bytes_field(8, "external") +
                               entry("location", "weights.bin") + entry("offset", "8589934592") +
                               entry("length", "8192000000") + varint_field(14, 1);
  const std::string int4 =
      varint_field(1, 7) + varint_field(2, 22) + bytes_field(8, "int4") + bytes_field(9, "abcd");
  const std::string strings = varint_field(1, 2) + varint_field(2, 8) + bytes_field(8, "strings") +
                              bytes_field(6, "abc") + bytes_field(6, "de");
  const std::string wrong =
      varint_field(1, 3) + varint_field(2, 1) + bytes_field(8, "wrong") + bytes_field(9, "abcd");
  const std::string scalar = varint_field(2, 7) + bytes_field(8, "scalar") + varint_field(7, 1);
  std::string graph;
  for (const std::string& tensor : {raw, typed, external, int4, strings, wrong, scalar}) {
    graph += bytes_field(5, tensor);
  }
  const std::string file = model_message(graph);
  const Model model = must(read_model(file));
  const auto tensors = model.initializers_of(model.graphs[0]);
  ASSERT_EQ(tensors.size(), 7u);
  EXPECT_THAT(model.dims_of(tensors[0]), ElementsAre(2, 3));
  EXPECT_EQ(tensors[0].storage, Storage::kRaw);
  EXPECT_EQ(file.substr(tensors[0].data_offset, 24), std::string(24, 'x'));
  EXPECT_EQ(bytes_of(model, tensors[0]), 24);
  EXPECT_EQ(tensors[1].storage, Storage::kTyped);
  EXPECT_EQ(bytes_of(model, tensors[1]), 10);
  EXPECT_EQ(tensors[2].storage, Storage::kExternal);
  EXPECT_EQ(tensors[2].location, "weights.bin");
  EXPECT_EQ(tensors[2].data_offset, 8'589'934'592u);
  EXPECT_EQ(bytes_of(model, tensors[2]), 8'192'000'000);
  EXPECT_EQ(bytes_of(model, tensors[3]), 4);
  EXPECT_EQ(bytes_of(model, tensors[4]), 5);
  EXPECT_FALSE(has_wrong_size(model, tensors[4]));
  EXPECT_TRUE(has_wrong_size(model, tensors[5]));
  EXPECT_EQ(bytes_of(model, tensors[5]), 12);
  EXPECT_EQ(model.dims_of(tensors[6]).size(), 0u);
  EXPECT_EQ(bytes_of(model, tensors[6]), 8);
}

TEST(ReadModel, SizesThatOverflowAreUnknown) {
  std::string tensor = varint_field(2, 11);
  for (int i = 0; i < 4; ++i) tensor += varint_field(1, std::uint64_t{1} << 40);
  const std::string negative = varint_field(2, 1) + varint_field(1, ~std::uint64_t{0});
  const std::string file = model_message(bytes_field(5, tensor) + bytes_field(5, negative));
  const Model model = must(read_model(file));
  EXPECT_EQ(bytes_of(model, model.tensors[0]), std::nullopt);
  EXPECT_EQ(bytes_of(model, model.tensors[1]), std::nullopt);
}

TEST(ReadModel, ShapesAreNumbersNamesOrUnknown) {
  const std::string shape = bytes_field(1, bytes_field(2, "batch")) + bytes_field(1, "") +
                            bytes_field(1, varint_field(1, 224));
  const std::string known =
      bytes_field(1, "x") +
      bytes_field(2, bytes_field(1, varint_field(1, 1) + bytes_field(2, shape)));
  const std::string scalar =
      bytes_field(1, "s") + bytes_field(2, bytes_field(1, varint_field(1, 9) + bytes_field(2, "")));
  const std::string unknown =
      bytes_field(1, "u") + bytes_field(2, bytes_field(1, varint_field(1, 10)));
  const std::string sequence = bytes_field(1, "q") + bytes_field(2, bytes_field(4, ""));
  const std::string file = model_message(bytes_field(11, known) + bytes_field(12, scalar) +
                                         bytes_field(13, unknown) + bytes_field(13, sequence));
  const Model model = must(read_model(file));
  const auto values = model.values_of(model.graphs[0]);
  ASSERT_EQ(values.size(), 4u);
  EXPECT_EQ(values[0].role, ValueRole::kInput);
  const auto dims = model.dims_of(values[0]);
  ASSERT_EQ(dims.size(), 3u);
  EXPECT_EQ(dims[0].value, -1);
  EXPECT_EQ(dims[0].parameter, "batch");
  EXPECT_EQ(dims[1].value, -1);
  EXPECT_EQ(dims[2].value, 224);
  EXPECT_TRUE(values[1].has_shape);
  EXPECT_EQ(values[1].dims.count, 0u);
  EXPECT_EQ(values[1].role, ValueRole::kOutput);
  EXPECT_FALSE(values[2].has_shape);
  EXPECT_EQ(values[2].type, DataType::kFloat16);
  EXPECT_EQ(values[3].kind, ValueKind::kSequence);
}

TEST(ReadModel, SubgraphsFollowTheGraphsAroundThem) {
  const auto branch = [](std::string_view attribute, std::string_view graph) {
    return bytes_field(5, bytes_field(1, attribute) + bytes_field(6, graph) + varint_field(20, 5));
  };
  const std::string inner = bytes_field(2, "inner") + node_field("Tanh", {"x"}, "i", "t");
  const std::string then =
      bytes_field(2, "then") + node_field("If", {"d"}, "a", "second", branch("then_branch", inner));
  const std::string other = bytes_field(2, "else") + node_field("Relu", {"x"}, "b", "r");
  const std::string file =
      model_message(node_field("If", {"c"}, "y", "first",
                               branch("then_branch", then) + branch("else_branch", other)) +
                    node_field("Add", {"y", "y"}, "z", "last"));
  const Model model = must(read_model(file));
  ASSERT_EQ(model.graphs.size(), 4u);
  EXPECT_EQ(model.graphs[1].name, "then");
  EXPECT_EQ(model.graphs[1].attribute, "then_branch");
  EXPECT_EQ(model.nodes[model.graphs[1].node].name, "first");
  EXPECT_EQ(model.graphs[2].name, "else");
  EXPECT_EQ(model.graphs[3].name, "inner");
  EXPECT_EQ(model.graphs[3].depth, 2u);
  EXPECT_EQ(model.nodes[model.graphs[3].node].name, "second");
  EXPECT_EQ(model.nodes_of(model.graphs[0]).size(), 2u);
  EXPECT_EQ(model.nodes_of(model.graphs[0])[1].name, "last");
  EXPECT_EQ(model.nodes_of(model.graphs[3])[0].name, "t");
}

TEST(ReadModel, CallsFindTheirFunctions) {
  const auto function = [](std::string_view name, std::string_view overload) {
    return bytes_field(25, bytes_field(1, name) + bytes_field(10, "mine") +
                               bytes_field(13, overload) + bytes_field(4, "a") +
                               bytes_field(5, "b") +
                               bytes_field(7, bytes_field(4, "Relu") + bytes_field(2, "b")) +
                               bytes_field(9, varint_field(2, 15)));
  };
  const std::string call = bytes_field(7, "mine");
  const std::string file =
      model_message(node_field("Act", {"x"}, "y", "c1", call + bytes_field(8, "v2")) +
                    node_field("Act", {"x"}, "y", "c2", call) +
                    node_field("Act", {"x"}, "y", "other", bytes_field(7, "theirs"))) +
      function("Act", "") + function("Act", "v2");
  const Model model = must(read_model(file));
  ASSERT_EQ(model.functions.size(), 2u);
  EXPECT_EQ(model.nodes[0].function, 1u);
  EXPECT_EQ(model.nodes[1].function, 0u);
  EXPECT_EQ(model.nodes[2].function, kNoIndex);
  const Graph& body = model.graphs[model.functions[1].graph];
  EXPECT_EQ(body.kind, GraphKind::kFunction);
  EXPECT_EQ(body.opset, 15);
  EXPECT_EQ(model.nodes_of(body)[0].op_type, "Relu");
}

TEST(ReadModel, SparseInitializers) {
  const std::string values = varint_field(1, 3) + varint_field(2, 1) + bytes_field(8, "s");
  const std::string indices = varint_field(1, 3) + varint_field(2, 7);
  const std::string file = model_message(
      bytes_field(15, bytes_field(1, values) + bytes_field(2, indices) + varint_field(3, 100)));
  const Model model = must(read_model(file));
  ASSERT_EQ(model.sparse_tensors.size(), 1u);
  EXPECT_EQ(model.tensors[model.sparse_tensors[0].values].name, "s");
  EXPECT_EQ(bytes_of(model, model.tensors[model.sparse_tensors[0].indices]), 24);
}

std::string nested(int depth) {
  std::string nodes = node_field("Conv", {"x"}, "y", "inner");
  for (int i = 0; i < depth; ++i) {
    nodes = node_field("If", {"c"}, "y", "if", bytes_field(5, bytes_field(6, nodes)));
  }
  return model_message(nodes);
}

TEST(ReadModel, DepthHasALimit) {
  const std::string deepest = nested(kMaxSubgraphDepth);
  const Model model = must(read_model(deepest));
  EXPECT_EQ(model.nodes_of(model.graphs[0]).size(), 1u);
  ASSERT_EQ(find_missing_inputs(model).size(), 1u);
  EXPECT_EQ(find_missing_inputs(model)[0].name, "inner");

  const std::string too_deep = nested(kMaxSubgraphDepth + 1);
  const auto refused = read_model(too_deep);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(refused.error().message, HasSubstr("more than 100 deep"));
  EXPECT_TRUE(refused.error().byte_offset.has_value());
}

TEST(ReadModel, MemoryHasALimit) {
  // Two bytes per empty node.
  std::string nodes;
  for (int i = 0; i < 6'000'000; ++i) nodes += std::string_view("\x0a\x00", 2);
  const auto refused = read_model(model_message(nodes));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
}

TEST(ReadModel, RefusesWhatIsNoModel) {
  EXPECT_EQ(read_model("").error().message, "the model file is empty");
  EXPECT_THAT(read_model("hello world\n").error().message, HasSubstr("not an ONNX model"));
  EXPECT_THAT(read_model("\x08\x08").error().message, HasSubstr("no graph"));
  const auto cut = read_model(std::string_view("\x3a\x64 ab", 5));
  EXPECT_THAT(cut.error().message, HasSubstr("a field of 100 bytes where 3 are left"));
  EXPECT_EQ(cut.error().byte_offset, 2u);
  // A length near 2^64 overflows no sum and allocates no memory.
  const std::string huge = "\x3a" + varint(~std::uint64_t{0}) + "x";
  EXPECT_THAT(read_model(huge).error().message, HasSubstr("18446744073709551615 bytes"));
}

// 3 GB of weights as a hole in the file: offsets beyond 4 GB would use the same code, and the data
// is not touched.
TEST(ReadModel, LargeFiles) {
  const std::string path = ::testing::TempDir() + "planex_large.onnx";
  const std::uint64_t weight_bytes = std::uint64_t{3} << 30;
  const auto head_of = [](unsigned number, std::uint64_t length) {
    return varint(number << 3 | 2) + varint(length);
  };
  const std::string tensor_start = varint_field(1, weight_bytes / 4) + varint_field(2, 1) +
                                   bytes_field(8, "w") + head_of(9, weight_bytes);
  const std::string node = node_field("MatMul", {"x", "w"}, "y", "mm");
  const std::uint64_t tensor_length = tensor_start.size() + weight_bytes;
  const std::string tensor_head = head_of(5, tensor_length);
  const std::uint64_t graph_length = tensor_head.size() + tensor_length + node.size();
  const std::string start =
      varint_field(1, 8) + head_of(7, graph_length) + tensor_head + tensor_start;
  {
    std::ofstream file(path, std::ios::binary);
    file << start;
    file.seekp(static_cast<std::streamoff>(start.size() + weight_bytes));
    file << node;
    if (!file.good()) GTEST_SKIP() << "no room for a sparse file of 3 GB in " << path;
  }
  const auto bytes = base::disk().read(path, base::Access::kSparse);
  ASSERT_TRUE(bytes.has_value()) << bytes.error().message;
  const Model model = must(read_model((*bytes)->view()));
  ASSERT_EQ(model.tensors.size(), 1u);
  EXPECT_EQ(bytes_of(model, model.tensors[0]), static_cast<std::int64_t>(weight_bytes));
  ASSERT_EQ(model.nodes.size(), 1u);
  EXPECT_EQ(model.nodes[0].name, "mm");
  EXPECT_GT(model.nodes[0].byte_offset, weight_bytes);
  std::filesystem::remove(path);
}

TEST(ReadModel, SurvivesTruncationAndMutation) {
  std::string nodes;
  for (int i = 0; i < 5; ++i) {
    nodes += node_field("Conv", {"x", "w"}, "a", "n",
                        bytes_field(5, bytes_field(6, node_field("Pad", {"x"}, "y", "p"))));
  }
  const std::string file = model_message(nodes) + bytes_field(25, bytes_field(7, "\x0a\x01x"));
  for (std::size_t size = 0; size < file.size(); ++size) {
    // Exactly sized, so that the sanitizer sees any step too far.
    const std::string cut(file, 0, size);
    (void)read_model(cut);
  }
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string mutated = file;
    for (std::size_t i = random() % 4 + 1; i > 0; --i) {
      mutated[random() % mutated.size()] = static_cast<char>(random());
    }
    if (const auto model = read_model(mutated)) (void)find_missing_inputs(*model);
  }
}

}  // namespace
}  // namespace planex::onnx
