#include "render/html/report_sink.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace planex::render {
namespace {

struct Row {
  std::string_view word;
  std::optional<std::int64_t> id;
  bool is = false;
  std::vector<std::int64_t> list;
  std::vector<std::string> texts;
};
struct Rows {
  std::vector<Row> rows;
};

std::string json_of(const Rows& rows) {
  const auto fields =
      record::Fields<Row>("Row", "")
          .maybe("word", "", "", &Row::word)
          .field("nothing", "", "", [](const Row&) { return std::optional<bool>(); })
          .field("made", "", "",
                 [](const Row& row) { return std::string(row.list.size() + 1, 'a'); })
          .field("id", "", "", &Row::id)
          .field("ms", "ms", "", [](const Row&) { return 2.0 / 3; })
          .field("is", "", "", &Row::is)
          .field("list", "", "", &Row::list)
          .field("texts", "", "", &Row::texts);
  JsonWriter json;
  StringTable strings;
  ReportSink sink(json, strings);
  const auto all = record::Fields<Rows>("Rows", "").table("rows", "", fields, &Rows::rows);
  json.begin_object();
  sink.members(all, rows, record::NoContext{});
  json.end_object();
  return json.take();
}

TEST(ReportSink, WritesTablesAsColumnsLikeThoseOfTheModel) {
  EXPECT_EQ(json_of({{{.word = "a"}, {.id = 7, .is = true, .list = {3}, .texts = {"a", ""}}}}),
            R"({"rows":{"row_count":2,"columns":{)"
            R"("word":{"type":"text","unit":"","values":[0,null]},)"
            R"("made":{"type":"text","unit":"","values":[0,1]},)"
            R"("id":{"type":"int64","unit":"","values":[null,7]},)"
            R"("ms":{"type":"double","unit":"ms","values":[0.6666667,0.6666667]},)"
            R"("is":{"type":"bool","unit":"","values":[false,true]},)"
            R"("list":{"type":"list","unit":"","values":[null,[3]]},)"
            R"("texts":{"type":"list","unit":"","values":[null,[0,2]]}}}})");
}

TEST(ReportSink, ATableOfNoRowsHasNoColumns) {
  EXPECT_EQ(json_of({}), R"({"rows":{"row_count":0,"columns":{}}})");
}

}  // namespace
}  // namespace planex::render
