// Whether to stop: because the user wants to, or because there is no time left. The flag belongs to
// the caller; src/drive/interrupt.h sets one from Ctrl-C.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

namespace planex::drive {

class Cancellation {
 public:
  Cancellation() = default;  // Never.
  // `flag` must outlive this.
  explicit Cancellation(const std::atomic<bool>& flag) : flag_(&flag) {}

  // The same flag, and a time at which to stop.
  Cancellation until(std::chrono::steady_clock::time_point deadline) const {
    Cancellation with_deadline = *this;
    with_deadline.deadline_ = deadline;
    return with_deadline;
  }

  bool requested() const {
    return (flag_ != nullptr && flag_->load(std::memory_order_relaxed)) ||
           (deadline_ && std::chrono::steady_clock::now() >= *deadline_);
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
};

}  // namespace planex::drive
