#include "model/types.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace planex::model {
namespace {

using Dims = std::vector<std::int64_t>;
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

constexpr Layout kLinear{Order::kLinear, 1, false};
constexpr Layout channels_last(std::uint8_t vector) {
  return {Order::kChannelsLast, vector, false};
}
constexpr Layout vectors(std::uint8_t vector) { return {Order::kChannelVectors, vector, false}; }

// Every value of an enumeration has its own word, and null has none.
template <typename E>
void expect_words() {
  std::set<std::string> words;
  const auto count = static_cast<int>(E::kNull);
  for (int value = 0; value < count; ++value) {
    const std::string word(to_string(static_cast<E>(value)));
    EXPECT_FALSE(word.empty()) << value;
    EXPECT_TRUE(words.insert(word).second) << word;
  }
  EXPECT_EQ(to_string(E::kNull), "");
}

TEST(Words, EveryValueHasItsOwn) {
  expect_words<Role>();
  expect_words<Family>();
  expect_words<DType>();
  expect_words<Direction>();
  expect_words<TensorRole>();
  expect_words<Severity>();
  expect_words<ValueType>();
  expect_words<Evidence>();
}

TEST(DTypes, NamesSizesAndClasses) {
  for (int value = 0; value < static_cast<int>(DType::kNull); ++value) {
    const auto type = static_cast<DType>(value);
    EXPECT_EQ(dtype_of(to_string(type)), type);
    const std::string name(to_string(type));
    // The number in the name is the size, except for TF32 (stored in 32 bits) and BOOL (in 8).
    const std::size_t digit = name.find_first_of("0123456789");
    const int bits = digit == name.npos ? 8 : std::stoi(name.substr(digit));
    EXPECT_EQ(bits_per_element(type), bits) << name;
    EXPECT_FALSE(is_float(type) && is_quantized(type)) << name;
  }
  EXPECT_EQ(dtype_of("fp16"), DType::kNull);
  EXPECT_EQ(dtype_of(""), DType::kNull);
  EXPECT_FALSE(bits_per_element(DType::kNull));
  EXPECT_TRUE(is_float(DType::kBf16) && is_float(DType::kTf32));
  EXPECT_TRUE(is_quantized(DType::kInt8) && is_quantized(DType::kFp8) &&
              is_quantized(DType::kInt4));
  EXPECT_FALSE(is_quantized(DType::kInt32) || is_float(DType::kInt32) || is_float(DType::kNull));
}

TEST(Layouts, HaveTheNamesOfTheField) {
  EXPECT_EQ(to_string(kLinear), "NCHW");
  EXPECT_EQ(to_string(channels_last(1)), "NHWC");
  EXPECT_EQ(to_string(channels_last(8)), "NHWC8");
  EXPECT_EQ(to_string(vectors(32)), "NC/32HW32");
  EXPECT_EQ(to_string(Layout{Order::kChannelVectors, 32, true}), "NC/32DHW32");
  EXPECT_EQ(to_string(Layout{Order::kChannelsLast, 1, true}), "NDHWC");
  EXPECT_EQ(to_string(Layout{}), "");
  EXPECT_EQ(to_string(vectors(3)), "");
}

TEST(DataBytes, MultipliesDimsByTheElement) {
  EXPECT_EQ(data_bytes(Dims{1, 3, 224, 224}, DType::kFp32), 602'112);
  EXPECT_EQ(data_bytes(Dims{1, 3, 224, 224}, DType::kFp16), 301'056);
  EXPECT_EQ(data_bytes(Dims{7}, DType::kBool), 7);
  EXPECT_EQ(data_bytes(Dims{}, DType::kInt64), 8);  // a scalar
  EXPECT_EQ(data_bytes(Dims{4, 0, 9}, DType::kFp32), 0);
}

TEST(DataBytes, PacksTypesBelowAByte) {
  EXPECT_EQ(data_bytes(Dims{8}, DType::kInt4), 4);
  EXPECT_EQ(data_bytes(Dims{3, 3}, DType::kInt4), 5);  // nine halves, rounded up as a whole
  EXPECT_EQ(data_bytes(Dims{1}, DType::kFp4), 1);
  EXPECT_EQ(data_bytes(Dims{}, DType::kFp4), 1);
}

TEST(DataBytes, IsNullWhereNotKnown) {
  EXPECT_FALSE(data_bytes(Dims{1, -1, 8}, DType::kFp32));
  EXPECT_FALSE(data_bytes(Dims{1, 8}, DType::kNull));
  EXPECT_FALSE(data_bytes(Dims{kMax, 2}, DType::kInt8));
  EXPECT_FALSE(data_bytes(Dims{kMax / 16}, DType::kFp32));  // bits, not elements, overflow
  EXPECT_FALSE(data_bytes(Dims{std::numeric_limits<std::int64_t>::min()}, DType::kInt8));
}

TEST(MemoryBytes, PadsChannelsToTheVector) {
  // 3 channels become 4, 8 or 32.
  EXPECT_EQ(memory_bytes(Dims{1, 3, 2, 2}, DType::kFp16, kLinear, {}), 24);
  EXPECT_EQ(memory_bytes(Dims{1, 3, 2, 2}, DType::kFp16, channels_last(1), {}), 24);
  EXPECT_EQ(memory_bytes(Dims{1, 3, 2, 2}, DType::kFp16, channels_last(4), {}), 32);
  EXPECT_EQ(memory_bytes(Dims{1, 3, 2, 2}, DType::kFp16, channels_last(8), {}), 64);
  EXPECT_EQ(memory_bytes(Dims{1, 3, 2, 2}, DType::kInt8, vectors(32), {}), 128);
  EXPECT_EQ(memory_bytes(Dims{2, 33, 1, 1}, DType::kInt8, vectors(32), {}), 128);
  // Without a channel axis, there is nothing to pad.
  EXPECT_EQ(memory_bytes(Dims{5}, DType::kInt8, vectors(32), {}), 5);
  EXPECT_EQ(memory_bytes(Dims{}, DType::kInt8, vectors(32), {}), 1);
  EXPECT_EQ(memory_bytes(Dims{1, 0, 4}, DType::kFp32, channels_last(8), {}), 0);
}

TEST(MemoryBytes, CoversTheSpanOfTheStrides) {
  EXPECT_EQ(memory_bytes(Dims{2, 3}, DType::kFp32, kLinear, Dims{3, 1}), 24);
  EXPECT_EQ(memory_bytes(Dims{2, 3}, DType::kFp32, kLinear, Dims{8, 1}), (8 + 2 + 1) * 4);
  EXPECT_EQ(memory_bytes(Dims{2, 3}, DType::kFp32, kLinear, Dims{1, 2}), 24);  // transposed
  EXPECT_EQ(memory_bytes(Dims{2, 3}, DType::kFp32, kLinear, Dims{0, 1}), 12);  // broadcast
  EXPECT_EQ(memory_bytes(Dims{0, 3}, DType::kFp32, kLinear, Dims{3, 1}), 0);
  // Strides need no layout; a wrong number of them is ignored.
  EXPECT_EQ(memory_bytes(Dims{2, 3}, DType::kFp32, Layout{}, Dims{3, 1}), 24);
  EXPECT_EQ(memory_bytes(Dims{2, 3}, DType::kFp32, kLinear, Dims{1}), 24);
}

TEST(MemoryBytes, IsNullWhereNotKnown) {
  EXPECT_FALSE(memory_bytes(Dims{1, 3}, DType::kFp32, Layout{}, {}));
  EXPECT_FALSE(memory_bytes(Dims{1, 3}, DType::kNull, kLinear, {}));
  EXPECT_FALSE(memory_bytes(Dims{-1, 3}, DType::kFp32, kLinear, {}));
  EXPECT_FALSE(memory_bytes(Dims{1, kMax}, DType::kFp32, vectors(32), {}));
  EXPECT_FALSE(memory_bytes(Dims{1, kMax - 5}, DType::kInt8, vectors(32), {}));
  EXPECT_FALSE(memory_bytes(Dims{2, 3}, DType::kFp32, kLinear, Dims{-3, 1}));
  EXPECT_FALSE(memory_bytes(Dims{3, 3}, DType::kFp32, kLinear, Dims{kMax, 1}));
}

}  // namespace
}  // namespace planex::model
