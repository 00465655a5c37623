#include "drive/machine_recorder.h"

#include <utility>

#include "base/files.h"
#include "base/try.h"

namespace planex::drive {
namespace {

// What a frequency in MHz applies to: TensorRT engines run on a GPU, the others on processors
// unless a device is given.
bool runs_on_gpu(const ProcessRequest& request) {
  return request.engine.starts_with("tensorrt") || request.engine == "trtexec";
}

}  // namespace

Result<std::optional<ClockLock>> MachineRecorder::lock_clocks(const ProcessRequest& request) {
  if (!request.locks_clocks) return std::optional<ClockLock>();
  if (!request.launcher.empty()) {
    return fail(ErrorCode::kUsage, "--lock-clocks can't lock the clocks of another machine",
                "Lock them there: sudo nvidia-smi --lock-gpu-clocks=MHZ, or cpupower.");
  }
  const bool is_any = !request.clock_mhz;
  PLANEX_ASSIGN(ClockLock lock, ClockLock::lock({.cpu = is_any || !runs_on_gpu(request),
                                                 .gpu = is_any || runs_on_gpu(request),
                                                 .mhz = request.clock_mhz,
                                                 .sources = machine_sources()}));
  return std::optional<ClockLock>(std::move(lock));
}

MachineRecorder::MachineRecorder(const ProcessRequest& request, Progress& progress,
                                 const std::optional<ClockLock>& clocks)
    : progress_(progress) {
  if (clocks) locked_ = clocks->locked();
  if (request.launcher.empty()) sampler_.emplace(machine_sources());
}

void MachineRecorder::update(std::string_view engine, std::string_view phase, double done) {
  if (sampler_) sampler_->mark(phase);
  progress_.update(engine, phase, done);
}

Result<void> MachineRecorder::write(const std::string& path) {
  if (!sampler_) return {};
  const std::string text = sampler_->stop(locked_);
  sampler_.reset();
  return base::write_file_atomically(path, text);
}

}  // namespace planex::drive
