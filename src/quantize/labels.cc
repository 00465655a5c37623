#include "quantize/labels.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "base/text.h"

namespace planex::quantize {
namespace {

std::optional<std::int64_t> class_number(const std::string& label) {
  std::int64_t number = 0;
  const char* const end = label.data() + label.size();
  const auto [stopped, error] = std::from_chars(label.data(), end, number);
  if (error != std::errc() || stopped != end || number < 0) return std::nullopt;
  return number;
}

}  // namespace

RightAnswers right_answers(std::int64_t right, std::int64_t total) {
  // Quantile of the normal distribution, for 95 %.
  constexpr double kZ = 1.959963984540054;
  const auto count = static_cast<double>(total);
  const double share = static_cast<double>(right) / count;
  const double widened = 1 + kZ * kZ / count;
  const double middle = (share + kZ * kZ / (2 * count)) / widened;
  const double half =
      kZ * std::sqrt(share * (1 - share) / count + kZ * kZ / (4 * count * count)) / widened;
  return {.right = right,
          .total = total,
          .low = right == 0 ? 0 : middle - half,
          .high = right == total ? 1 : middle + half};
}

Result<std::vector<std::int64_t>> classes_of(std::span<const std::string> labels,
                                             std::size_t class_count) {
  const std::set<std::string> every(labels.begin(), labels.end());
  std::vector<std::string> names;
  std::ranges::copy_if(every, std::back_inserter(names),
                       [](const std::string& name) { return !name.empty(); });
  const auto count = static_cast<std::int64_t>(class_count);
  const bool are_numbers = std::ranges::all_of(names, [&](const std::string& name) {
    const auto number = class_number(name);
    return number && *number < count;
  });
  if (!are_numbers && names.size() != class_count) {
    return fail(ErrorCode::kUnsupported,
                base::format("the data has {}, but the model has {}",
                             base::counted(names.size(), "different label"),
                             base::counted(class_count, "class", "classes")),
                "use one folder per class, in the order of the classes or named by class number");
  }
  std::vector<std::int64_t> classes;
  for (const std::string& label : labels) {
    if (label.empty()) {
      classes.push_back(-1);
    } else if (are_numbers) {
      classes.push_back(*class_number(label));
    } else {
      classes.push_back(std::ranges::lower_bound(names, label) - names.begin());
    }
  }
  return classes;
}

}  // namespace planex::quantize
