#include "render/html/table_writer.h"

#include <gtest/gtest.h>

#include <limits>

namespace planex::render {
namespace {

TEST(RoundedToDigits, KeepsThatMany) {
  EXPECT_EQ(rounded_to_digits(0.05556783462), 0.05556783);
  EXPECT_EQ(rounded_to_digits(1935e9), 1935e9);
  EXPECT_EQ(rounded_to_digits(-123456789.0), -123456800.0);
  EXPECT_EQ(rounded_to_digits(9.99999999), 10.0);
  EXPECT_EQ(rounded_to_digits(2.0 / 3, 3), 0.667);
  EXPECT_EQ(rounded_to_digits(0), 0.0);
  EXPECT_EQ(rounded_to_digits(5e-324), 5e-324);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(rounded_to_digits(infinity), infinity);
  // 1.797693134862315e308 would round up beyond what a double holds.
  EXPECT_LE(rounded_to_digits(std::numeric_limits<double>::max()), infinity);
}

TEST(TableWriter, ColumnsAsThoseOfTheModel) {
  JsonWriter json;
  StringTable strings;
  TableWriter table(json, strings, 2);
  const std::string_view words[] = {"a", ""};
  table.text("word", [&](std::size_t i) { return words[i]; });
  table.text("nothing", [](std::size_t) { return std::string_view(); });
  table.made_text("made", [](std::size_t i) { return std::string(i + 1, 'a'); });
  table.integer(
      "id", [](std::size_t i) { return i == 0 ? std::nullopt : std::optional<std::int64_t>(7); });
  table.real("ms", "ms", [](std::size_t) { return std::optional(2.0 / 3); });
  table.flag("is", [](std::size_t i) { return i == 1; });
  table.list("list", [](std::size_t i) { return std::vector<std::int64_t>(i, 3); });
  table.texts("texts", [](std::size_t i) { return std::vector<std::string>(i * 2, "a"); });
  table.finish();
  EXPECT_EQ(json.take(), R"({"row_count":2,"columns":{)"
                         R"("word":{"type":"text","unit":"","values":[0,null]},)"
                         R"("made":{"type":"text","unit":"","values":[0,1]},)"
                         R"("id":{"type":"int64","unit":"","values":[null,7]},)"
                         R"("ms":{"type":"double","unit":"ms","values":[0.6666667,0.6666667]},)"
                         R"("is":{"type":"bool","unit":"","values":[false,true]},)"
                         R"("list":{"type":"list","unit":"","values":[null,[3]]},)"
                         R"("texts":{"type":"list","unit":"","values":[null,[0,0]]}}})");
}

TEST(TableWriter, OfNoRowsHasNoColumns) {
  JsonWriter json;
  StringTable strings;
  TableWriter table(json, strings, 0);
  table.flag("is", [](std::size_t) { return true; });
  table.finish();
  EXPECT_EQ(json.take(), R"({"row_count":0,"columns":{}})");
}

}  // namespace
}  // namespace planex::render
