// An HTTP/1.1 server on loopback that knows nothing of engines: it takes requests for a few exact
// addresses, checks who asks, and has them answered on a few threads.
//
// Its clients are hostile until proven otherwise. Every size has a limit (head, body, connections,
// bodies in memory at once, requests that wait), every wait has an end (for a head, for a body, for
// a reader who takes the answer slowly), and one thread does all the talking, so that slow clients
// hold nothing but their connection.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planex/error.h"
#include "serve/socket_owner.h"

namespace planex::serve {

struct HttpRequest {
  // As it was sent, after the question mark.
  std::string query;
  std::string content_type, if_none_match;
  std::string body;
};

struct HttpReply {
  unsigned status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  // Null: no body.
  std::shared_ptr<const std::string> body;
  std::vector<std::pair<std::string, std::string>> headers;
};

// Set when nobody waits for the answer any more.
using Cancelled = std::atomic<bool>;

enum class HttpMethod : std::uint8_t { kGet, kPost };
enum class RunOn : std::uint8_t {
  kTalker,   // the one thread that talks: for what is at hand
  kWorkers,  // one of a few threads
  kInTurn,   // the same, one such request at a time
};

// What answers one address. A route for kGet also answers HEAD.
struct Route {
  HttpMethod method = HttpMethod::kGet;
  std::string path;
  RunOn run_on = RunOn::kTalker;
  // kPost: the type that the body must have, so that no page of another origin can send it without
  // asking us first; and its limit.
  std::string content_type;
  std::uint64_t max_body_bytes = 0;
  std::function<HttpReply(const HttpRequest&, const Cancelled&)> answer;
};

struct HttpLimits {
  // Request line and headers together. Browsers send about one kB.
  std::uint32_t max_head_bytes = 16 * 1024;
  std::size_t max_connections = 256;
  // Requests that wait for a thread.
  std::size_t max_waiting = 256;
  // Bodies that are being read or answered, together.
  std::uint64_t max_body_bytes = std::uint64_t{512} << 20;
  // From the connection, or the end of the answer before, to the end of the head.
  std::chrono::milliseconds head_time{10'000};
  // For a body, beside what it takes at min_bytes_per_s.
  std::chrono::milliseconds body_time{20'000};
  std::uint64_t min_bytes_per_s = 64 * 1024;
  // For the next piece of an answer to be taken.
  std::chrono::milliseconds write_time{20'000};
};

struct HttpOptions {
  // Taken as it is; without one kUsualPort or one after it, else any that is free.
  std::optional<std::uint16_t> port;
  HttpLimits limits;
  // Sent with every answer.
  std::vector<std::pair<std::string, std::string>> headers;
  // Whether the client at the other end of a connection may ask at all; empty: all may.
  std::function<bool(const SocketAddress& client, const SocketAddress& server)> may_connect;
};

inline constexpr std::uint16_t kUsualPort = 7007;

class HttpServer {
 public:
  // Binds 127.0.0.1 and listens. Errors: kIo (the port is taken).
  static Result<std::unique_ptr<HttpServer>> listen(HttpOptions options, std::vector<Route> routes);
  // Waits for what runs on the workers.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;
  // Serves until `stop` says so, which is asked several times a second. All connections are closed
  // then, and what runs on the workers is told that nobody waits.
  void run(const std::function<bool()>& stop);
  // Whether something still runs on the workers.
  bool is_busy() const;

 private:
  class State;
  explicit HttpServer(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// A text for people.
HttpReply text_reply(unsigned status, std::string text);

}  // namespace planex::serve
