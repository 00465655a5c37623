#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "base/text.h"
#include "base/try.h"
#include "cli/browser.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "drive/interrupt.h"
#include "serve/server.h"

namespace planex::cli {
namespace {

class ServeCommand final : public Command {
 public:
  std::string_view name() const override { return "serve"; }
  std::string_view summary() const override {
    return "Browse, compare and query the engines below some folders; local machine only";
  }
  std::string_view examples() const override {
    return "planex serve\n"
           "planex serve runs/ --open\n"
           "planex serve nightly/ baseline.zip --port 8080";
  }
  void add_options(CLI::App& app) override {
    reads_files(
        app.add_option("PATH", paths_, "Folders, searched recursively; files; archives [.]"))
        ->type_name("[PATH…]");
    app.add_option("--port", port_, "The port on 127.0.0.1 [7007, else any free port]")
        ->type_name("N")
        ->check(CLI::Range(1, 65535));
    app.add_flag("--open", open_, "Open the index in the browser");
    app.add_flag("--any-user", any_user_, "Also answer requests from other users of this machine");
  }
  Result<int> run(const Environment&) override {
    const drive::InterruptScope interrupt;
    const drive::Cancellation cancellation = interrupt.cancellation();
    serve::ServeOptions options{.places = paths_, .port = port_, .user_id = std::nullopt};
    if (options.places.empty()) options.places = {"."};
    if (!any_user_) options.user_id = ::getuid();
    PLANEX_ASSIGN(const auto server, serve::Server::start(options));
    std::fprintf(stdout, "%s\n", server->url().c_str());
    std::fflush(stdout);
    if (!any_user_ && !server->keeps_others_out()) {
      std::fputs(
          "planex: this system does not report which user sends a request: every user of this "
          "machine\ncan read what is served\n",
          stderr);
    }
    std::fputs("planex: serving on this machine only; Ctrl-C stops it\n", stderr);
    if (open_) {
      if (const auto opened = open_in_browser(server->url()); !opened) print_error(opened.error());
    }
    server->run([&] { return cancellation.requested(); });
    end_soon(*server);
    return kExitFine;
  }

 private:
  // Reading a large engine takes seconds, too long to wait for here. Nothing is being written, so
  // nothing is left half done.
  static void end_soon(const serve::Server& server) {
    constexpr std::chrono::milliseconds kPatience{500};
    constexpr std::chrono::milliseconds kStep{10};
    for (auto waited = std::chrono::milliseconds(0); server.is_busy(); waited += kStep) {
      if (waited >= kPatience) std::_Exit(kExitFine);
      std::this_thread::sleep_for(kStep);
    }
  }

  std::vector<std::string> paths_;
  std::optional<std::uint16_t> port_;
  bool open_ = false;
  bool any_user_ = false;
};

}  // namespace

std::unique_ptr<Command> make_serve_command() { return std::make_unique<ServeCommand>(); }

}  // namespace planex::cli
