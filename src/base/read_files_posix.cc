#include <atomic>
#include <mutex>
#include <set>
#include <utility>

#include "base/read_files.h"

namespace planex::base {
namespace {

using FileId = std::pair<dev_t, ino_t>;

std::atomic<bool> remembers{false};
std::mutex read_mutex;

std::set<FileId>& read_ids() {
  static std::set<FileId> ids;
  return ids;
}

}  // namespace

void remember_read_files() { remembers = true; }

void note_read(const struct stat& info) {
  if (!remembers) return;
  const std::scoped_lock lock(read_mutex);
  read_ids().emplace(info.st_dev, info.st_ino);
}

bool was_read(const std::string& path) {
  struct stat info{};
  if (!remembers || ::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
  const std::scoped_lock lock(read_mutex);
  return read_ids().contains({info.st_dev, info.st_ino});
}

}  // namespace planex::base
