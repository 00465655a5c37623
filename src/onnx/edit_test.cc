#include "onnx/edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "base/text.h"
#include "onnx/attributes.h"
#include "onnx/fields.h"
#include "onnx/read.h"
#include "onnx/test_message.h"
#include "support/test_data.h"

namespace planex::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string_view> list(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

std::string value_field(unsigned number, std::string_view name, std::uint64_t type) {
  const std::string shape =
      bytes_field(1, varint_field(1, 1)) + bytes_field(1, bytes_field(2, "n"));
  return bytes_field(
      number, bytes_field(1, name) +
                  bytes_field(2, bytes_field(1, varint_field(1, type) + bytes_field(2, shape))));
}

std::string initializer_field(std::string_view name) {
  return bytes_field(
      5, varint_field(1, 1) + varint_field(2, 1) + bytes_field(8, name) + bytes_field(9, "1234"));
}

std::string int_attribute(std::string_view name, std::uint64_t value) {
  return bytes_field(
      5, bytes_field(1, name) + varint_field(3, value) + varint_field(20, 2) + varint_field(99, 1));
}

std::string sample_conv() {
  return node_field("Conv", {"x", "w"}, "c", "conv",
                    int_attribute("group", 1) + int_attribute("odd", 7) + bytes_field(6, "doc") +
                        varint_field(77, 5));
}

// Two nodes, inputs, outputs, and everywhere fields that planex does not know.
std::string sample(std::string_view first_node = sample_conv()) {
  return model_message(std::string(first_node) + bytes_field(2, "graph") +
                       node_field("Relu", {"c"}, "y", "relu") + initializer_field("w") +
                       initializer_field("v") + value_field(11, "x", 1) + value_field(12, "y", 1) +
                       value_field(13, "c", 1) + varint_field(55, 3)) +
         bytes_field(14, bytes_field(1, "key") + bytes_field(2, "old")) + "\xF8\x07\x01";
}

// The result of an edit of a file, read back.
struct Edited {
  std::string file;
  Model model;

  Edited(std::string_view before, const Edit& edit)
      : file(*edited(before, *read_model(before), edit)), model(*read_model(file)) {}
  std::vector<std::string_view> inputs(std::size_t node) const {
    return list(model.inputs_of(model.nodes[node]));
  }
};

TEST(Edit, WithoutChangesTheFileStaysAsItIs) {
  const std::string file = sample();
  const Edit edit;
  EXPECT_TRUE(edit.is_empty());
  EXPECT_EQ(*edited(file, *read_model(file), edit), file);
}

TEST(Edit, NodesAreInsertedBeforeOthersAndAtTheEnd) {
  const std::string file = sample();
  Edit edit;
  edit.insert_node(1, {.op_type = "Abs", .name = "first", .inputs = {"c"}, .outputs = {"c2"}});
  edit.insert_node(1, {.op_type = "Neg", .name = "second", .inputs = {"c2"}, .outputs = {"c3"}});
  edit.insert_node(
      kNoIndex,
      {.op_type = "Own",
       .domain = "mine",
       .inputs = {"y"},
       .outputs = {"z"},
       .attributes = {
           {"i", std::int64_t{-3}},
           {"f", 0.5F},
           {"s", std::string("text")},
           {"l", std::vector<std::int64_t>{1, -1}},
           {"t", NewTensor{.name = "n", .type = DataType::kInt8, .dims = {2}, .raw = "ab"}}}});
  edit.set_input(1, 0, "c3");
  const Edited result(file, edit);
  const Model& model = result.model;
  ASSERT_EQ(model.nodes.size(), 5U);
  EXPECT_EQ(model.nodes[1].name, "first");
  EXPECT_EQ(model.nodes[2].name, "second");
  EXPECT_EQ(model.nodes[3].name, "relu");
  EXPECT_THAT(result.inputs(3), ElementsAre("c3"));
  const Node& own = model.nodes[4];
  EXPECT_EQ(own.domain, "mine");
  EXPECT_EQ(int_of(*find_attribute(model, own, "i")), -3);
  EXPECT_EQ(float_of(*find_attribute(model, own, "f")), 0.5F);
  EXPECT_EQ(string_of(*find_attribute(model, own, "s")), "text");
  EXPECT_THAT(ints_of(*find_attribute(model, own, "l"), 9), ElementsAre(1, -1));
  const Tensor& tensor = model.tensors[find_attribute(model, own, "t")->tensor];
  EXPECT_EQ(tensor.type, DataType::kInt8);
  EXPECT_FALSE(has_wrong_size(model, tensor));
}

TEST(Edit, AnAttributeIsCopiedAsItIs) {
  const std::string file = sample();
  const Model model = read_model(file).value();
  const Attribute& odd = model.attributes_of(model.nodes[0])[1];
  Edit edit;
  edit.insert_node(1, {.op_type = "Neg",
                       .name = "copy",
                       .inputs = {"c"},
                       .outputs = {"d"},
                       .attributes = {{"odd", CopiedAttribute{std::string(odd.body)}}}});
  const std::string changed = edited(file, model, edit).value();
  const Model read = read_model(changed).value();
  EXPECT_EQ(read.attributes_of(read.nodes[1])[0].body, odd.body);
}

TEST(Edit, ARemovedNodeLeavesAllElse) {
  Edit edit;
  edit.remove_node(0);
  EXPECT_EQ(Edited(sample(), edit).file, sample(""));
}

TEST(Edit, InputsAndOutputsOfANode) {
  const std::string file = sample();
  Edit edit;
  edit.set_input(0, 1, "other");
  edit.set_input(0, 4, "fifth");
  edit.set_output(0, 0, "renamed");
  const Edited result(file, edit);
  EXPECT_THAT(result.inputs(0), ElementsAre("x", "other", "", "", "fifth"));
  EXPECT_THAT(list(result.model.outputs_of(result.model.nodes[0])), ElementsAre("renamed"));
  EXPECT_EQ(result.model.nodes[0].attributes.count, 2U);
  EXPECT_THAT(result.file, HasSubstr("doc"));
}

TEST(Edit, AttributesAreReplacedAddedAndRemoved) {
  const std::string file = sample();
  Edit edit;
  edit.set_attribute(0, {"group", std::int64_t{8}});
  edit.set_attribute(0, {"added", std::vector<std::int64_t>{4, 5}});
  edit.remove_attribute(0, "odd");
  edit.remove_attribute(1, "absent");
  const Edited result(file, edit);
  const Node& conv = result.model.nodes[0];
  EXPECT_EQ(int_of(*find_attribute(result.model, conv, "group")), 8);
  EXPECT_THAT(ints_of(*find_attribute(result.model, conv, "added"), 9), ElementsAre(4, 5));
  EXPECT_EQ(find_attribute(result.model, conv, "odd"), nullptr);
  EXPECT_EQ(conv.attributes.count, 2U);
}

TEST(Edit, InitializersComeAndGo) {
  const std::string file = sample();
  Edit edit;
  edit.remove_initializer(0);
  edit.add_initializer({.name = "scale", .type = DataType::kFloat, .dims = {}, .raw = "abcd"});
  const Edited result(file, edit);
  const auto tensors = result.model.initializers_of(result.model.graphs[0]);
  ASSERT_EQ(tensors.size(), 2U);
  EXPECT_EQ(tensors[0].name, "v");
  EXPECT_EQ(tensors[1].name, "scale");
  EXPECT_EQ(tensors[1].dims.count, 0U);
  EXPECT_EQ(bytes_of(result.model, tensors[1]), 4);
}

TEST(Edit, ValuesGetAnotherTypeOrNameAndKeepTheirShape) {
  const std::string file = sample();
  Edit edit;
  edit.set_value_type(0, DataType::kFloat16);
  edit.set_value_name(1, "out");
  edit.remove_value_info("c");
  edit.remove_value_info("y");  // an output stays
  const Edited result(file, edit);
  ASSERT_EQ(result.model.values.size(), 2U);
  EXPECT_EQ(result.model.values[0].type, DataType::kFloat16);
  EXPECT_EQ(result.model.values[0].name, "x");
  const auto dims = result.model.dims_of(result.model.values[0]);
  ASSERT_EQ(dims.size(), 2U);
  EXPECT_EQ(dims[0].value, 1);
  EXPECT_EQ(dims[1].parameter, "n");
  EXPECT_EQ(result.model.values[1].name, "out");
  EXPECT_EQ(result.model.values[1].type, DataType::kFloat);
}

TEST(Edit, AValueWithoutATypeGetsOne) {
  const std::string file = model_message(bytes_field(12, bytes_field(1, "y")));
  Edit edit;
  edit.set_value_type(0, DataType::kInt8);
  EXPECT_EQ(Edited(file, edit).model.values[0].type, DataType::kInt8);
  const std::string sequence =
      model_message(bytes_field(12, bytes_field(1, "y") + bytes_field(2, bytes_field(4, ""))));
  const auto refused = edited(sequence, *read_model(sequence), edit);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
}

TEST(Edit, TheOpsetRaisesTheVersionOfTheFormat) {
  const auto versions = [](std::int64_t opset) {
    const std::string file = sample() + bytes_field(8, bytes_field(1, "mine") + varint_field(2, 4));
    Edit edit;
    edit.set_opset(opset);
    const Edited result(file, edit);
    EXPECT_EQ(result.model.opsets.size(), 2U);
    EXPECT_EQ(result.model.opsets[0].version, opset);
    EXPECT_EQ(result.model.opsets[1].version, 4) << "of another domain";
    EXPECT_EQ(result.model.graphs[0].opset, opset);
    return result.model.ir_version;
  };
  EXPECT_EQ(versions(13), 8) << "it was 8";
  EXPECT_EQ(versions(19), 9);
  EXPECT_EQ(versions(21), 10);
  EXPECT_EQ(versions(22), 10);
  EXPECT_EQ(versions(23), 11);
}

TEST(Edit, AFileWithoutVersionsGetsThem) {
  const std::string file = bytes_field(7, node_field("Relu", {"x"}, "y", "n"));
  Edit edit;
  edit.set_opset(13);
  const Edited result(file, edit);
  EXPECT_EQ(result.model.ir_version, 7);
  EXPECT_EQ(result.model.graphs[0].opset, 13);
}

TEST(Edit, InitializersThatAreNoInputsNeedANewerFormat) {
  const std::string file = varint_field(1, 3) + bytes_field(7, node_field("Relu", {"x"}, "y", "n"));
  Edit edit;
  edit.add_initializer({.name = "x", .raw = "abcd"});
  EXPECT_EQ(Edited(file, edit).model.ir_version, 4);
}

TEST(Edit, PropertiesAreReplacedAndAdded) {
  const std::string file = sample();
  Edit edit;
  edit.set_property("key", "new");
  edit.set_property("more", "text");
  const Edited result(file, edit);
  ASSERT_EQ(result.model.properties.size(), 2U);
  EXPECT_EQ(result.model.properties[0].value, "new");
  EXPECT_EQ(result.model.properties[1].key, "more");
  Edit again;
  again.set_property("key", "old");
  EXPECT_EQ(Edited(result.file, again).model.properties[0].value, "old");
}

TEST(Edit, NodesOfSubgraphs) {
  const std::string inner =
      node_field("Abs", {"x"}, "a", "abs") + node_field("Neg", {"a"}, "b", std::string(100, 'n'));
  const std::string body =
      bytes_field(5, bytes_field(1, "body") + bytes_field(6, inner) + varint_field(20, 5));
  const std::string file = model_message(node_field("Loop", {"m"}, "z", "outer", body));
  const Model before = *read_model(file);
  ASSERT_EQ(before.nodes[2].op_type, "Neg");
  Edit edit;
  edit.set_input(2, 0, "changed");
  edit.insert_node(2,
                   {.op_type = "Identity", .name = "new", .inputs = {"a"}, .outputs = {"changed"}});
  edit.set_attribute(0, {"more", std::int64_t{1}});
  const Edited result(file, edit);
  ASSERT_EQ(result.model.nodes.size(), 4U);
  EXPECT_EQ(result.model.nodes[2].name, "new");
  EXPECT_EQ(result.model.nodes[2].graph, 1U);
  EXPECT_THAT(result.inputs(3), ElementsAre("changed"));
  EXPECT_EQ(result.model.nodes[0].attributes.count, 2U);
}

TEST(Edit, AnIndexThatIsNotThereIsAnError) {
  const std::string file = sample();
  Edit edit;
  edit.remove_node(9);
  const auto result = edited(file, *read_model(file), edit);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInternal);
}

TEST(FreshNames, AreThoseThatNobodyHas) {
  const std::string file = sample();
  const Model model = *read_model(file);
  Edit edit;
  edit.add_initializer({.name = "taken"});
  edit.insert_node(0, {.op_type = "Relu", .name = "node", .inputs = {}, .outputs = {"made"}});
  FreshNames names(model, edit);
  EXPECT_EQ(names.take("new"), "new");
  EXPECT_EQ(names.take("new"), "new_2");
  EXPECT_EQ(names.take("new"), "new_3");
  EXPECT_EQ(names.take("conv"), "conv_2");
  EXPECT_EQ(names.take("c"), "c_2");
  EXPECT_EQ(names.take("w"), "w_2");
  EXPECT_EQ(names.take("taken"), "taken_2");
  EXPECT_EQ(names.take("node"), "node_2");
  EXPECT_EQ(names.take("made"), "made_2");
}

// One line per node, with everything that an edit can change.
std::string line_of(std::string_view op_type, std::string_view name,
                    std::span<const std::string> inputs, std::span<const std::string> outputs,
                    std::size_t attributes) {
  return base::format("{} {} ({}) -> ({}) {}", op_type, name, fmt::join(inputs, ","),
                      fmt::join(outputs, ","), attributes);
}

// The expected list of nodes after random changes, kept in parallel with the edit.
class Expected {
 public:
  explicit Expected(const Model& model) {
    for (Index node = 0; node < model.graphs[0].nodes.count; ++node) {
      const Node& from = model.nodes[node];
      const auto inputs = model.inputs_of(from), outputs = model.outputs_of(from);
      rows_.push_back({.op_type = std::string(from.op_type),
                       .name = std::string(from.name),
                       .inputs = {inputs.begin(), inputs.end()},
                       .outputs = {outputs.begin(), outputs.end()},
                       .attributes = from.attributes.count});
    }
  }

  void change(std::mt19937& random, Edit& edit, int number) {
    const auto node = static_cast<Index>(random() % rows_.size());
    Row& row = rows_[node];
    const std::string name = base::format("new_{}", number);
    switch (random() % 5) {
      case 0:
        row.is_removed = true;
        edit.remove_node(node);
        break;
      case 1: {
        const auto position = static_cast<std::uint32_t>(random() % 6);
        row.inputs.resize(std::max<std::size_t>(row.inputs.size(), position + 1));
        row.inputs[position] = name;
        edit.set_input(node, position, name);
        break;
      }
      case 2:
        row.outputs.at(0) = name;
        edit.set_output(node, 0, name);
        break;
      case 3:
        ++row.attributes;
        edit.set_attribute(node, {name, std::string(random() % 400, 'a')});
        break;
      default:
        row.before.push_back(line_of("Abs", name, {}, std::vector{name}, 0));
        edit.insert_node(node, {.op_type = "Abs", .name = name, .inputs = {}, .outputs = {name}});
        break;
    }
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    for (const Row& row : rows_) {
      all.insert(all.end(), row.before.begin(), row.before.end());
      if (row.is_removed) continue;
      all.push_back(line_of(row.op_type, row.name, row.inputs, row.outputs, row.attributes));
    }
    return all;
  }

 private:
  struct Row {
    std::vector<std::string> before;
    bool is_removed = false;
    std::string op_type, name;
    std::vector<std::string> inputs, outputs;
    std::size_t attributes = 0;
  };
  std::vector<Row> rows_;
};

TEST(Edit, RandomChangesOfRealModelsReadBack) {
  PLANEX_NEED_TEST_DATA(data);
  std::mt19937 random(11);
  std::size_t tried = 0;
  for (const std::string& path : test::files_below(data + "/engines", {".onnx"})) {
    SCOPED_TRACE(path);
    const std::string file = test::read_text(path);
    const auto model = read_model(file);
    if (!model || model->graphs[0].nodes.count == 0) continue;
    EXPECT_EQ(*edited(file, *model, Edit()), file);
    for (int round = 0; round < 10; ++round) {
      Edit edit;
      Expected expected(*model);
      for (int i = 0; i <= round * 5; ++i) expected.change(random, edit, i);
      const auto text = edited(file, *model, edit);
      ASSERT_TRUE(text) << text.error().message;
      const auto after = read_model(*text);
      ASSERT_TRUE(after) << after.error().message;
      EXPECT_EQ(Expected(*after).lines(), expected.lines());
      EXPECT_EQ(after->graphs[0].values.count, model->graphs[0].values.count);
      EXPECT_EQ(after->initializers_of(after->graphs[0]).size(),
                model->initializers_of(model->graphs[0]).size());
    }
    ++tried;
  }
  EXPECT_GE(tried, 5u);
}

}  // namespace
}  // namespace planex::onnx
