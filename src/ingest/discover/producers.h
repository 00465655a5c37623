// Which producers' files can belong to one engine.
#pragma once

#include <string>
#include <string_view>

#include "ingest/reader.h"
#include "model/builder.h"
#include "planex/error.h"

namespace planex::ingest {

// Whether the files of `reader` can belong to the engine of `graph`: metadata of any tool, the
// source model, times and profiles of the same producer or of planex's own drivers, traces of
// engines that run on NVIDIA's devices.
bool fits(const ReaderInfo& reader, const ReaderInfo& graph);

// Whether the file has times of another producer's engine, so that it never joins this one, even if
// the user names it. A plan can come from any producer.
bool is_of_other_producer(const ReaderInfo& reader, const ReaderInfo& graph);

// For a file beside the engine: in the list of files, and as a diagnostic.
std::string why_left_out(const ReaderInfo& reader, const ReaderInfo& graph);
model::DiagnosticFacts left_to_other_producer(const std::string& path, const ReaderInfo& reader,
                                              const ReaderInfo& graph);

// For a file that an option names.
Error other_producer_error(const std::string& path, const ReaderInfo& reader,
                           const std::string& graph_path, const ReaderInfo& graph);

}  // namespace planex::ingest
