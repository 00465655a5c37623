#include "ingest/onnx/onnx_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "analyze/complete/complete.h"
#include "base/text.h"
#include "ingest/discover/registry.h"
#include "ingest/onnx/parameters.h"
#include "onnx/node_names.h"
#include "onnx/read.h"
#include "onnx/test_message.h"
#include "support/test_data.h"

namespace planex::ingest::onnx {
namespace {

using planex::onnx::bytes_field;
using planex::onnx::model_message;
using planex::onnx::node_field;
using planex::onnx::varint_field;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Reads `file` into a builder that contains what other files said before.
model::PlanModel read_into(model::ModelBuilder& builder, std::string_view file) {
  Artefact artefact{.path = "m.onnx", .bytes = base::make_bytes(file)};
  artefact.file_row = builder.add_file("m.onnx", "onnx", "test", file.size());
  const auto read = read_model(artefact, builder);
  EXPECT_TRUE(read.has_value()) << test::to_text(read.error());
  return builder.finish();
}

model::PlanModel read(std::string_view file) {
  model::ModelBuilder builder;
  return read_into(builder, file);
}

std::string weight(std::string_view name, unsigned type, std::initializer_list<int> dims,
                   std::size_t bytes) {
  std::string tensor =
      varint_field(2, type) + bytes_field(8, name) + bytes_field(9, std::string(bytes, 'x'));
  for (const int dim : dims) tensor += varint_field(1, static_cast<std::uint64_t>(dim));
  return bytes_field(5, tensor);
}

std::string value(unsigned field, std::string_view name, std::initializer_list<int> dims) {
  std::string shape;
  for (const int dim : dims) {
    shape += bytes_field(
        1, dim < 0 ? bytes_field(2, "n") : varint_field(1, static_cast<std::uint64_t>(dim)));
  }
  return bytes_field(
      field, bytes_field(1, name) +
                 bytes_field(2, bytes_field(1, varint_field(1, 1) + bytes_field(2, shape))));
}

// "direction index tensor dims dtype stored_bytes" of an operation.
std::vector<std::string> ports(const model::PlanModel& model, std::size_t operation) {
  std::vector<std::string> result;
  const auto& table = model.operation_ports;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (table.operation_id[row].index() != operation) continue;
    std::string text = base::format("{} {} {}", to_string(table.direction[row]), table.index[row],
                                    model.text(table.tensor[row]));
    text += table.dims.is_null(row) ? " ?" : " (";
    for (const std::int64_t dim : table.dims[row]) text += base::format("{},", dim);
    if (!table.dims.is_null(row)) text += ')';
    text += base::format(" {}", to_string(table.dtype[row]));
    if (const auto bytes = table.stored_bytes.get(row)) text += base::format(" {}", *bytes);
    result.push_back(text);
  }
  return result;
}

std::string convolution() {
  return node_field("Conv", {"x", "w", ""}, "y", "conv1") + node_field("Relu", {"y"}, "z", "") +
         weight("w", 10, {8, 3, 3, 3}, 432) + value(11, "x", {-1, 3, 16, 16}) +
         value(12, "z", {-1, 8, 14, 14});
}

TEST(OnnxReader, Operations) {
  const auto model = read(model_message(convolution()));
  ASSERT_EQ(model.operations.row_count(), 2u);
  EXPECT_EQ(model.text(model.operations.name[0]), "conv1");
  EXPECT_EQ(model.text(model.operations.type[0]), "Conv");
  EXPECT_TRUE(model.operations.domain.is_null(0));
  EXPECT_TRUE(model.operations.name.is_null(1)) << "nobody has a name for it";
  EXPECT_EQ(model.operations.weight_bytes[0], 432);
  EXPECT_EQ(model.operations.weight_bytes[1], 0);
  // The omitted bias counts; y has no shape in the file.
  EXPECT_THAT(ports(model, 0),
              ElementsAre("input 0 x (-1,3,16,16,) FP32", "input 1 w (8,3,3,3,) FP16 432",
                          "input 2  ? ", "output 0 y ? "));
  EXPECT_THAT(ports(model, 1), ElementsAre("input 0 y ? ", "output 0 z (-1,8,14,14,) FP32"));
  EXPECT_EQ(model.files.record_count[0], 2);
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(OnnxReader, ParametersAreJson) {
  const auto attribute = [](std::string_view name, unsigned type, std::string_view content) {
    return bytes_field(5, bytes_field(1, name) + varint_field(20, type) + std::string(content));
  };
  std::string many;
  for (int i = 0; i < 2000; ++i) many += varint_field(8, 1);
  const std::string file = model_message(
      node_field("Op", {"x"}, "y", "n",
                 attribute("kernel_shape", 7, varint_field(8, 3) + varint_field(8, 5)) +
                     attribute("auto_pad", 3, bytes_field(4, "SAME\"\xff")) +
                     attribute("epsilon", 1, std::string("\x15\xac\xc5\x27\x37", 5)) +
                     attribute("group", 2, "") + attribute("many", 7, many) +
                     attribute("names", 8, bytes_field(9, "a") + bytes_field(9, "b")) +
                     attribute("blob", 3, bytes_field(4, std::string(5000, 'x'))) +
                     attribute("alpha", 1, bytes_field(21, "outer")) +
                     attribute("value", 4, bytes_field(5, varint_field(2, 1)))));
  const auto source = planex::onnx::read_model(file);
  ASSERT_TRUE(source.has_value());
  EXPECT_EQ(parameters_json(*source, source->nodes[0]),
            "{\"kernel_shape\":[3,5],\"auto_pad\":\"SAME\\\"\xEF\xBF\xBD\",\"epsilon\":1e-05,"
            "\"group\":0,\"many\":{\"count\":2000},\"names\":[\"a\",\"b\"],"
            "\"blob\":{\"bytes\":5000},\"alpha\":{\"attribute\":\"outer\"}}");
}

std::string with_branch() {
  const std::string branch = bytes_field(2, "then") + node_field("Sigmoid", {"x"}, "t", "sig") +
                             node_field("Add", {"t", "w"}, "u", "") + weight("b", 1, {2}, 8);
  return model_message(
      node_field("If", {"c"}, "y", "myif",
                 bytes_field(5, bytes_field(1, "then_branch") + bytes_field(6, branch) +
                                    varint_field(20, 5))) +
      weight("w", 1, {4}, 16) + value(11, "x", {4}));
}

TEST(OnnxReader, SubgraphsSeeTheGraphsAroundThem) {
  const auto model = read(with_branch());
  ASSERT_EQ(model.operations.row_count(), 3u);
  EXPECT_TRUE(model.operations.subgraph.is_null(0));
  EXPECT_EQ(model.text(model.operations.subgraph[1]), "then (then_branch) | myif (If)");
  EXPECT_EQ(model.operations.weight_bytes[2], 16);
  EXPECT_THAT(ports(model, 1), Contains("input 0 x (4,) FP32"));
}

// As if there were nothing else: the model is the engine.
model::PlanModel read_alone(std::string_view file) {
  model::ModelBuilder builder;
  Artefact artefact{.path = "m.onnx", .bytes = base::make_bytes(file), .is_engine = true};
  artefact.file_row = builder.add_file("m.onnx", "onnx", "test", file.size());
  const auto read = read_model(artefact, builder);
  EXPECT_TRUE(read.has_value()) << test::to_text(read.error());
  auto model = builder.finish();
  analyze::complete(model);
  return model;
}

std::string dims_text(std::span<const std::int64_t> dims) {
  std::string text;
  for (const std::int64_t dim : dims) text += base::format("{},", dim);
  return text;
}

TEST(OnnxReader, AModelAloneIsItsNodes) {
  const auto model = read_alone(model_message(convolution()));
  EXPECT_EQ(model.text(model.engine.producer[0]), "onnx");
  EXPECT_TRUE(model.is_uncompiled());
  ASSERT_EQ(model.layers.row_count(), 2u);
  EXPECT_EQ(model.text(model.layers.name[0]), "conv1");
  EXPECT_EQ(model.text(model.layers.name[1]), "z") << "without a name of its own: what it writes";
  EXPECT_EQ(model.layers.family[0], model::Family::kConvolution);
  EXPECT_EQ(model.layers.weight_bytes[0], 432);
  // 8 x 14 x 14 outputs of 3 x 3 x 3 products, for a batch of 1.
  EXPECT_EQ(model.layers.macs[0], 8 * 14 * 14 * 27);
  EXPECT_EQ(dims_text(model.ports.dims[2]), "1,8,14,14,") << "y, which the file says nothing of";
  EXPECT_EQ(dims_text(model.bindings.dims[0]), "-1,3,16,16,") << "as declared";
  // Anything that an engine would choose is unknown.
  EXPECT_TRUE(model.layers.precision.is_null(0));
  EXPECT_TRUE(model.layers.is_reformat.is_null(0));
  EXPECT_TRUE(model.layers.tactic.is_null(0));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("batch-assumed"));
}

TEST(OnnxReader, SubgraphsOfAModelAloneAreNotSummedUp) {
  const auto model = read_alone(with_branch());
  ASSERT_EQ(model.layers.row_count(), 1u) << "the branch is a part of the If";
  EXPECT_EQ(model.text(model.layers.type[0]), "If");
  EXPECT_TRUE(model.layers.flops.is_null(0));
  EXPECT_EQ(model.operations.row_count(), 3u);
  // The branch reads them.
  std::vector<std::string> inputs;
  for (std::size_t row = 0; row < model.ports.row_count(); ++row) {
    if (model.ports.direction[row] == model::Direction::kOutput) continue;
    inputs.emplace_back(model.text(model.tensors.name[model.ports.tensor_id[row].index()]));
  }
  EXPECT_THAT(inputs, ElementsAre("c", "x", "w"));
}

TEST(OnnxReader, FunctionsAndForeignOperatorsAreOneLayerEach) {
  const std::string function =
      bytes_field(25, bytes_field(1, "Twice") + bytes_field(4, "a") + bytes_field(5, "b") +
                          bytes_field(7, node_field("Add", {"a", "a"}, "b", "").substr(2)) +
                          bytes_field(10, "mine"));
  const std::string file =
      model_message(node_field("Twice", {"x"}, "y", "call", bytes_field(7, "mine")) +
                    node_field("Magic", {"y"}, "z", "odd", bytes_field(7, "other")) +
                    value(11, "x", {2, 4})) +
      function;
  const auto model = read_alone(file);
  ASSERT_EQ(model.layers.row_count(), 2u);
  EXPECT_EQ(model.layers.family[0], model::Family::kOpaque);
  EXPECT_EQ(model.layers.family[1], model::Family::kPlugin);
  EXPECT_THAT(test::diagnostic_codes(model), Contains("function-calls"));
}

TEST(NodeNames, AsProducersWriteThem) {
  const std::string file = with_branch();
  const auto source = planex::onnx::read_model(file);
  ASSERT_TRUE(source.has_value());
  planex::onnx::NodeNames names(*source);
  EXPECT_EQ(names.find("myif"), 0u);
  EXPECT_EQ(names.find("sig"), 1u);
  EXPECT_EQ(names.find("sig | then (then_branch) | myif (If)"), 1u);
  EXPECT_EQ(names.find("node_of_u | then (then_branch) | myif (If)"), 2u);
  EXPECT_EQ(names.find("node_of_u"), 2u);
  EXPECT_EQ(names.find("u"), 2u);
  EXPECT_EQ(names.find("y_nchwc"), 0u);
  EXPECT_EQ(names.find("sig | else (else_branch) | myif (If)"), planex::onnx::kNoIndex);
  EXPECT_EQ(names.find(""), planex::onnx::kNoIndex);
  EXPECT_EQ(names.name_of(2), "");
  names.tell("Add_7", 2);
  EXPECT_EQ(names.find("Add_7"), 2u);
  EXPECT_EQ(names.name_of(2), "Add_7");
}

TEST(OnnxReader, SourcesGetTheirTypes) {
  model::ModelBuilder builder;
  const auto layer = builder.add_layer(builder.strings().intern("conv1 + relu"));
  for (const char* name : {"conv1", "node_of_z", "w", "other"}) {
    builder.add_source(layer, name, "", model::Evidence::kMetadata);
  }
  const auto model = read_into(builder, model_message(convolution()));
  EXPECT_EQ(model.text(model.sources.op_type[0]), "Conv");
  EXPECT_EQ(model.text(model.sources.op_type[1]), "Relu");
  EXPECT_TRUE(model.sources.op_type.is_null(2)) << "a weight";
  EXPECT_EQ(model.text(model.operations.name[1]), "node_of_z");
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("source-not-in-model"));
  EXPECT_EQ(model.files.joined_count[0], 3);
}

TEST(OnnxReader, SaysWhenItIsAnotherModel) {
  model::ModelBuilder builder;
  const auto layer = builder.add_layer(builder.strings().intern("a"));
  builder.add_source(layer, "a", "", model::Evidence::kName);
  const auto model = read_into(builder, model_message(convolution()));
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("source-model-mismatch"));
}

TEST(OnnxReader, FillsWhatALogLeftOpen) {
  model::ModelBuilder builder;
  const std::int64_t dims[] = {2, 3, 16, 16};
  const auto conv = builder.add_operation({.name = "conv1", .type = "Conv"});
  builder.add_operation_port(conv, model::Direction::kInput,
                             {.tensor = "x", .dims = dims, .dtype = model::DType::kFp16});
  const auto relu = builder.add_operation({.name = "node_of_z", .type = "Relu"});
  builder.add_operation_port(relu, model::Direction::kOutput, {.tensor = "z", .dims_known = false});
  builder.add_operation({.name = "gone", .type = "Identity"});
  const auto model = read_into(builder, model_message(convolution()));
  ASSERT_EQ(model.operations.row_count(), 3u);
  EXPECT_EQ(model.operations.weight_bytes[0], 432);
  EXPECT_THAT(ports(model, 0),
              ElementsAre("input 0 x (2,3,16,16,) FP16", "input 1 w (8,3,3,3,) FP16 432",
                          "input 2  ? ", "output 0 y ? "))
      << "what the log says stays";
  EXPECT_THAT(ports(model, 1), ElementsAre("output 0 z (-1,8,14,14,) FP32", "input 0 y ? "));
  ASSERT_THAT(test::diagnostic_codes(model), ElementsAre("operations-merged"));
  EXPECT_EQ(model.text(model.diagnostics.message[0]),
            "2 operations were known from another file and were completed; 1 of the other file is "
            "not a node of this model");
}

TEST(OnnxReader, UnknownTypesAndWrongSizes) {
  const auto model = read(model_message(node_field("Op", {"a", "b"}, "y", "n") +
                                        weight("a", 21, {7}, 4) + weight("b", 1, {7}, 4)));
  EXPECT_THAT(ports(model, 0),
              ElementsAre("input 0 a (7,)  4", "input 1 b (7,) FP32", "output 0 y ? "));
  EXPECT_TRUE(model.operations.weight_bytes.is_null(0));
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("unknown-type", "weight-size"));
}

TEST(OnnxReader, ConstantNodesAreWeights) {
  const std::string tensor = bytes_field(5, varint_field(1, 3) + varint_field(2, 6));
  const auto model = read(model_message(
      node_field("Constant", {}, "k", "",
                 bytes_field(5, bytes_field(1, "value") + tensor + varint_field(20, 4))) +
      node_field("Constant", {}, "l", "",
                 bytes_field(5, bytes_field(1, "value_ints") + varint_field(8, 1) +
                                    varint_field(8, 2) + varint_field(20, 7))) +
      node_field("Add", {"k", "l"}, "y", "add")));
  EXPECT_THAT(ports(model, 2),
              ElementsAre("input 0 k (3,) INT32 12", "input 1 l (2,) INT64 16", "output 0 y ? "));
  EXPECT_EQ(model.operations.weight_bytes[2], 28);
}

TEST(OnnxReader, NamesMayBeAnyBytes) {
  const auto model = read(model_message(node_field("Re\xfflu", {"\xc3"}, "y\xff", "n\xfe")));
  EXPECT_EQ(model.text(model.operations.name[0]), "n\xEF\xBF\xBD");
  EXPECT_EQ(model.text(model.operation_ports.tensor[0]), "\xEF\xBF\xBD");
}

TEST(OnnxReader, ErrorsNameTheFile) {
  model::ModelBuilder builder;
  Artefact artefact{.path = "m.onnx", .bytes = base::make_bytes("\x08\x08\x3a\x40")};
  const auto read = read_model(artefact, builder);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().file, "m.onnx");
  EXPECT_TRUE(read.error().byte_offset.has_value());
  EXPECT_THAT(read.error().message, HasSubstr("a damaged one"));
}

TEST(OnnxReader, RealModels) {
  PLANEX_NEED_TEST_DATA(data);
  for (const std::string& path : test::files_below(data, {".onnx"})) {
    const std::string file = test::read_text(path);
    const ReaderInfo* reader = sniff(std::string_view(file).substr(0, kSniffBytes));
    ASSERT_NE(reader, nullptr) << path;
    EXPECT_EQ(reader->id, "onnx") << path;
    const auto model = read(file);
    EXPECT_GT(model.operations.row_count(), 0u) << path;
    EXPECT_THAT(test::diagnostic_codes(model), IsEmpty()) << path;
  }
}

}  // namespace
}  // namespace planex::ingest::onnx
