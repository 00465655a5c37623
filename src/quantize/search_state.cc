#include "quantize/search_state.h"

#include <cmath>
#include <cstddef>

#include "base/numbers.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::quantize {
namespace {

using base::format;

constexpr std::string_view kHead = "planex.search-state/1 ";
constexpr std::size_t kKeyDigits = 64;

Failure not_a_state(std::size_t line, std::string_view found, std::string_view expected) {
  constexpr std::size_t kShown = 60;
  return fail(ErrorCode::kBadInput,
              format("line {} of the state is {}, expected {}", line,
                     base::quoted(found.substr(0, kShown)), expected),
              "use a file that planex search wrote, or one that does not exist yet: --state FILE");
}

template <typename Number>
bool take_number(std::string_view& line, Number& value) {
  const auto number = base::number_in<Number>(base::take_part(line, ' '));
  if (number) value = *number;
  return number.has_value();
}

}  // namespace

Result<SearchState> parse_search_state(std::string_view text) {
  SearchState state;
  const std::string_view head = base::take_part(text, '\n');
  if (!head.starts_with(kHead)) {
    return not_a_state(1, head, "\"planex.search-state/1\" and a key");
  }
  state.key = head.substr(kHead.size());
  if (state.key.size() != kKeyDigits) {
    return not_a_state(1, head, "\"planex.search-state/1\" and a key of 64 digits");
  }
  for (std::size_t number = 2; !text.empty(); ++number) {
    const std::string_view line = base::take_part(text, '\n');
    std::string_view rest = line;
    Score score;
    const bool is_score = take_number(rest, score.sqnr_db) && take_number(rest, score.top1_count) &&
                          take_number(rest, score.row_count);
    if (!is_score || rest.empty() || std::isnan(score.sqnr_db) || score.top1_count < 0 ||
        score.top1_count > score.row_count) {
      return not_a_state(number, line, "a score and the model that has it");
    }
    state.measured.insert_or_assign(std::string(rest), score);
  }
  return state;
}

std::string write_search_state(const SearchState& state) {
  std::string text = format("{}{}\n", kHead, state.key);
  for (const auto& [what, score] : state.measured) {
    // {} of a double: the fewest digits that read back as the same value.
    text += format("{} {} {} {}\n", score.sqnr_db, score.top1_count, score.row_count, what);
  }
  return text;
}

}  // namespace planex::quantize
