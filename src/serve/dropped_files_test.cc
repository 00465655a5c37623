#include "serve/dropped_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace planex::serve {
namespace {

using ::testing::HasSubstr;

std::string bytes(std::uint64_t value, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
  return text;
}

std::string file(std::string_view name, std::string_view content) {
  return bytes(name.size(), 4) + bytes(content.size(), 8) + std::string(name) +
         std::string(content);
}

TEST(ParseDropped, Files) {
  using namespace std::string_view_literals;
  const auto dropped =
      parse_dropped(file("a.json", "{}") + file("run/b ü.json", "\0\1"sv) + file("empty", ""));
  ASSERT_TRUE(dropped);
  EXPECT_EQ(dropped->count, 3u);
  EXPECT_EQ(dropped->size_bytes, 4u);
  EXPECT_EQ((*dropped->files->read("a.json"))->view(), "{}");
  EXPECT_EQ((*dropped->files->read("run/b ü.json"))->view(), "\0\1"sv);
  EXPECT_EQ((*dropped->files->read("empty"))->view(), "");
}

TEST(ParseDropped, NamesThatAreNone) {
  using namespace std::string_view_literals;
  for (const std::string_view name :
       {""sv, "."sv, ".."sv, "../a"sv, "a/../b"sv, "/a"sv, "a/"sv, "a//b"sv, "./a"sv, "a\0b"sv,
        "a\nb"sv, "\xff"sv, "a/."sv, "\x7f"sv}) {
    EXPECT_FALSE(parse_dropped(file(name, "x"))) << name;
  }
  EXPECT_TRUE(parse_dropped(file(std::string(kLongestDroppedName, 'a'), "x")));
  EXPECT_FALSE(parse_dropped(file(std::string(kLongestDroppedName + 1, 'a'), "x")));
  EXPECT_TRUE(parse_dropped(file("..a", "x"))) << "dots that lead nowhere";
}

TEST(ParseDropped, EachNameOnce) {
  EXPECT_THAT(parse_dropped(file("a", "1") + file("a", "2")).error().message, HasSubstr("two"));
  EXPECT_FALSE(parse_dropped(file("a", "1") + file("a/b", "2")));
  EXPECT_FALSE(parse_dropped(file("a/b", "1") + file("a", "2")));
  EXPECT_FALSE(parse_dropped(file("a", "1") + file("a/b/c", "2")));
}

TEST(ParseDropped, NotTooMany) {
  std::string body;
  for (std::size_t i = 0; i < kMaxDroppedFiles; ++i) body += file(std::to_string(i), "");
  EXPECT_TRUE(parse_dropped(body));
  EXPECT_FALSE(parse_dropped(body + file("one", "")));
  EXPECT_FALSE(parse_dropped(""));
}

TEST(ParseDropped, CutAnywhere) {
  const std::string body = file("a.json", "{}") + file("b", "content");
  const std::size_t first = file("a.json", "{}").size();
  for (std::size_t length = 0; length < body.size(); ++length) {
    EXPECT_EQ(parse_dropped(body.substr(0, length)).has_value(), length == first) << length;
  }
}

TEST(ParseDropped, LengthsThatOverflow) {
  for (const std::uint64_t size :
       {~std::uint64_t{0}, ~std::uint64_t{0} - 3, std::uint64_t{1} << 63}) {
    EXPECT_FALSE(parse_dropped(bytes(1, 4) + bytes(size, 8) + "abcdef"));
  }
  EXPECT_FALSE(parse_dropped(bytes(0xffffffff, 4) + bytes(1, 8) + "abcdef"));
}

// For any input, nothing is read out of bounds (the sanitizers check), and the result is not larger
// than the input.
TEST(ParseDropped, AnyBytes) {
  std::mt19937 random(1);
  const std::string body = file("a.json", "{}") + file("run/b", "content") + file("c", "");
  for (int run = 0; run < 20'000; ++run) {
    std::string changed = body;
    for (int i = 0; i < 3; ++i) changed[random() % changed.size()] = static_cast<char>(random());
    changed.resize(changed.size() - random() % 3);
    const auto dropped = parse_dropped(changed);
    if (!dropped) continue;
    EXPECT_LT(dropped->size_bytes, changed.size());
  }
}

}  // namespace
}  // namespace planex::serve
