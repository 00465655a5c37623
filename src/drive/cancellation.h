// Whether the user wants to stop. The flag belongs to the caller; src/drive/interrupt.h sets one
// from Ctrl-C.
#pragma once

#include <atomic>

namespace planex::drive {

class Cancellation {
 public:
  Cancellation() = default;  // Never.
  // `flag` must outlive this.
  explicit Cancellation(const std::atomic<bool>& flag) : flag_(&flag) {}

  bool requested() const { return flag_ != nullptr && flag_->load(std::memory_order_relaxed); }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace planex::drive
