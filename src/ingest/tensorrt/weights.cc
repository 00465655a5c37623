#include "ingest/tensorrt/weights.h"

#include <array>
#include <charconv>

#include "ingest/tensorrt/format.h"

namespace planex::ingest::tensorrt {

namespace {

// Where the value of a key begins that stands at `key` or, as TensorRT writes it, at `usual`.
std::size_t value_of(std::string_view json, std::string_view key, std::size_t usual) {
  const std::size_t at =
      usual <= json.size() && json.substr(usual).starts_with(key) ? usual : json.find(key);
  return at == json.npos ? at : at + key.size();
}

}  // namespace

std::optional<std::int64_t> weight_bytes(std::string_view json) {
  constexpr std::string_view kType = "\"Type\"";
  constexpr std::string_view kCount = "\"Count\"";
  const std::size_t type_at = value_of(json, kType, 1);
  if (type_at == json.npos) return std::nullopt;
  const std::size_t open = json.find('"', type_at);
  const std::size_t close = open == json.npos ? json.npos : json.find('"', open + 1);
  if (close == json.npos) return std::nullopt;
  std::size_t digit = value_of(json, kCount, close + 3);
  if (digit == json.npos) return std::nullopt;
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto is_in = [&](std::string_view set) {
    return digit < json.size() && set.find(json[digit]) != set.npos;
  };
  while (is_in(kBlanks) || is_in(":")) ++digit;
  std::int64_t count = -1;
  const auto parsed = std::from_chars(json.data() + digit, json.data() + json.size(), count);
  digit = static_cast<std::size_t>(parsed.ptr - json.data());
  if (parsed.ec != std::errc() || count < 0 || !(is_in(kBlanks) || is_in(",}"))) {
    return std::nullopt;
  }
  const model::DType type = parse_type(json.substr(open + 1, close - open - 1));
  if (count == 0) return 0;
  const std::array<std::int64_t, 1> dims = {count};
  return model::data_bytes(dims, type);
}

}  // namespace planex::ingest::tensorrt
