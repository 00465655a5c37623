// Which requests are answered at all: pure functions of what a client sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace planex::serve {

// The names by which a browser on this machine can have reached us, each with the port: a page of
// somebody else whose name was made to lead to 127.0.0.1 (DNS rebinding) comes with its own name.
bool is_our_host(std::string_view host, std::uint16_t port);

// "http://" and the host that was asked for: a page of ours, and not of another port.
bool is_our_origin(std::string_view origin, std::string_view host);

// A request's target, "/report?e=1". The path is taken as it is: it is compared with the few that
// there are and never becomes a file's, so nothing in it is decoded.
struct Target {
  std::string_view path, query;
};
// Nothing where it does not begin with a slash, or has bytes that no address has (controls, spaces,
// beyond ASCII).
std::optional<Target> parse_target(std::string_view target);

// More engines side by side than anybody compares.
inline constexpr std::size_t kMaxIds = 16;
inline constexpr std::size_t kIdLength = 32;

// The ids in a query of the form `e=ID&e=ID`: kIdLength hexadecimal digits each, each once, in
// order. Nothing where there is anything else, or none, or more than kMaxIds.
std::optional<std::vector<std::string>> parse_ids(std::string_view query);

}  // namespace planex::serve
