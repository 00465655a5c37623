// The C++ structs of documents, from their fields: include/planex/results.h.
#pragma once

#include <span>
#include <string>

#include "record/fields.h"

namespace planex::render {

// A header with one struct for each document and each record in them; what is inside comes first.
// Records of one name are one.
std::string cpp_structs(std::span<const record::DocumentInfo> documents);

}  // namespace planex::render
