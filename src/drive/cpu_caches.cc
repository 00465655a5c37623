#include "drive/cpu_caches.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <string_view>

#include "base/text.h"
#include "drive/machine_values.h"

namespace planex::drive {
namespace {

// More than any machine has; a folder that lists more does not describe one.
constexpr int kMaxProcessors = 8192;
constexpr int kMaxCaches = 16;

// "32768K", "1M", "512".
std::optional<std::int64_t> cache_size(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value <= 0) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  int shift = 0;
  if (unit == "K") shift = 10;
  if (unit == "M") shift = 20;
  if (unit == "G") shift = 30;
  if (shift == 0 && !unit.empty()) return std::nullopt;
  if (value > std::numeric_limits<std::int64_t>::max() >> (shift + 16)) return std::nullopt;
  return value << shift;
}

std::optional<LastLevelCache> cache_of_library() {
#if defined(_SC_LEVEL3_CACHE_SIZE)
  for (const int level : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE}) {
    const auto bytes = static_cast<std::int64_t>(::sysconf(level));
    if (bytes > 0) return LastLevelCache{bytes, bytes};
  }
#endif
  return std::nullopt;
}

}  // namespace

std::optional<LastLevelCache> last_level_cache(const std::string& folder) {
  LastLevelCache found;
  std::int64_t last_level = 0;
  std::set<std::string> shared;  // the processors that share the last-level cache
  // Processors that are offline list no caches; numbers may have gaps.
  constexpr int kMaxHole = 256;
  for (int cpu = 0, hole = 0; cpu < kMaxProcessors && hole < kMaxHole; ++cpu, ++hole) {
    for (int index = 0; index < kMaxCaches; ++index) {
      const std::string place = base::format("{}/cpu{}/cache/index{}/", folder, cpu, index);
      const auto level = system_number(place + "level");
      if (!level) break;
      hole = -1;
      const auto bytes = cache_size(system_text(place + "size"));
      if (!bytes || system_text(place + "type") == "Instruction" || *level < last_level) continue;
      if (*level > last_level) {
        last_level = *level;
        found = {};
        shared.clear();
      }
      // A cache that does not say who shares it belongs to that processor alone.
      std::string who = system_text(place + "shared_cpu_list");
      if (who.empty()) who = base::format("{}", cpu);
      if (!shared.insert(std::move(who)).second) continue;
      found.bytes = std::max(found.bytes, *bytes);
      found.all_bytes += *bytes;
    }
  }
  return last_level > 0 ? std::optional(found) : cache_of_library();
}

}  // namespace planex::drive
