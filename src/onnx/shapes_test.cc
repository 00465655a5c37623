#include "onnx/shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "onnx/read.h"
#include "onnx/shape_rules.h"
#include "onnx/test_message.h"

namespace planex::onnx {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string shaped(unsigned role, std::string_view name, std::initializer_list<int> dims) {
  std::string shape;
  for (const int dim : dims) {
    shape += bytes_field(
        1, dim < 0 ? bytes_field(2, "n") : varint_field(1, static_cast<std::uint64_t>(dim)));
  }
  return bytes_field(
      role, bytes_field(1, name) +
                bytes_field(2, bytes_field(1, varint_field(1, 1) + bytes_field(2, shape))));
}

std::string weights(std::string_view name, std::initializer_list<int> dims) {
  std::string tensor = varint_field(2, 1) + bytes_field(8, name);
  for (const int dim : dims) tensor += varint_field(1, static_cast<std::uint64_t>(dim));
  return bytes_field(5, tensor);
}

// A list of int64, as a weight.
std::string list_of(std::string_view name, std::initializer_list<std::int64_t> values) {
  std::string tensor = varint_field(1, values.size()) + varint_field(2, 7) + bytes_field(8, name);
  for (const std::int64_t value : values) {
    tensor += varint_field(7, static_cast<std::uint64_t>(value));
  }
  return bytes_field(5, tensor);
}

std::string ints(std::string_view name, std::initializer_list<std::int64_t> values) {
  std::string content = bytes_field(1, name) + varint_field(20, 7);
  for (const std::int64_t value : values) {
    content += varint_field(8, static_cast<std::uint64_t>(value));
  }
  return bytes_field(5, content);
}

std::string one_int(std::string_view name, std::int64_t value) {
  return bytes_field(5, bytes_field(1, name) + varint_field(20, 2) +
                            varint_field(3, static_cast<std::uint64_t>(value)));
}

class Model1 {
 public:
  explicit Model1(std::string_view graph)
      : file_(model_message(graph)),
        model_(*read_model(file_)),
        links_(model_),
        values_(file_, model_, files_, {}),
        shapes_(model_, links_, values_) {}

  const Shapes& shapes() const { return shapes_; }
  // Also empty where nothing is known; see is_known.
  std::vector<std::int64_t> of(std::string_view tensor) const {
    const auto dims = shapes_.of(tensor);
    EXPECT_TRUE(dims.has_value()) << tensor;
    if (!dims) return {};
    return {dims->begin(), dims->end()};
  }
  bool is_known(std::string_view tensor) const { return shapes_.of(tensor).has_value(); }

 private:
  std::string file_;
  Model model_;
  base::MemoryFiles files_;
  Links links_;
  Values values_;
  Shapes shapes_;
};

TEST(Shapes, WindowsOfConvolutionsAndPools) {
  const Model1 model(
      shaped(11, "x", {2, 3, 224, 225}) + weights("w", {64, 3, 7, 7}) +
      node_field("Conv", {"x", "w"}, "c", "",
                 ints("strides", {2, 2}) + ints("pads", {3, 3, 3, 3})) +
      node_field(
          "MaxPool", {"c"}, "p", "",
          ints("kernel_shape", {3, 3}) + ints("strides", {2, 2}) + ints("pads", {1, 1, 1, 1})) +
      node_field("AveragePool", {"c"}, "up", "",
                 ints("kernel_shape", {3, 3}) + ints("strides", {2, 2}) + one_int("ceil_mode", 1)) +
      weights("d", {64, 16, 2, 2}) +
      node_field("ConvTranspose", {"p", "d"}, "t", "", ints("strides", {2, 2})) +
      node_field("GlobalAveragePool", {"p"}, "g", "") + node_field("Flatten", {"g"}, "f", "") +
      weights("fc", {1000, 64}) + node_field("Gemm", {"f", "fc"}, "y", "", one_int("transB", 1)));
  EXPECT_THAT(model.of("c"), ElementsAre(2, 64, 112, 113));
  EXPECT_THAT(model.of("p"), ElementsAre(2, 64, 56, 57));
  EXPECT_THAT(model.of("up"), ElementsAre(2, 64, 56, 56));
  EXPECT_THAT(model.of("t"), ElementsAre(2, 16, 112, 114));
  EXPECT_THAT(model.of("f"), ElementsAre(2, 64));
  EXPECT_THAT(model.of("y"), ElementsAre(2, 1000));
  EXPECT_FALSE(model.shapes().is_batch_assumed());
}

TEST(Shapes, AnOpenBatchIsOneAndOtherOpenDimensionsStayOpen) {
  const Model1 batch(shaped(11, "x", {-1, 3, 8, 8}) + node_field("Relu", {"x"}, "y", "") +
                     shaped(12, "y", {-1, 3, 8, 8}));
  EXPECT_TRUE(batch.shapes().is_batch_assumed());
  EXPECT_THAT(batch.shapes().open_inputs(), IsEmpty());
  EXPECT_THAT(batch.of("y"), ElementsAre(1, 3, 8, 8)) << "what the file leaves open is filled in";
  const Model1 length(shaped(11, "x", {-1, -1, 64}) + node_field("Relu", {"x"}, "y", ""));
  EXPECT_FALSE(length.shapes().is_batch_assumed());
  EXPECT_THAT(length.shapes().open_inputs(), ElementsAre("x"));
  EXPECT_THAT(length.of("y"), ElementsAre(-1, -1, 64));
}

// As PyTorch writes view(x.size(0), 4, -1): the sizes are computed in the graph.
TEST(Shapes, ListsOfSizesAreFollowed) {
  const Model1 model(
      shaped(11, "x", {6, 8, 5}) + list_of("zero", {0}) + list_of("rest", {4, -1}) +
      node_field("Shape", {"x"}, "s", "") + node_field("Gather", {"s", "zero"}, "n", "") +
      node_field("Concat", {"n", "rest"}, "to", "", one_int("axis", 0)) +
      node_field("Reshape", {"x", "to"}, "r", "") +
      node_field("Transpose", {"r"}, "t", "", ints("perm", {0, 2, 1})) +
      node_field("MatMul", {"r", "t"}, "m", "") + list_of("axes", {1}) +
      node_field("Unsqueeze", {"m", "axes"}, "u", "") +
      node_field("Expand", {"u", "wide"}, "e", "") + list_of("wide", {1, 3, 1, 1}) +
      node_field("ReduceMean", {"e"}, "mean", "", ints("axes", {-1}) + one_int("keepdims", 0)) +
      list_of("from", {1}) + list_of("to2", {100}) +
      node_field("Slice", {"e", "from", "to2", "axes"}, "cut", ""));
  EXPECT_THAT(model.of("r"), ElementsAre(6, 4, 10));
  EXPECT_THAT(model.of("m"), ElementsAre(6, 4, 4));
  EXPECT_THAT(model.of("u"), ElementsAre(6, 1, 4, 4));
  EXPECT_THAT(model.of("e"), ElementsAre(6, 3, 4, 4));
  EXPECT_THAT(model.of("mean"), ElementsAre(6, 3, 4));
  EXPECT_THAT(model.of("cut"), ElementsAre(6, 2, 4, 4));
}

TEST(Shapes, NothingIsMadeUp) {
  const Model1 model(
      shaped(11, "x", {1, 3, 8, 8}) + weights("w", {8, 3, 99, 99}) +
      node_field("Conv", {"x", "w"}, "too_large", "") + node_field("Mystery", {"x"}, "m", "") +
      node_field("Relu", {"m"}, "r", "") + node_field("Reshape", {"x", "m"}, "reshaped", "") +
      node_field("TopK", {"x", "m"}, "top", "") + node_field("NonZero", {"x"}, "z", ""));
  EXPECT_THAT(model.of("too_large"), ElementsAre(1, 8, -1, -1));
  EXPECT_FALSE(model.is_known("m"));
  EXPECT_FALSE(model.is_known("r"));
  EXPECT_FALSE(model.is_known("reshaped"));
  EXPECT_THAT(model.of("top"), ElementsAre(1, 3, 8, -1));
  EXPECT_THAT(model.of("z"), ElementsAre(4, -1));
}

TEST(Shapes, OfInputsAloneBelieveNothingElse) {
  const std::string bytes =
      model_message(shaped(11, "x", {-1, 3}) + shaped(13, "r", {7, 3}) + list_of("zero", {0}) +
                    list_of("four", {4}) + node_field("Relu", {"x"}, "r", "") +
                    node_field("Shape", {"r"}, "s", "") +
                    node_field("Concat", {"s", "four"}, "sizes", "",
                               bytes_field(5, bytes_field(1, "axis") + varint_field(3, 0) +
                                                  varint_field(20, 2))));
  const Model model = read_model(bytes).value();
  const Links links(model);
  const base::MemoryFiles files;
  Values values(bytes, model, files, "");
  const Shapes declared(model, links, values);
  EXPECT_THAT(*declared.of("r"), ElementsAre(7, 3));
  EXPECT_TRUE(declared.is_batch_assumed());
  const Shapes computed(model, links, values, ShapeBasis::kInputs);
  EXPECT_THAT(*computed.of("r"), ElementsAre(-1, 3));
  EXPECT_FALSE(computed.is_batch_assumed());
  EXPECT_THAT(*computed.list_of("sizes"), ElementsAre(kUnknownElement, 3, 4));
  EXPECT_FALSE(computed.list_of("r"));
}

}  // namespace
}  // namespace planex::onnx
