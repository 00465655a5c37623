// The TypeScript types of documents, from their fields.
#ifndef PLANEX_RENDER_TYPESCRIPT_RECORD_TYPES_H_
#define PLANEX_RENDER_TYPESCRIPT_RECORD_TYPES_H_

#include <span>
#include <string>

#include "record/fields.h"

namespace planex::render {

// A module that exports one interface for each document and each record in them. Records of one
// name are one.
std::string typescript_types(std::span<const record::DocumentInfo> documents);

// A module that exports a reader for each, and the type of what it reads: what planex's own pages
// read their data with (web/src/model/reader.ts).
std::string typescript_readers(std::span<const record::DocumentInfo> documents);

}  // namespace planex::render

#endif  // PLANEX_RENDER_TYPESCRIPT_RECORD_TYPES_H_
