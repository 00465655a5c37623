#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "planex/error.h"

namespace planex {
namespace {

Result<std::string> text(bool works) {
  if (!works) return fail(ErrorCode::kNotFound, "no text", "look elsewhere");
  return "text";
}

TEST(Result, HoldsAValueOrAnError) {
  const Result<std::string> good = text(true);
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, "text");
  EXPECT_EQ(good, "text");
  EXPECT_EQ(good->size(), 4U);
  EXPECT_EQ(good.value(), "text");
  EXPECT_EQ(good.value_or("other"), "text");

  const Result<std::string> bad = text(false);
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(bad.error().hint, "look elsewhere");
  EXPECT_EQ(bad.value_or("other"), "other");
  EXPECT_EQ(text(false).value_or("other"), "other");
}

TEST(Result, ValueThrowsTheError) {
  EXPECT_THROW(static_cast<void>(text(false).value()), NoValue);
  try {
    Result<void>(fail(ErrorCode::kIo, "half way")).value();
    FAIL();
  } catch (const NoValue& none) {
    EXPECT_EQ(none.error().code, ErrorCode::kIo);
    EXPECT_STREQ(none.what(), "half way");
  }
  EXPECT_NO_THROW(Result<void>().value());
}

TEST(Result, MovesItsValueOut) {
  Result<std::unique_ptr<int>> made = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = *std::move(made);
  EXPECT_EQ(*taken, 3);
}

TEST(Result, OfAnotherTypeThatBecomesIt) {
  const Result<std::optional<std::string>> good = text(true);
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, "text");
  const Result<std::optional<std::string>> bad = text(false);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().message, "no text");
}

// A result does not convert to bool.
static_assert(!std::is_constructible_v<Result<bool>, Result<std::string>>);
static_assert(!std::is_constructible_v<Result<std::string>, Error>);

TEST(Result, StartsAsItsTypeDoes) {
  const Result<std::vector<int>> none;
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());
  const Result<std::vector<int>> two = {{1, 2}};
  EXPECT_EQ(two->size(), 2U);
}

}  // namespace
}  // namespace planex
