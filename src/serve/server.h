// `planex serve`: the engines below some paths, as an index page, reports and answers to queries,
// on loopback only. Nothing is written, nothing is built, and nothing outside the paths is read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "planex/error.h"
#include "serve/documents.h"
#include "serve/engine_list.h"
#include "serve/http_server.h"

namespace planex::serve {

struct ServeOptions {
  std::vector<std::string> places;
  std::optional<std::uint16_t> port;
  // Only programs of this user (and root) can connect; without one, those of every user of the
  // machine can.
  std::optional<std::uint32_t> user_id;
};

class Server {
 public:
  // Errors: kNotFound (a path), kUsage (a path that is neither file nor folder), kIo (the port).
  static Result<std::unique_ptr<Server>> start(const ServeOptions& options);
  // Waits for what is being read.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::string url() const;
  // Whether other users of the machine are kept out.
  bool keeps_others_out() const;
  // Serves until `stop` returns true.
  void run(const std::function<bool()>& stop);
  // After run(): whether the destructor would wait.
  bool is_busy() const;

 private:
  class State;
  explicit Server(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace planex::serve
