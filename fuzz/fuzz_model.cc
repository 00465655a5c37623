#include "fuzz_model.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "analyze/complete/complete.h"
#include "analyze/reproduce/redact.h"
#include "analyze/summary/summary.h"
#include "base/text.h"

namespace planex::fuzz {
namespace {

bool are_same(const model::Cell& a, const model::Cell& b) {
  if (const auto* list = std::get_if<std::span<const std::int64_t>>(&a)) {
    const auto* other = std::get_if<std::span<const std::int64_t>>(&b);
    return other != nullptr && std::ranges::equal(*list, *other);
  }
  if (a.index() != b.index()) return false;
  if (const auto* text = std::get_if<std::string_view>(&a)) {
    return *text == std::get<std::string_view>(b);
  }
  if (const auto* number = std::get_if<std::int64_t>(&a)) {
    return *number == std::get<std::int64_t>(b);
  }
  if (const auto* number = std::get_if<double>(&a)) {
    return std::bit_cast<std::uint64_t>(*number) ==
           std::bit_cast<std::uint64_t>(std::get<double>(b));
  }
  return true;
}

}  // namespace

std::string use(model::PlanModel model) {
  analyze::complete(model);
  const analyze::Summary summary = analyze::summarize(model);
  if (summary.record_count != static_cast<std::int64_t>(model.layers.row_count())) {
    return base::format("the summary has {} records, the model {}", summary.record_count,
                        model.layers.row_count());
  }
  std::size_t sum = 0;
  for (std::size_t table = 0; table < model::schema().size(); ++table) {
    const model::TableView view(model, table);
    for (std::size_t row = 0; row < view.row_count(); ++row) {
      for (std::size_t column = 0; column < view.info().columns.size(); ++column) {
        const model::Cell cell = view.cell(column, row);
        if (const auto* text = std::get_if<std::string_view>(&cell)) {
          for (const char c : *text) sum += static_cast<unsigned char>(c);
        }
        if (const auto* list = std::get_if<std::span<const std::int64_t>>(&cell)) {
          for (const std::int64_t number : *list) sum += static_cast<std::size_t>(number);
        }
      }
    }
  }
  // Keeps the compiler from leaving the loop out.
  [[maybe_unused]] static volatile std::size_t sink;
  sink = sum;
  analyze::redact(model, "salt");
  return {};
}

std::string first_difference(const model::PlanModel& expected, const model::PlanModel& found) {
  for (std::size_t table = 0; table < model::schema().size(); ++table) {
    const model::TableView view(expected, table), other(found, table);
    const std::string_view name = view.info().name;
    if (view.row_count() != other.row_count()) {
      return base::format("has {} rows of {}, not {}", other.row_count(), name, view.row_count());
    }
    for (std::size_t row = 0; row < view.row_count(); ++row) {
      for (std::size_t column = 0; column < view.info().columns.size(); ++column) {
        if (are_same(view.cell(column, row), other.cell(column, row))) continue;
        return base::format("has another {} in row {} of {}", view.info().columns[column].name, row,
                            name);
      }
    }
  }
  return {};
}

std::string check(const Error& error) {
  // A newer version of a schema of ours is not broken.
  if (error.code != ErrorCode::kBadInput && error.code != ErrorCode::kUnsupported) {
    return base::format("error of code {}: {}", static_cast<int>(error.code), error.message);
  }
  if (error.message.empty()) return "an error without a message";
  if (error.file.empty()) return base::format("an error that names no file: {}", error.message);
  return {};
}

}  // namespace planex::fuzz
