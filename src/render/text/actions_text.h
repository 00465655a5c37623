// What to do about an engine, as lines of a terminal.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "model/action.h"

namespace planex::render {

// One row per action, the first `shown` of them, under the heading; one more line counts the rest.
// A command is printed under the first action that it performs. Empty without actions.
std::string actions_text(std::span<const model::Action> actions, std::string_view heading,
                         std::size_t shown, std::size_t width, bool color);

}  // namespace planex::render
