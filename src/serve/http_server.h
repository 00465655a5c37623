// An HTTP/1.1 server on loopback that knows nothing about engines: it takes requests for a few
// exact addresses, checks who asks, and answers them on a few threads.
//
// Its clients are hostile until proven otherwise. Every size has a limit (head, body, connections,
// bodies in memory at once, requests that wait), every wait has a timeout (for a head, for a body,
// for a client that reads the answer slowly), and one thread does all the communication, so that
// slow clients occupy only their connection.
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
  // The part after the question mark, as sent.
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

// Set when nobody is waiting for the answer any more.
using Cancelled = std::atomic<bool>;

enum class HttpMethod : std::uint8_t { kGet, kPost };
enum class RunOn : std::uint8_t {
  kTalker,   // the one thread that communicates: for answers that are ready
  kWorkers,  // one of a few threads
  kInTurn,   // the same, one request of this kind at a time
};

// The handler of one address. A route for kGet also answers HEAD.
struct Route {
  HttpMethod method = HttpMethod::kGet;
  std::string path;
  RunOn run_on = RunOn::kTalker;
  // kPost: the required type of the body, so that no page of another origin can send it without a
  // preflight request; and its size limit.
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
  // Total of bodies that are being read or answered.
  std::uint64_t max_body_bytes = std::uint64_t{512} << 20;
  // From the connection, or the end of the previous answer, to the end of the head.
  std::chrono::milliseconds head_time{10'000};
  // For a body, in addition to its time at min_bytes_per_s.
  std::chrono::milliseconds body_time{20'000};
  std::uint64_t min_bytes_per_s = 64 * 1024;
  // For the client to take the next piece of an answer.
  std::chrono::milliseconds write_time{20'000};
};

struct HttpOptions {
  // Used as given; without one, kUsualPort or one after it, else any free port.
  std::optional<std::uint16_t> port;
  HttpLimits limits;
  // Sent with every answer.
  std::vector<std::pair<std::string, std::string>> headers;
  // Whether the client at the other end of a connection is allowed to ask; empty: everybody is.
  std::function<bool(const SocketAddress& client, const SocketAddress& server)> may_connect;
};

inline constexpr std::uint16_t kUsualPort = 7007;

class HttpServer {
 public:
  // Binds 127.0.0.1 and listens. Errors: kIo (the port is taken).
  static Result<std::unique_ptr<HttpServer>> listen(HttpOptions options, std::vector<Route> routes);
  // Waits for running workers.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;
  // Serves until `stop` returns true; it is called several times a second. Then all connections are
  // closed, and running workers are told that nobody is waiting.
  void run(const std::function<bool()>& stop);
  // Whether a worker is still running.
  bool is_busy() const;

 private:
  class State;
  explicit HttpServer(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// A text for people.
HttpReply text_reply(unsigned status, std::string text);

}  // namespace planex::serve
