// The TypeScript types of documents, from their fields.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "record/fields.h"

namespace planex::render {

// A module that exports one interface for each document and each record in them. Records of one
// name are one.
std::string typescript_types(std::span<const record::DocumentInfo> documents);

// Parts of the data of planex's own pages that no reader takes with their record. Without a field:
// the record, of which only parts are read.
struct LeftOut {
  std::string_view record, field = {};
  // It has a reader of its own.
  bool is_read_alone = false;
};
std::span<const LeftOut> left_out_of_pages();

// A module that exports a reader for each, and the type of what it reads: planex's own pages read
// their data with it (web/src/model/reader.ts). It contains what they use, except
// left_out_of_pages().
std::string typescript_readers(std::span<const record::DocumentInfo> documents);

}  // namespace planex::render
