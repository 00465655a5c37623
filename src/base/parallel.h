// Two tasks at once, if there are two cores for them.
#pragma once

#include <functional>

namespace planex::base {

// Whether run_both() would run its two at the same time.
bool can_run_both();

// Runs both and returns when both are done: the second on a separate thread if one is available,
// else after the first. They must not touch the same data.
void run_both(const std::function<void()>& first, const std::function<void()>& second);

}  // namespace planex::base
