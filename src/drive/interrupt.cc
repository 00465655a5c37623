#include "drive/interrupt.h"

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <atomic>
#include <cstddef>
#include <iterator>

#include "base/files.h"

namespace planex::drive {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<int> interrupted_by{0};
// Bit N is set once signal N has arrived.
std::atomic<unsigned> seen{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler writes them");

}  // namespace

InterruptScope::InterruptScope() {
  interrupted = false;
  interrupted_by = 0;
  seen = 0;
  struct sigaction action{};
  action.sa_handler = [](int signal) {
    const unsigned bit = 1u << static_cast<unsigned>(signal);
    if ((seen.fetch_or(bit) & bit) != 0) {
      base::remove_temporary_files();
      ::signal(signal, SIG_DFL);
      ::raise(signal);
      return;
    }
    interrupted_by = signal;
    interrupted = true;
  };
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    ::sigaction(kSignals[i], nullptr, &previous_[i]);
    if (previous_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptScope::~InterruptScope() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    ::sigaction(kSignals[i], &previous_[i], nullptr);
  }
}

Cancellation InterruptScope::cancellation() const { return Cancellation(interrupted); }

int InterruptScope::signal() const { return interrupted_by; }

void interrupt_with_parent() {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
}

}  // namespace planex::drive
