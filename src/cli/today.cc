#include "cli/today.h"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/date.h"
#include "base/text.h"

namespace planex::cli {

Result<std::string> today() {
  std::chrono::sys_seconds now =
      std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH"); epoch != nullptr && *epoch != '\0') {
    const std::string_view text(epoch);
    std::int64_t seconds = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), seconds);
    constexpr std::int64_t kMax = 253'402'300'799;  // the end of the year 9999
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || seconds < 0 ||
        seconds > kMax) {
      return fail(ErrorCode::kUsage,
                  base::format("SOURCE_DATE_EPOCH is {}, expected seconds", base::quoted(text)));
    }
    now = std::chrono::sys_seconds(std::chrono::seconds(seconds));
  }
  return base::date_text(base::Date(std::chrono::floor<std::chrono::days>(now)));
}

}  // namespace planex::cli
