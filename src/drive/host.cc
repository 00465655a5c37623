#include "drive/host.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "base/files.h"
#include "base/text.h"

namespace planex::drive {
namespace {

// The value of the first "key : value" line of /proc/cpuinfo.
std::string cpu_info(std::string_view info, std::string_view key) {
  const std::size_t start = info.find(key);
  if (start == std::string_view::npos) return {};
  const std::string_view line = info.substr(start, info.find('\n', start) - start);
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  return std::string(base::trimmed(line.substr(colon + 1)));
}

}  // namespace

std::string system_file(const char* path) {
  const auto bytes = base::disk().read(path);
  return bytes ? std::string((*bytes)->view()) : std::string();
}

Host this_host() {
  utsname system{};
  ::uname(&system);
  return {.name = system.nodename,
          .system = base::format("{} {} {}", system.sysname, system.release, system.machine),
          .cpu_model = cpu_info(system_file("/proc/cpuinfo"), "model name"),
          .cpu_count = ::sysconf(_SC_NPROCESSORS_ONLN)};
}

std::string cache_file(const std::string& name) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  std::string folder;
  // The specification (XDG base directories) says that relative paths are ignored.
  if (cache != nullptr && cache[0] == '/') {
    folder = cache;
  } else if (home != nullptr && home[0] == '/') {
    folder = base::join_path(home, ".cache");
  } else {
    return {};
  }
  return base::join_path(base::join_path(folder, "planex"), name);
}

}  // namespace planex::drive
