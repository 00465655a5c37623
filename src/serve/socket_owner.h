// Whose program is at the other end of a connection on loopback, as the kernel's table of TCP
// sockets tells (Linux, /proc/net/tcp).
//
// Every user of a machine reaches its loopback addresses. On a machine that many work on, what is
// served there would be everybody's to read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace planex::serve {

struct SocketAddress {
  std::array<unsigned char, 4> ip{};
  std::uint16_t port = 0;
};

// The user of the socket whose own address is `local` and that is connected to `remote` (or, where
// that is all zeros, listens). `table`: the text of /proc/net/tcp, or of /proc/net/tcp6, where a
// program may have its socket though it speaks IPv4. Nothing where there is none.
// Cost: O(table).
std::optional<std::uint32_t> socket_owner(std::string_view table, const SocketAddress& local,
                                          const SocketAddress& remote);

// Of this machine, now. Nothing where there is no such socket or no such table.
std::optional<std::uint32_t> socket_owner(const SocketAddress& local, const SocketAddress& remote);

}  // namespace planex::serve
