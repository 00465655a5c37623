// The pages, as built from web/ and embedded in the program.
#pragma once

#include <string_view>

namespace planex::render {

// The report without data.
std::string_view report_template();
// The core as WebAssembly that a report carries, as xz; empty if the program was built without it.
std::string_view report_core();
// The index of `planex serve`, which asks for its data.
std::string_view index_template();

}  // namespace planex::render
