// Words that reveal nothing about a model: those of compilers, formats and planex itself.
#pragma once

#include <string_view>

namespace planex::analyze {

// Operators, types of layers, data types, layouts, and phrases that compilers build names from:
// allowed in names. Case-sensitive: `Conv` is one and `conv` is not, since people write `conv`.
bool is_operation_word(std::string_view word);

// These, and options, devices, units and words of messages: allowed in metadata.
bool is_option_word(std::string_view word);

// Words in kernels of vendors' libraries: "fprop", "tilesize".
bool is_kernel_word(std::string_view word);

}  // namespace planex::analyze
