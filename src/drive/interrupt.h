// Turns Ctrl-C and friends into a flag, for the program's main function. The one place of this
// library with global state: a signal handler can reach nothing else.
#pragma once

#include <csignal>

#include "drive/cancellation.h"

namespace planex::drive {

// While one lives, the first SIGINT, SIGTERM or SIGHUP asks to stop; the second of a kind ends the
// program, without the files that were being written. Ignored signals (nohup) stay ignored. One at
// a time.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  Cancellation cancellation() const;
  // The signal that asked to stop; 0: none.
  int signal() const;

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction previous_[3];
};

// From here on the end of the process that started this one is a SIGTERM, also where that was
// killed and could tell nobody. Elsewhere than on Linux nothing happens.
void interrupt_with_parent();

}  // namespace planex::drive
