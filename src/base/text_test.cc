#include "base/text.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace planex::base {
namespace {

constexpr std::array<std::string_view, 6> kVerbs = {"summary", "layers", "query",
                                                    "lint",    "draw",   "compare"};

TEST(Nearest, FindsASlipOfTheFinger) {
  EXPECT_EQ(nearest("sumary", kVerbs), "summary");    // left out
  EXPECT_EQ(nearest("summmary", kVerbs), "summary");  // twice
  EXPECT_EQ(nearest("qeury", kVerbs), "query");       // swapped
  EXPECT_EQ(nearest("LAYERS", kVerbs), "layers");     // case
  EXPECT_EQ(nearest("limt", kVerbs), "lint");         // replaced
  EXPECT_EQ(nearest("compare", kVerbs), "compare");   // itself
}

TEST(Nearest, FindsNothingFarAway) {
  EXPECT_FALSE(nearest("", kVerbs));
  EXPECT_FALSE(nearest("frobnicate", kVerbs));
  EXPECT_FALSE(nearest("x", std::array<std::string_view, 1>{"layers"}));
  EXPECT_FALSE(nearest("lint", {}));
  // A text of this length is not a typo, and would cost the square of its length.
  EXPECT_FALSE(nearest(std::string(65, 'a'), std::array<std::string_view, 1>{"aaaa"}));
  const std::string longest(65, 'a');
  EXPECT_FALSE(nearest("aaaa", std::array<std::string_view, 1>{longest}));
}

TEST(Nearest, PrefersTheNearerAndThenTheEarlier) {
  EXPECT_EQ(nearest("mean_m", std::array<std::string_view, 2>{"median_ms", "mean_ms"}), "mean_ms");
  EXPECT_EQ(nearest("min", std::array<std::string_view, 2>{"mid", "mib"}), "mid");
}

TEST(JoinWords, ReadsAsEnglish) {
  EXPECT_EQ(join_words({}), "");
  EXPECT_EQ(join_words(std::array<std::string_view, 1>{"a"}), "a");
  EXPECT_EQ(join_words(std::array<std::string_view, 2>{"a", "b"}), "a and b");
  EXPECT_EQ(join_words(std::array<std::string_view, 3>{"a", "b", "c"}), "a, b and c");
}

TEST(Quoted, ShowsControlCharacters) {
  EXPECT_EQ(quoted("plain"), "\"plain\"");
  EXPECT_EQ(quoted(""), "\"\"");
  EXPECT_EQ(quoted("a\x1e"
                   "b\n\x7f"),
            "\"a\\x1eb\\n\\x7f\"");
  EXPECT_EQ(quoted(std::string_view("\0", 1)), "\"\\x00\"");
  EXPECT_EQ(quoted("\x1b[31m"), "\"\\x1b[31m\"");
  EXPECT_EQ(quoted("\xc2\x9b"
                   "31m"),
            "\"\\u009b31m\"");  // the same command as one character
}

TEST(Quoted, CutsAtTheLimit) {
  EXPECT_EQ(quoted("abcdef", 4), "\"abc…\"");
  EXPECT_EQ(quoted("abc", 4), "\"abc\"");
}

// Whether a text is UTF-8, by the rules of simdjson and Python.
bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto c = static_cast<unsigned char>(text[at]);
    const std::size_t length = c < 0x80 ? 1 : c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC2 ? 2 : 0;
    if (length == 0 || at + length > text.size() || c > 0xF4) return false;
    for (std::size_t i = 1; i < length; ++i) {
      if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return false;
    }
    at += length;
  }
  return true;
}

TEST(Quoted, NeverCutsInsideACharacter) {
  const std::string text = "aé€𝄞b€€";
  for (std::size_t limit = 1; limit < 30; ++limit) {
    const std::string cut = quoted(text, limit);
    EXPECT_TRUE(is_utf8(cut)) << limit << ": " << cut;
    EXPECT_TRUE(cut.ends_with('"')) << limit;
  }
  EXPECT_EQ(quoted("é€", 100), "\"é€\"");
  EXPECT_EQ(quoted("aé", 3), "\"a…\"");
}

TEST(Quoted, GivesUtf8OfAnyBytes) {
  // A file that is not UTF-8 is quoted in the message that says so.
  const std::vector<std::string> bad = {"\xff\xfe", "a\x80z",          "\xc3",
                                        "\xe2\x82", "\xf0\x9d\x84",    "\x1b\x80\x80\x80",
                                        "\xc0\xaf", "\xf5\x80\x80\x80"};
  for (const std::string& text : bad) {
    for (std::size_t limit = 1; limit < 12; ++limit) {
      const std::string result = quoted(text, limit);
      EXPECT_TRUE(is_utf8(result)) << limit << ": " << result;
      EXPECT_TRUE(result.starts_with('"') && result.ends_with('"'));
    }
  }
  EXPECT_EQ(quoted("a\xffz"), "\"a\\xffz\"");
  // A surrogate, and an overlong form.
  EXPECT_EQ(quoted("\xed\xa0\x80"), "\"\\xed\\xa0\\x80\"");
  EXPECT_EQ(quoted("\xe0\x80\xaf"), "\"\\xe0\\x80\\xaf\"");
}

TEST(Lower, IsAsciiOnly) {
  EXPECT_EQ(lower("CaskConvolution 123"), "caskconvolution 123");
  EXPECT_EQ(lower("É"), "É");
}

TEST(ContainsIgnoringCase, FindsParts) {
  EXPECT_TRUE(contains_ignoring_case("CaskConvolution", "conv"));
  EXPECT_TRUE(contains_ignoring_case("abc", ""));
  EXPECT_TRUE(contains_ignoring_case("", ""));
  EXPECT_FALSE(contains_ignoring_case("", "a"));
  EXPECT_FALSE(contains_ignoring_case("ab", "abc"));
}

TEST(Trimmed, CutsBlanksAtBothEnds) {
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed("x"), "x");
}

TEST(Counted, PutsTheNounInItsNumber) {
  EXPECT_EQ(counted(0, "layer"), "0 layers");
  EXPECT_EQ(counted(1, "layer"), "1 layer");
  EXPECT_EQ(counted(2, "layer"), "2 layers");
  EXPECT_EQ(counted(2, "entry", "entries"), "2 entries");
  EXPECT_EQ(part_of_all(1, 1, "layer"), "the only layer");
  EXPECT_EQ(part_of_all(2, 2, "layer"), "both layers");
  EXPECT_EQ(part_of_all(2, 2, "entry", "entries"), "both entries");
  EXPECT_EQ(part_of_all(3, 3, "layer"), "all 3 layers");
  EXPECT_EQ(part_of_all(1, 3, "entry", "entries"), "1 of 3 entries");
  EXPECT_EQ(counted(1, "entry", "entries"), "1 entry");
}

TEST(Text, ShellWordsCanBePasted) {
  EXPECT_EQ(shell_word("--onnx=dir/a-b_1.onnx"), "--onnx=dir/a-b_1.onnx");
  EXPECT_EQ(shell_word("two words"), "'two words'");
  EXPECT_EQ(shell_word("it's; rm -rf $HOME"), "'it'\\''s; rm -rf $HOME'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(Text, PartsAreTakenUpToTheSeparator) {
  std::string_view rest = "a,,bc";
  EXPECT_EQ(take_part(rest, ','), "a");
  EXPECT_EQ(take_part(rest, ','), "");
  EXPECT_EQ(rest, "bc");
  EXPECT_EQ(take_part(rest, ','), "bc");
  EXPECT_EQ(rest, "");
  EXPECT_EQ(take_part(rest, ','), "");
}

TEST(Text, DigitsAloneAreDigits) {
  EXPECT_TRUE(are_digits("017"));
  for (const std::string_view text : {"", "1a", "-1", "1.0", " 1", "١"}) {
    EXPECT_FALSE(are_digits(text)) << text;
  }
}

}  // namespace
}  // namespace planex::base
