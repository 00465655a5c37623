#include "render/text/slice_text.h"

#include "base/text.h"
#include "render/words/numbers.h"

namespace planex::render {

using base::format;

std::string slice_place_text(const arrays::Slice& slice) {
  const bool is_one = slice.first == slice.last;
  std::string text = is_one ? format("{}", slice.first) : format("{}–{}", slice.first, slice.last);
  if (slice.axis == 1) {
    text = format("{} {}", is_one ? "channel" : "channels", text);
  } else {
    text += format(" of axis {}", slice.axis);
  }
  return slice.name.empty() ? text : format("{} ({})", text, slice.name);
}

std::string worst_slice_sentence(const std::string& tensor, const arrays::Difference& difference) {
  const arrays::Slice* const worst = arrays::worst_slice(difference.slices);
  if (worst == nullptr || !difference.sqnr_db || arrays::kept_db(*worst) >= *difference.sqnr_db) {
    return {};
  }
  const std::string verb = worst->first == worst->last ? "keeps" : "keep";
  const std::string kept =
      worst->nonfinite_mismatch_count > 0 ? "has NaN or infinities that the reference does not have"
      : worst->sqnr_db
          ? format("{} {}", verb, db_text(worst->sqnr_db))
          : format("differs by {:.3g} where the reference is 0", worst->max_abs.value_or(0));
  return format("{} hides a part: {} {}, the whole tensor {}.", tensor, slice_place_text(*worst),
                kept, db_text(difference.sqnr_db));
}

}  // namespace planex::render
