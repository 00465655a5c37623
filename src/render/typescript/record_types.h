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

// Of the data of planex's own pages, what no reader takes with the record that it is in. Without a
// field: the record, of which only parts are read.
struct LeftOut {
  std::string_view record, field = {};
  // It has a reader of its own.
  bool is_read_alone = false;
};
std::span<const LeftOut> left_out_of_pages();

// A module that exports a reader for each, and the type of what it reads: what planex's own pages
// read their data with (web/src/model/reader.ts). It has what they use, left_out_of_pages() aside.
std::string typescript_readers(std::span<const record::DocumentInfo> documents);

}  // namespace planex::render
