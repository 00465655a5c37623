#include "render/words/action_sentences.h"

#include "base/quantities.h"
#include "base/text.h"

namespace planex::render {

std::string saving_words(const model::ActionTotal& saving) {
  if (!saving.high_ms) return "not known";
  const std::string high = base::ms_text(*saving.high_ms);
  if (!saving.low_ms) return base::format("up to {} ms", high);
  return base::format("{} to {} ms", base::ms_text(*saving.low_ms), high);
}

std::string saving_words(const model::Action& action) {
  if (!action.certainty) return "–";
  return saving_words(model::total_of({&action, 1}));
}

std::string_view certainty_words(const model::Action& action) {
  if (!action.certainty) return {};
  return *action.certainty == model::Certainty::kNotProven ? "not proven"
                                                           : to_string(*action.certainty);
}

}  // namespace planex::render
