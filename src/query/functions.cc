#include "query/functions.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/statistics.h"
#include "base/text.h"

namespace planex::query {
namespace {

// Numbers seen so far by one aggregate. SQLite hands out this memory zeroed and calls the final
// step on every path, so it owns its buffer by hand; the buffer is SQLite's, so that it counts
// against the query's memory limit.
struct Sample {
  double* values;
  std::size_t size;
  std::size_t capacity;
  double percent;
  bool has_percent;

  bool add(double value) {
    if (size == capacity) {
      constexpr std::size_t kFirst = 64;
      const std::size_t larger = capacity == 0 ? kFirst : capacity * 2;
      auto* grown = static_cast<double*>(sqlite3_realloc64(values, larger * sizeof(double)));
      if (grown == nullptr) return false;
      values = grown;
      capacity = larger;
    }
    values[size++] = value;
    return true;
  }
};

void fail_with(sqlite3_context* context, std::string_view message) {
  sqlite3_result_error(context, message.data(), static_cast<int>(message.size()));
}

void add_value(sqlite3_context* context, const char* function, sqlite3_value* argument) {
  auto* sample = static_cast<Sample*>(sqlite3_aggregate_context(context, sizeof(Sample)));
  if (sample == nullptr) return sqlite3_result_error_nomem(context);
  switch (sqlite3_value_numeric_type(argument)) {
    case SQLITE_NULL:
      return;
    case SQLITE_INTEGER:
    case SQLITE_FLOAT:
      if (!sample->add(sqlite3_value_double(argument))) sqlite3_result_error_nomem(context);
      return;
    default:
      fail_with(
          context,
          base::format("{}() needs numbers, not {}", function,
                       base::quoted(reinterpret_cast<const char*>(sqlite3_value_text(argument)))));
  }
}

void step_median(sqlite3_context* context, int, sqlite3_value** arguments) noexcept try {
  add_value(context, "median", arguments[0]);
} catch (...) {
  sqlite3_result_error_nomem(context);
}

void step_percentile(sqlite3_context* context, int, sqlite3_value** arguments) noexcept try {
  const int type = sqlite3_value_numeric_type(arguments[1]);
  const double percent = sqlite3_value_double(arguments[1]);
  if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || !(percent >= 0 && percent <= 100)) {
    return fail_with(context, "percentile(x, p) needs p between 0 and 100");
  }
  auto* sample = static_cast<Sample*>(sqlite3_aggregate_context(context, sizeof(Sample)));
  if (sample == nullptr) return sqlite3_result_error_nomem(context);
  if (sample->has_percent && sample->percent != percent) {
    return fail_with(context, "percentile(x, p) needs the same p for all rows");
  }
  sample->percent = percent;
  sample->has_percent = true;
  add_value(context, "percentile", arguments[0]);
} catch (...) {
  sqlite3_result_error_nomem(context);
}

void finish(sqlite3_context* context, bool is_median) {
  auto* sample = static_cast<Sample*>(sqlite3_aggregate_context(context, 0));
  if (sample == nullptr) return sqlite3_result_null(context);
  constexpr double kMiddle = 50;
  if (sample->size > 0) {
    const std::span values(sample->values, sample->size);
    std::ranges::sort(values);
    const double percent = is_median ? kMiddle : sample->percent;
    sqlite3_result_double(context, base::quantile(values, percent / 100.0));
  }
  sqlite3_free(sample->values);
  *sample = {};
}

void finish_median(sqlite3_context* context) noexcept { finish(context, true); }
void finish_percentile(sqlite3_context* context) noexcept { finish(context, false); }

re2::StringPiece piece_of(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

// RE2 runs in linear time without recursion; std::regex guarantees neither.
std::unique_ptr<re2::RE2> compile(re2::StringPiece pattern) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  return std::make_unique<re2::RE2>(pattern, options);
}

// regexp(pattern, text), which `text REGEXP pattern` calls.
void regexp(sqlite3_context* context, int, sqlite3_value** arguments) noexcept try {
  if (sqlite3_value_type(arguments[0]) == SQLITE_NULL ||
      sqlite3_value_type(arguments[1]) == SQLITE_NULL) {
    return;
  }
  // SQLite keeps the compiled pattern while the argument is a constant.
  auto* expression = static_cast<re2::RE2*>(sqlite3_get_auxdata(context, 0));
  std::unique_ptr<re2::RE2> fresh;
  if (expression == nullptr) {
    fresh = compile(piece_of(arguments[0]));
    expression = fresh.get();
  }
  if (!expression->ok()) {
    return fail_with(context,
                     base::format("{} is not a valid regular expression: {}",
                                  base::quoted(expression->pattern()), expression->error()));
  }
  sqlite3_result_int(context, re2::RE2::PartialMatch(piece_of(arguments[1]), *expression) ? 1 : 0);
  if (fresh != nullptr) {
    sqlite3_set_auxdata(context, 0, fresh.release(),
                        [](void* kept) { delete static_cast<re2::RE2*>(kept); });
  }
} catch (...) {
  sqlite3_result_error_nomem(context);
}

}  // namespace

int create_functions(sqlite3* db) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  int code = sqlite3_create_function_v2(db, "median", 1, kFlags, nullptr, nullptr, step_median,
                                        finish_median, nullptr);
  if (code == SQLITE_OK) {
    code = sqlite3_create_function_v2(db, "percentile", 2, kFlags, nullptr, nullptr,
                                      step_percentile, finish_percentile, nullptr);
  }
  if (code == SQLITE_OK) {
    code = sqlite3_create_function_v2(db, "regexp", 2, kFlags, nullptr, regexp, nullptr, nullptr,
                                      nullptr);
  }
  return code;
}

}  // namespace planex::query
