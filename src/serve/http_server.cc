#include "serve/http_server.h"

// Boost 1.74 forgets what std::exchange needs.
#include <utility>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <set>
#include <span>
#include <thread>

#include "base/text.h"
#include "serve/request_check.h"

namespace planex::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using base::format;
using Ignored = beast::error_code;

// An answer is sent in pieces, each with its own deadline.
constexpr std::size_t kPieceBytes = 256 * 1024;
// After an answer that ends the connection, further input from the client is read and discarded for
// a moment: closing with unread bytes would make the client lose the answer.
constexpr std::chrono::milliseconds kLingerTime{1000};
constexpr std::uint64_t kMaxLingerBytes = 4 * 1024 * 1024;

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }

// Shared by the communicating thread ("talker") and its connections.
struct Shared {
  HttpOptions options;
  std::vector<Route> routes;
  std::uint16_t port = 0;

  // Passed to the workers and not finished; of those, running.
  std::atomic<std::size_t> jobs{0}, running{0};
  std::uint64_t body_bytes = 0;  // used by the talker only

  // Last, as waiting work in them releases connections, which use the rest.
  asio::io_context io{1};
  asio::thread_pool workers;
  asio::strand<asio::thread_pool::executor_type> in_turn{workers.get_executor()};

  explicit Shared(std::size_t worker_count) : workers(worker_count) {}
};

class Connection;

class Connections {
 public:
  void add(Connection* connection) { all_.insert(connection); }
  void remove(Connection* connection) { all_.erase(connection); }
  std::size_t count() const { return all_.size(); }
  // Closes the connection that has waited longest for its client; false: all are busy.
  bool close_idle();
  void close_all();

 private:
  std::set<Connection*> all_;
};

// One client, from its first byte to the last. Everything runs on the talker, except that a route's
// answer is made elsewhere. Every pending operation keeps the connection alive; the last one
// releases it.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Shared& shared, Connections& connections)
      : shared_(shared), connections_(connections), stream_(std::move(socket)) {
    connections_.add(this);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() {
    release_body();
    connections_.remove(this);
  }

  void start() { read_head(); }

  void close() {
    if (cancelled_) *cancelled_ = true;
    Ignored ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
    stream_.close();
  }

  bool is_idle() const { return is_reading_head_; }
  std::chrono::steady_clock::time_point since() const { return since_; }

 private:
  using Parser = http::request_parser<http::string_body>;
  using SpanBody = http::span_body<const char>;

  const HttpLimits& limits() const { return shared_.options.limits; }

  void read_head() {
    is_head_request_ = false;
    keep_alive_ = false;
    parser_.emplace();
    parser_->header_limit(limits().max_head_bytes);
    // The limit for any body; the route's own limit is checked later.
    std::uint64_t most = 1;
    for (const Route& route : shared_.routes) most = std::max(most, route.max_body_bytes);
    parser_->body_limit(most);
    is_reading_head_ = true;
    since_ = std::chrono::steady_clock::now();
    // The deadline is for the whole head: bytes that trickle in do not extend it.
    stream_.expires_after(limits().head_time);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](Ignored error, std::size_t) {
                              self->is_reading_head_ = false;
                              self->on_head(error);
                            });
  }

  void on_head(beast::error_code error) {
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      return refuse(
          431, format("The head of a request can have at most {} bytes.", limits().max_head_bytes));
    }
    if (error == http::error::body_limit) return refuse(413, "The body is too large.");
    static const auto& kHttpErrors = http::make_error_code(http::error::bad_method).category();
    const bool is_over =
        error == http::error::end_of_stream || error == http::error::partial_message;
    if (error && error.category() == kHttpErrors && !is_over)
      return refuse(400, "This is not HTTP/1.1.");
    if (error) return close();
    take_head();
  }

  std::string_view field(http::field name) const { return view_of(parser_->get()[name]); }
  bool is_once(http::field name) const { return parser_->get().count(name) == 1; }

  void take_head() {
    const auto& head = parser_->get();
    is_head_request_ = head.method() == http::verb::head;
    keep_alive_ = head.keep_alive();
    if (!is_once(http::field::host)) return refuse(400, "A request must name exactly one host.");
    const std::string_view host = field(http::field::host);
    if (!is_our_host(host, shared_.port)) {
      return refuse(
          421, format("This is planex on http://127.0.0.1:{0}/, not the requested host. Through a "
                      "tunnel, use the same port on both sides: ssh -L {0}:127.0.0.1:{0}",
                      shared_.port));
    }
    const auto target = parse_target(view_of(head.target()));
    if (!target) return refuse(400, "planex has no such address.");
    const bool is_read = is_head_request_ || head.method() == http::verb::get;
    const bool is_post = head.method() == http::verb::post;
    if (!is_read && !is_post) {
      extra_headers_ = {{"Allow", "GET, HEAD, POST"}};
      return refuse(405, "planex answers GET, HEAD and POST.");
    }
    if (const std::string why = foreign_page(host, is_post); !why.empty()) return refuse(403, why);

    route_ = nullptr;
    bool is_known = false;
    for (const Route& route : shared_.routes) {
      if (route.path != target->path) continue;
      is_known = true;
      if ((route.method == HttpMethod::kPost) == is_post) route_ = &route;
    }
    if (!is_known) return refuse(404, "Not found.");
    if (route_ == nullptr) {
      extra_headers_ = {{"Allow", is_post ? "GET, HEAD" : "POST"}};
      return refuse(405, is_post ? "This address accepts GET and HEAD only."
                                 : "This address accepts POST only.");
    }
    request_ = {};
    request_.query = target->query;
    request_.if_none_match = field(http::field::if_none_match);
    request_.content_type = field(http::field::content_type);
    take_length(is_post);
  }

  // The reason for refusing a request from a page of another origin; empty if it is not one.
  // Programs other than browsers send neither header.
  std::string foreign_page(std::string_view host, bool is_post) const {
    const std::size_t origins = parser_->get().count(http::field::origin);
    if (origins > 1 || (origins == 1 && !is_our_origin(field(http::field::origin), host))) {
      return "Requests from pages of other origins are rejected.";
    }
    const std::string_view site = view_of(parser_->get()["Sec-Fetch-Site"]);
    const std::string_view mode = view_of(parser_->get()["Sec-Fetch-Mode"]);
    const bool is_foreign = site == "cross-site" || site == "same-site";
    if (is_foreign && (is_post || mode != "navigate"))
      return "Requests from other sites are rejected.";
    return {};
  }

  void take_length(bool is_post) {
    if (parser_->chunked() || parser_->get().count(http::field::transfer_encoding) > 0) {
      return refuse(411, "A body needs its length in advance (Content-Length).");
    }
    if (parser_->get().count(http::field::content_length) > 1) {
      return refuse(400, "A request must have only one Content-Length.");
    }
    const auto length = parser_->content_length();
    if (!is_post) {
      if (length && *length > 0) return refuse(400, "A GET or HEAD request must not have a body.");
      return respond();
    }
    if (!length) return refuse(411, "A body needs its length in advance (Content-Length).");
    if (request_.content_type != route_->content_type) {
      return refuse(415, format("The body must be of the type {}.", route_->content_type));
    }
    if (*length > route_->max_body_bytes) {
      return refuse(413, format("The body can have at most {} bytes.", route_->max_body_bytes));
    }
    if (*length > limits().max_body_bytes - shared_.body_bytes) {
      extra_headers_ = {{"Retry-After", "2"}};
      return refuse(503, "Too much is being sent at once.");
    }
    held_body_bytes_ = *length;
    shared_.body_bytes += *length;
    parser_->body_limit(route_->max_body_bytes);
    if (beast::iequals(parser_->get()[http::field::expect], "100-continue")) return go_on(*length);
    read_body(*length);
  }

  void go_on(std::uint64_t length) {
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    stream_.expires_after(limits().write_time);
    asio::async_write(stream_, asio::buffer(kContinue),
                      [self = shared_from_this(), length](Ignored error, std::size_t) {
                        if (error) return self->close();
                        self->read_body(length);
                      });
  }

  void read_body(std::uint64_t length) {
    const auto least = std::chrono::milliseconds(length * 1000 / limits().min_bytes_per_s);
    stream_.expires_after(limits().body_time + least);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](Ignored error, std::size_t) {
                       if (error) return self->close();
                       self->request_.body = std::move(self->parser_->get().body());
                       self->respond();
                     });
  }

  void release_body() {
    shared_.body_bytes -= held_body_bytes_;
    held_body_bytes_ = 0;
  }

  // --- The answer ---

  static HttpReply answered(const Route& route, const HttpRequest& request,
                            const Cancelled& cancelled) {
    try {
      return route.answer(request, cancelled);
    } catch (const std::bad_alloc&) {
      return text_reply(503, "There is not enough memory for the answer.");
    } catch (const std::exception& exception) {
      return text_reply(500, format("planex failed: {}", exception.what()));
    }
  }

  void respond() {
    stream_.expires_never();
    cancelled_ = std::make_shared<Cancelled>(false);
    if (route_->run_on == RunOn::kTalker) return write(answered(*route_, request_, *cancelled_));
    if (shared_.jobs >= limits().max_waiting) {
      release_body();
      extra_headers_ = {{"Retry-After", "2"}};
      return write(text_reply(503, "Too many requests are waiting."));
    }
    ++shared_.jobs;
    watch();
    // The request stays in place until the answer is back: the talker does not touch it.
    auto job = [self = shared_from_this(), cancelled = cancelled_]() mutable {
      HttpReply reply;
      ++self->shared_.running;
      if (!*cancelled) reply = answered(*self->route_, self->request_, *cancelled);
      --self->shared_.running;
      --self->shared_.jobs;
      // The connection is released on the talker's thread, like everything else about it.
      asio::io_context& io = self->shared_.io;
      asio::post(io, [self = std::move(self), reply = std::move(reply)]() mutable {
        self->on_answer(std::move(reply));
      });
    };
    if (route_->run_on == RunOn::kInTurn) {
      asio::post(shared_.in_turn, std::move(job));
    } else {
      asio::post(shared_.workers, std::move(job));
    }
  }

  // While the answer is made: checks whether the client is still there.
  void watch() {
    is_watching_ = true;
    stream_.socket().async_wait(tcp::socket::wait_read, [self = shared_from_this()](Ignored error) {
      if (error || !self->is_watching_) return;
      std::array<char, 1> peeked;
      beast::error_code code;
      self->stream_.socket().non_blocking(true, code);
      const std::size_t count =
          self->stream_.socket().receive(asio::buffer(peeked), tcp::socket::message_peek, code);
      // The client may pipeline more requests; then there is no way to see when it leaves.
      if (count > 0 || code == asio::error::would_block) return;
      *self->cancelled_ = true;
    });
  }

  void on_answer(HttpReply reply) {
    is_watching_ = false;
    release_body();
    request_.body = {};
    if (*cancelled_ || !stream_.socket().is_open()) return close();
    Ignored ignored;
    stream_.socket().cancel(ignored);
    write(std::move(reply));
  }

  // An answer before the request was read completely, which ends the connection.
  void refuse(unsigned status, std::string why) {
    keep_alive_ = false;
    write(text_reply(status, std::move(why)));
  }

  void fill(http::response_header<>& head, const HttpReply& reply) const {
    head.result(reply.status);
    head.set(http::field::content_type, reply.content_type);
    for (const auto& [name, value] : shared_.options.headers) head.set(name, value);
    for (const auto& [name, value] : reply.headers) head.set(name, value);
    for (const auto& [name, value] : extra_headers_) head.set(name, value);
  }

  void write(HttpReply reply) {
    body_ = reply.body;
    const std::string_view text = body_ == nullptr ? std::string_view() : std::string_view(*body_);
    if (is_head_request_) {
      head_response_.emplace();
      fill(*head_response_, reply);
      head_response_->version(11);
      head_response_->keep_alive(keep_alive_);
      head_response_->content_length(text.size());
      extra_headers_.clear();
      stream_.expires_after(limits().write_time);
      head_serializer_.emplace(*head_response_);
      http::async_write_header(
          stream_, *head_serializer_,
          [self = shared_from_this()](Ignored error, std::size_t) { self->on_written(error); });
      return;
    }
    response_.emplace();
    fill(*response_, reply);
    response_->version(11);
    response_->keep_alive(keep_alive_);
    response_->body() = beast::span<const char>(text.data(), text.size());
    // 304 has no body, and no length of a body either.
    if (reply.status != 304) response_->content_length(text.size());
    extra_headers_.clear();
    serializer_.emplace(*response_);
    serializer_->limit(kPieceBytes);
    write_piece();
  }

  void write_piece() {
    stream_.expires_after(limits().write_time);
    http::async_write_some(stream_, *serializer_,
                           [self = shared_from_this()](Ignored error, std::size_t) {
                             if (!error && !self->serializer_->is_done()) {
                               return self->write_piece();
                             }
                             self->on_written(error);
                           });
  }

  void on_written(beast::error_code error) {
    serializer_.reset();
    response_.reset();
    head_serializer_.reset();
    head_response_.reset();
    body_.reset();
    cancelled_.reset();
    if (error) return close();
    if (keep_alive_) return read_head();
    Ignored ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.expires_after(kLingerTime);
    linger(0);
  }

  void linger(std::uint64_t read_bytes) {
    if (read_bytes > kMaxLingerBytes) return close();
    buffer_.clear();
    stream_.async_read_some(
        buffer_.prepare(std::min<std::size_t>(buffer_.max_size(), 64 * 1024)),
        [self = shared_from_this(), read_bytes](Ignored error, std::size_t count) {
          if (error) return self->close();
          self->linger(read_bytes + count);
        });
  }

  Shared& shared_;
  Connections& connections_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{128 * 1024};
  std::optional<Parser> parser_;
  bool is_reading_head_ = false;
  bool is_watching_ = false;
  bool is_head_request_ = false;
  bool keep_alive_ = false;
  std::chrono::steady_clock::time_point since_;

  const Route* route_ = nullptr;
  HttpRequest request_;
  std::uint64_t held_body_bytes_ = 0;
  std::shared_ptr<Cancelled> cancelled_;  // while there is an answer to be made

  std::shared_ptr<const std::string> body_;  // of the answer
  std::vector<std::pair<std::string, std::string>> extra_headers_;
  std::optional<http::response<SpanBody>> response_;
  std::optional<http::response_serializer<SpanBody>> serializer_;
  std::optional<http::response<http::empty_body>> head_response_;
  std::optional<http::response_serializer<http::empty_body>> head_serializer_;
};

bool Connections::close_idle() {
  Connection* oldest = nullptr;
  for (Connection* connection : all_) {
    if (!connection->is_idle()) continue;
    if (oldest == nullptr || connection->since() < oldest->since()) oldest = connection;
  }
  if (oldest != nullptr) oldest->close();
  return oldest != nullptr;
}

void Connections::close_all() {
  for (Connection* connection : std::vector<Connection*>(all_.begin(), all_.end())) {
    connection->close();
  }
}

std::size_t worker_count() {
  constexpr unsigned kMin = 2;
  constexpr unsigned kMax = 4;
  return std::clamp(std::thread::hardware_concurrency(), kMin, kMax);
}

}  // namespace

class HttpServer::State {
 public:
  State(HttpOptions options, std::vector<Route> routes) : shared_(worker_count()) {
    shared_.options = std::move(options);
    shared_.routes = std::move(routes);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    shared_.workers.stop();
    shared_.workers.join();
  }

  Result<void> listen() {
    if (shared_.options.port) return listen_on(*shared_.options.port);
    // Several ports: several servers can run at once, at stable addresses.
    constexpr std::uint16_t kTried = 10;
    for (std::uint16_t i = 0; i < kTried; ++i) {
      if (listen_on(static_cast<std::uint16_t>(kUsualPort + i))) return {};
    }
    return listen_on(0);
  }

  std::uint16_t port() const { return shared_.port; }
  bool is_busy() const { return shared_.running > 0; }

  void run(const std::function<bool()>& stop) {
    accept();
    ask_to_stop(stop);
    while (!shared_.io.stopped()) {
      try {
        shared_.io.run();
      } catch (const std::exception&) {
        // Memory ran out for one connection: it is closed, and the others continue.
      }
    }
    Ignored ignored;
    acceptor_.close(ignored);
    shared_.workers.stop();
    connections_.close_all();
  }

 private:
  Result<void> listen_on(std::uint16_t port) {
    beast::error_code code;
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
    acceptor_ = tcp::acceptor(shared_.io);
    acceptor_.open(endpoint.protocol(), code);
    // The port can be reused immediately after the end; a port in use by another server is not
    // taken over.
    if (!code) acceptor_.set_option(tcp::acceptor::reuse_address(true), code);
    if (!code) acceptor_.bind(endpoint, code);
    if (!code) acceptor_.listen(asio::socket_base::max_listen_connections, code);
    if (code) {
      return fail(ErrorCode::kIo, format("can't listen on 127.0.0.1:{}: {}", port, code.message()),
                  "choose another port with --port; without it, planex uses a free one");
    }
    shared_.port = acceptor_.local_endpoint(code).port();
    return {};
  }

  void accept() {
    acceptor_.async_accept([this](beast::error_code code, tcp::socket socket) {
      if (code == asio::error::operation_aborted) return;
      if (code) {
        // Probably out of descriptors: wait until some are free again.
        timer_.expires_after(std::chrono::milliseconds(100));
        timer_.async_wait([this](Ignored error) {
          if (!error) accept();
        });
        return;
      }
      try {
        take(std::move(socket));
      } catch (const std::exception&) {
        // No memory for this one; there may be for the next.
      }
      accept();
    });
  }

  void take(tcp::socket socket) {
    Ignored ignored;
    const auto remote = socket.remote_endpoint(ignored);
    if (!remote.address().is_v4()) return;  // It left at once.
    const auto& may_connect = shared_.options.may_connect;
    const SocketAddress client{.ip = remote.address().to_v4().to_bytes(), .port = remote.port()};
    const SocketAddress server{.ip = {127, 0, 0, 1}, .port = shared_.port};
    if (may_connect && !may_connect(client, server)) return;
    if (connections_.count() >= shared_.options.limits.max_connections) {
      // An idle connection makes room for one that may ask.
      if (!connections_.close_idle()) return;
    }
    socket.set_option(tcp::no_delay(true), ignored);
    std::make_shared<Connection>(std::move(socket), shared_, connections_)->start();
  }

  void ask_to_stop(const std::function<bool()>& stop) {
    if (stop()) return shared_.io.stop();
    stop_timer_.expires_after(std::chrono::milliseconds(100));
    stop_timer_.async_wait([this, &stop](Ignored) { ask_to_stop(stop); });
  }

  // Declared before what keeps its connections alive.
  Connections connections_;
  Shared shared_;
  tcp::acceptor acceptor_{shared_.io};
  asio::steady_timer timer_{shared_.io};
  asio::steady_timer stop_timer_{shared_.io};
};

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::listen(HttpOptions options,
                                                       std::vector<Route> routes) {
  auto state = std::make_unique<State>(std::move(options), std::move(routes));
  if (auto listening = state->listen(); !listening) return fail(std::move(listening).error());
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(state)));
}

std::uint16_t HttpServer::port() const { return state_->port(); }
void HttpServer::run(const std::function<bool()>& stop) { state_->run(stop); }
bool HttpServer::is_busy() const { return state_->is_busy(); }

HttpReply text_reply(unsigned status, std::string text) {
  return {.status = status, .body = std::make_shared<const std::string>(std::move(text) + "\n")};
}

}  // namespace planex::serve
