// The list of readers: one row a format. To add a format, write its folder and add its row.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "base/files.h"
#include "ingest/reader.h"
#include "model/builder.h"

namespace planex::ingest {

std::span<const ReaderInfo> readers();

// The reader that is surest of a file, or null. Content decides; no reader looks at the name.
const ReaderInfo* sniff(std::string_view head);

// Of files whose head tells no reader what they are: whether the whole file might, and the reader
// that knows it then, or null.
bool is_undecided(std::string_view head);
const ReaderInfo* sniff_whole(std::shared_ptr<const base::Bytes> bytes);

// What names of layers show where nothing else does: only TensorRT's are made of what they compute.
// After all files are read.
void complete_names(model::ModelBuilder& builder);

}  // namespace planex::ingest
