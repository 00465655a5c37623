#include "cli/browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <thread>

#include "base/files.h"
#include "base/text.h"

namespace planex::cli {
namespace {

using base::format;

#ifdef __APPLE__
constexpr const char* kOpener = "open";
#else
constexpr const char* kOpener = "xdg-open";
#endif

Failure not_opened(const std::string& address, std::string why) {
  return fail(ErrorCode::kExternalTool, format("can't open a browser: {}", why),
              format("open {} yourself", address));
}

// Its output would mix with that of this program, and it must not wait for a terminal.
class Silence {
 public:
  Silence() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawnattr_init(&attributes_);
    // A session of its own: Ctrl-C ends planex and not the browser.
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace

Result<void> open_in_browser(const std::string& address) {
  std::string program = kOpener;
  std::string argument = address;
  std::array<char*, 3> words = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  const Silence silence;
  const int code = ::posix_spawnp(&child, kOpener, silence.actions(), silence.attributes(),
                                  words.data(), ::environ);
  if (code == ENOENT) return not_opened(address, format("{} was not found", kOpener));
  if (code != 0) return not_opened(address, std::strerror(code));
  // Without a desktop it fails soon; if it starts a browser, it may run as long as the browser.
  constexpr std::chrono::milliseconds kPatience{1500};
  constexpr std::chrono::milliseconds kStep{10};
  for (auto waited = std::chrono::milliseconds(0); waited < kPatience; waited += kStep) {
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) {
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
      return not_opened(address, format("{} failed", kOpener));
    }
    std::this_thread::sleep_for(kStep);
  }
  return {};
}

std::string file_address(const std::string& path) {
  std::error_code code;
  const auto absolute = std::filesystem::absolute(path, code);
  std::string address = "file://";
  for (const char c : code ? path : absolute.generic_string()) {
    constexpr std::string_view kPlain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    address += kPlain.find(c) != kPlain.npos
                   ? std::string(1, c)
                   : format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return address;
}

Result<std::string> make_temporary_folder() {
  std::error_code code;
  const auto folder = std::filesystem::temp_directory_path(code);
  std::string path = base::join_path(code ? "/tmp" : folder.generic_string(), "planex-XXXXXX");
  if (::mkdtemp(path.data()) == nullptr) {
    return fail({.code = ErrorCode::kIo,
                 .message = format("can't make a temporary folder: {}", std::strerror(errno)),
                 .file = path,
                 .hint = "name a file with -o"});
  }
  return path;
}

}  // namespace planex::cli
