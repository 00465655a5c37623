// Holds clocks at one frequency while an engine is measured, and always gives them back.
//
// A guard, a process of its own, does both. It restores the clocks on request, and also when the
// requesting process has ended for any reason. Only the end of the guard itself, such as a SIGKILL
// to both, leaves the clocks locked.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "drive/machine_sampler.h"
#include "planex/error.h"

namespace planex::drive {

struct ClockRequest {
  // Which clocks. Clocks that the machine doesn't have are skipped if it has at least one.
  bool cpu = false, gpu = false;
  // Null: the frequency is chosen. For a GPU it is the clock that its vendor promises, otherwise
  // its highest; for processors the base frequency, otherwise the highest allowed one.
  std::optional<std::int64_t> mhz;
  MachineSources sources;
};

class ClockLock {
 public:
  // Call this before the program starts other threads: the guard is a copy of it.
  // Errors: kUnsupported (no such clocks here, or not this frequency), kIo (no permission).
  static Result<ClockLock> lock(const ClockRequest& request);

  ClockLock(ClockLock&& other) noexcept;
  ClockLock& operator=(ClockLock&&) = delete;
  ~ClockLock();

  const LockedClocks& locked() const { return locked_; }
  // Waits until the clocks are restored. Returns an empty text, or what the user has to do about
  // clocks that are not.
  std::string release();

 private:
  ClockLock() = default;
  // One line from the guard; nothing once it has ended.
  std::optional<std::string> hear() const;

  pid_t guard_ = -1;
  int control_ = -1;  // The guard restores when this is closed.
  int report_ = -1;   // Lines from the guard.
  LockedClocks locked_;
};

}  // namespace planex::drive
