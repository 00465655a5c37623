// The C++ classes of the model's tables, from the schema: include/planex/tables.h.
#ifndef PLANEX_RENDER_CPP_TABLE_CLASSES_H_
#define PLANEX_RENDER_CPP_TABLE_CLASSES_H_

#include <string>

namespace planex::render {

// A header with one class for each table, and one that has them all.
std::string cpp_tables();

}  // namespace planex::render

#endif  // PLANEX_RENDER_CPP_TABLE_CLASSES_H_
