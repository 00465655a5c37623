// Why trtexec refuses an option, from the releases that have it.
#ifndef PLANEX_TRTEXEC_REFUSED_OPTION_H_
#define PLANEX_TRTEXEC_REFUSED_OPTION_H_

#include <string>
#include <string_view>

namespace planex::trtexec {

// A clause, and what to do. `option` is without dashes.
std::string refused_option_words(std::string_view option);

}  // namespace planex::trtexec

#endif  // PLANEX_TRTEXEC_REFUSED_OPTION_H_
