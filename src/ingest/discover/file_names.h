// What the names of files tell: which belong together, and what the engine is called.
#pragma once

#include <string>
#include <string_view>

namespace planex::ingest {

// The model that ONNX Runtime saves after optimizing: what it ran.
inline constexpr std::string_view kOptimisedEnding = ".optimized.onnx";

// "run/resnet.graph.json.gz" -> "resnet": the name without folder and without the endings that
// tools give to the files of one engine.
std::string_view stem_of(std::string_view path);

// Whether a name is a stem and one plain extension, "net.log" as against "net.build.log": it does
// not say which of an engine's files this is.
bool has_plain_name(std::string_view path);

// Whether the name ends as those that tools give to the files of an engine.
bool has_engine_file_name(std::string_view path);

// Whether a record of quantizing is called as one of another model than that of the engine's graph:
// a quantized model often lies beside the engine of the float one, and its record with it.
bool is_record_of_other(std::string_view path, std::string_view graph_path);

// The stem of the file an engine is read from, or the folder's name where the stem says nothing
// ("graph", "layers").
std::string engine_name(std::string_view path);

// Whether it is what planex leaves of an engine that could not be built.
bool is_failed_log(std::string_view path);

// "run/" -> "run"; "/" stays.
std::string without_trailing_slash(std::string path);

// Whether a file is called as archives of engines are: ".planex", ".zip", and TREx's ".tea".
bool has_archive_name(std::string_view path);

}  // namespace planex::ingest
