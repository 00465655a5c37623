// The machine while a driver runs: its clocks held where that was asked for, and its state
// recorded.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "drive/clock_lock.h"
#include "drive/driver.h"
#include "drive/machine_sampler.h"

namespace planex::drive {

// Stands between a driver and who shows its progress: phases are marked in the recording. Behind a
// launcher it does nothing else, as this machine is not the one that matters.
class MachineRecorder final : public Progress {
 public:
  // Locks clocks, which has to come before any thread is started.
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
