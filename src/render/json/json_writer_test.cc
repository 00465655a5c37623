#include "render/json/json_writer.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cmath>
#include <limits>

#include "render/fields/tables.h"
#include "render/json/record_json.h"

namespace planex::render {
namespace {

using model::DataTable;
using model::Value;

TEST(JsonWriter, WritesAllKinds) {
  JsonWriter json;
  json.begin_object();
  json.member("text", "a\"b\\c\n\x01");
  json.member("view", std::string_view());
  json.member("yes", true);
  json.member("int", 7);
  json.member("least", std::numeric_limits<std::int64_t>::min());
  json.member("size", std::numeric_limits<std::uint64_t>::max());
  json.member("whole", 2.0);
  json.member("tenth", 0.1);
  json.member("nan", NAN);
  json.member("infinite", -INFINITY);
  json.member("none", std::optional<double>());
  json.member("some", std::optional<std::string>("x"));
  json.member("cell", Value(std::int64_t{3}));
  json.key("list").begin_array().value(1).null().end_array();
  json.key("raw").raw("{\"a\":[]}");
  json.end_object();
  EXPECT_GT(json.size(), 0U);
  EXPECT_EQ(
      json.take(),
      R"({"text":"a\"b\\c\n\u0001","view":"","yes":true,"int":7,"least":-9223372036854775808,)"
      R"("size":18446744073709551615,"whole":2.0,"tenth":0.1,"nan":null,"infinite":null,)"
      R"("none":null,"some":"x","cell":3,"list":[1,null],"raw":{"a":[]}})");
  EXPECT_EQ(json.size(), 0U);
  json.value(1);
  EXPECT_EQ(json.take(), "1");
}

TEST(JsonWriter, Pretty) {
  JsonWriter json(JsonStyle::kPretty);
  json.begin_object().member("a", 1).key("b").begin_array().value(0.5).end_array().end_object();
  EXPECT_EQ(json.take(), "{\n  \"a\": 1,\n  \"b\": [\n    0.5\n  ]\n}");
}

TEST(JsonWriter, BytesThatAreNoUtf8AreReplaced) {
  JsonWriter json;
  json.value("caf\xC3\xA9 \xFF \xED\xA0\x80 \xF0\x9F");
  EXPECT_EQ(json.take(), "\"café \uFFFD \uFFFD\uFFFD\uFFFD \uFFFD\uFFFD\"");
}

TEST(TableJson, ComesBackAsItWas) {
  const DataTable table{
      .columns = {{.name = "name"},
                  {.name = "median_ms", .unit = "ms", .numeric = true},
                  {.name = "n", .unit = "count", .numeric = true},
                  {.name = "empty"},
                  {.name = "both"}},
      .rows = {{Value("é\t\"x\"\x1b"), Value(1.0 / 3), Value(std::int64_t{1}), Value(),
                Value(std::int64_t{1})},
               {Value(""), Value(1e300), Value(std::int64_t{1} << 60), Value(), Value("t")}}};
  const std::string text =
      json_document(table_document("planex.query/1"), table, {}, JsonStyle::kCompact);
  EXPECT_TRUE(text.starts_with("{\"schema\":\"planex.query/1\",\"columns\":["));
  EXPECT_TRUE(text.ends_with("}\n"));
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  ASSERT_EQ(parser.parse(text).get(document), simdjson::SUCCESS);
  const auto at = [&](const char* pointer) -> simdjson::dom::element {
    return document.at_pointer(pointer).value();
  };
  const auto text_at = [&](const char* pointer) { return std::string_view(at(pointer)); };
  EXPECT_EQ(text_at("/columns/0/type"), "text");
  EXPECT_TRUE(at("/columns/0/unit").is_null());
  EXPECT_EQ(text_at("/columns/1/type"), "double");
  EXPECT_EQ(text_at("/columns/1/unit"), "ms");
  EXPECT_EQ(text_at("/columns/2/type"), "int64");
  EXPECT_TRUE(at("/columns/3/type").is_null());
  EXPECT_EQ(text_at("/columns/4/type"), "mixed");
  EXPECT_EQ(text_at("/rows/0/0"), "é\t\"x\"\x1b");
  EXPECT_EQ(double(at("/rows/0/1")), 1.0 / 3);
  EXPECT_EQ(double(at("/rows/1/1")), 1e300);
  EXPECT_EQ(std::int64_t(at("/rows/1/2")), std::int64_t{1} << 60);
  EXPECT_TRUE(at("/rows/1/3").is_null());
}

}  // namespace
}  // namespace planex::render
