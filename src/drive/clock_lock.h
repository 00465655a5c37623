// Holds clocks at one frequency while an engine is measured, and always gives them back.
//
// A guard, a process of its own, does both: it restores when it is told to, and when whoever asked
// is no more, whatever ended that. Only an end of the guard itself, as by SIGKILL to both, leaves
// the clocks locked.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "drive/machine_sampler.h"
#include "planex/error.h"

namespace planex::drive {

struct ClockRequest {
  // Of what; those that the machine doesn't have are left out, as long as there is one.
  bool cpu = false, gpu = false;
  // Null: for a GPU the clock that its vendor promises, else its highest; for processors the base
  // frequency, else the highest that is allowed.
  std::optional<std::int64_t> mhz;
  MachineSources sources;
};

class ClockLock {
 public:
  // For a program that has no other threads yet: the guard is a copy of it.
  // Errors: kUnsupported (no such clocks here, or not this frequency), kIo (no right to).
  static Result<ClockLock> lock(const ClockRequest& request);

  ClockLock(ClockLock&& other) noexcept;
  ClockLock& operator=(ClockLock&&) = delete;
  ~ClockLock();

  const LockedClocks& locked() const { return locked_; }
  // Waits until the clocks are as they were. Empty, or what the user has to do about those that
  // are not.
  std::string release();

 private:
  ClockLock() = default;
  // A line of the guard; nothing where it has ended.
  std::optional<std::string> hear() const;

  pid_t guard_ = -1;
  int control_ = -1;  // The guard restores when this is closed.
  int report_ = -1;   // Lines from the guard.
  LockedClocks locked_;
};

}  // namespace planex::drive
