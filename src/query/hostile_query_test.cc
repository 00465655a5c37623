// Queries that do harm on purpose or by accident.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "model/builder.h"
#include "query/query.h"

namespace planex::query {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

class HostileQueryTest : public ::testing::Test {
 protected:
  Error error(std::string_view sql, const RunOptions& options = {}) {
    auto result = database_.run(sql, options);
    EXPECT_FALSE(result) << sql.substr(0, 200);
    return result ? Error{} : result.error();
  }

  static model::PlanModel make_model() {
    model::ModelBuilder builder;
    builder.add_layer(builder.strings().intern("conv"));
    return builder.finish();
  }

  model::PlanModel model_ = make_model();
  Database database_ = *Database::open(std::array{NamedModel{"one", &model_}});
};

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

TEST_F(HostileQueryTest, OnlyReads) {
  for (const std::string_view sql : {
           "ATTACH '/tmp/planex-attached.db' AS x",
           "ATTACH ':memory:' AS x",
           "DETACH main",
           "CREATE TABLE t(x)",
           "CREATE TEMP TABLE t(x)",
           "CREATE VIEW v AS SELECT 1",
           "CREATE VIRTUAL TABLE t USING fts5(x)",
           "DROP TABLE layers",
           "DROP VIEW work_layers",
           "INSERT INTO layers(name) VALUES ('x')",
           "UPDATE layers SET name = 'x'",
           "DELETE FROM layers",
           "ALTER TABLE layers RENAME TO x",
           "VACUUM",
           "VACUUM INTO '/tmp/planex-vacuumed.db'",
           "BEGIN",
           "SAVEPOINT x",
           "REINDEX",
           "ANALYZE",
           "PRAGMA writable_schema = 1",
           "PRAGMA journal_mode = WAL",
           "PRAGMA temp_store_directory = '/tmp'",
           "PRAGMA hard_heap_limit = 1",
           "SELECT load_extension('/tmp/x.so')",
           "SELECT fts3_tokenizer('simple')",
           "SELECT * FROM pragma_journal_mode",
       }) {
    EXPECT_EQ(error(sql).code, ErrorCode::kUsage) << sql;
  }
  EXPECT_THAT(error("ATTACH '/tmp/x.db' AS x").message,
              "a query only reads; ATTACH is not allowed");
  // And it still works.
  EXPECT_TRUE(database_.run("SELECT * FROM layers"));
  EXPECT_TRUE(database_.run("SELECT * FROM pragma_table_info('layers')"));
}

TEST_F(HostileQueryTest, DeepNestingIsAnError) {
  for (const std::size_t depth : {std::size_t{200}, std::size_t{5'000}, std::size_t{60'000}}) {
    EXPECT_EQ(error("SELECT " + repeated("(", depth) + "1" + repeated(")", depth)).code,
              ErrorCode::kUsage);
    EXPECT_EQ(error("SELECT " + repeated("(", depth)).code, ErrorCode::kUsage);
    EXPECT_EQ(error("SELECT " + repeated("- ", depth * 5) + "1").code, ErrorCode::kUsage);
    EXPECT_EQ(error("SELECT 1" + repeated("+1", depth * 6)).code, ErrorCode::kUsage);
    EXPECT_EQ(error("SELECT 1 WHERE " + repeated("NOT ", depth * 5) + "1").code, ErrorCode::kUsage);
    EXPECT_EQ(error("SELECT " + repeated("CASE WHEN 1 THEN ", depth)).code, ErrorCode::kUsage);
    EXPECT_EQ(error(repeated("SELECT * FROM (", depth) + "SELECT 1" + repeated(")", depth)).code,
              ErrorCode::kUsage);
    EXPECT_EQ(error("SELECT 1" + repeated(" UNION SELECT 1", depth * 3)).code, ErrorCode::kUsage);
  }
  EXPECT_EQ(error(repeated(" ", 1'000'000)).code, ErrorCode::kUsage);
  EXPECT_EQ(error("SELECT '" + repeated("x", 1'000'000) + "'").code, ErrorCode::kUsage);
}

TEST_F(HostileQueryTest, GarbageIsAnError) {
  for (const std::string_view sql : {"\xff\xfe", "'", "\"", "[", "`", "/*", "SELECT '", "SELECT \"",
                                     "SELECT [", "SELECT /*", "))))", "WITH a AS (", "WITH a AS",
                                     "a AS (", "SELECT \x1b[31m", "SELECT * FROM \xf0\x9f"}) {
    const Error found = error(sql);
    EXPECT_EQ(found.code, ErrorCode::kUsage) << sql;
    EXPECT_EQ(found.message.find('\x1b'), std::string::npos);
  }
}

// Ten bodies that each name the one above twice expand to a thousand; fifty exceed any memory.
TEST_F(HostileQueryTest, DoublingTableExpressionsAreAnError) {
  const auto doubling = [](std::size_t count, std::string_view quote) {
    std::string sql = "WITH a0 AS (SELECT 1 x)";
    for (std::size_t i = 1; i < count; ++i) {
      const std::string before =
          std::string(quote) + "a" + std::to_string(i - 1) + std::string(quote);
      sql += ", a" + std::to_string(i) + " AS (SELECT 1 FROM " + before + " p, " + before +
             " q LIMIT 1)";
    }
    return sql + " SELECT count(*) FROM a" + std::to_string(count - 1);
  };
  EXPECT_TRUE(database_.run(doubling(8, "")));
  for (const std::string_view quote : {"", "\"", "'", "`"}) {
    EXPECT_THAT(error(doubling(50, quote)).message, HasSubstr("too large")) << quote;
  }
  // Nested scopes that reuse one name.
  EXPECT_EQ(error(repeated("WITH a AS (", 40) + "SELECT 1" +
                  repeated(") SELECT 1 FROM a, a AS b LIMIT 1", 40))
                .code,
            ErrorCode::kUsage);
  // A chain that SQLite would walk down recursively.
  std::string chain = "WITH a0 AS (SELECT 1 x)";
  for (int i = 1; i < 8'000; ++i) {
    chain += ",a" + std::to_string(i) + " AS (SELECT x FROM a" + std::to_string(i - 1) + ")";
  }
  EXPECT_THAT(error(chain + " SELECT * FROM a7999").message, HasSubstr("SELECTs"));
}

constexpr std::string_view kEndless =
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT ";

TEST_F(HostileQueryTest, EndlessQueriesStop) {
  int questions = 0;
  const RunOptions options{.cancelled = [&] { return ++questions > 20; }};
  EXPECT_EQ(error(std::string(kEndless) + "count(*) FROM n", options).code, ErrorCode::kCancelled);
  EXPECT_EQ(error("SELECT 1", {.cancelled = [] { return true; }}).code, ErrorCode::kCancelled);
  EXPECT_TRUE(database_.run("SELECT * FROM layers", {.cancelled = [] { return false; }}));
  const auto cut = database_.run(std::string(kEndless) + "x FROM n", {.max_rows = 10});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->rows.size(), 10U);
}

TEST_F(HostileQueryTest, MemoryIsLimited) {
  const RunOptions options{.max_memory_bytes = 8'000'000};
  for (const std::string_view what :
       {"x FROM n", "x FROM n ORDER BY -x", "median(x) FROM n", "group_concat(x) FROM n",
        "count(DISTINCT x) FROM n", "hex(zeroblob(1000000)) FROM n ORDER BY 1"}) {
    EXPECT_THAT(error(std::string(kEndless) + std::string(what), options).message,
                HasSubstr("memory"))
        << what;
  }
  EXPECT_THAT(error("SELECT zeroblob(100000000)").message,
              AnyOf(HasSubstr("64 MB"), HasSubstr("too big")));
}

TEST_F(HostileQueryTest, HostilePatterns) {
  EXPECT_TRUE(database_.run("SELECT printf('%.*c', 100000, 'a') REGEXP '(a*)*b'"));
  EXPECT_EQ(error("SELECT 'a' REGEXP '" + repeated("(", 100'000) + "'").code, ErrorCode::kUsage);
  EXPECT_EQ(error("SELECT 'a' REGEXP '((a{1000}){1000}){1000}'").code, ErrorCode::kUsage);
  EXPECT_EQ(error("SELECT 'a' LIKE printf('%.*c', 100000, '%')").code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace planex::query
