// What engines fuse, quantize and convert, as a reference page.
#pragma once

#include <string>

namespace planex::render {

std::string engine_rules_markdown();

}  // namespace planex::render
