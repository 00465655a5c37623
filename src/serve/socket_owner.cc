#include "serve/socket_owner.h"

#include <bit>
#include <charconv>
#include <string>

#include "base/files.h"
#include "base/text.h"

namespace planex::serve {
namespace {

// The kernel prints the four bytes as one number in native byte order.
std::string as_in_table(const SocketAddress& address) {
  return base::format("{:08X}:{:04X}", std::bit_cast<std::uint32_t>(address.ip), address.port);
}

std::string_view next_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(begin);
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

// An IPv6 address that is mapped from IPv4 (::ffff:a.b.c.d) ends with the IPv4 address.
bool is_same_word(std::string_view word, std::string_view wanted) {
  constexpr std::string_view kMapped = "0000000000000000FFFF0000";
  constexpr std::string_view kMappedBig = "00000000000000000000FFFF";
  if (word == wanted) return true;
  return word.ends_with(wanted) && (word.starts_with(kMapped) || word.starts_with(kMappedBig)) &&
         word.size() == kMapped.size() + wanted.size();
}

}  // namespace

std::optional<std::uint32_t> socket_owner(std::string_view table, const SocketAddress& local,
                                          const SocketAddress& remote) {
  const std::string wanted_local = as_in_table(local);
  const std::string wanted_remote = as_in_table(remote);
  while (!table.empty()) {
    std::string_view line = table.substr(0, table.find('\n'));
    table.remove_prefix(std::min(line.size() + 1, table.size()));
    next_word(line);  // the number of the line
    if (!is_same_word(next_word(line), wanted_local)) continue;
    if (!is_same_word(next_word(line), wanted_remote)) continue;
    // State, queues, timer, retransmissions.
    for (int skipped = 0; skipped < 4; ++skipped) next_word(line);
    const std::string_view word = next_word(line);
    std::uint32_t user = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), user);
    if (error == std::errc() && end == word.data() + word.size() && !word.empty()) return user;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> socket_owner(const SocketAddress& local, const SocketAddress& remote) {
  for (const char* path : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    const auto table = base::disk().read(path);
    if (!table) continue;
    if (const auto user = socket_owner((*table)->view(), local, remote)) return user;
  }
  return std::nullopt;
}

}  // namespace planex::serve
