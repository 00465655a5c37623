#include "drive/clock_lock.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "drive/machine_values.h"

namespace planex::drive {
namespace {

constexpr std::int64_t kKhzPerMhz = 1000;

// Returns an empty text on success, otherwise the reason.
std::string write_value(const std::string& path, std::string_view value) {
  // Truncating matters only for plain files, which tests use in place of /sys.
  const int fd = ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  const bool written =
      fd >= 0 && ::write(fd, value.data(), value.size()) == static_cast<ssize_t>(value.size());
  const int number = errno;
  if (fd >= 0) ::close(fd);
  return written ? std::string() : base::format("{}: {}", path, std::strerror(number));
}

// What the guard could not do, and how the user can do it.
struct Trouble {
  std::string message;  // Empty: no trouble.
  std::string hint;
  // The system refused what it can do otherwise; else it can't do it at all.
  bool is_refused = false;
};
constexpr std::string_view kRefused = "refused", kImpossible = "impossible";

// The frequency files of one processor. Format: the kernel's documentation of cpufreq.
class ProcessorClock {
 public:
  explicit ProcessorClock(std::string folder)
      : folder_(std::move(folder)),
        governor_(text("scaling_governor")),
        min_(text("scaling_min_freq")),
        max_(text("scaling_max_freq")) {}

  std::optional<std::int64_t> number(const char* name) const {
    return system_number(folder_ + name);
  }

  std::string lock(std::int64_t khz) {
    is_changed_ = true;
    // Drivers that choose frequencies themselves may have no such governor; the limits decide.
    write_value(folder_ + "scaling_governor", "performance");
    const std::string value = base::format("{}", khz);
    return set_limits(value, value);
  }

  std::string restore() {
    if (!std::exchange(is_changed_, false)) return {};
    std::string trouble = set_limits(min_, max_);
    if (text("scaling_governor") != governor_) {
      const std::string other = write_value(folder_ + "scaling_governor", governor_);
      if (trouble.empty()) trouble = other;
    }
    return trouble;
  }

  std::string restoring_command() const {
    return base::format("sudo cpupower frequency-set -g {} -d {}kHz -u {}kHz", governor_, min_,
                        max_);
  }

 private:
  std::string text(const char* name) const { return system_text(folder_ + name); }

  // The kernel rejects a minimum above the maximum, so the order matters, and which one has to go
  // first depends on their old values.
  std::string set_limits(const std::string& min, const std::string& max) {
    write_value(folder_ + "scaling_max_freq", max);
    std::string trouble = write_value(folder_ + "scaling_min_freq", min);
    const std::string other = write_value(folder_ + "scaling_max_freq", max);
    if (text("scaling_min_freq") == min && text("scaling_max_freq") == max) return {};
    if (trouble.empty()) trouble = other;
    return trouble.empty() ? base::format("{}: the system set another frequency", folder_)
                           : trouble;
  }

  std::string folder_;
  std::string governor_, min_, max_;
  bool is_changed_ = false;
};

// Everything that is locked, in the guard.
class Locks {
 public:
  explicit Locks(const ClockRequest& request) : request_(request) {}

  Trouble lock() {
    if (request_.gpu && request_.sources.gpu) {
      nvml_ = std::make_unique<Nvml>(request_.sources.nvml_library, *request_.sources.gpu);
      if (nvml_->has_gpu()) {
        Trouble trouble = lock_gpu();
        if (!trouble.message.empty()) return trouble;
      }
    }
    if (request_.cpu) {
      Trouble trouble = lock_processors();
      if (!trouble.message.empty()) return trouble;
    }
    if (locked.cpu_mhz || locked.gpu_mhz) return {};
    return {.message =
                "this machine has no clocks that can be locked: no NVIDIA driver and no "
                "frequency files in /sys",
            .hint = "Leave out --lock-clocks. On a virtual machine only the host can lock them."};
  }

  Trouble restore() {
    Trouble trouble;
    if (std::exchange(is_gpu_changed_, false)) {
      const std::string reason = nvml_->unlock_clock();
      if (!reason.empty()) {
        trouble = {.message = base::format("the GPU's clock: {}", reason),
                   .hint = "sudo nvidia-smi --reset-gpu-clocks"};
      }
    }
    for (ProcessorClock& processor : processors_) {
      const std::string reason = processor.restore();
      if (!reason.empty() && trouble.message.empty()) {
        trouble = {.message = reason, .hint = processor.restoring_command()};
      }
    }
    return trouble;
  }

  LockedClocks locked;

 private:
  Trouble lock_gpu() {
    const auto highest = nvml_->max_clock_mhz(GpuClock::kGraphics);
    const auto promised = nvml_->default_clock_mhz(GpuClock::kGraphics);
    const auto mhz = request_.mhz ? request_.mhz : promised ? promised : highest;
    if (!mhz || (highest && *mhz > *highest)) {
      return {.message = mhz ? base::format("the GPU's clock reaches at most {} MHz, but {} was "
                                            "requested",
                                            *highest, *mhz)
                             : "the driver does not report the GPU's clocks",
              .hint = "nvidia-smi --query-supported-clocks=graphics --format=csv lists them"};
    }
    is_gpu_changed_ = true;
    const std::string reason = nvml_->lock_clock(*mhz);
    if (reason.empty()) {
      locked.gpu_mhz = mhz;
      return {};
    }
    is_gpu_changed_ = false;
    const std::string command = base::format("sudo nvidia-smi --lock-gpu-clocks={}", *mhz);
    return {.message = base::format("can't lock the GPU's clock: {}", reason),
            .hint = nvml_->lacks_rights()
                        ? base::format("Run planex as root, or run `{}` before it and sudo "
                                       "nvidia-smi --reset-gpu-clocks after it.",
                                       command)
                        : "Leave out --lock-clocks.",
            .is_refused = true};
  }

  Trouble lock_processors() {
    constexpr std::string_view kFile = "scaling_min_freq";
    for (const std::string& file : files_below(request_.sources.root + "/sys/devices/system/cpu",
                                               "cpufreq/scaling_min_freq")) {
      processors_.emplace_back(file.substr(0, file.size() - kFile.size()));
    }
    for (ProcessorClock& processor : processors_) {
      const auto highest = processor.number("cpuinfo_max_freq");
      auto khz = processor.number("base_frequency");
      if (!khz) khz = processor.number("scaling_max_freq");
      if (request_.mhz) khz = *request_.mhz * kKhzPerMhz;
      if (!khz || (highest && *khz > *highest)) {
        restore();
        return {
            .message = base::format("the processors' clock reaches at most {} MHz, but {} was "
                                    "requested",
                                    highest.value_or(0) / kKhzPerMhz, khz.value_or(0) / kKhzPerMhz),
            .hint = {}};
      }
      std::string reason = processor.lock(*khz);
      if (!reason.empty()) {
        restore();
        return {.message = base::format("can't lock the processors' clock: {}", reason),
                .hint = base::format("Run planex as root, or run `sudo cpupower frequency-set -g "
                                     "performance -d {0}MHz -u {0}MHz` before it.",
                                     *khz / kKhzPerMhz),
                .is_refused = true};
      }
      locked.cpu_mhz = *khz / kKhzPerMhz;
    }
    return {};
  }

  const ClockRequest& request_;
  std::unique_ptr<Nvml> nvml_;
  bool is_gpu_changed_ = false;
  std::vector<ProcessorClock> processors_;
};

// The guard's lines: "locked CPU GPU" in MHz, 0 if not locked; "failed MESSAGE\tHINT"; "restored".
constexpr std::string_view kLocked = "locked ", kFailed = "failed ", kRestored = "restored";

// False if nobody reads any more.
bool tell(int report, std::string_view line) {
  const std::string text = std::string(line) + "\n";
  return ::write(report, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::string failed_line(const Trouble& trouble) {
  return base::format("{}{}\t{}\t{}", kFailed, trouble.is_refused ? kRefused : kImpossible,
                      trouble.message, trouble.hint);
}

std::string still_locked(const Trouble& trouble) {
  return base::format("the clocks are still locked: {}; run {}", trouble.message, trouble.hint);
}

void wait_for_end(int control) {
  char byte = 0;
  while (true) {
    const ssize_t count = ::read(control, &byte, 1);
    if (count == 0 || (count < 0 && errno != EINTR)) return;
  }
}

[[noreturn]] void guard(const ClockRequest& request, int control, int report) {
  // Ctrl-C goes to the whole group of the terminal; the guard acts after planex has ended.
  ::setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_IGN);
  // Close them: a process that waits for the end of planex's output, or of its other files, must
  // not wait for the guard.
  constexpr int kMaxFiles = 1024;
  for (int fd = 0; fd < kMaxFiles; ++fd) {
    if (fd != control && fd != report && fd != STDERR_FILENO) ::close(fd);
  }
  Locks locks(request);
  const Trouble trouble = locks.lock();
  if (!trouble.message.empty()) {
    locks.restore();
    tell(report, failed_line(trouble));
    ::_exit(1);
  }
  tell(report, base::format("{}{} {}", kLocked, locks.locked.cpu_mhz.value_or(0),
                            locks.locked.gpu_mhz.value_or(0)));
  wait_for_end(control);
  const Trouble left = locks.restore();
  const bool is_heard =
      tell(report, left.message.empty() ? std::string(kRestored) : failed_line(left));
  if (!is_heard && !left.message.empty()) tell(STDERR_FILENO, still_locked(left));
  ::_exit(left.message.empty() ? 0 : 1);
}

std::optional<std::int64_t> mhz_of(std::string_view word) {
  std::int64_t mhz = 0;
  std::from_chars(word.data(), word.data() + word.size(), mhz);
  return mhz > 0 ? std::optional(mhz) : std::nullopt;
}

Error error_of(std::string_view line) {
  line.remove_prefix(std::min(line.size(), kFailed.size()));
  Error error;
  error.code = base::take_part(line, '\t') == kRefused ? ErrorCode::kIo : ErrorCode::kUnsupported;
  error.message = base::take_part(line, '\t');
  error.hint = line;
  return error;
}

}  // namespace

Result<ClockLock> ClockLock::lock(const ClockRequest& request) {
  int control[2], report[2];
  if (::pipe2(control, O_CLOEXEC) != 0) {
    return fail(ErrorCode::kIo, base::format("can't make a pipe: {}", std::strerror(errno)));
  }
  ClockLock lock;
  lock.control_ = control[1];
  if (::pipe2(report, O_CLOEXEC) != 0) {
    ::close(control[0]);
    return fail(ErrorCode::kIo, base::format("can't make a pipe: {}", std::strerror(errno)));
  }
  lock.report_ = report[0];
  lock.guard_ = ::fork();
  if (lock.guard_ == 0) {
    ::close(control[1]);
    ::close(report[0]);
    guard(request, control[0], report[1]);
  }
  ::close(control[0]);
  ::close(report[1]);
  if (lock.guard_ < 0) return fail(ErrorCode::kIo, "can't start the clock guard process");
  const auto line = lock.hear();
  if (!line || !line->starts_with(kLocked)) {
    if (line) return fail(error_of(*line));
    return fail(ErrorCode::kIo, "can't lock the clocks: the clock guard process ended");
  }
  const std::string_view words = std::string_view(*line).substr(kLocked.size());
  lock.locked_ = {.cpu_mhz = mhz_of(words), .gpu_mhz = mhz_of(words.substr(words.find(' ') + 1))};
  return lock;
}

ClockLock::ClockLock(ClockLock&& other) noexcept
    : guard_(std::exchange(other.guard_, -1)),
      control_(std::exchange(other.control_, -1)),
      report_(std::exchange(other.report_, -1)),
      locked_(other.locked_) {}

ClockLock::~ClockLock() { release(); }

std::optional<std::string> ClockLock::hear() const {
  std::string line;
  while (true) {
    char byte = 0;
    const ssize_t count = ::read(report_, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    if (byte == '\n') return line;
    line += byte;
  }
}

std::string ClockLock::release() {
  if (control_ < 0) return {};
  ::close(std::exchange(control_, -1));
  const auto line = report_ >= 0 ? hear() : std::nullopt;
  if (report_ >= 0) ::close(std::exchange(report_, -1));
  if (guard_ > 0) {
    while (::waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
    }
    guard_ = -1;
  }
  const bool was_locked = locked_.cpu_mhz || locked_.gpu_mhz;
  if (!was_locked || line == kRestored) return {};
  if (!line) {
    return "the clocks are still locked: the clock guard process was killed; run sudo nvidia-smi "
           "--reset-gpu-clocks, or sudo cpupower frequency-set -d MIN -u MAX";
  }
  const Error error = error_of(*line);
  return still_locked({.message = error.message, .hint = error.hint});
}

}  // namespace planex::drive
