// Which requests are answered at all: pure functions of what a client sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace planex::serve {

// The names by which a browser on this machine can reach us, each with the port. A foreign page
// whose name was made to resolve to 127.0.0.1 (DNS rebinding) sends its own name.
bool is_our_host(std::string_view host, std::uint16_t port);

// "http://" and the requested host: a page of ours, not of another port.
bool is_our_origin(std::string_view origin, std::string_view host);

// A request's target, "/report?e=1". The path is not decoded: it is only compared with the few
// valid ones and never used as a file path.
struct Target {
  std::string_view path, query;
};
// Nothing if it does not begin with a slash, or has bytes that are invalid in an address (controls,
// spaces, non-ASCII).
std::optional<Target> parse_target(std::string_view target);

// More engines than anybody compares side by side.
inline constexpr std::size_t kMaxIds = 16;
inline constexpr std::size_t kIdLength = 32;

// The ids in a query of the form `e=ID&e=ID`: kIdLength hexadecimal digits each, each once, in
// order. Nothing if there is anything else, no id, or more than kMaxIds.
std::optional<std::vector<std::string>> parse_ids(std::string_view query);

}  // namespace planex::serve
