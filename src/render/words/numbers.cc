#include "render/words/numbers.h"

#include "base/text.h"

namespace planex::render {

std::string short_time_text(double ms) {
  // 0.9995 ms would print as 1000 µs, and so on.
  constexpr double kMin = 0.9995, kPerSecond = 1000, kPerMs = 1000;
  const double size = ms < 0 ? -ms : ms;
  if (size < kMin) return us_text(ms * kPerMs) + " µs";
  const bool is_seconds = size >= kMin * kPerSecond;
  const double value = is_seconds ? ms / kPerSecond : ms;
  const double shown = is_seconds ? size / kPerSecond : size;
  const int decimals = shown < 9.995 ? 2 : shown < 99.95 ? 1 : 0;
  return base::format("{:.{}f} {}", value, decimals, is_seconds ? "s" : "ms");
}

std::string or_dash(const std::optional<double>& value, std::string (*text)(double)) {
  return value ? text(*value) : "–";
}

std::string db_text(const std::optional<double>& db) {
  return db ? base::format("{:.1f} dB", *db) : "–";
}

}  // namespace planex::render
