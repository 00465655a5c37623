#include "serve/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// Boost 1.74 forgets what std::exchange needs.
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <new>
#include <stdexcept>
#include <thread>

#include "base/text.h"

namespace planex::serve {
namespace {

using base::format;
using std::chrono::milliseconds;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// A client that can send anything.
class Client {
 public:
  explicit Client(std::uint16_t port) {
    socket_.connect({boost::asio::ip::address_v4::loopback(), port});
  }

  // False: the server has closed.
  bool send(std::string_view text) {
    boost::system::error_code code;
    boost::asio::write(socket_, boost::asio::buffer(text), code);
    return !code;
  }
  // Everything until the server closes.
  std::string read() {
    std::string text;
    boost::system::error_code code;
    boost::asio::read(socket_, boost::asio::dynamic_buffer(text), code);
    return text;
  }

 private:
  boost::asio::io_context io_;
  boost::asio::ip::tcp::socket socket_{io_};
};

HttpReply words(std::string text) { return text_reply(200, std::move(text)); }

class HttpServerTest : public ::testing::Test {
 protected:
  void TearDown() override { stop(); }

  void start(HttpOptions options, std::vector<Route> routes) {
    routes.push_back(
        {.path = "/", .answer = [](const auto&, const auto&) { return words("here"); }});
    auto server = HttpServer::listen(std::move(options), std::move(routes));
    ASSERT_TRUE(server) << server.error().message;
    server_ = std::move(*server);
    thread_ = std::thread([this] { server_->run([this] { return is_stopping_.load(); }); });
  }
  void stop() {
    is_stopping_ = true;
    if (thread_.joinable()) thread_.join();
    server_.reset();
  }

  std::string head(std::string_view request, std::string_view more = {}) const {
    return format("{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{}", request, server_->port(), more);
  }
  std::string ask(std::string_view request, std::string_view more = {},
                  std::string_view body = {}) const {
    Client client(server_->port());
    client.send(head(request, more) + "Connection: close\r\n\r\n" + std::string(body));
    return client.read();
  }
  static std::string length(std::size_t bytes) {
    return format("Content-Type: text/x\r\nContent-Length: {}\r\n", bytes);
  }

  std::unique_ptr<HttpServer> server_;
  std::atomic<bool> is_stopping_{false};
  std::thread thread_;
};

Route echo(std::uint64_t max_body_bytes) {
  return {.method = HttpMethod::kPost,
          .path = "/echo",
          .run_on = RunOn::kWorkers,
          .content_type = "text/x",
          .max_body_bytes = max_body_bytes,
          .answer = [](const HttpRequest& request, const Cancelled&) {
            return words(request.query + "|" + request.body);
          }};
}

TEST_F(HttpServerTest, AnswersItsAddressesAndNoOther) {
  start({.headers = {{"X-All", "yes"}}}, {echo(100)});
  EXPECT_THAT(ask("GET /"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(ask("GET /"), HasSubstr("X-All: yes\r\n"));
  EXPECT_THAT(ask("GET /"), EndsWith("\r\n\r\nhere\n"));
  EXPECT_THAT(ask("HEAD /"), HasSubstr("Content-Length: 5\r\n"));
  EXPECT_THAT(ask("HEAD /"), EndsWith("\r\n\r\n"));
  EXPECT_THAT(ask("GET /?a=b"), EndsWith("here\n"));
  EXPECT_THAT(ask("POST /echo?a=%2e", length(3), "abc"), EndsWith("\r\n\r\na=%2e|abc\n"));
  for (const char* path : {"//", "/.", "/%2f", "/echo/", "/Echo", "/ech%6f"}) {
    EXPECT_THAT(ask(format("GET {}", path)), StartsWith("HTTP/1.1 404 ")) << path;
  }
  EXPECT_THAT(ask("GET /echo"), StartsWith("HTTP/1.1 405 "));
  EXPECT_THAT(ask("POST /", length(0)), StartsWith("HTTP/1.1 405 "));
}

TEST_F(HttpServerTest, BodiesHaveATypeALengthAndALimit) {
  start({.limits = {.max_body_bytes = 150}}, {echo(100)});
  EXPECT_THAT(ask("POST /echo", length(100), std::string(100, 'x')), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(ask("POST /echo", length(101)), StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(ask("POST /echo", "Content-Type: text/x\r\n"), StartsWith("HTTP/1.1 411 "));
  EXPECT_THAT(ask("POST /echo", "Content-Length: 1\r\n", "x"), StartsWith("HTTP/1.1 415 "));
  // Another client's body counts until it is answered.
  Client slow(server_->port());
  slow.send(head("POST /echo", length(100)) + "\r\n");
  std::string reply;
  while (!reply.starts_with("HTTP/1.1 503 ")) reply = ask("POST /echo", length(60), "short");
  EXPECT_THAT(reply, HasSubstr("Retry-After: 2\r\n"));
  slow.send(std::string(100, 'x'));
}

TEST_F(HttpServerTest, AHeadThatDoesNotEndEnds) {
  start({.limits = {.head_time = milliseconds(60)}}, {});
  Client nothing(server_->port());
  EXPECT_THAT(nothing.read(), IsEmpty());
  Client trickle(server_->port());
  trickle.send(head("GET /"));
  while (trickle.send("x")) std::this_thread::sleep_for(milliseconds(5));
}

TEST_F(HttpServerTest, ABodyThatDoesNotEndEnds) {
  start({.limits = {.body_time = milliseconds(60), .min_bytes_per_s = 1'000'000}}, {echo(1000)});
  Client trickle(server_->port());
  trickle.send(head("POST /echo", length(1000)) + "\r\n");
  EXPECT_THAT(trickle.read(), IsEmpty());
}

TEST_F(HttpServerTest, AnAnswerThatNobodyTakesEnds) {
  const auto large = std::make_shared<const std::string>(std::string(64 << 20, 'x'));
  start({.limits = {.write_time = milliseconds(100)}},
        {{.path = "/large",
          .answer = [&](const auto&, const auto&) { return HttpReply{.body = large}; }}});
  Client client(server_->port());
  client.send(head("GET /large") + "\r\n");
  // The server closes it, though the answer is not read.
  while (large.use_count() < 2) std::this_thread::sleep_for(milliseconds(1));
  while (large.use_count() > 1) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_LT(client.read().size(), large->size());
}

TEST_F(HttpServerTest, IdleClientsMakeRoomAndBusyOnesDoNot) {
  start({.limits = {.max_connections = 3}}, {});
  Client first(server_->port());
  Client second(server_->port());
  Client third(server_->port());
  EXPECT_THAT(ask("GET /"), EndsWith("here\n"));
  EXPECT_THAT(first.read(), IsEmpty()) << "the one that waited longest";
}

TEST_F(HttpServerTest, HeadsHaveALimit) {
  start({.limits = {.max_head_bytes = 1000}}, {});
  EXPECT_THAT(ask("GET /", format("X: {}\r\n", std::string(2000, 'a'))),
              StartsWith("HTTP/1.1 431 "));
}

TEST_F(HttpServerTest, WhatGoesWrongIsOneAnswer) {
  start({},
        {{.path = "/throws",
          .run_on = RunOn::kWorkers,
          .answer = [](const auto&, const auto&) -> HttpReply { throw std::runtime_error("why"); }},
         {.path = "/memory",
          .answer = [](const auto&, const auto&) -> HttpReply { throw std::bad_alloc(); }}});
  EXPECT_THAT(ask("GET /throws"), HasSubstr("planex failed: why"));
  EXPECT_THAT(ask("GET /memory"), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(ask("GET /"), EndsWith("here\n"));
}

TEST_F(HttpServerTest, TheAnswerIsToldThatItsClientLeft) {
  std::atomic<bool> is_begun{false};
  std::atomic<bool> is_told{false};
  start({}, {{.path = "/wait",
              .run_on = RunOn::kWorkers,
              .answer = [&](const HttpRequest&, const Cancelled& cancelled) {
                is_begun = true;
                while (!cancelled) std::this_thread::sleep_for(milliseconds(1));
                is_told = true;
                return words("late");
              }}});
  {
    Client client(server_->port());
    client.send(head("GET /wait") + "\r\n");
    while (!is_begun) std::this_thread::sleep_for(milliseconds(1));
  }
  while (!is_told) std::this_thread::sleep_for(milliseconds(1));
  // The end of the server cancels, too.
  is_begun = is_told = false;
  Client client(server_->port());
  client.send(head("GET /wait") + "\r\n");
  while (!is_begun) std::this_thread::sleep_for(milliseconds(1));
  stop();
  EXPECT_TRUE(is_told);
}

TEST_F(HttpServerTest, WhatRunsInTurnNeverRunsTwice) {
  std::atomic<int> running{0};
  std::atomic<int> most{0};
  start({}, {{.path = "/turn", .run_on = RunOn::kInTurn, .answer = [&](const auto&, const auto&) {
                const int now = ++running;
                most = std::max(most.load(), now);
                std::this_thread::sleep_for(milliseconds(3));
                --running;
                return words("done");
              }}});
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&] { EXPECT_THAT(ask("GET /turn"), EndsWith("done\n")); });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(most, 1);
}

TEST_F(HttpServerTest, WhoMayNotConnectGetsNothing) {
  start({.may_connect = [](const SocketAddress&, const SocketAddress&) { return false; }}, {});
  EXPECT_THAT(ask("GET /"), IsEmpty());
}

TEST_F(HttpServerTest, APortThatIsTakenIsAnError) {
  start({}, {});
  const auto second = HttpServer::listen({.port = server_->port()}, {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kIo);
  // Without a port, it takes another one.
  const auto third = HttpServer::listen({}, {});
  ASSERT_TRUE(third);
  EXPECT_NE((*third)->port(), server_->port());
}

}  // namespace
}  // namespace planex::serve
