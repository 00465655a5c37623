// The POSIX side of base/files.h, where files are written.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/files.h"
#include "base/no_room.h"
#include "base/posix_file.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::base {
namespace {

// What a signal handler removes: names of files that are being written. It can only access globals,
// and must not wait for a lock.
constexpr std::size_t kMaxTemporaries = 256;
std::array<std::atomic<const char*>, kMaxTemporaries> temporaries;

// Signals that end the program are blocked meanwhile.
class SignalsHeldBack {
 public:
  SignalsHeldBack() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&held, signal);
    ::pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;
  ~SignalsHeldBack() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

// The target of a link, existing or not.
std::string without_links(std::string path) {
  constexpr int kMaxLinks = 40;  // the number that Linux follows
  for (int i = 0; i < kMaxLinks; ++i) {
    std::error_code code;
    const std::filesystem::path target = std::filesystem::read_symlink(path, code);
    if (code) break;
    path = target.is_absolute() ? target.string() : join_path(folder_of(path), target.string());
  }
  return path;
}

Error write_error(std::string_view doing, const std::string& path) {
  const int number = errno;
  Error error = errno_error(ErrorCode::kIo, doing, path);
  error.hint = hint_on_room(number);
  return error;
}

}  // namespace

// A name that is removed on a signal while this object lives. Beyond the maximum, further ones are
// left over.
class FileWriter::Temporary {
 public:
  explicit Temporary(std::string path) : path_(std::make_unique<std::string>(std::move(path))) {
    for (auto& slot : temporaries) {
      const char* expected = nullptr;
      if (!slot.compare_exchange_strong(expected, path_->c_str())) continue;
      slot_ = &slot;
      break;
    }
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() { forget(); }
  void forget() {
    if (slot_ != nullptr) *std::exchange(slot_, nullptr) = nullptr;
  }
  const std::string& path() const { return *path_; }

 private:
  // Its text stays where it is.
  std::unique_ptr<std::string> path_;
  std::atomic<const char*>* slot_ = nullptr;
};

class FileWriter::State {
 public:
  // `temporary` is empty where the file itself is written to: a pipe or a device.
  State(std::string path, std::unique_ptr<Temporary> temporary, FileDescriptor file)
      : path_(std::move(path)), temporary_(std::move(temporary)), file_(std::move(file)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (temporary_ != nullptr) ::unlink(temporary_->path().c_str());
    forget_old();
  }

  Result<void> write(std::string_view piece) {
    for (std::size_t done = 0; done < piece.size();) {
      const ssize_t count = ::write(file_.get(), piece.data() + done, piece.size() - done);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return fail(write_error("can't write the file", path_));
      done += static_cast<std::size_t>(count);
    }
    return {};
  }

  Result<void> close() {
    if (::close(file_.release()) == 0) return {};
    return fail(write_error("can't finish writing the file", path_));
  }

  // Permissions of the replaced file. Where they can't be set, ours are the narrower ones.
  void take_permissions(const struct stat& info) {
    constexpr mode_t kPermissions = 07777;
    const bool is_owned = ::fchown(file_.get(), info.st_uid, info.st_gid) == 0;
    constexpr mode_t kNotOfOthers = 0777;  // set-user-ID and similar bits are for their owner to
                                           // set
    ::fchmod(file_.get(), info.st_mode & (is_owned ? kPermissions : kNotOfOthers));
  }

  // Before put_in_place(): a second name for the file that is replaced. A link costs nothing and
  // leaves the file where it is. Where the file system supports no links, there is no way back.
  void keep_old() {
    if (temporary_ == nullptr) return;
    is_new_ = ::access(path_.c_str(), F_OK) != 0;
    auto old = std::make_unique<Temporary>(temporary_->path() + ".old");
    if (!is_new_ && ::link(path_.c_str(), old->path().c_str()) == 0) old_ = std::move(old);
  }
  void undo() {
    if (is_new_) ::unlink(path_.c_str());
    if (old_ != nullptr) std::rename(old_->path().c_str(), path_.c_str());
    old_.reset();
  }
  void forget_old() {
    if (old_ != nullptr) ::unlink(old_->path().c_str());
    old_.reset();
  }

  // After close().
  Result<void> put_in_place() {
    if (temporary_ == nullptr) return {};
    if (std::rename(temporary_->path().c_str(), path_.c_str()) != 0) {
      return fail(write_error("can't put the file in place", path_));
    }
    temporary_.reset();
    return {};
  }

 private:
  std::string path_;
  std::unique_ptr<Temporary> temporary_;
  std::unique_ptr<Temporary> old_;
  bool is_new_ = false;
  FileDescriptor file_;
};

FileWriter::FileWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
FileWriter::FileWriter(FileWriter&&) noexcept = default;
FileWriter::~FileWriter() = default;

Result<FileWriter> FileWriter::create(const std::string& path) {
  struct stat info{};
  const bool is_there = ::stat(path.c_str(), &info) == 0;
  if (is_there && !S_ISREG(info.st_mode)) {
    // A pipe or a device can't be replaced by renaming.
    FileDescriptor file(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    if (!file.is_open()) return fail(write_error("can't write the file", path));
    return FileWriter(std::make_unique<State>(path, nullptr, std::move(file)));
  }
  const std::string target = without_links(path);
  static std::atomic<unsigned> counter{0};
  // Short, as the name itself can be as long as the file system allows.
  auto temporary = std::make_unique<Temporary>(
      join_path(folder_of(target), format(".planex-{}-{}.tmp", ::getpid(), counter++)));
  constexpr mode_t kOwnerOnly = 0600, kEverybody = 0666;  // less the umask
  FileDescriptor file(::open(temporary->path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                             is_there ? kOwnerOnly : kEverybody));
  if (!file.is_open()) return fail(write_error("can't write the file", path));
  auto state = std::make_unique<State>(target, std::move(temporary), std::move(file));
  if (is_there) state->take_permissions(info);
  return FileWriter(std::move(state));
}

Result<void> FileWriter::write(std::string_view piece) { return state_->write(piece); }

Result<void> FileWriter::finish() {
  PLANEX_TRY(state_->close());
  return state_->put_in_place();
}

Result<void> FileWriter::finish_all(std::vector<FileWriter>& files) {
  for (FileWriter& file : files) PLANEX_TRY(file.state_->close());
  const SignalsHeldBack held_back;
  for (std::size_t done = 0; done < files.size(); ++done) {
    files[done].state_->keep_old();
    auto placed = files[done].state_->put_in_place();
    if (placed) continue;
    while (done-- > 0) files[done].state_->undo();
    return placed;
  }
  for (FileWriter& file : files) file.state_->forget_old();
  return {};
}

std::string hint_on_room(int error_number) {
  if (error_number == EFBIG) {
    struct rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
      return format("no file may have more than {} bytes here (ulimit -f): raise that limit",
                    limit.rlim_cur);
    }
    return "the file system does not support files of that size: write it to another";
  }
  if (error_number == ENOSPC) return "the disk is full: make room, or write it to another";
  if (error_number == EDQUOT)
    return "your quota of that disk is used up: make room, or write it "
           "to another";
  return {};
}

void remove_temporary_files() {
  for (const auto& slot : temporaries) {
    if (const char* path = slot) ::unlink(path);
  }
}

Result<void> write_file_atomically(const std::string& path, std::string_view content) {
  auto writer = FileWriter::create(path);
  if (!writer) return fail(std::move(writer).error());
  if (auto written = writer->write(content); !written) return written;
  return writer->finish();
}

}  // namespace planex::base
