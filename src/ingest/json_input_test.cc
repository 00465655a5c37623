#include "ingest/json_input.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>

namespace planex::ingest {
namespace {

// A random JSON value, mostly small, with every kind of token.
class RandomJson {
 public:
  explicit RandomJson(unsigned seed) : random_(seed) {}

  std::string value(int depth = 0) {
    switch (pick(depth > 5 ? 5 : 8)) {
      case 0:
        return word({"true", "false", "null"});
      case 1:
        return string();
      case 2:
        return word({"0", "-0", "12", "-7", "3.5", "1e9", "2E-3", "0.001", "1.5e+10", "-0.0e0"});
      case 3:
        return word({"[]", "{}", "[ ]", "{\t}"});
      case 4:
        return "\"\"";
      case 5:
      case 6: {
        std::string text = "[" + blanks();
        for (unsigned i = 0, n = 1 + pick(3); i < n; ++i) {
          text += (i > 0 ? "," : "") + blanks() + value(depth + 1) + blanks();
        }
        return text + "]";
      }
      default: {
        std::string text = "{" + blanks();
        for (unsigned i = 0, n = 1 + pick(3); i < n; ++i) {
          text += (i > 0 ? "," : "") + blanks() + string() + blanks() + ":" + blanks() +
                  value(depth + 1) + blanks();
        }
        return text + "}";
      }
    }
  }

  // One byte changed, removed, added or doubled, using bytes that matter in JSON.
  std::string damage(std::string text) {
    static constexpr std::string_view kBytes = "{}[]\",:\\ \n0123456789-+.eEtrufalsn/bx";
    const std::size_t at = pick(static_cast<unsigned>(text.size()));
    const char byte = kBytes[pick(static_cast<unsigned>(kBytes.size()))];
    switch (pick(4)) {
      case 0:
        text[at] = byte;
        break;
      case 1:
        text.erase(at, 1);
        break;
      case 2:
        text.insert(at, 1, byte);
        break;
      default:
        text.resize(at);
        break;
    }
    return text;
  }

  unsigned pick(unsigned count) {
    return count == 0 ? 0 : static_cast<unsigned>(random_()) % count;
  }

 private:
  std::string word(std::initializer_list<const char*> words) {
    return words.begin()[pick(static_cast<unsigned>(words.size()))];
  }
  std::string blanks() { return word({"", "", "", " ", "\n", "\t ", "\r\n"}); }
  std::string string() {
    std::string text = "\"";
    for (unsigned i = 0, n = pick(6); i < n; ++i) {
      text +=
          word({"a", "Z", "é", " ", "\\n", "\\\\", "\\\"", "\\u0041", "\\u001e", "/", "\\/", "]"});
    }
    return text + "\"";
  }

  std::mt19937 random_;
};

// The part of check_json_value that is left to simdjson's first pass: encoding, control characters,
// ends of strings.
bool passes_first_pass(const std::string& text) {
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  const simdjson::padded_string padded(text);
  return parser.iterate(padded).get(document) == simdjson::SUCCESS;
}

// The verdict of simdjson's DOM parser, which checks everything.
simdjson::error_code parse(const std::string& text) {
  simdjson::dom::parser parser;
  simdjson::dom::element element;
  return parser.parse(text).get(element);
}

TEST(CheckJsonValue, AgreesWithAWholeParserOnGoodJson) {
  for (unsigned seed = 0; seed < 2'000; ++seed) {
    const std::string text = RandomJson(seed).value();
    ASSERT_EQ(parse(text), simdjson::SUCCESS) << text;
    EXPECT_TRUE(check_json_value(text)) << text;
  }
}

TEST(CheckJsonValue, AgreesWithAWholeParserOnBrokenJson) {
  int broken = 0;
  for (unsigned seed = 0; seed < 20'000; ++seed) {
    RandomJson random(seed);
    std::string text = random.value();
    for (unsigned i = 0, n = 1 + random.pick(3); i < n && !text.empty(); ++i) {
      text = random.damage(text);
    }
    if (!passes_first_pass(text)) continue;
    const simdjson::error_code code = parse(text);
    // Numbers that fit no machine type are still JSON; IsJsonNumber tests the grammar.
    if (code == simdjson::NUMBER_ERROR) continue;
    const bool good = code == simdjson::SUCCESS;
    if (!good) ++broken;
    EXPECT_EQ(check_json_value(text), good) << text;
  }
  EXPECT_GT(broken, 5'000);
}

TEST(CheckJsonValue, LimitsTheDepth) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(check_json_value(nested(kMaxDepth)));
  EXPECT_FALSE(check_json_value(nested(kMaxDepth + 1)));
  EXPECT_FALSE(check_json_value(std::string(1'000'000, '[')));
  EXPECT_FALSE(check_json_value(std::string(1'000'000, '{')));
}

TEST(CheckJsonValue, TakesOneValueOnly) {
  EXPECT_FALSE(check_json_value(""));
  EXPECT_FALSE(check_json_value("  "));
  EXPECT_FALSE(check_json_value("1 2"));
  EXPECT_FALSE(check_json_value("[1],"));
  EXPECT_FALSE(check_json_value("{\"a\":1}}"));
  EXPECT_TRUE(check_json_value(" {\"a\" : [1, {}]} "));
  EXPECT_FALSE(check_json_value("{\"a\":1,}"));
  EXPECT_FALSE(check_json_value("[1,]"));
  EXPECT_FALSE(check_json_value("{1:2}"));
  EXPECT_FALSE(check_json_value("[1}"));
}

TEST(IsJsonNumber, KnowsTheGrammar) {
  for (const char* good : {"0", "-0", "10", "3.25", "1e9", "1E+9", "1e-9", "-0.5e1", "1e999",
                           "99999999999999999999"}) {
    EXPECT_TRUE(is_json_number(good)) << good;
  }
  for (const char* bad : {"", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "0x10", "1 ", " 1",
                          "nan", "inf", "1.5.2", "--1", "1e1.5"}) {
    EXPECT_FALSE(is_json_number(bad)) << bad;
  }
}

TEST(IntegerIn, TakesEverySpelling) {
  EXPECT_EQ(integer_in("-8"), -8);
  for (const char* spelling : {"8", "8.0", "8.000", "8e0", "8E+00", "80e-1", "0.8e1"}) {
    EXPECT_EQ(integer_in(spelling), 8) << spelling;
  }
  EXPECT_EQ(integer_in("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(integer_in("9007199254740992.0"), std::int64_t{1} << 53);
  for (const char* none : {"", "-", "8.5", "9223372036854775808", "9007199254740994.0", "1e300",
                           "1e999", "8.", "8 ", "0x8", "\"8\"", "nan"}) {
    EXPECT_EQ(integer_in(none), std::nullopt) << none;
  }
}

TEST(Pointers, EscapeAsTheStandardSays) {
  EXPECT_EQ(pointer_token("I/O Tensors"), "I~1O Tensors");
  EXPECT_EQ(pointer_token("a~b"), "a~0b");
}

}  // namespace
}  // namespace planex::ingest
