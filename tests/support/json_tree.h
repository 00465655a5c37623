// A JSON document as a tree of raw tokens, to write it again in another way: other blanks, other
// order of keys, other values. Nothing is converted, so what is not changed stays as it was.
//
// For tests with known good input: parse() aborts the test on anything else, and recurses.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace planex::test {

struct JsonNode {
  enum class Kind : std::uint8_t { kScalar, kArray, kObject };
  Kind kind = Kind::kScalar;
  std::string token;              // of a scalar, as written
  std::vector<std::string> keys;  // of an object, with their quotes
  std::vector<JsonNode> children;

  // The child of a key (without quotes), or null.
  JsonNode* find(std::string_view key);
};

JsonNode parse_json(std::string_view text);

struct JsonStyle {
  std::string newline;    // between members; empty: none
  std::string indent;     // per level
  std::string separator;  // after a colon
};
inline const JsonStyle kMinified{"", "", ""};
inline const JsonStyle kPretty{"\n", "  ", " "};
inline const JsonStyle kTabsAndCrLf{"\r\n", "\t", " \t"};

std::string write_json(const JsonNode& root, const JsonStyle& style);

enum class Scalars : std::uint8_t { kAsWritten, kByValue };

// `text` without blanks between tokens, and with the keys of each object sorted. By value, 1.0 and
// 10e-1 are 1, and "\\/" is "/".
std::string canonical(std::string_view text, Scalars scalars = Scalars::kAsWritten);

// Calls `change` for every node, parents first. `depth` counts from 0.
void for_each_node(JsonNode& root, const std::function<void(JsonNode&, int depth)>& change);

// Another order of the keys of every object.
void shuffle_keys(JsonNode& root, std::mt19937& random);

}  // namespace planex::test
