// Pieces of C++ that generated headers consist of.
#pragma once

#include <string>
#include <string_view>

namespace planex::render {

// A comment of whole lines, 100 columns wide: the description, then the unit if there is one.
std::string cpp_comment(std::string_view indent, std::string_view description,
                        std::string_view unit = {});

// The name of a member with this name: keywords of the language get a "_" after them.
std::string cpp_name(std::string_view name);
// operation_ports: OperationPorts.
std::string cpp_class_name(std::string_view name);

}  // namespace planex::render
