// Turns Ctrl-C and similar signals into a flag, for the program's main function. The only global
// state of this library: a signal handler can't reach anything else.
#pragma once

#include <csignal>

#include "drive/cancellation.h"

namespace planex::drive {

// While an object of this class lives, the first SIGINT, SIGTERM or SIGHUP requests a stop; the
// second one of a kind ends the program without the files that were being written. Ignored signals
// (nohup) stay ignored. Only one object at a time.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  Cancellation cancellation() const;
  // The signal that requested the stop; 0: none.
  int signal() const;

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction previous_[3];
};

// From now on, the end of the process that started this one arrives as a SIGTERM, even if that
// process was killed and could not send one. Does nothing except on Linux.
void interrupt_with_parent();

}  // namespace planex::drive
