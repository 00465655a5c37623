// Finding and loading an engine among files in memory. The input is cut at 0x00 bytes into pairs of
// name and content; the first piece is what the user asks for.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "fuzz_model.h"
#include "ingest/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  std::vector<std::string_view> pieces;
  while (!rest.empty() && pieces.size() < 20) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    pieces.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (pieces.empty()) return 0;
  planex::ingest::LoadRequest request;
  // "path|graph|profile|times|metadata|name", where all but the path may be missing.
  std::string_view asked = pieces.front();
  const auto next = [&asked]() -> std::optional<std::string> {
    if (asked.empty()) return std::nullopt;
    const std::size_t bar = std::min(asked.find('|'), asked.size());
    const std::string word(asked.substr(0, bar));
    asked.remove_prefix(std::min(bar + 1, asked.size()));
    return word.empty() ? std::nullopt : std::optional(word);
  };
  request.path = next().value_or("");
  request.graph = next();
  request.profile = next();
  request.times = next();
  request.metadata = next();
  request.name = next();
  planex::base::MemoryFiles files;
  for (std::size_t i = 1; i + 1 < pieces.size(); i += 2) {
    files.add(std::string(pieces[i]), pieces[i + 1]);
  }
  auto model = planex::ingest::load(request, files);
  if (model) {
    planex::fuzz::use(std::move(*model));
  } else {
    // What the user asked for may be missing, or be two things.
    planex::fuzz::require(!model.error().message.empty());
    planex::fuzz::require(model.error().code != planex::ErrorCode::kInternal);
  }
  return 0;
}
