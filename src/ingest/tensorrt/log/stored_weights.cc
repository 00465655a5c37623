#include "ingest/tensorrt/log/stored_weights.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "ingest/tensorrt/format.h"
#include "model/types.h"

namespace planex::ingest::tensorrt {
namespace {

constexpr std::array<std::string_view, 8> kWeightsKeys = {
    "Weights", "weights", "Bias", "ConvWeights", "ConvBias", "Scale", "Shift", "Power"};

// The text after `key` and its colon.
std::string_view after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == text.npos) return {};
  text.remove_prefix(at + key.size());
  const std::size_t value = text.find_first_not_of(": ");
  return value == text.npos ? std::string_view{} : text.substr(value);
}

}  // namespace

bool is_weights_key(std::string_view key) {
  return std::ranges::find(kWeightsKeys, key) != kWeightsKeys.end();
}

std::optional<std::int64_t> stored_weight_bytes(std::string_view text) {
  const std::string_view type = after(text, "\"Type\"");
  const std::string_view count_text = after(text, "\"Count\"");
  if (!type.starts_with('"')) return std::nullopt;
  const std::size_t close = type.find('"', 1);
  if (close == type.npos) return std::nullopt;
  std::int64_t count = -1;
  const char* const end = count_text.data() + count_text.size();
  const auto parsed = std::from_chars(count_text.data(), end, count);
  if (parsed.ec != std::errc() || count < 0) return std::nullopt;
  if (parsed.ptr == end || (*parsed.ptr != '}' && *parsed.ptr != ',' && *parsed.ptr != ' ')) {
    return std::nullopt;
  }
  if (count == 0) return 0;
  const std::array<std::int64_t, 1> dims = {count};
  return model::data_bytes(dims, parse_type(type.substr(1, close - 1)));
}

}  // namespace planex::ingest::tensorrt
