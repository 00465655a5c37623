#include "serve/request_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace planex::serve {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

TEST(IsOurHost, TheNamesOfThisMachineWithThePort) {
  for (const std::string_view host :
       {"127.0.0.1:7007", "localhost:7007", "LocalHost:7007", "[::1]:7007"}) {
    EXPECT_TRUE(is_our_host(host, 7007)) << host;
  }
  for (const std::string_view host :
       {"", "127.0.0.1", "localhost", "localhost:7008", "localhost:70070", "evil.example:7007",
        "localhost.evil.example:7007", "127.0.0.1.evil.example:7007", "127.0.0.2:7007",
        "0.0.0.0:7007", "::1:7007", " localhost:7007", "localhost:7007 ", "user@localhost:7007",
        "localhost:07007"}) {
    EXPECT_FALSE(is_our_host(host, 7007)) << host;
  }
  EXPECT_TRUE(is_our_host("localhost", 80));
}

TEST(IsOurOrigin, IsTheHostThatWasAsked) {
  EXPECT_TRUE(is_our_origin("http://localhost:7007", "localhost:7007"));
  EXPECT_TRUE(is_our_origin("http://127.0.0.1:7007", "127.0.0.1:7007"));
  for (const std::string_view origin :
       {"null", "", "https://localhost:7007", "http://localhost:8000", "http://127.0.0.1:7007",
        "http://evil.example", "http://localhost:7007.evil.example", "http://localhost:7007/"}) {
    EXPECT_FALSE(is_our_origin(origin, "localhost:7007")) << origin;
  }
}

TEST(ParseTarget, PathAndQueryAsTheyAre) {
  const auto target = parse_target("/report?e=1?&x");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/report");
  EXPECT_EQ(target->query, "e=1?&x");
  EXPECT_EQ(parse_target("/%2e%2e/x")->path, "/%2e%2e/x");
  EXPECT_EQ(parse_target("/")->query, "");
  using namespace std::string_view_literals;
  for (const std::string_view bad : {""sv, "report"sv, "*"sv, "http://localhost:7007/"sv, "/a b"sv,
                                     "/a\0b"sv, "/a\nb"sv, "/\x7f"sv, "/\xc3\xa4"sv}) {
    EXPECT_FALSE(parse_target(bad)) << bad;
  }
}

const std::string kA(kIdLength, 'a');
const std::string kB(kIdLength, '0');

TEST(ParseIds, InOrder) {
  EXPECT_THAT(parse_ids("e=" + kA), Optional(ElementsAre(kA)));
  EXPECT_THAT(parse_ids("e=" + kB + "&e=" + kA), Optional(ElementsAre(kB, kA)));
}

TEST(ParseIds, NothingElse) {
  const std::string one = "e=" + kA;
  for (const std::string& query :
       {std::string(), std::string("e="), one + "&", "&" + one, one + "&&" + one, one + "&" + one,
        one + "0", one.substr(0, one.size() - 1), "f=" + kA, "E=" + kA, one + "&x=1",
        "e=" + std::string(kIdLength, 'A'), "e=" + std::string(kIdLength, '/'),
        "e=..%2f" + kA.substr(5), one + ";e=" + kB}) {
    EXPECT_FALSE(parse_ids(query)) << query;
  }
}

TEST(ParseIds, NotTooMany) {
  std::string query;
  for (std::size_t i = 0; i <= kMaxIds; ++i) {
    std::string id = kB;
    id[0] = static_cast<char>(i < 10 ? '0' + i : 'a' + (i - 10) % 6);
    id[1] = static_cast<char>('0' + i / 10);
    query += (i == 0 ? "e=" : "&e=") + id;
    EXPECT_EQ(parse_ids(query).has_value(), i < kMaxIds) << i;
  }
}

// What is accepted can be written again and is the same; nothing else is accepted.
TEST(ParseIds, AnyText) {
  std::mt19937 random(1);
  constexpr std::string_view kCharacters = "e=&0123456789abcdef%/.\0A";
  std::size_t taken = 0;
  for (int run = 0; run < 20'000; ++run) {
    std::string query;
    const std::size_t parts = random() % 3 + 1;
    for (std::size_t i = 0; i < parts; ++i) {
      query += i == 0 ? "e=" : "&e=";
      for (std::size_t k = 0; k < kIdLength; ++k) query += kCharacters[3 + random() % 16];
    }
    if (random() % 2 == 0) {
      query[random() % query.size()] = kCharacters[random() % kCharacters.size()];
    }
    const auto ids = parse_ids(query);
    if (!ids) continue;
    ++taken;
    std::string again;
    for (const std::string& id : *ids) again += (again.empty() ? "e=" : "&e=") + id;
    EXPECT_EQ(again, query);
  }
  EXPECT_GT(taken, 5'000u);
}

}  // namespace
}  // namespace planex::serve
