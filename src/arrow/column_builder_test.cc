#include "arrow/column_builder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

namespace planex::arrow {
namespace {

using std::string_view_literals::operator""sv;

template <typename T>
std::vector<T> read(const Buffer& buffer, std::size_t count) {
  const auto* first = static_cast<const T*>(buffer.get());
  return {first, first + count};
}

std::vector<bool> bits(const Buffer& buffer, std::size_t count) {
  std::vector<bool> result;
  for (std::size_t i = 0; i < count; ++i) {
    const auto byte = static_cast<const std::uint8_t*>(buffer.get())[i / 8];
    result.push_back(((byte >> (i % 8)) & 1U) != 0);
  }
  return result;
}

TEST(ColumnBuilder, HasNoValidityWithoutNulls) {
  ColumnBuilder builder({.name = "n"}, Kind::kInt64);
  for (std::int64_t i = 0; i < 20; ++i) builder.push(i);
  const Column column = builder.finish();
  EXPECT_EQ(column.validity, nullptr);
  EXPECT_EQ(column.null_count, 0);
  EXPECT_EQ(read<std::int64_t>(column.values, 20)[19], 19);
}

// The bitmap begins at the first null, wherever in a byte that is.
TEST(ColumnBuilder, MarksNullsAtEveryPlaceOfAByte) {
  for (std::size_t known = 0; known < 18; ++known) {
    ColumnBuilder builder({.name = "x"}, Kind::kDouble);
    std::vector<bool> expected;
    for (std::size_t i = 0; i < known; ++i) {
      builder.push(1.5);
      expected.push_back(true);
    }
    builder.push_null();
    builder.push(2.5);
    builder.push_null();
    expected.insert(expected.end(), {false, true, false});
    const Column column = builder.finish();
    EXPECT_EQ(bits(column.validity, expected.size()), expected) << known;
    EXPECT_EQ(column.null_count, 2);
    EXPECT_EQ(read<double>(column.values, expected.size())[known + 1], 2.5);
  }
}

TEST(ColumnBuilder, BuildsTextsAndLists) {
  ColumnBuilder texts({.name = "t"}, Kind::kText);
  texts.push("ab"sv);
  texts.push_null();
  texts.push(""sv);
  texts.push("é\xFF"sv);
  const Column text = texts.finish();
  EXPECT_EQ(read<std::int64_t>(text.offsets, 5), (std::vector<std::int64_t>{0, 2, 2, 2, 7}));
  EXPECT_EQ(std::string_view(static_cast<const char*>(text.values.get()), 7), "abé\uFFFD");
  EXPECT_EQ(bits(text.validity, 4), (std::vector<bool>{true, false, true, true}));

  ColumnBuilder lists({.name = "l"}, Kind::kInt64List);
  const std::vector<std::int64_t> dims = {1, 3, 224};
  lists.push(std::span(dims));
  lists.push_null();
  lists.push(std::span<const std::int64_t>());
  const Column list = lists.finish();
  EXPECT_EQ(read<std::int64_t>(list.offsets, 4), (std::vector<std::int64_t>{0, 3, 3, 3}));
  EXPECT_EQ(read<std::int64_t>(list.values, 3), dims);
  EXPECT_EQ(list.number_count, 3);
}

TEST(ColumnBuilder, PacksBools) {
  ColumnBuilder builder({.name = "b"}, Kind::kBool);
  std::vector<bool> expected;
  for (int i = 0; i < 11; ++i) {
    builder.push(i % 3 == 0);
    expected.push_back(i % 3 == 0);
  }
  builder.push_null();
  const Column column = builder.finish();
  EXPECT_EQ(bits(column.values, 11), expected);
  EXPECT_EQ(column.null_count, 1);
}

TEST(BorrowedColumn, UsesTheValuesWhereTheyLie) {
  auto values = std::make_shared<std::vector<std::int64_t>>(std::vector<std::int64_t>{1, 2, 3});
  const std::weak_ptr<std::vector<std::int64_t>> watched = values;
  Column column =
      borrowed_column({.name = "n"}, Kind::kInt64, std::span<const std::int64_t>(*values), values,
                      [](std::size_t row) { return row != 1; });
  EXPECT_EQ(column.values.get(), values->data());
  EXPECT_EQ(column.null_count, 1);
  values.reset();
  EXPECT_FALSE(watched.expired());
  column = {};
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace planex::arrow
