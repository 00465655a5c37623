#include "arrow/export.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arrow/column_builder.h"

namespace planex::arrow {
namespace {

using std::string_view_literals::operator""sv;

std::shared_ptr<const Table> some_table() {
  auto table =
      std::make_shared<Table>(Table{.name = "things", .description = "Some.", .row_count = 3});
  ColumnBuilder ints({.name = "n", .unit = "count", .description = "How many."}, Kind::kInt64);
  ColumnBuilder reals({.name = "x", .unit = "ms"}, Kind::kDouble);
  ColumnBuilder texts({.name = "t"}, Kind::kText);
  ColumnBuilder lists({.name = "l"}, Kind::kInt64List);
  ColumnBuilder bools({.name = "b"}, Kind::kBool);
  const std::vector<std::int64_t> dims = {1, 3};
  for (int i = 0; i < 2; ++i) {
    ints.push(std::int64_t{7});
    reals.push(0.5);
    texts.push("text"sv);
    lists.push(std::span(dims));
    bools.push(true);
  }
  for (ColumnBuilder* builder : {&ints, &reals, &texts, &lists, &bools}) {
    builder->push_null();
    table->columns.push_back(builder->finish());
  }
  return table;
}

std::map<std::string, std::string> metadata_of(const char* bytes) {
  std::map<std::string, std::string> pairs;
  if (bytes == nullptr) return pairs;
  const auto number = [&bytes] {
    std::int32_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    bytes += sizeof value;
    return value;
  };
  const auto text = [&bytes, &number] {
    const auto size = static_cast<std::size_t>(number());
    std::string value(bytes, size);
    bytes += size;
    return value;
  };
  for (std::int32_t left = number(); left > 0; --left) {
    const std::string key = text();
    pairs[key] = text();
  }
  return pairs;
}

TEST(ArrowExport, DescribesEachField) {
  ArrowSchema schema{};
  export_schema(*some_table(), &schema);
  EXPECT_STREQ(schema.format, "+s");
  EXPECT_EQ(metadata_of(schema.metadata),
            (std::map<std::string, std::string>{{"table", "things"}, {"description", "Some."}}));
  ASSERT_EQ(schema.n_children, 5);
  std::vector<std::string> formats;
  for (std::int64_t i = 0; i < 5; ++i) formats.emplace_back(schema.children[i]->format);
  EXPECT_EQ(formats, (std::vector<std::string>{"l", "g", "U", "+L", "b"}));
  EXPECT_STREQ(schema.children[0]->name, "n");
  EXPECT_EQ(metadata_of(schema.children[0]->metadata),
            (std::map<std::string, std::string>{{"unit", "count"}, {"description", "How many."}}));
  EXPECT_EQ(schema.children[2]->metadata, nullptr);
  EXPECT_STREQ(schema.children[3]->children[0]->format, "l");
  schema.release(&schema);
  EXPECT_EQ(schema.release, nullptr);
}

TEST(ArrowExport, HandsOutTheBuffersThemselves) {
  const auto table = some_table();
  ArrowArray array{};
  export_array(*table, &array);
  ASSERT_EQ(array.n_children, 5);
  EXPECT_EQ(array.length, 3);
  EXPECT_EQ(array.children[0]->buffers[1], table->columns[0].values.get());
  EXPECT_EQ(array.children[0]->null_count, 1);
  EXPECT_EQ(array.children[2]->n_buffers, 3);
  EXPECT_EQ(array.children[3]->children[0]->length, 4);
  array.release(&array);
}

// The specification allows it: the parent is released, the child lives on.
TEST(ArrowExport, AChildOutlivesItsParentAndItsTable) {
  auto table = some_table();
  const std::weak_ptr<const Table> watched = table;
  ArrowArray array{};
  export_array(*table, &array);
  ArrowArray child = *array.children[1];
  array.children[1]->release = nullptr;
  array.release(&array);
  table.reset();
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(static_cast<const double*>(child.buffers[1])[0], 0.5);
  child.release(&child);
}

TEST(ArrowExport, AStreamHasOneArray) {
  auto table = some_table();
  const std::weak_ptr<const Table> watched = table;
  ArrowArrayStream stream{};
  export_stream(std::move(table), &stream);
  ArrowSchema schema{};
  ArrowArray array{}, end{};
  ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
  ASSERT_EQ(stream.get_next(&stream, &array), 0);
  ASSERT_NE(array.release, nullptr);
  ASSERT_EQ(stream.get_next(&stream, &end), 0);
  EXPECT_EQ(end.release, nullptr);
  EXPECT_EQ(stream.get_last_error(&stream), nullptr);
  stream.release(&stream);
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(array.length, 3);
  array.release(&array);
  schema.release(&schema);
}

// A reader can stop anywhere; the rest is freed with the stream (the sanitizer would report a
// leak).
TEST(ArrowExport, AStreamMayBeReleasedUnread) {
  ArrowArrayStream stream{};
  export_stream(some_table(), &stream);
  stream.release(&stream);
  EXPECT_EQ(stream.release, nullptr);
}

TEST(ArrowExport, ATableMayBeEmpty) {
  auto table = std::make_shared<Table>(Table{.name = "none"});
  for (const Kind kind :
       {Kind::kBool, Kind::kInt64, Kind::kDouble, Kind::kText, Kind::kInt64List}) {
    table->columns.push_back(ColumnBuilder({.name = to_string(kind)}, kind).finish());
  }
  ArrowArray array{};
  export_array(*table, &array);
  EXPECT_EQ(array.length, 0);
  // Readers read the first offset even then.
  EXPECT_EQ(static_cast<const std::int64_t*>(array.children[3]->buffers[1])[0], 0);
  EXPECT_EQ(static_cast<const std::int64_t*>(array.children[4]->buffers[1])[0], 0);
  array.release(&array);
}

}  // namespace
}  // namespace planex::arrow
