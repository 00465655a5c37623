#include "quantize/only.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/files.h"
#include "onnx/edit.h"
#include "onnx/read.h"
#include "quantize/cure.h"
#include "quantize/suspects.h"
#include "quantize/test_models.h"

namespace planex::quantize {
namespace {

std::string int8_tensor(std::string_view name, std::initializer_list<std::uint64_t> dims,
                        const std::vector<std::int8_t>& values) {
  std::string text;
  for (const std::uint64_t dim : dims) text += onnx::varint_field(1, dim);
  constexpr std::uint64_t kInt8 = 3;
  text += onnx::varint_field(2, kInt8) + onnx::bytes_field(8, name) +
          onnx::bytes_field(9, std::string(values.begin(), values.end()));
  return onnx::bytes_field(5, text);
}

struct Opened {
  explicit Opened(std::string text)
      : bytes(std::move(text)),
        model(onnx::read_model(bytes).value()),
        links(model),
        values(bytes, model, base::disk(), ".") {}
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  ModelView view() { return {model, links, values}; }

  std::string bytes;
  onnx::Model model;
  onnx::Links links;
  onnx::Values values;
};

// y = (x * w1) * w2, both layers with a pair in front and an int8 weight.
std::string quantized_chain() {
  const auto pair = [](const std::string& tensor) {
    return onnx::node_field("QuantizeLinear", {tensor, "s", "z"}, tensor + ".q", "") +
           onnx::node_field("DequantizeLinear", {tensor + ".q", "s", "z"}, tensor + ".dq", "");
  };
  const auto weight = [](const std::string& name) {
    return onnx::node_field("DequantizeLinear", {name, name + ".s", name + ".z"}, name + ".dq", "");
  };
  return onnx::model_message(
      pair("x") + weight("w1") + onnx::node_field("MatMul", {"x.dq", "w1.dq"}, "h", "first") +
      pair("h") + weight("w2") + onnx::node_field("MatMul", {"h.dq", "w2.dq"}, "y", "second") +
      initializer("s", {}, {0.5F}) + int8_tensor("z", {}, {0}) +
      int8_tensor("w1", {2, 2}, {127, 2, -127, 4}) + initializer("w1.s", {}, {0.5F}) +
      int8_tensor("w1.z", {}, {0}) + int8_tensor("w2", {2, 2}, {10, 20, 30, 40}) +
      initializer("w2.s", {}, {2.0F}) + int8_tensor("w2.z", {}, {0}) + input("x") + output("y"));
}

std::string float_chain() {
  return onnx::model_message(onnx::node_field("MatMul", {"x", "w1"}, "h", "first") +
                             onnx::node_field("MatMul", {"h", "other"}, "z", "second") +
                             initializer("w1", {2, 2}, {63.0F, 1.0F, -63.0F, 2.0F}) +
                             initializer("other", {2, 2}, {1, 1, 1, 1}) + input("x") + output("z"));
}

class OnlyTest : public testing::Test {
 protected:
  Opened subject{quantized_chain()}, reference{float_chain()};
  Existing existing = read_existing(subject.model, subject.links, subject.values).value();
  std::vector<FloatWeight> weights =
      float_weights(subject.view(), existing, reference.view()).value();

  std::string kept_bytes(const Kept& kept) {
    onnx::Edit edit;
    keep_only(subject.view(), existing, weights, kept, edit);
    return onnx::edited(subject.bytes, subject.model, edit).value();
  }
};

TEST_F(OnlyTest, LayersHaveTheirPairsAndWeights) {
  const auto layers = quantized_layers(subject.view(), existing);
  ASSERT_EQ(layers.size(), 2U);
  EXPECT_EQ(subject.model.nodes[layers[0].node].name, "first");
  EXPECT_EQ(layers[0].pairs, std::vector<std::size_t>{0});
  EXPECT_EQ(layers[0].weights, std::vector<std::size_t>{0});
  EXPECT_EQ(layers[1].pairs, std::vector<std::size_t>{1});
  EXPECT_EQ(layers[1].weights, std::vector<std::size_t>{1});
}

TEST_F(OnlyTest, WeightsAreThoseOfTheFloatModelWhereItHasThem) {
  EXPECT_FALSE(weights[0].is_dequantized);
  EXPECT_EQ(weights[0].values, (std::vector<float>{63.0F, 1.0F, -63.0F, 2.0F}));
  // Errors 0.5, 0, 0.5, 0 of a power of 7943.
  EXPECT_NEAR(weights[0].sqnr_db.value(), 42.01, 0.01);
  // The float model makes no tensor "y".
  EXPECT_TRUE(weights[1].is_dequantized);
  EXPECT_EQ(weights[1].values, (std::vector<float>{20, 40, 60, 80}));
}

TEST_F(OnlyTest, WithoutPairsTheModelIsFloat) {
  const std::string bytes = kept_bytes(Kept::none());
  EXPECT_EQ(lines_of(onnx::read_model(bytes).value()),
            (std::vector<std::string>{"MatMul(x,w1_float)->h", "MatMul(h,w2_float)->y"}));
}

TEST_F(OnlyTest, OneLayerKeepsItsOwn) {
  const auto layers = quantized_layers(subject.view(), existing);
  const std::string bytes = kept_bytes(Kept::layer(layers[1]));
  EXPECT_EQ(
      lines_of(onnx::read_model(bytes).value()),
      (std::vector<std::string>{"MatMul(x,w1_float)->h", "QuantizeLinear(h,s,z)->h.q",
                                "DequantizeLinear(h.q,s,z)->h.dq",
                                "DequantizeLinear(w2,w2.s,w2.z)->w2.dq", "MatMul(h.dq,w2.dq)->y"}));
}

// A pair that writes an output of the graph, as quantizers put one after the last Concat.
TEST_F(OnlyTest, APairThatWritesAnOutputStaysWhereItIsKept) {
  Opened model(onnx::model_message(
      onnx::node_field("Relu", {"x"}, "h", "relu") +
      onnx::node_field("QuantizeLinear", {"h", "s", "z"}, "h.q", "") +
      onnx::node_field("DequantizeLinear", {"h.q", "s", "z"}, "y", "") +
      initializer("s", {}, {0.5F}) + int8_tensor("z", {}, {0}) + input("x") + output("y")));
  const Existing pairs = read_existing(model.model, model.links, model.values).value();
  const auto kept = [&](const Kept& what) {
    onnx::Edit edit;
    keep_only(model.view(), pairs, {}, what, edit);
    return lines_of(onnx::read_model(onnx::edited(model.bytes, model.model, edit).value()).value());
  };
  EXPECT_EQ(kept(Kept::none()), (std::vector<std::string>{"Relu(x)->h", "Identity(h)->y"}));
  const Kept all{.pair = [](std::size_t, onnx::Reader) { return true; },
                 .weight = [](std::size_t) { return true; }};
  EXPECT_EQ(kept(all), (std::vector<std::string>{"Relu(x)->h", "QuantizeLinear(h,s,z)->h.q",
                                                 "DequantizeLinear(h.q,s,z)->y"}));
}

TEST_F(OnlyTest, WeightsAreNarrowedWhereTheyAreWide) {
  onnx::Edit edit;
  const std::vector<std::size_t> all = {0, 1};
  // The second fits 7 bits as it is.
  EXPECT_EQ(narrow_weights(subject.view(), existing, weights, all, edit).value(),
            std::vector<std::size_t>{0});
  const Opened narrowed(onnx::edited(subject.bytes, subject.model, edit).value());
  const onnx::Node& node = narrowed.model.nodes[existing.weights[0].dequantizer];
  EXPECT_EQ(narrowed.model.inputs_of(node)[0], "w1_7bit");
  Opened again(narrowed.bytes);
  const auto found = read_existing(again.model, again.links, again.values).value();
  EXPECT_EQ(again.values.ints(again.model.tensors[found.weights[0].tensor]).value(),
            (std::vector<std::int64_t>{63, 1, -63, 2}));
}

TEST_F(OnlyTest, PairsBecomeUnsigned) {
  ASSERT_EQ(existing.pairs[1].scale.bits.size(), 1U);
  ASSERT_EQ(existing.pairs[1].scale.zero_points, std::vector<std::int64_t>{0});
  ASSERT_NE(existing.pairs[1].scale.zero_point, onnx::kNoIndex);
  ASSERT_TRUE(is_signed_pair(subject.view(), existing.pairs[1]));
  onnx::Edit edit;
  const std::vector<std::size_t> one = {1};
  EXPECT_EQ(make_unsigned(subject.view(), existing, one, edit), one);
  Opened changed(onnx::edited(subject.bytes, subject.model, edit).value());
  const auto found = read_existing(changed.model, changed.links, changed.values).value();
  EXPECT_EQ(found.pairs[1].scale.zero_points, std::vector<std::int64_t>{128});
  EXPECT_EQ(found.pairs[1].scale.bits, existing.pairs[1].scale.bits);
  EXPECT_FALSE(is_signed_pair(changed.view(), found.pairs[1]));
  // The other pair had the same zero point, and keeps it.
  EXPECT_TRUE(is_signed_pair(changed.view(), found.pairs[0]));
}

arrays::Difference difference_of_db(double db) {
  arrays::Difference difference;
  difference.sqnr_db = db;
  difference.max_abs = 1;
  return difference;
}

TEST(Suspects, NoiseIsBlamedOnWhereItWasMade) {
  const Opened model(onnx::model_message(
      onnx::node_field("Conv", {"x"}, "a", "") + onnx::node_field("Conv", {"a"}, "b", "") +
      onnx::node_field("Conv", {"b"}, "c", "") + input("x") + output("c")));
  std::vector<LayerAccuracy> layers(3);
  const std::vector<std::string> names = {"a", "b", "c"};
  const std::vector<double> simulated = {40, 35, 34}, engine = {40, 10, 9};
  for (std::size_t i = 0; i < 3; ++i) {
    layers[i].tensor = names[i];
    layers[i].simulated = difference_of_db(simulated[i]);
    layers[i].engine = difference_of_db(engine[i]);
  }
  const auto found = suspects(model.model, layers, Fault::kEngine);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().layer, 1U);
  EXPECT_NEAR(found.front().engine_db, 25, 1e-9);
  // "a" made more noise of its own than "c".
  EXPECT_EQ(suspects(model.model, layers, Fault::kModel).front().layer, 0U);
}

TEST(Fault, IsToldByBothFigures) {
  const auto outputs = [](double db) {
    return std::vector<JudgedTensor>{
        {.tensor = "y", .difference = difference_of_db(db), .agreement = {}}};
  };
  EXPECT_EQ(fault_of(outputs(30), outputs(29)), Fault::kNone);
  EXPECT_EQ(fault_of(outputs(15), outputs(15)), Fault::kModel);
  EXPECT_EQ(fault_of(outputs(30), outputs(5)), Fault::kEngine);
  EXPECT_EQ(fault_of(outputs(15), outputs(5)), Fault::kBoth);
  EXPECT_EQ(fault_of({}, {}), Fault::kUnknown);
}

}  // namespace
}  // namespace planex::quantize
