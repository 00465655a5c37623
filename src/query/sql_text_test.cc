#include "query/sql_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/query.h"

namespace planex::query {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> names_of(std::string_view sql) {
  std::vector<std::string> names;
  for (const Token& token : tokens_of(sql)) names.push_back(token.name);
  return names;
}

TEST(SqlText, TokensKnowQuotesAndComments) {
  EXPECT_THAT(names_of("SELECT a.\"B c\" -- x\n/* y */, 'it''s'"),
              ElementsAre("select", "a", ".", "b c", ",", "it''s"));
  EXPECT_THAT(names_of("[a]`b`'"), ElementsAre("a", "b", ""));
  EXPECT_THAT(names_of("/* open"), ElementsAre());
  EXPECT_THAT(names_of("größe"), ElementsAre("größe"));
}

TEST(SqlText, TablesAreNamedByWholeWords) {
  EXPECT_TRUE(names_table("SELECT * FROM Pairs", "pairs"));
  EXPECT_TRUE(names_table("SELECT count(*) FROM \"pairs\" JOIN layers", "pairs"));
  EXPECT_TRUE(names_table("SELECT * FROM pragma_table_info('pairs')", "pairs"));
  EXPECT_FALSE(names_table("SELECT repairs FROM pair -- pairs", "pairs"));
}

TEST(SqlText, RecursionAndColumnsOfTheSameNameAreNoExpansion) {
  EXPECT_TRUE(check_complexity(tokens_of(
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE n.x < 9) SELECT n.x, "
      "n.x + 1, n.x * 2 FROM n")));
}

TEST(SqlText, PointsAtTheLine) {
  EXPECT_EQ(point_at("SELECT\n\tnämex FROM t", 8), "at character 9:\n   nämex FROM t\n   ^");
  EXPECT_EQ(point_at("ä b", 3), "at character 3:\n  ä b\n    ^");
  EXPECT_EQ(point_at("", 0), "at character 1:\n  \n  ^");
  const std::string far = std::string(200, 'x') + "Y" + std::string(200, 'z');
  EXPECT_EQ(point_at(far, 200), "at character 201:\n  …" + std::string(60, 'x') + "Y" +
                                    std::string(29, 'z') + "…\n" + std::string(63, ' ') + "^");
  EXPECT_EQ(point_at("\x80\x80\x80", 1).substr(0, 3), "at ");
}

}  // namespace
}  // namespace planex::query
