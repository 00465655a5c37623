#include "serve/request_check.h"

#include <algorithm>

#include "base/text.h"

namespace planex::serve {
namespace {

bool is_hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

}  // namespace

bool is_our_host(std::string_view host, std::uint16_t port) {
  const std::string name = base::lower(host);
  for (const std::string_view ours : {"127.0.0.1", "localhost", "[::1]"}) {
    if (name == base::format("{}:{}", ours, port)) return true;
    // Browsers leave out the port that http has anyway.
    if (port == 80 && name == ours) return true;
  }
  return false;
}

bool is_our_origin(std::string_view origin, std::string_view host) {
  return base::lower(origin) == "http://" + base::lower(host);
}

std::optional<Target> parse_target(std::string_view target) {
  if (!target.starts_with('/')) return std::nullopt;
  const auto is_fine = [](char c) { return c > ' ' && c < '\x7f'; };
  if (!std::ranges::all_of(target, is_fine)) return std::nullopt;
  const std::size_t question = target.find('?');
  if (question == target.npos) return Target{.path = target, .query = {}};
  return Target{.path = target.substr(0, question), .query = target.substr(question + 1)};
}

std::optional<std::vector<std::string>> parse_ids(std::string_view query) {
  constexpr std::string_view kName = "e=";
  std::vector<std::string> ids;
  while (true) {
    const std::string_view part = query.substr(0, query.find('&'));
    if (!part.starts_with(kName) || part.size() != kName.size() + kIdLength) return std::nullopt;
    std::string id(part.substr(kName.size()));
    if (!std::ranges::all_of(id, is_hexadecimal)) return std::nullopt;
    if (std::ranges::find(ids, id) != ids.end() || ids.size() == kMaxIds) return std::nullopt;
    ids.push_back(std::move(id));
    if (part.size() == query.size()) return ids;
    query.remove_prefix(part.size() + 1);
  }
}

}  // namespace planex::serve
