// Times in full, so that what is written adds up to the last digit.
#pragma once

#include <string>

#include "analyze/timing/exact_time.h"

namespace planex::render {

// "12.3456", without trailing zeros: no time has more than nine, or twelve, decimals.
std::string microseconds_text(analyze::Femtoseconds time);
std::string milliseconds_text(analyze::Femtoseconds time);

}  // namespace planex::render
