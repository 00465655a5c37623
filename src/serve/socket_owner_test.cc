#include "serve/socket_owner.h"

#include <gtest/gtest.h>

#include <bit>

namespace planex::serve {
namespace {

// As printed by a current, little-endian machine.
constexpr std::string_view kTable =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout\n"
    "   0: 0100007F:1B5F 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1\n"
    "   1: 0100007F:1B5F 0100007F:A716 01 00000000:00000000 00:00000000 00000000  1000        0 2\n"
    "   2: 0200007F:A716 0100007F:1B5F 01 00000000:00000000 00:00000000 00000000  1003        0 3\n"
    "   3: 0100007F:A716 0100007F:1B5F 01 00000000:00000000 00:00000000 00000000  1002        0 4\n"
    "   4: 0100007F:A717 0100007F:1B5F 01 00000000:00000000 00:00000000 00000000  x           0 "
    "5\n";
constexpr std::string_view kTable6 =
    "  sl  local_address                         remote_address                        st\n"
    "   0: 0000000000000000FFFF00000100007F:A717 0000000000000000FFFF00000100007F:1B5F 01 "
    "00000000:00000000 00:00000000 00000000  1001        0 1\n"
    "   1: 0000000000000000000000000100007F:A718 0000000000000000FFFF00000100007F:1B5F 01 "
    "00000000:00000000 00:00000000 00000000  1001        0 1\n";

constexpr SocketAddress kServer{.ip = {127, 0, 0, 1}, .port = 0x1b5f};

SocketAddress client(std::uint16_t port, unsigned char last = 1) {
  return {.ip = {127, 0, 0, last}, .port = port};
}

class SocketOwner : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::endian::native != std::endian::little) GTEST_SKIP() << "the table is another there";
  }
};

TEST_F(SocketOwner, IsWhoHasTheOtherEnd) {
  EXPECT_EQ(socket_owner(kTable, client(0xa716), kServer), 1002u);
  EXPECT_EQ(socket_owner(kTable, client(0xa716, 2), kServer), 1003u);
  EXPECT_EQ(socket_owner(kTable, kServer, {}), 1000u);
  EXPECT_EQ(socket_owner(kTable6, client(0xa717), kServer), 1001u);
}

TEST_F(SocketOwner, IsNobodyWhereTheTableSaysNothing) {
  EXPECT_FALSE(socket_owner(kTable, client(0xa715), kServer));
  EXPECT_FALSE(socket_owner(kTable, client(0xa717), kServer)) << "no number";
  EXPECT_FALSE(socket_owner(kTable6, client(0xa718), kServer)) << "another address of IPv6";
  EXPECT_FALSE(socket_owner("", kServer, {}));
  for (std::size_t length = 0; length < kTable.size(); ++length) {
    const auto owner = socket_owner(kTable.substr(0, length), client(0xa716), kServer);
    EXPECT_TRUE(!owner || *owner == 1 || *owner == 10 || *owner == 100 || *owner == 1002) << length;
  }
}

}  // namespace
}  // namespace planex::serve
