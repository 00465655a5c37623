#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "fuzz_model.h"
#include "fuzz_targets.h"
#include "ingest/discover/load.h"

namespace planex::fuzz {
namespace {

// Cuts the text at the first separator off `rest`.
std::string_view take_until(std::string_view& rest, std::string_view separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view piece = rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + separator.size());
  return piece;
}

ingest::LoadRequest request_of(std::string_view words) {
  const auto next = [&words]() -> std::optional<std::string> {
    const std::string_view word = take_until(words, "|");
    return word.empty() ? std::nullopt : std::optional(std::string(word));
  };
  ingest::LoadRequest request;
  request.path = next().value_or("");
  request.graph = next();
  request.profile = next();
  request.times = next();
  request.metadata = next();
  request.log = next();
  request.source_model = next();
  if (const auto index = next()) {
    std::int64_t number = 0;
    const char* end = index->data() + index->size();
    if (std::from_chars(index->data(), end, number).ec == std::errc()) {
      request.profile_index = number;
    }
  }
  request.name = next();
  request.nsight = next();
  return request;
}

}  // namespace

std::string run_discover(std::string_view input) {
  constexpr std::string_view kSeparator = "\n%%\n";
  constexpr int kMaxFiles = 20;
  const ingest::LoadRequest request = request_of(take_until(input, kSeparator));
  base::MemoryFiles files;
  for (int i = 0; i < kMaxFiles && !input.empty(); ++i) {
    std::string_view content = take_until(input, kSeparator);
    const std::string_view path = take_until(content, "\n");
    files.add(std::string(path), content);
  }
  auto model = ingest::load(request, files);
  if (model) return use(std::move(*model));
  // What is asked for may be missing, or be two things.
  if (model.error().message.empty()) return "an error without a message";
  if (model.error().code == ErrorCode::kInternal) return "a bug: " + model.error().message;
  return {};
}

}  // namespace planex::fuzz
