// Words for what to do about an engine (model/action.h).
#pragma once

#include <string>
#include <string_view>

#include "model/action.h"

namespace planex::render {

// "0.112 to 0.178 ms", "up to 0.0614 ms", "not known".
std::string saving_words(const model::ActionTotal& saving);
// The same of one; "–" where it promises none.
std::string saving_words(const model::Action& action);
// "proven", "likely", "not proven"; empty where no gain is promised.
std::string_view certainty_words(const model::Action& action);

}  // namespace planex::render
