// The list of readers: one row per format. To add a format, write its folder and add its row.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "base/files.h"
#include "ingest/reader.h"
#include "model/builder.h"

namespace planex::ingest {

std::span<const ReaderInfo> readers();

// The reader that is surest of a file, or null. The content decides; readers ignore the name.
const ReaderInfo* sniff(std::string_view head);

// For files whose head identifies no reader: whether the whole file might be one, and the reader
// that then recognizes it, or null.
bool is_undecided(std::string_view head);
const ReaderInfo* sniff_whole(std::shared_ptr<const base::Bytes> bytes);

// Uses the names of layers where nothing else shows what they do: only TensorRT builds names from
// what layers compute. Call after all files are read.
void complete_names(model::ModelBuilder& builder);

}  // namespace planex::ingest
