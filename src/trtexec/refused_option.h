// Why trtexec refuses an option, from the releases that have it.
#pragma once

#include <string>
#include <string_view>

namespace planex::trtexec {

// A clause, and what to do. `option` is without dashes.
std::string refused_option_words(std::string_view option);

}  // namespace planex::trtexec
