// The C++ classes of the model's tables, from the schema: include/planex/tables.h.
#pragma once

#include <string>

namespace planex::render {

// A header with one class for each table, and one that contains them all.
std::string cpp_tables();

}  // namespace planex::render
