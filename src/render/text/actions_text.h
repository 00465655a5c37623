// What to do about an engine, as lines of a terminal.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "model/action.h"

namespace planex::render {

// A row each, the first `shown` of them, under the heading; what is left in one line more.
// A command stands under the first action that it does. Empty without actions.
std::string actions_text(std::span<const model::Action> actions, std::string_view heading,
                         std::size_t shown, std::size_t width, bool color);

}  // namespace planex::render
