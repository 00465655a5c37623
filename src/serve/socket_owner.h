// Which user's program is at the other end of a loopback connection, from the kernel's table of TCP
// sockets (Linux, /proc/net/tcp).
//
// Every user of a machine can reach its loopback addresses. On a shared machine, everybody could
// read what is served there.
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

// The user of the socket whose own address is `local` and that is connected to `remote` (or that
// listens, if `remote` is all zeros). `table`: the text of /proc/net/tcp, or of /proc/net/tcp6,
// which may list the socket of a program that speaks IPv4. Nothing if there is no such socket.
// Cost: O(table).
std::optional<std::uint32_t> socket_owner(std::string_view table, const SocketAddress& local,
                                          const SocketAddress& remote);

// From the current table of this machine. Nothing if there is no such socket or no such table.
std::optional<std::uint32_t> socket_owner(const SocketAddress& local, const SocketAddress& remote);

}  // namespace planex::serve
