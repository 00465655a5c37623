// The last-level caches of this machine's processors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace planex::drive {

struct LastLevelCache {
  std::int64_t bytes = 0;      // of one cache
  std::int64_t all_bytes = 0;  // of all caches: each counts once, however many processors share it
};

// Read from the folder that describes processors, by default Linux's /sys/devices/system/cpu: each
// processor lists its caches there, and who shares them. The C library's figure is used only if
// that folder is missing: on some processors it is a multiple of the cache. Null if neither is
// known.
std::optional<LastLevelCache> last_level_cache(
    const std::string& folder = "/sys/devices/system/cpu");

}  // namespace planex::drive
