// The machine while a driver runs: clocks are held if requested, and its state is recorded.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "drive/clock_lock.h"
#include "drive/driver.h"
#include "drive/machine_sampler.h"

namespace planex::drive {

// Sits between a driver and its progress display and marks phases in the recording. Behind a
// launcher it only passes progress on, because this machine is not the one that matters.
class MachineRecorder final : public Progress {
 public:
  // Locks clocks; must be called before any thread is started.
  // Errors: kUsage (clocks behind a launcher), and those of ClockLock::lock().
  static Result<std::optional<ClockLock>> lock_clocks(const ProcessRequest& request);

  MachineRecorder(const ProcessRequest& request, Progress& progress,
                  const std::optional<ClockLock>& clocks);

  void update(std::string_view engine, std::string_view phase, double done) override;

  // Ends the recording and writes the file. Errors: kIo.
  Result<void> write(const std::string& path);

 private:
  Progress& progress_;
  LockedClocks locked_;
  std::optional<MachineSampler> sampler_;
};

}  // namespace planex::drive
