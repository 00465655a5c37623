#include "lint/waivers.h"

#include <gtest/gtest.h>

namespace planex::lint {
namespace {

const base::Date kToday = *base::parse_date("2026-10-01");

Waivers must(std::vector<Waiver> waivers) {
  auto made = Waivers::make(std::move(waivers), kToday, "w.json");
  EXPECT_TRUE(made) << made.error().message;
  return std::move(*made);
}

std::string problem(std::vector<Waiver> waivers) {
  const auto made = Waivers::make(std::move(waivers), kToday, "w.json");
  if (made) return "";
  EXPECT_EQ(made.error().file, "w.json");
  return made.error().json_pointer + ": " + made.error().message;
}

std::optional<std::size_t> match(const Waivers& waivers, std::string_view rule,
                                 std::string_view layer, std::string_view fingerprint) {
  std::vector<std::size_t> counts(waivers.list().size());
  return waivers.match(rule, layer, fingerprint, counts);
}

TEST(Waivers, EveryTextMustHold) {
  const Waivers waivers = must({{.rule = "r", .layer = "conv", .reason = "x"},
                                {.layer = "relu", .reason = "x"},
                                {.rule = "s", .reason = "x"},
                                {.fingerprint = "f", .reason = "x"},
                                {.rule = "t", .layer = "a", .fingerprint = "g", .reason = "x"}});
  EXPECT_EQ(match(waivers, "r", "conv", ""), 0U);
  EXPECT_EQ(match(waivers, "r", "conv2", ""), std::nullopt);
  EXPECT_EQ(match(waivers, "q", "conv", ""), std::nullopt);
  EXPECT_EQ(match(waivers, "q", "relu", ""), 1U);
  EXPECT_EQ(match(waivers, "s", "anything", "h"), 2U);
  EXPECT_EQ(match(waivers, "q", "", "f"), 3U);
  EXPECT_EQ(match(waivers, "t", "a", "g"), 4U);
  EXPECT_EQ(match(waivers, "t", "a", "h"), std::nullopt);
  EXPECT_EQ(match(waivers, "t", "b", "g"), std::nullopt);
  EXPECT_EQ(match(waivers, "", "", ""), std::nullopt);
}

TEST(Waivers, PatternsMatchAnywhere) {
  const Waivers waivers = must({{.rule = "r", .layer_pattern = "^stem\\.", .reason = "x"},
                                {.layer_pattern = "head[0-9]+$", .reason = "x"},
                                {.layer_pattern = "q", .fingerprint = "f", .reason = "x"}});
  EXPECT_EQ(match(waivers, "r", "stem.conv", ""), 0U);
  EXPECT_EQ(match(waivers, "r", "a.stem.conv", ""), std::nullopt);
  EXPECT_EQ(match(waivers, "s", "stem.conv", ""), std::nullopt);
  EXPECT_EQ(match(waivers, "s", "a.head12", ""), 1U);
  EXPECT_EQ(match(waivers, "s", "q", "f"), 2U);
  EXPECT_EQ(match(waivers, "s", "q", "g"), std::nullopt);
}

TEST(Waivers, TheFirstThatHoldsDecidesAndAllAreCounted) {
  const Waivers waivers =
      must({{.rule = "r", .reason = "old", .expires = base::parse_date("2026-09-30")},
            {.layer = "conv", .reason = "x", .expires = kToday},
            {.layer_pattern = "conv", .reason = "x"}});
  EXPECT_TRUE(waivers.is_expired(0));
  EXPECT_FALSE(waivers.is_expired(1)) << "the last day still counts";
  std::vector<std::size_t> counts(3);
  EXPECT_EQ(waivers.match("r", "conv", "", counts), 1U);
  EXPECT_EQ(counts, (std::vector<std::size_t>{1, 1, 1}));
  EXPECT_EQ(waivers.match("r", "other", "", counts), std::nullopt);
  EXPECT_EQ(counts[0], 2U);
}

TEST(Waivers, RefusesWhatCantBeMeant) {
  EXPECT_EQ(problem({{.rule = "r", .reason = "x"}, {.rule = "r", .reason = " "}}),
            "/waivers/1/reason: a waiver needs a \"reason\"");
  EXPECT_NE(problem({{.reason = "x"}}).find("everything"), std::string::npos);
  EXPECT_NE(problem({{.layer = "a", .layer_pattern = "b", .reason = "x"}}).find("not both"),
            std::string::npos);
  EXPECT_NE(
      problem({{.rule = "r", .reason = "x"}, {.rule = "r", .reason = "y"}}).find("/waivers/0"),
      std::string::npos);
  EXPECT_EQ(
      problem({{.layer_pattern = "a(b", .reason = "x"}}).find("/waivers/0/layer_regex: \"a(b\""),
      0U);
  EXPECT_NE(
      problem({{.layer_pattern = std::string(Waivers::kMaxPatternBytes + 1, 'a'), .reason = "x"}}),
      "");
  EXPECT_NE(problem(std::vector<Waiver>(Waivers::kMaxPatterns + 1,
                                        {.layer_pattern = "a", .reason = "x"})),
            "");
}

// Patterns that take exponential time in other regex engines, or need a machine too large to build.
TEST(Waivers, HostilePatternsEnd) {
  const Waivers slow = must(
      {{.layer_pattern = "(a*)*b", .reason = "x"}, {.layer_pattern = "(x+x+)+y", .reason = "x"}});
  EXPECT_EQ(match(slow, "r", std::string(20'000, 'a'), ""), std::nullopt);
  const std::string huge =
      problem({{.layer_pattern = "((a{1,100}){1,100}){1,100}", .reason = "x"}});
  EXPECT_NE(huge, "");
  std::vector<Waiver> many;
  for (int i = 0; i < 200; ++i) {
    many.push_back(
        {.layer_pattern = "[ab]*a[ab]{1" + std::to_string(i % 9) + "}c" + std::to_string(i) + "$",
         .reason = "x"});
  }
  const Waivers wide = must(std::move(many));
  std::string name;
  for (int i = 0; i < 3000; ++i) name += i % 3 == 0 ? 'b' : 'a';
  EXPECT_EQ(match(wide, "r", name + "c", ""), std::nullopt);
  EXPECT_EQ(match(wide, "r", std::string(30, 'a') + "c7", ""), 7U);
}

TEST(Waivers, ManyAreFound) {
  std::vector<Waiver> many;
  for (int i = 0; i < 50'000; ++i) {
    many.push_back({.layer = "layer" + std::to_string(i), .reason = "x"});
  }
  const Waivers waivers = must(std::move(many));
  EXPECT_EQ(match(waivers, "r", "layer49999", ""), 49'999U);
  EXPECT_EQ(match(waivers, "r", "layer50000", ""), std::nullopt);
}

}  // namespace
}  // namespace planex::lint
