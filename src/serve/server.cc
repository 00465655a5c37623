#include "serve/server.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "render/html/template.h"
#include "render/json/engines_json.h"
#include "serve/page_policy.h"
#include "serve/request_check.h"
#include "serve/socket_owner.h"

namespace planex::serve {
namespace {

using base::format;

// Limit for a query from a page, where a user waits; longer ones are for `planex query`.
constexpr std::chrono::seconds kMaxQueryTime{10};
constexpr std::size_t kMaxQueryRows = 10'000;
constexpr std::size_t kMaxCsvRows = 1'000'000;
constexpr std::uint64_t kMaxQueryMemory = std::uint64_t{256} << 20;
constexpr std::uint64_t kMaxSqlBytes = 256 * 1024;

constexpr std::string_view kJsonType = "application/json";
constexpr std::string_view kHtmlType = "text/html; charset=utf-8";

std::vector<std::pair<std::string, std::string>> common_headers() {
  return {
      // A response that is not a page must not run anything, whatever it contains.
      {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cache-Control", "no-store"},
  };
}

unsigned status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return 400;
    case ErrorCode::kNotFound:
      return 404;
    case ErrorCode::kBadInput:
    case ErrorCode::kUnsupported:
      return 422;
    case ErrorCode::kCancelled:
      return 503;
    default:
      return 500;
  }
}

HttpReply json_reply(std::string json, unsigned status = 200) {
  return {.status = status,
          .content_type = std::string(kJsonType),
          .body = std::make_shared<const std::string>(std::move(json))};
}

HttpReply error_reply(const Error& error) {
  return json_reply(render::error_json(error), status_of(error.code));
}

HttpReply page_reply(std::shared_ptr<const std::string> page) {
  HttpReply reply{.content_type = std::string(kHtmlType), .body = std::move(page)};
  reply.headers.emplace_back("Content-Security-Policy",
                             policy_of(*reply.body) + "; frame-ancestors 'none'");
  return reply;
}

// Places without trailing slashes, and without places inside other places, where their engines are
// found anyway.
std::vector<std::string> plain_places(const std::vector<std::string>& given) {
  std::vector<std::pair<std::string, std::string>> places;  // and where they really are
  for (std::string place : given) {
    while (place.size() > 1 && place.ends_with('/')) place.pop_back();
    std::error_code code;
    const auto real = std::filesystem::canonical(place, code);
    places.emplace_back(place, code ? place : real.generic_string());
  }
  std::vector<std::string> plain;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::string& real = places[i].second;
    bool is_covered = false;
    for (std::size_t k = 0; k < places.size() && !is_covered; ++k) {
      const std::string& other = places[k].second;
      // Hidden folders are searched only if they are named.
      const std::string folder = other == "/" ? other : other + "/";
      const bool is_in = real.starts_with(folder) && real[folder.size()] != '.' &&
                         real.find("/.", folder.size()) == real.npos;
      is_covered = is_in || (real == other && k < i);
    }
    if (!is_covered) plain.push_back(places[i].first);
  }
  return plain;
}

}  // namespace

class Server::State {
 public:
  explicit State(std::unique_ptr<EngineList> list) : list_(std::move(list)) {}

  Result<void> listen(const ServeOptions& options) {
    HttpOptions http{.port = options.port, .limits = {}, .headers = common_headers()};
    http.may_connect = [this](const SocketAddress& client, const SocketAddress& server) {
      if (!user_id_) return true;
      const auto owner = socket_owner(client, server);
      // Root can read everything anyway, and forwards ports into containers.
      return owner && (*owner == *user_id_ || *owner == 0);
    };
    PLANEX_ASSIGN(http_, HttpServer::listen(std::move(http), routes()));
    // The table is used only if it contains the listening socket.
    const SocketAddress own{.ip = {127, 0, 0, 1}, .port = http_->port()};
    if (options.user_id && socket_owner(own, {}) == options.user_id) user_id_ = options.user_id;
    return {};
  }

  std::string url() const { return format("http://127.0.0.1:{}/", http_->port()); }
  bool keeps_others_out() const { return user_id_.has_value(); }

  void run(const std::function<bool()>& stop) {
    http_->run(stop);
    is_stopping_ = true;
    list_->stop();
  }

  bool is_busy() const { return http_->is_busy() || !list_->is_stopped(); }

 private:
  using Answer = HttpReply (State::*)(const HttpRequest&, const Cancelled&);

  std::vector<Route> routes() {
    const auto with = [this](Answer answer) {
      return [this, answer](const HttpRequest& request, const Cancelled& cancelled) {
        return (this->*answer)(request, cancelled);
      };
    };
    const auto get = [&](std::string path, RunOn run_on, Answer answer) {
      return Route{.path = std::move(path), .run_on = run_on, .answer = with(answer)};
    };
    const auto post = [&](std::string path, RunOn run_on, std::string_view type,
                          std::uint64_t max_bytes, Answer answer) {
      return Route{.method = HttpMethod::kPost,
                   .path = std::move(path),
                   .run_on = run_on,
                   .content_type = std::string(type),
                   .max_body_bytes = max_bytes,
                   .answer = with(answer)};
    };
    return {
        get("/", RunOn::kTalker, &State::index),
        get("/report", RunOn::kWorkers, &State::report),
        get("/data", RunOn::kWorkers, &State::data),
        get("/api/engines", RunOn::kTalker, &State::engines),
        get("/api/version", RunOn::kTalker, &State::version),
        post("/api/open", RunOn::kWorkers, kDroppedType, kMaxDroppedBytes, &State::open),
        post("/api/query", RunOn::kInTurn, "application/sql", kMaxSqlBytes, &State::query),
        post("/api/query.csv", RunOn::kInTurn, "application/sql", kMaxSqlBytes, &State::query_csv),
    };
  }

  HttpReply index(const HttpRequest&, const Cancelled&) { return page_reply(index_page_); }

  HttpReply engines(const HttpRequest& request, const Cancelled&) {
    const std::shared_ptr<const Listing> listing = list_->listing();
    HttpReply reply;
    if (request.if_none_match == listing->etag) {
      reply.status = 304;
    } else {
      reply.body = std::shared_ptr<const std::string>(listing, &listing->json);
    }
    reply.content_type = kJsonType;
    reply.headers.emplace_back("ETag", listing->etag);
    return reply;
  }

  Result<std::vector<EngineToOpen>> asked_for(const std::string& query) {
    const auto ids = parse_ids(query);
    if (!ids) {
      return fail(ErrorCode::kUsage,
                  format("the address must name 1 to {} engines: ?e=ID&e=ID", kMaxIds));
    }
    std::vector<EngineToOpen> engines;
    for (const std::string& id : *ids) {
      auto engine = list_->find(id);
      if (!engine) {
        return fail(ErrorCode::kNotFound, "this engine is not served (any more)",
                    "the index lists those that are");
      }
      engines.push_back(std::move(*engine));
    }
    return engines;
  }

  Result<std::shared_ptr<const std::string>> document(Document kind, const std::string& query) {
    PLANEX_ASSIGN(const std::vector<EngineToOpen> engines, asked_for(query));
    return documents_.document(kind, engines);
  }

  HttpReply report(const HttpRequest& request, const Cancelled&) {
    auto page = document(Document::kPage, request.query);
    if (page) return page_reply(std::move(*page));
    return text_reply(status_of(page.error().code), describe(page.error(), false));
  }

  HttpReply data(const HttpRequest& request, const Cancelled&) {
    auto json = document(Document::kData, request.query);
    if (!json) return error_reply(json.error());
    return {.content_type = std::string(kJsonType), .body = std::move(*json)};
  }

  // For the engines of an open report, which asks every two seconds.
  HttpReply version(const HttpRequest& request, const Cancelled&) {
    const auto engines = asked_for(request.query);
    if (!engines) return error_reply(engines.error());
    const auto is = [&](render::EngineState state) {
      return std::ranges::any_of(*engines,
                                 [&](const auto& engine) { return engine.state == state; });
    };
    render::EngineState state = render::EngineState::kReady;
    if (is(render::EngineState::kFailed)) state = render::EngineState::kFailed;
    if (is(render::EngineState::kWaiting)) state = render::EngineState::kWaiting;
    return json_reply(render::version_json(version_of(*engines), state));
  }

  HttpReply open(const HttpRequest& request, const Cancelled&) {
    auto dropped = parse_dropped(request.body);
    if (!dropped) return error_reply(dropped.error());
    const auto ids = list_->add_dropped(std::move(*dropped));
    if (!ids) return error_reply(ids.error());
    return json_reply(render::opened_json(*ids));
  }

  HttpReply query(const HttpRequest& request, const Cancelled& cancelled) {
    // One more row than is shown, to know whether there are more.
    auto answer = run_query(request, cancelled, Format::kJson, kMaxQueryRows + 1);
    return answer ? json_reply(std::move(*answer)) : error_reply(answer.error());
  }

  HttpReply query_csv(const HttpRequest& request, const Cancelled& cancelled) {
    auto answer = run_query(request, cancelled, Format::kCsv, kMaxCsvRows);
    if (!answer) return error_reply(answer.error());
    return {.content_type = "text/csv; charset=utf-8",
            .body = std::make_shared<const std::string>(std::move(*answer))};
  }

  Result<std::string> run_query(const HttpRequest& request, const Cancelled& cancelled,
                                Format query_format, std::size_t max_rows) {
    PLANEX_ASSIGN(const std::vector<EngineToOpen> engines, asked_for(request.query));
    std::optional<std::chrono::steady_clock::time_point> begin;
    bool is_late = false;
    const auto must_stop = [&] {
      // Reading the engines does not count as query time.
      const auto now = std::chrono::steady_clock::now();
      if (!begin) begin = now;
      is_late = now - *begin > kMaxQueryTime;
      return is_late || cancelled || is_stopping_;
    };
    const QueryLimits limits{
        .max_rows = max_rows, .max_memory_bytes = kMaxQueryMemory, .cancelled = must_stop};
    auto answer = documents_.query(engines, request.body, query_format, limits);
    if (!answer && is_late) {
      return fail(ErrorCode::kUsage,
                  format("the query was stopped: it took more than {} s", kMaxQueryTime.count()),
                  "`planex query` has no limit");
    }
    return answer;
  }

  const std::shared_ptr<const std::string> index_page_ =
      std::make_shared<const std::string>(render::index_template());
  Documents documents_;
  std::unique_ptr<EngineList> list_;
  std::optional<std::uint32_t> user_id_;
  std::atomic<bool> is_stopping_{false};
  // Last: its workers use the rest.
  std::unique_ptr<HttpServer> http_;
};

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::start(const ServeOptions& options) {
  PLANEX_ASSIGN(auto list, EngineList::start({.places = plain_places(options.places)}));
  auto state = std::make_unique<State>(std::move(list));
  PLANEX_TRY(state->listen(options));
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

std::string Server::url() const { return state_->url(); }
bool Server::keeps_others_out() const { return state_->keeps_others_out(); }
void Server::run(const std::function<bool()>& stop) { state_->run(stop); }
bool Server::is_busy() const { return state_->is_busy(); }

}  // namespace planex::serve
