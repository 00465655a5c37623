#include "onnx/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "onnx/fields.h"
#include "onnx/read.h"
#include "onnx/small_floats.h"
#include "onnx/test_message.h"

namespace planex::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace f = field::tensor;

template <typename T>
std::string bytes_of_list(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(std::data(values)), values.size() * sizeof(T)};
}

// A file with one tensor of these dimensions, type and fields.
struct OneTensor {
  std::string file;
  Model model;
  base::MemoryFiles files;

  OneTensor(std::initializer_list<std::uint64_t> dims, DataType type, std::string_view data) {
    std::string tensor;
    for (const std::uint64_t dim : dims) tensor += varint_field(f::kDims, dim);
    tensor += varint_field(f::kType, static_cast<std::uint64_t>(type)) +
              bytes_field(f::kName, "w") + std::string(data);
    file = model_message(bytes_field(field::graph::kInitializer, tensor));
    model = *read_model(file);
  }

  Values values() const { return {file, model, files, "models"}; }
  Result<std::vector<float>> floats() const { return values().floats(model.tensors[0]); }
  Result<std::vector<std::int64_t>> ints() const { return values().ints(model.tensors[0]); }
  Result<std::string> raw() const { return values().raw(model.tensors[0]); }
};

std::string raw_field(std::string_view data) { return bytes_field(f::kRaw, data); }

std::string external_entry(std::string_view key, std::string_view value) {
  return bytes_field(f::kExternal, bytes_field(1, key) + bytes_field(2, value));
}

OneTensor external_tensor(std::string_view location, std::string_view offset,
                          std::string_view length) {
  std::string data = external_entry("location", location) + varint_field(f::kLocation, 1);
  if (!offset.empty()) data += external_entry("offset", offset);
  if (!length.empty()) data += external_entry("length", length);
  OneTensor tensor({2}, DataType::kFloat, data);
  tensor.files.add("models/data/w.bin", bytes_of_list({9.0F, 1.5F, -2.0F, 7.0F}));
  return tensor;
}

TEST(Values, RawFloatsOfEachWidth) {
  EXPECT_THAT(*OneTensor({2}, DataType::kFloat, raw_field(bytes_of_list({1.5F, -2.0F}))).floats(),
              ElementsAre(1.5F, -2.0F));
  EXPECT_THAT(*OneTensor({1}, DataType::kDouble, raw_field(bytes_of_list({0.25}))).floats(),
              ElementsAre(0.25F));
  const std::string halves = bytes_of_list<std::uint16_t>({0x3C00, 0xC000});
  EXPECT_THAT(*OneTensor({2}, DataType::kFloat16, raw_field(halves)).floats(),
              ElementsAre(1.0F, -2.0F));
  EXPECT_THAT(*OneTensor({1}, DataType::kBfloat16, raw_field("\x80\x3F")).floats(),
              ElementsAre(1.0F));
  EXPECT_THAT(*OneTensor({1}, DataType::kFloat8E4M3FN, raw_field("\x38")).floats(),
              ElementsAre(1.0F));
  EXPECT_THAT(*OneTensor({3}, DataType::kFloat4E2M1, raw_field("\x97\x02")).floats(),
              ElementsAre(6.0F, -0.5F, 1.0F));
}

TEST(Values, IntegersOfEachWidth) {
  EXPECT_THAT(*OneTensor({3}, DataType::kInt4, raw_field("\xF7\x08")).ints(),
              ElementsAre(7, -1, -8))
      << "the first element is in the low half";
  EXPECT_THAT(*OneTensor({2}, DataType::kUint4, raw_field("\xF7")).ints(), ElementsAre(7, 15));
  EXPECT_THAT(*OneTensor({4}, DataType::kInt2, raw_field("\xE4")).ints(),
              ElementsAre(0, 1, -2, -1));
  EXPECT_THAT(*OneTensor({2}, DataType::kInt8, raw_field("\xFF\x7F")).ints(), ElementsAre(-1, 127));
  EXPECT_THAT(*OneTensor({2}, DataType::kUint8, raw_field("\xFF\x7F")).floats(),
              ElementsAre(255.0F, 127.0F));
  EXPECT_THAT(
      *OneTensor({1}, DataType::kInt64, raw_field(bytes_of_list<std::int64_t>({-5}))).ints(),
      ElementsAre(-5));
  const auto refused = OneTensor({1}, DataType::kFloat, raw_field("\0\0\0\0")).ints();
  EXPECT_FALSE(refused);
}

TEST(Values, TypedListsBecomeWhatRawDataWouldBe) {
  const std::string floats = bytes_of_list({1.5F, -2.0F});
  EXPECT_EQ(*OneTensor({2}, DataType::kFloat, bytes_field(f::kFloats, floats)).raw(), floats)
      << "packed";
  const std::string single = std::string(1, static_cast<char>(f::kFloats << 3 | 5));
  EXPECT_EQ(
      *OneTensor({2}, DataType::kFloat, single + floats.substr(0, 4) + single + floats.substr(4))
           .raw(),
      floats)
      << "one by one";
  const std::string numbers = varint(0x3C00) + varint(0xC000);
  EXPECT_EQ(*OneTensor({2}, DataType::kFloat16, bytes_field(f::kInt32s, numbers)).raw(),
            bytes_of_list<std::uint16_t>({0x3C00, 0xC000}))
      << "halves as their bits";
  EXPECT_THAT(*OneTensor({2}, DataType::kInt8,
                         varint_field(f::kInt32s, static_cast<std::uint64_t>(-3)) +
                             varint_field(f::kInt32s, 4))
                   .ints(),
              ElementsAre(-3, 4));
  EXPECT_THAT(
      *OneTensor({3}, DataType::kInt4, bytes_field(f::kInt32s, varint(0xF7) + varint(0x08))).ints(),
      ElementsAre(7, -1, -8));
  EXPECT_THAT(
      *OneTensor({1}, DataType::kInt64, varint_field(f::kInt64s, static_cast<std::uint64_t>(-7)))
           .ints(),
      ElementsAre(-7));
  EXPECT_THAT(*OneTensor({1}, DataType::kUint32, varint_field(f::kUint64s, 4'000'000'000)).ints(),
              ElementsAre(4'000'000'000));
}

TEST(Values, NothingAtAllIsNoElements) {
  EXPECT_TRUE(OneTensor({0, 3}, DataType::kFloat, "").floats()->empty());
  const auto missing = OneTensor({3}, DataType::kFloat, "").floats();
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kBadInput);
}

TEST(Values, WrongSizesAreErrors) {
  for (const std::string_view data : {"123", "12345", "12345678"}) {
    const auto result = OneTensor({1}, DataType::kFloat, raw_field(data)).floats();
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, HasSubstr("tensor \"w\" has"));
  }
  const std::uint64_t huge = std::uint64_t{1} << 40;
  EXPECT_FALSE(OneTensor({huge, huge, huge}, DataType::kFloat, raw_field("1234")).floats());
}

TEST(Values, TextsAndComplexNumbersAreRefused) {
  const auto text = OneTensor({1}, DataType::kString, bytes_field(f::kStrings, "a")).raw();
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kUnsupported);
  const auto complex = OneTensor({1}, DataType::kComplex64, raw_field("12345678")).floats();
  ASSERT_FALSE(complex);
  EXPECT_EQ(complex.error().code, ErrorCode::kUnsupported);
}

TEST(Values, ExternalData) {
  EXPECT_THAT(*external_tensor("data/w.bin", "4", "8").floats(), ElementsAre(1.5F, -2.0F));
  EXPECT_THAT(*external_tensor("data/w.bin", "8", "").floats(), ElementsAre(-2.0F, 7.0F))
      << "the length follows from the dimensions";
}

TEST(Values, ExternalDataThatAreNotThere) {
  const auto missing = external_tensor("w.bin", "", "").floats();
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  for (const auto& [offset, length] :
       {std::pair("12", "8"), std::pair("99", "8"), std::pair("0", "16"),
        std::pair("18446744073709551615", "8")}) {
    EXPECT_FALSE(external_tensor("data/w.bin", offset, length).floats()) << offset;
  }
}

TEST(Values, ExternalDataOutsideTheFolderAreRefused) {
  for (const std::string_view location :
       {"/etc/passwd", "../secret", "data/../../secret", "..", "", "data\\..\\w.bin"}) {
    const auto result = external_tensor(location, "", "").floats();
    ASSERT_FALSE(result) << location;
    EXPECT_EQ(result.error().code, ErrorCode::kBadInput);
    EXPECT_THAT(result.error().message, HasSubstr("not below the model's folder"));
  }
}

}  // namespace
}  // namespace planex::onnx
