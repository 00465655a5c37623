// What file names show: which files belong together, and what the engine is called.
#pragma once

#include <string>
#include <string_view>

namespace planex::ingest {

// The model that ONNX Runtime saves after optimizing: the one that it ran.
inline constexpr std::string_view kOptimisedEnding = ".optimized.onnx";

// "run/resnet.graph.json.gz" -> "resnet": the name without the folder and without the suffixes that
// tools give to the files of one engine.
std::string_view stem_of(std::string_view path);

// Whether a name is a stem and one plain extension, "net.log" rather than "net.build.log": it does
// not say which of an engine's files this is.
bool has_plain_name(std::string_view path);

// Whether the name has a suffix that tools give to the files of an engine.
bool has_engine_file_name(std::string_view path);

// Whether a quantization record has the name of another model than the engine's graph: a quantized
// model is often beside the engine of the float one, together with its record.
bool is_record_of_other(std::string_view path, std::string_view graph_path);

// The stem of the file that an engine is read from, or the folder's name if the stem says nothing
// ("graph", "layers").
std::string engine_name(std::string_view path);

// Whether it is the file that planex leaves for an engine that could not be built.
bool is_failed_log(std::string_view path);

// "run/" -> "run"; "/" stays.
std::string without_trailing_slash(std::string path);

// Whether a file has a name like archives of engines: ".planex", ".zip", and TREx's ".tea".
bool has_archive_name(std::string_view path);

}  // namespace planex::ingest
