// Pieces of C++ that generated headers are made of.
#pragma once

#include <string>
#include <string_view>

namespace planex::render {

// A comment of whole lines, 100 columns wide: the description, then the unit where there is one.
std::string cpp_comment(std::string_view indent, std::string_view description,
                        std::string_view unit = {});

// What a member of this name is called: words of the language get a "_" behind them.
std::string cpp_name(std::string_view name);
// operation_ports: OperationPorts.
std::string cpp_class_name(std::string_view name);

}  // namespace planex::render
