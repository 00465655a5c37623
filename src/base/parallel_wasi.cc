// WebAssembly without threads: one after the other.
#include "base/parallel.h"

namespace planex::base {

bool can_run_both() { return false; }

void run_both(const std::function<void()>& first, const std::function<void()>& second) {
  first();
  second();
}

}  // namespace planex::base
